from __future__ import annotations

import orjson
import pytest

from server.play import access
from server.play.campaigns import campaigns
from server.play.context import NOBODY, AppContext
from server.play.messages import messages
from server.play.notices import notices
from server.play.views import history, positions
from server.rules.codec import encode
from server.rules.sight import view_for
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused


def truth(made: Club) -> bytes:
    return positions.shown(made.ctx, made.gm, made.id).view.body


def test_everybody_reads_what_he_may_know(ctx: AppContext) -> None:
    made = club(ctx, phases=7)
    whole = positions.position(ctx, made.gm, made.id)
    assert whole.viewer == "gm"
    for seat, actor in made.players.items():
        mine = positions.position(ctx, actor, made.id)
        assert mine.viewer == seat
        body = positions.shown(ctx, actor, made.id).view.body
        assert body == positions.shown(ctx, made.gm, made.id, as_=seat).view.body
        assert orjson.loads(body)["state"] == orjson.loads(encode(view_for(made.view(seat).state, (), seat).state))
        assert not {detachment.id for detachment in mine.view.state.detachments.values()} > set(
            whole.view.state.detachments
        )
        for other in ("gm", "p9", *(player for player in made.players if player != seat)):
            refused("not_found", positions.position, ctx, actor, made.id, as_=other)
    assert positions.position(ctx, NOBODY, made.id).viewer == "spectator"
    refused("not_found", positions.position, ctx, made.gm, made.id, as_="p9")


def test_where_there_are_no_spectators(ctx: AppContext) -> None:
    made = club(ctx, options={"spectators": False})
    for actor in (NOBODY, person(ctx, "Eve")):
        refused("not_found", positions.position, ctx, actor, made.id)
        refused("not_found", history.past, ctx, actor, made.id, 0)
        refused("not_found", notices.campaign_topics, ctx, actor, made.id)


def test_the_past_is_as_one_saw_it(ctx: AppContext) -> None:
    made = club(ctx)
    before = {}
    for _ in range(9):
        made.play_phase()
        before[made.info.phase_number] = {
            seat: positions.position(ctx, actor, made.id) for seat, actor in made.players.items()
        }
    ada = made.players["p1"]
    for number, seen in before.items():
        for seat, actor in made.players.items():
            then = history.past(ctx, actor, made.id, number - 1)
            assert encode(then.view.state) == encode(seen[seat].view.state)
            assert set(then.orders) <= {seat}
            assert all(seat in event.to for event in then.events)
    refused("not_found", history.past, ctx, ada, made.id, made.info.phase_number)
    refused("not_found", history.past, ctx, ada, made.id, 1, as_="p2")
    refused("not_found", history.past, ctx, ada, made.id, 1, branch=2)


def test_links_and_seeds_are_published_when_the_turn_is_over(ctx: AppContext) -> None:
    made = club(ctx, phases=6)
    turn = made.info.turn
    assert turn is not None
    found = history.phases(ctx, made.players["p1"], made.id)
    assert [each.number for each in found] == list(range(made.info.phase_number + 1))
    for each in found:
        assert (each.link is not None) == (each.seed is not None) == (each.turn < turn)
        assert each.state_hash is None
    assert history.phases(ctx, made.gm, made.id)[0].state_hash is not None


def test_the_end_opens_everything(ctx: AppContext) -> None:
    made = club(ctx, phases=5)
    campaigns.finish(ctx, made.gm, made.id)
    bob = made.players["p2"]
    assert history.past(ctx, bob, made.id, 1).viewer == "gm"
    assert set(history.past(ctx, bob, made.id, 1).orders) == set(made.players)
    assert set(history.past(ctx, bob, made.id, 1, as_="p1").orders) == {"p1"}
    assert positions.position(ctx, bob, made.id).viewer == "gm"
    assert all(phase.link and phase.state_hash for phase in history.phases(ctx, NOBODY, made.id) if phase.resolved_at)


