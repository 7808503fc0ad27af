"""Who sees what (3.4, D-26), and what is left out of a view.

Seen to fail: with the bonuses of a capital added up, and with ``watchers`` looking no further than the hex itself, or
no further than a capital sees at most, or leaving shared sight out.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from server.core.events import Event
from server.rules.sight import GM, SPECTATOR, has_scouts, sees, sight, view_for, views_for, watchers
from server.rules.state import OVER, Garrison, State
from tests.rules.builders import RULES, campaign, convoy, detachment, fort, garrison, hex_at, own, town, unit
from tests.rules.properties.campaigns import plans, play


def seen(state: State, player: str = "red") -> list[str]:
    return [state.board.label(at) for at in sees(state, player)]


def area(state: State, centre: str, radius: int) -> list[str]:
    """Return the labels of the hexes so near, in hex order."""
    return [state.board.label(at) for at in sorted(state.board.within(hex_at(state.board, centre), radius))]


# --- who sees which hexes ---


def test_a_detachment_sees_its_hex() -> None:
    """3.4: and nothing else."""
    state = campaign()
    detachment(state, "red", "r", "0505")
    assert seen(state) == ["0505"]
    assert seen(state, "blue") == []


def test_scouts_see_one_hex_further() -> None:
    """3.4: as long as half of the unit is fit."""
    state = campaign()
    detachment(state, "red", "r", "0505", unit("a"), unit("b", flags=("scout",), models=10, ready=5))
    assert seen(state) == area(state, "0505", 1)
    state = campaign()
    detachment(state, "red", "r", "0505", unit("b", flags=("scout",), models=10, ready=4))
    assert seen(state) == ["0505"]


@pytest.mark.parametrize(
    ("faction", "slot", "flags", "scouting"),
    [
        ("space_wolves", "troops", (), True),
        ("necrons", "troops", ("scout",), False),
        ("black_templars", "troops", ("scout",), False),
        ("black_templars", "fast", ("scout",), True),
    ],
)
def test_factions_with_other_eyes(faction: str, slot: str, flags: tuple[str, ...], scouting: bool) -> None:
    """D-71: always, never, or only in the fast slot."""
    state = campaign({"red": faction, "blue": "none"})
    body = detachment(state, "red", "r", "0505", unit("a", slot=slot, flags=flags))
    assert has_scouts(state, body) is scouting


def test_a_type_of_detachment_that_scouts() -> None:
    """D-71: genestealers need no scout flag."""
    state = campaign({"red": "tyranids", "blue": "none"})
    assert has_scouts(state, detachment(state, "red", "r", "0505", type="genestealers"))


def test_orbit_and_construction_see_nothing() -> None:
    """D-72, D-32: they are not on the map yet."""
    state = campaign()
    detachment(state, "red", "r", "orbit", unit("a", flags=("scout",)), type="drop_pod")
    detachment(state, "red", "s", "0505", unit("b", flags=("scout",)), ready_in=2)
    assert seen(state) == []


def test_convoys_towns_and_strongholds_see_their_hex() -> None:
    """3.4: a place only for who controls it."""
    state = campaign()
    convoy(state, "red", "c", "0101", 50)
    town(state, "red", "0303", "metropol")
    fort(state, "red", "0505", "fortress")
    fort(state, "red", "0707")
    own(state, "blue", "0707")
    assert seen(state) == ["0101", "0303", "0505"]


@pytest.mark.parametrize(
    ("defences", "scouts", "radius"),
    [({}, False, 1), ({"radar_tower": 1}, False, 2), ({}, True, 2), ({"radar_tower": 1}, True, 2)],
)
def test_the_capital_sees_one_and_never_more_than_two(defences: dict[str, int], scouts: bool, radius: int) -> None:
    """D-26."""
    state = campaign()
    town(state, "red", "0505", "metropol", capital=True)
    fort(state, "red", "0505", "fortress", **defences)
    garrison(state, "red", "g", "0505", unit("a", flags=("scout",) if scouts else ()))
    assert seen(state) == area(state, "0505", radius)


def test_a_radar_tower_looks_one_hex_out() -> None:
    """3.4, D-26: from any stronghold."""
    state = campaign()
    fort(state, "red", "0505", "camp", radar_tower=2)
    assert seen(state) == area(state, "0505", 1)


def test_works_see_as_far_as_the_ruleset_says_and_do_not_add_up() -> None:
    """3.4. Seen to fail with a tower that counts as 1, and with the sum in place of the furthest."""
    tower = RULES.defences["radar_tower"]
    works = {id_: replace(tower, id=id_, sight=steps) for id_, steps in (("mast", 2), ("beacon", 1))}
    state = campaign(ruleset=replace(RULES, defences={**RULES.defences, **works}))
    fort(state, "red", "0505", "camp", mast=1, beacon=1)
    assert seen(state) == area(state, "0505", 2)
    assert watchers(state, hex_at(state.board, "0507")) == ["red"]


def test_allies_share_sight_only_if_the_campaign_says_so() -> None:
    """D-08."""
    for shared in (False, True):
        state = campaign(shared_sight=shared)
        for me, other in (("red", "blue"), ("blue", "red")):
            state.players[me].allies = (other,)
        detachment(state, "blue", "b", "0808")
        assert seen(state) == (["0808"] if shared else [])
        assert watchers(state, hex_at(state.board, "0808")) == (["red", "blue"] if shared else ["blue"])


def test_watchers_are_who_sees_a_hex() -> None:
    """One hex looked at from outside is the same as everybody's sight from inside."""
    for plan in plans(4, turns=3, seed=60):
        for phase in play(plan):
            state = phase.after
            visibility = sight(state)
            for at in range(0, state.board.size, 3):
                assert watchers(state, at) == [player for player in state.players if at in visibility[player]]


