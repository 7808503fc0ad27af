from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from server.play import campaigns, desk, finding, history, seats, starting
from server.play.campaigns import NewCampaign
from server.play.context import NOBODY, Play
from server.play.errors import PlayError
from tests.play.campaigns import club, factions
from tests.play.conftest import Clock, person


def refused(refusal: str, use: Callable[..., Any], *given: Any, **named: Any) -> PlayError:
    with pytest.raises(PlayError) as error:
        use(*given, **named)
    assert error.value.code == refusal
    return error.value


def test_from_creation_to_setup(play: Play) -> None:
    made = club(play, begin=False)
    before = made.info
    assert (before.status, len(before.seats), before.phase) == ("open", 4, None)
    assert len(before.link0) == 64
    starting.start(play, made.gm, made.id)
    after = made.info
    assert (after.status, after.turn, after.phase, after.phase_number) == ("running", 0, "setup", 1)
    assert after.link0 == before.link0
    refused("wrong_status", starting.start, play, made.gm, made.id)
    refused("forbidden", starting.start, play, made.players["p1"], made.id)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a\u0007b"}, "name"),
        ({"scenario": "nowhere"}, "scenario"),
        ({"scenario": "../../etc"}, "scenario"),
        ({"ruleset": "nothing"}, "ruleset"),
        ({"ruleset_data": {"id": 1}}, "ruleset"),
        ({"options": {"anonymous": 1}}, "options.anonymous"),
        ({"options": {"colour": "red"}}, "options.colour"),
        ({"options": {"deadlines": {"kind": "rolling"}}}, "options.deadlines.hours"),
        ({"rules": {"territory": 101}}, "rules.territory"),
        ({"rules": {"named_ids": True}}, "rules.named_ids"),
        ({"rules": {"muster": "yes"}}, "rules.muster"),
    ],
)
def test_what_is_wrong_with_a_new_campaign_is_named(play: Play, given: dict[str, Any], field: str) -> None:
    gm = person(play, "Gwen")
    new = NewCampaign(**({"name": "War", "scenario": "four-corners"} | given))
    with pytest.raises(PlayError) as error:
        campaigns.create(play, gm, new)
    assert error.value.field == field
    assert finding.find(play, gm).items == ()


def test_joining(play: Play) -> None:
    made = club(play, begin=False)
    eve = person(play, "Eve")
    faction = factions(play, made)[0]
    refused("campaign_full", seats.join, play, eve, made.id, faction=faction)
    seats.leave(play, made.players["p2"], made.id)
    refused("unknown_faction", seats.join, play, eve, made.id, faction="clowns")
    refused("seat_taken", seats.join, play, eve, made.id, faction=faction, seat="p1")
    refused("not_found", seats.join, play, eve, made.id, faction=faction, seat="p9")
    refused("too_few_players", starting.start, play, made.gm, made.id)
    assert seats.join(play, eve, made.id, faction=faction).your_seats == ("p2",)
    refused("already_joined", seats.join, play, eve, made.id, faction=faction)
    refused("forbidden", seats.join, play, made.gm, made.id, faction=faction)
    starting.start(play, made.gm, made.id)
    refused("wrong_status", seats.join, play, person(play, "Fay"), made.id, faction=faction)


def test_an_unlisted_campaign_is_found_by_those_who_are_asked(play: Play) -> None:
    made = club(play, begin=False)
    campaigns.change(play, made.gm, made.id, listed=False)
    seats.leave(play, made.players["p2"], made.id)
    eve = person(play, "Eve")
    faction = factions(play, made)[0]
    for use in (campaigns.get, seats.leave, campaigns.pause, campaigns.remove, starting.start):
        known, unknown = refused("not_found", use, play, eve, made.id), refused("not_found", use, play, eve, "nosuch")
        assert (known.message, known.field) == (unknown.message, unknown.field)
    code = seats.invite_by_code(play, made.gm, made.id).code
    refused("not_found", seats.campaign_of_code, play, "guess")
    refused("not_found", seats.join, play, eve, made.id, faction=faction, code="guess")
    assert seats.campaign_of_code(play, code) == made.id
    assert seats.join(play, eve, made.id, faction=faction, code=code).your_seats == ("p2",)
    seats.leave(play, eve, made.id)
    fay = person(play, "Fay")
    seats.invite_user(play, made.gm, made.id, "FAY")
    assert campaigns.get(play, fay, made.id).name == "The Long March"


