"""Battle orders of computer players, and the orders of the players in which plans are tried."""

from __future__ import annotations

import pytest

from server.bots import fight
from server.bots.search import throws_of
from server.rules.state import BATTLES, Battle
from tests.bots.test_march import ground_of, squads
from tests.rules.builders import campaign, detachment, hex_at


@pytest.mark.parametrize(
    ("whole", "fallen"), [(False, ["u0:half", "u1:half", "u0", "u1"]), (True, ["u0:half", "u0", "u1:half", "u1"])]
)
def test_whole_units_fall_where_the_level_says_so(whole: bool, fallen: list[str]) -> None:
    """Units at half their models count in full for the enemy's VP (6.2.3.5)."""
    state = campaign(phase=BATTLES)
    at, origin = hex_at(state.board, "0605"), hex_at(state.board, "0505")
    detachment(state, "red", "r", "0505", *squads(2, "u"))
    detachment(state, "blue", "b", "0605", *squads(2, "v"))
    state.battles[at] = Battle(at, "r", "b", "attack", "red", "blue", origin)
    (order,) = fight.orders(ground_of(state), whole=whole)
    assert order["casualties"] == fallen


def test_plans_are_tried_with_each_player_first() -> None:
    """Seen to fail with two throws of dice: both often have the same player first."""
    state = campaign()
    chances = list(throws_of(ground_of(state), "initiative").values())
    assert len(chances) == 2
    assert sum(chances) == pytest.approx(1)