@pytest.mark.parametrize("radius", [2, 3, 4])
def test_defences_of_ones_own_ruleset_see_as_far_as_it_says(radius: int) -> None:
    """Also further than scouts and capitals do; who watches a hex is who has it in sight."""
    tower = replace(RULES.defences["radar_tower"], sight=radius)
    ruleset = replace(RULES, defences={**RULES.defences, "radar_tower": tower})
    state = campaign(ruleset=ruleset)
    fort(state, "red", "0505", "camp", radar_tower=1)
    assert seen(state) == area(state, "0505", radius)
    assert [at for at in range(state.board.size) if watchers(state, at) == ["red"]] == list(sees(state, "red"))


# --- what a view holds ---


def crowd() -> State:
    """Return a position with something of everything of blue's, in sight of red at 0505 and out of it at 0808."""
    state = campaign()
    town(state, "red", "0505", "metropol", capital=True, bp=11)
    for name, label in (("near", "0506"), ("far", "0909")):
        town(state, "blue", label, "city", bp=500, buildings=("barracks",), changed=3)
        fort(state, "blue", label, "fortress", weapon_tower=1)
        body = detachment(state, "blue", f"{name}-d", label, unit(f"{name}-u", ready=6, wounded=3))
        body.dxp, body.battle_order, body.pinned = 12, "defend", True
        garrison(state, "blue", f"{name}-g", label)
        convoy(state, "blue", f"{name}-c", label, 70)
        state.harvest[hex_at(state.board, label)] = 25
    return state


def test_what_is_in_sight_and_what_is_not() -> None:
    """3.4: forces, convoys, stores, buildings and defences in sight; the chart everywhere."""
    state = crowd()
    view = view_for(state, (), "red").state
    near, far = hex_at(state.board, "0506"), hex_at(state.board, "0909")
    assert [*view.detachments, *view.garrisons, *view.convoys] == ["near-d", "near-g", "near-c"]
    assert far not in view.store
    assert far not in view.harvest
    assert view.store[near] == 500
    assert view.urban[near].buildings == ("barracks",)
    assert (view.urban[far].size, view.urban[far].buildings, view.urban[far].changed) == ("city", (), -1)
    assert (view.stronghold[far].type, view.stronghold[far].defences) == ("fortress", {})
    assert view.stronghold[near].defences == {"weapon_tower": 1}


