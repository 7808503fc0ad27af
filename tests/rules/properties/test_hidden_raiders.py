"""Forces that are seen from adjacent hexes only: from further off, not one byte tells that they are there (D-71b).

Seen to fail with ``_shows`` of ``server/rules/sight.py`` letting them be seen two hexes off.
"""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from server.rules.sight import View, view_for
from server.rules.state import MOVEMENT, State
from tests.rules.builders import campaign, detachment, fort, own_around, town, unit
from tests.rules.properties.test_non_interference import batch_for, names_in, told

HIDING, PLAIN = ("raiders", "wych_host"), "standard"
CENTRE = "0505"


def watched() -> State:
    """Return red's capital, whose radar tower looks two hexes out, and a detachment of red in it."""
    state = campaign({"red": "none", "blue": "dark_eldar"}, phase=MOVEMENT)
    own_around(state, "red", CENTRE, 1)
    town(state, "red", CENTRE, "metropol", bp=300, capital=True)
    fort(state, "red", CENTRE, "fortress", radar_tower=1)
    detachment(state, "red", "r1", CENTRE)
    town(state, "blue", "1010", "metropol", bp=300, capital=True)
    return state


def ring(state: State, steps: int) -> list[str]:
    """Return the hexes so many steps from the capital."""
    centre = state.board.find(CENTRE)
    assert centre is not None
    near = set(state.board.within(centre, steps - 1))
    return [state.board.label(at) for at in state.board.within(centre, steps) if at not in near]


def bytes_for_red(state: State, names: list[str], seed: int) -> list[bytes]:
    """Return all that red gets, for orders drawn by the seed, and that name what red may not know."""
    view: View = view_for(state, (), "red")
    return told(view, batch_for(view, names, Random(seed)))


@settings(max_examples=40, deadline=None)
@given(
    places=st.lists(st.integers(0, 11), min_size=1, max_size=4, unique=True),
    types=st.lists(st.sampled_from(HIDING), min_size=4, max_size=4),
    models=st.integers(1, 20),
    seed=st.integers(0, 1000),
)
def test_raiders_two_hexes_off_are_not_there(places: list[int], types: list[str], models: int, seed: int) -> None:
    state, far = watched(), ring(watched(), 2)
    for number, (place, type_) in enumerate(zip(places, types, strict=False)):
        made = unit(f"b{number}1", models=models)
        detachment(state, "blue", f"b{number}", far[place], made, type=type_)
    names = names_in(state)
    assert bytes_for_red(state, names, seed) == bytes_for_red(watched(), names, seed)


@settings(max_examples=20, deadline=None)
@given(place=st.integers(0, 11), seed=st.integers(0, 1000))
def test_others_there_and_raiders_next_door_are_seen(place: int, seed: int) -> None:
    for steps, type_ in ((2, PLAIN), (1, HIDING[0])):
        state = watched()
        there = ring(state, steps)
        assume(place < len(there))
        detachment(state, "blue", "b0", there[place], type=type_)
        names = names_in(state)
        assert bytes_for_red(state, names, seed) != bytes_for_red(watched(), names, seed)
