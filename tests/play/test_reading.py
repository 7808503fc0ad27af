from __future__ import annotations

import orjson
import pytest

from server.play import access, campaigns, history, live, messages, reading
from server.play.context import NOBODY, Play
from server.rules.codec import encode
from server.rules.sight import view_for
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused


def truth(made: Club) -> bytes:
    return reading.position(made.play, made.gm, made.id).body


def test_everybody_reads_what_he_may_know(play: Play) -> None:
    made = club(play, phases=7)
    whole = reading.position(play, made.gm, made.id)
    assert whole.viewer == "gm"
    for seat, who in made.players.items():
        mine = reading.position(play, who, made.id)
        assert mine.viewer == seat
        assert mine.body == reading.position(play, made.gm, made.id, as_=seat).body
        assert orjson.loads(mine.body)["state"] == orjson.loads(encode(view_for(made.view(seat).state, (), seat).state))
        assert not {each.id for each in mine.view.state.detachments.values()} > set(whole.view.state.detachments)
        for other in ("gm", "p9", *(each for each in made.players if each != seat)):
            refused("not_found", reading.position, play, who, made.id, as_=other)
    assert reading.position(play, NOBODY, made.id).viewer == "spectator"
    refused("not_found", reading.position, play, made.gm, made.id, as_="p9")


def test_where_there_are_no_spectators(play: Play) -> None:
    made = club(play, options={"spectators": False})
    for who in (NOBODY, person(play, "Eve")):
        refused("not_found", reading.position, play, who, made.id)
        refused("not_found", history.past, play, who, made.id, 0)
        refused("not_found", live.campaign_topics, play, who, made.id)


def test_the_past_is_as_one_saw_it(play: Play) -> None:
    made = club(play)
    before = {}
    for _ in range(9):
        made.play_phase()
        before[made.info.phase_number] = {
            seat: reading.position(play, who, made.id) for seat, who in made.players.items()
        }
    ada = made.players["p1"]
    for number, seen in before.items():
        for seat, who in made.players.items():
            then = history.past(play, who, made.id, number - 1)
            assert encode(then.view.state) == encode(seen[seat].view.state)
            assert set(then.orders) <= {seat}
            assert all(seat in each.to for each in then.events)
    refused("not_found", history.past, play, ada, made.id, made.info.phase_number)
    refused("not_found", history.past, play, ada, made.id, 1, as_="p2")
    refused("not_found", history.past, play, ada, made.id, 1, branch=2)


def test_links_and_seeds_are_published_when_the_turn_is_over(play: Play) -> None:
    made = club(play, phases=6)
    turn = made.info.turn
    assert turn is not None
    found = history.phases(play, made.players["p1"], made.id)
    assert [each.number for each in found] == list(range(made.info.phase_number + 1))
    for each in found:
        assert (each.link is not None) == (each.seed is not None) == (each.turn < turn)
        assert each.state_hash is None
    assert history.phases(play, made.gm, made.id)[0].state_hash is not None


def test_the_end_opens_everything(play: Play) -> None:
    made = club(play, phases=5)
    campaigns.finish(play, made.gm, made.id)
    bob = made.players["p2"]
    assert history.past(play, bob, made.id, 1).viewer == "gm"
    assert set(history.past(play, bob, made.id, 1).orders) == set(made.players)
    assert set(history.past(play, bob, made.id, 1, as_="p1").orders) == {"p1"}
    assert reading.position(play, bob, made.id).viewer == "gm"
    assert all(each.link and each.state_hash for each in history.phases(play, NOBODY, made.id) if each.resolved_at)


def test_who_is_final_is_shown_as_the_campaign_says(play: Play) -> None:
    for shown in (True, False):
        made = club(play, options={"show_final": shown}) if shown else None
        if made is None:
            break
        made.order("p2")
        found = {each.player_id: each for each in reading.finality(play, made.players["p1"], made.id)}
        assert found["p2"].final
        assert (found["p2"].handed_in, found["p2"].wanted) == (None, None)
        assert (found["p1"].handed_in, found["p1"].wanted) == (False, True)