def test_plans_experience_and_wounds_of_others_never_show() -> None:
    """Not even in full sight."""
    body = view_for(crowd(), (), "red").state.detachments["near-d"]
    assert (body.dxp, body.battle_order, body.pinned) == (0, "", False)
    assert (body.units[0].ready, body.units[0].wounded) == (6, 0)


def test_others_construction_never_shows() -> None:
    """Not even in a hex in sight."""
    state = crowd()
    detachment(state, "blue", "new", "0506", ready_in=2)
    assert "new" not in view_for(state, (), "red").state.detachments


def test_an_unanswered_declaration_is_known_to_whom_it_is_made() -> None:
    """D-04: the others hear of an alliance, not of a wish; what is in force is common knowledge.

    Seen to fail as it was first: after the next Build phase everybody saw who had been turned down.
    """
    state = campaign({"red": "none", "blue": "none", "green": "none"})
    state.players["blue"].allies = state.players["blue"].declared = ("green", "red")
    state.players["green"].allies = ()
    blue = view_for(state, (), "red").state.players["blue"]
    assert (blue.allies, blue.declared) == (("red",), ("red",))
    assert view_for(state, (), SPECTATOR).state.players["blue"].allies == ()
    state.players["green"].allies = ("blue",)
    state.alliances_changed()
    assert view_for(state, (), "red").state.players["blue"].allies == ("green", "red")
    assert view_for(state, (), SPECTATOR).state.players["blue"].allies == ("green",)


def test_events_go_to_whom_they_are_for() -> None:
    """A spectator hears what is public, the game master everything."""
    state = crowd()
    events = [Event("a", {}, ("red",)), Event("b", {}, ("blue",)), Event("c", {}, ("red", "blue"), public=True)]

    def heard(viewer: str) -> list[str]:
        return [event.type for event in view_for(state, events, viewer).events]

    assert (heard("red"), heard("blue"), heard(SPECTATOR), heard(GM)) == (
        ["a", "c"],
        ["b", "c"],
        ["c"],
        ["a", "b", "c"],
    )


def test_the_game_master_sees_all_but_the_key_of_the_ids() -> None:
    """Nobody needs that (D-06)."""
    state = crowd()
    view = view_for(state, (), GM)
    assert view.state.id_key == b""
    assert view.state.detachments == state.detachments
    assert len(view.sees) == state.board.size


def test_a_spectator_sees_the_chart() -> None:
    """Nothing secret until the end."""
    view = view_for(crowd(), (), SPECTATOR)
    assert view.sees == ()
    assert (view.state.detachments, view.state.garrisons, view.state.convoys, view.state.store) == ({}, {}, {}, {})
    assert len(view.state.urban) == 3


def test_when_it_is_over_everybody_sees_everything() -> None:
    """But the key."""
    state = crowd()
    state.phase = OVER
    event = Event("a", {}, ("blue",))
    for view in (
        view_for(state, [event], "red"),
        view_for(state, [event], SPECTATOR),
        views_for(state, [event])["red"],
    ):
        assert view.state.detachments == state.detachments
        assert view.state.id_key == b""
        assert view.events == (event,)


def test_a_view_is_not_the_state() -> None:
    """What is seen of others is a copy of its own."""
    state = crowd()
    known = view_for(state, (), "red").state
    assert known.detachments["near-d"] is not state.detachments["near-d"]
    seen_garrison: Garrison = known.garrisons["near-g"]
    assert seen_garrison is not state.garrisons["near-g"]
