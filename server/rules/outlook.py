"""What one's battle orders would come to if nobody else stirred: the battles they open, and their odds (4, 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from server.rules.battle_movement import play_battle_movement
from server.rules.odds import Odds, odds
from server.rules.orders.sets import HopefulDice, OrderBook, read_set
from server.rules.scene import Scene
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, Battle


@dataclass(frozen=True, slots=True)
class Prospect:
    """A battle that one's orders would open."""

    hex: str
    battle: Battle
    odds: Odds


def outlook(view: View, orders: Sequence[object]) -> list[Prospect]:
    """Return the battles that *orders*, arbitrary JSON, would open; none in any phase but Battle movement.

    The orders are carried out on what the viewer knows, and on nothing else: whoever he does not see is not there,
    and whom he does see stays where he is and helps nobody. Own supporters count as what they would be (4.1.7).
    """
    if view.state.phase != BATTLE_MOVEMENT or view.viewer not in view.state.players:
        return []
    accepted = read_set(view.state, view.viewer, BATTLE_MOVEMENT, orders).accepted
    scene = Scene(view.state.copy(), HopefulDice())
    play_battle_movement(scene, OrderBook({view.viewer: accepted}, {}))
    mine = (each for each in scene.state.battles.values() if each.attacking == view.viewer)
    return [Prospect(scene.label(each.hex), each, odds(scene.state, each)) for each in mine]