def test_who_is_final_is_shown_as_the_campaign_says(ctx: AppContext) -> None:
    for shown in (True, False):
        made = club(ctx, options={"show_final": shown}) if shown else None
        if made is None:
            break
        made.order("p2")
        found = {each.player_id: each for each in positions.finality(ctx, made.players["p1"], made.id)}
        assert found["p2"].final
        assert (found["p2"].handed_in, found["p2"].wanted) == (None, None)
        assert (found["p1"].handed_in, found["p1"].wanted) == (False, True)


def test_finality_can_be_kept_secret(ctx: AppContext) -> None:
    made = club(ctx, options={"show_final": False})
    made.order("p2")
    assert [each.player_id for each in positions.finality(ctx, made.players["p1"], made.id)] == ["p1"]
    assert len(positions.finality(ctx, made.gm, made.id)) == 4


def test_legal_orders_and_previews(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    option = next(each for each in positions.legal(ctx, ada, made.id) if each["order"].get("what") == "capital")
    order = option["order"] | {"at": option["choices"]["at"][0]}
    assert positions.preview(ctx, ada, made.id, order).problems == ()
    assert positions.preview(ctx, ada, made.id, order, [order]).problems[0].code
    assert positions.preview(ctx, ada, made.id, 7).problems[0].code == "bad_value"


def test_letters_reach_whom_they_are_for(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    ada, bob, cyd = (made.players[each] for each in ("p1", "p2", "p3"))
    first = messages.send(ctx, ada, made.id, ["p2"], "Let us share the ford.", in_character=True)
    clock.forward(minutes=1)
    messages.send(ctx, bob, made.id, ["all"], "Good luck.")
    clock.forward(minutes=1)
    messages.send(ctx, cyd, made.id, ["gm"], "A question.")
    clock.forward(minutes=1)
    messages.announce(ctx, made.gm, made.id, "Tuesday is off.")
    texts = {
        actor.name: [each.body for each in messages.listed(ctx, actor, made.id)] for actor in (ada, bob, cyd, made.gm)
    }
    assert texts["Ada"] == ["Tuesday is off.", "Good luck.", "Let us share the ford."]
    assert texts["Cyd"] == ["Tuesday is off.", "A question.", "Good luck."]
    assert texts["Gwen"] == ["Tuesday is off.", "A question.", "Good luck."]
    assert [each.body for each in messages.listed(ctx, NOBODY, made.id)] == ["Tuesday is off."]
    refused("not_found", messages.mark_read, ctx, cyd, made.id, first.id)
    refused("not_found", messages.send, ctx, cyd, made.id, ["p1"], "Aha", reply_to=first.id)
    refused("invalid_request", messages.listed, ctx, cyd, made.id, before=first.id)
    messages.mark_read(ctx, bob, made.id, first.id)
    assert messages.listed(ctx, bob, made.id)[-1].read_at is not None
    for bad in ([], "p2", ["p9"]):
        refused("invalid_request", messages.send, ctx, ada, made.id, bad, "x")
    refused("forbidden", messages.send, ctx, person(ctx, "Eve"), made.id, ["p1"], "x")


def test_declarations(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    ada, bob, cyd = (made.players[each] for each in ("p1", "p2", "p3"))
    messages.declare(ctx, ada, made.id, "truce", toward="p2")
    clock.forward(minutes=1)
    messages.declare(ctx, bob, made.id, "war", toward="p3", public=True)
    assert [declaration.kind for declaration in messages.declarations(ctx, bob, made.id)] == ["truce", "war"]
    assert [declaration.kind for declaration in messages.declarations(ctx, cyd, made.id)] == ["war"]
    refused("invalid_request", messages.declare, ctx, ada, made.id, "truce", toward="p1")


@pytest.mark.parametrize("seat", ["p1", "p2"])
def test_topics_are_one_audience_each(ctx: AppContext, seat: str) -> None:
    made = club(ctx)
    assert notices.campaign_topics(ctx, made.players[seat], made.id) == [
        f"campaign/{made.id}/public",
        f"campaign/{made.id}/player/{seat}",
    ]
    assert f"campaign/{made.id}/gm" in notices.campaign_topics(ctx, made.gm, made.id)
    with ctx.database.read() as session:
        assert access.load(session, made.gm, made.id).gm
