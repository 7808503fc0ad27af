"""Names of forces: unique among one owner's, from the seat's own pool, nothing of them from what is hidden (D-09).

Seen to fail: with names counted by the forces on the map, and with the pool shared by all seats.
"""

from __future__ import annotations

from dataclasses import replace

from server.rules.force_names import NUMERALS, free_names, name_for, pool
from server.rules.versions import FIRST, NEWEST
from server.rulesets import load
from tests.rules.builders import campaign, detachment


def test_a_name_that_is_taken_gets_a_number() -> None:
    state = campaign()
    detachment(state, "red", "r", "0505").name = "Guards"
    assert name_for(state, "red", "a", "Guards") == f"Guards {NUMERALS[0]}"
    assert name_for(state, "blue", "a", "Guards") == "Guards"
    assert name_for(state, "red", "a", "Others") == "Others"


def test_without_a_name_one_of_the_pool_that_is_free() -> None:
    state = campaign()
    first = name_for(state, "red", "a", "")
    assert first in pool(state, "red")
    detachment(state, "red", "r", "0505").name = first
    assert first not in free_names(state, "red")
    assert name_for(state, "red", "a", "") != first


def test_seats_share_no_names() -> None:
    state = campaign()
    pools = [set(pool(state, player)) for player in state.players]
    assert all(pools)
    assert sum(map(len, pools)) == len(set().union(*pools))


def test_what_others_have_changes_no_name() -> None:
    """The same id has the same name, whatever stands elsewhere on the map."""
    alone, crowded = campaign(), campaign()
    for number, at in enumerate(("0102", "0304", "0506")):
        detachment(crowded, "blue", f"b{number}", at).name = pool(crowded, "red")[number]
    for id_ in ("a", "b", "c", "d"):
        assert name_for(alone, "red", id_, "") == name_for(crowded, "red", id_, "")


def test_a_pool_that_is_used_up_gives_numbers() -> None:
    state = campaign()
    for number, name in enumerate(pool(state, "red")):
        force = detachment(state, "red", f"r{number}", state.board.label(number))
        force.name = name
    name = name_for(state, "red", "x", "")
    assert name not in {each.name for each in state.detachments.values()}


def test_rulesets_bring_names_and_units_of_their_own() -> None:
    frontier = load("frontier")
    names = [name for each in frontier.factions.values() for name in each.force_names]
    assert len(names) == len(set(names))
    for faction in frontier.factions.values():
        assert len(faction.force_names) >= 16
        slots = {unit.slot for unit in faction.ready_units}
        assert slots == {"hq", "troops", "elite", "fast", "heavy"}
        assert all(unit.models and unit.points for unit in faction.ready_units)
        assert not any(unit.bombardment for unit in faction.ready_units if "artillery" not in unit.flags)
    assert all(each.force_names for each in load("wh40k-2001").factions.values())


def test_older_campaigns_keep_the_names_they_gave() -> None:
    assert NEWEST.forces_have_own_names
    assert not FIRST.forces_have_own_names
    assert replace(NEWEST, forces_have_own_names=False) != NEWEST