def test_finality_can_be_kept_secret(play: Play) -> None:
    made = club(play, options={"show_final": False})
    made.order("p2")
    assert [each.player_id for each in reading.finality(play, made.players["p1"], made.id)] == ["p1"]
    assert len(reading.finality(play, made.gm, made.id)) == 4


def test_legal_orders_and_previews(play: Play) -> None:
    made = club(play)
    ada = made.players["p1"]
    option = next(each for each in reading.legal(play, ada, made.id) if each["order"].get("what") == "capital")
    order = option["order"] | {"at": option["choices"]["at"][0]}
    assert reading.preview(play, ada, made.id, order).problems == ()
    assert reading.preview(play, ada, made.id, order, [order]).problems[0].code
    assert reading.preview(play, ada, made.id, 7).problems[0].code == "bad_value"


def test_letters_reach_whom_they_are_for(play: Play, clock: Clock) -> None:
    made = club(play)
    ada, bob, cyd = (made.players[each] for each in ("p1", "p2", "p3"))
    first = messages.send(play, ada, made.id, ["p2"], "Let us share the ford.", in_character=True)
    clock.forward(minutes=1)
    messages.send(play, bob, made.id, ["all"], "Good luck.")
    clock.forward(minutes=1)
    messages.send(play, cyd, made.id, ["gm"], "A question.")
    clock.forward(minutes=1)
    messages.announce(play, made.gm, made.id, "Tuesday is off.")
    texts = {who.name: [each.body for each in messages.listed(play, who, made.id)] for who in (ada, bob, cyd, made.gm)}
    assert texts["Ada"] == ["Tuesday is off.", "Good luck.", "Let us share the ford."]
    assert texts["Cyd"] == ["Tuesday is off.", "A question.", "Good luck."]
    assert texts["Gwen"] == ["Tuesday is off.", "A question.", "Good luck."]
    assert [each.body for each in messages.listed(play, NOBODY, made.id)] == ["Tuesday is off."]
    refused("not_found", messages.mark_read, play, cyd, made.id, first.id)
    refused("not_found", messages.send, play, cyd, made.id, ["p1"], "Aha", reply_to=first.id)
    refused("invalid_request", messages.listed, play, cyd, made.id, before=first.id)
    messages.mark_read(play, bob, made.id, first.id)
    assert messages.listed(play, bob, made.id)[-1].read_at is not None
    for bad in ([], "p2", ["p9"]):
        refused("invalid_request", messages.send, play, ada, made.id, bad, "x")
    refused("forbidden", messages.send, play, person(play, "Eve"), made.id, ["p1"], "x")


def test_declarations(play: Play, clock: Clock) -> None:
    made = club(play)
    ada, bob, cyd = (made.players[each] for each in ("p1", "p2", "p3"))
    messages.declare(play, ada, made.id, "truce", toward="p2")
    clock.forward(minutes=1)
    messages.declare(play, bob, made.id, "war", toward="p3", public=True)
    assert [each.kind for each in messages.declarations(play, bob, made.id)] == ["truce", "war"]
    assert [each.kind for each in messages.declarations(play, cyd, made.id)] == ["war"]
    refused("invalid_request", messages.declare, play, ada, made.id, "truce", toward="p1")


@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_topics_are_one_audience_each(play: Play, seat: str) -> None:
    made = club(play)
    assert live.campaign_topics(play, made.players[seat], made.id) == [
        f"campaign/{made.id}/public", f"campaign/{made.id}/player/{seat}",
    ]  # fmt: skip
    assert f"campaign/{made.id}/gm" in live.campaign_topics(play, made.gm, made.id)
    with play.database.read() as session:
        assert access.look(session, made.gm, made.id).gm