def test_pausing_keeps_the_time_that_is_left(play: Play, clock: Clock) -> None:
    made = club(play, options={"deadlines": {"kind": "rolling", "hours": 10}})
    first = made.info.deadline
    assert first is not None
    clock.forward(hours=4)
    campaigns.pause(play, made.gm, made.id, "Holidays")
    clock.forward(days=9)
    campaigns.resume(play, made.gm, made.id)
    after = made.info.deadline
    assert after is not None
    assert (after - first).days == 9
    refused("wrong_status", campaigns.resume, play, made.gm, made.id)
    refused("forbidden", campaigns.pause, play, made.players["p1"], made.id)


def test_deleting_has_a_grace(play: Play, clock: Clock) -> None:
    made = club(play)
    campaigns.remove(play, made.gm, made.id)
    refused("not_found", campaigns.get, play, made.players["p1"], made.id)
    assert campaigns.remove_for_good(play) == 0
    campaigns.restore(play, made.gm, made.id)
    assert made.info.status == "paused"
    campaigns.remove(play, made.gm, made.id)
    clock.forward(days=play.settings.deletion_grace_days)
    assert campaigns.remove_for_good(play) == 1
    refused("not_found", campaigns.get, play, made.gm, made.id)


def test_finishing_and_archiving(play: Play) -> None:
    made = club(play)
    refused("wrong_status", campaigns.archive, play, made.gm, made.id)
    campaigns.finish(play, made.gm, made.id, "We moved to another game.")
    over = made.info
    assert (over.turn, over.phase, over.deadline) == (None, None, None)
    assert [each.phase for each in desk.mine(play, made.gm)] == [None]
    campaigns.archive(play, made.gm, made.id)
    assert made.info.status == "archived"


def test_anonymous_seats_name_nobody(play: Play) -> None:
    made = club(play, options={"anonymous": True})
    seen = campaigns.get(play, made.players["p1"], made.id).seats
    assert [each.user for each in seen] == ["Ada", None, None, None]
    assert [each.bot for each in seen] == [False, None, None, None]
    assert not {"Bob", "Cyd", "Dan"} & {each.name for each in seen}
    refused("wrong_status", campaigns.change, play, made.gm, made.id, options={"anonymous": False})
    campaigns.finish(play, made.gm, made.id)
    assert [each.user for each in campaigns.get(play, NOBODY, made.id).seats] == ["Ada", "Bob", "Cyd", "Dan"]


def test_finding_page_by_page(play: Play, clock: Clock) -> None:
    gm = person(play, "Gwen")
    for number in range(5):
        clock.forward(seconds=number % 2)
        campaigns.create(play, gm, NewCampaign(f"War {number} 100%", "four-corners", listed=number != 3))
    seen: list[str] = []
    cursor = None
    while True:
        page = finding.find(play, NOBODY, cursor=cursor, limit=2)
        seen += [each.name[:5] for each in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(seen) == ["War 0", "War 1", "War 2", "War 4"]
    assert len(finding.find(play, gm, mine=True).items) == 5
    assert [each.name[:5] for each in finding.find(play, gm, text="r 2 100%").items] == ["War 2"]
    assert finding.find(play, gm, text="_").items == ()
    for bad in ("x", "W10", "8J+YgA"):
        refused("invalid_request", finding.find, play, gm, cursor=bad)


def test_what_ends_a_campaign_and_brings_it_back_stands_in_the_log(play: Play) -> None:
    made = club(play)
    campaigns.remove(play, made.gm, made.id)
    campaigns.restore(play, made.gm, made.id)
    campaigns.finish(play, made.gm, made.id)
    campaigns.archive(play, made.gm, made.id)
    done = history.interventions(play, made.players["p1"], made.id)
    assert [each.kind for each in done] == ["delete", "restore", "finish", "archive"]


def test_before_the_beginning_there_is_no_log(play: Play) -> None:
    made = club(play, begin=False)
    campaigns.remove(play, made.gm, made.id)
    campaigns.restore(play, made.gm, made.id)
    assert made.info.status == "open"
    assert history.interventions(play, made.gm, made.id) == []
