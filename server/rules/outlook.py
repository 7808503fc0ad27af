"""The outlook of battle orders if nobody else acted: the battles they open, and their odds (4, 6.1).

Also the odds of an attack under consideration, alone and with each force that could still help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.rules.movement_phases import play_battle_movement
from server.rules.odds import Odds, odds
from server.rules.orders.sets import HopefulDice, OrderBook, read_set
from server.rules.scene import Scene
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, Battle


@dataclass(frozen=True, slots=True)
class Prospect:
    """A battle that the player's orders would open."""

    hex: str
    battle: Battle
    odds: Odds


def outlook(view: View, orders: Sequence[object]) -> list[Prospect]:
    """Return the battles that *orders*, arbitrary JSON, would open; none in any phase but Battle movement.

    The orders are carried out on the viewer's view alone: unseen forces are not there, and seen ones stay where
    they are and help nobody. Own supporters count as such (4.1.7).
    """
    if view.state.phase != BATTLE_MOVEMENT or view.viewer not in view.state.players:
        return []
    accepted = read_set(view.state, view.viewer, BATTLE_MOVEMENT, orders).accepted
    scene = Scene(view.state.copy(), HopefulDice())
    play_battle_movement(scene, OrderBook({view.viewer: accepted}, {}))
    mine = (battle for battle in scene.state.battles.values() if battle.attacking == view.viewer)
    return [Prospect(scene.label(battle.hex), battle, odds(scene.state, battle)) for battle in mine]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attack to preview, not an order."""

    alone: Prospect
    """With those who are ordered to help so far, and nobody else."""
    helped: dict[str, Prospect]
    """With one more own force that has no other order, by the id of that force; likeliest victory first."""


def attempt(view: View, orders: Sequence[object], attacker: str, target: str) -> Attempt | None:
    """Return the outlook of an attack by the force *attacker* on *target* next to the other *orders*.

    *target* is that of the order ``attack``. None if it would open no battle.
    """
    others = [order for order in orders if not (isinstance(order, Mapping) and order.get("detachment") == attacker)]
    tried = [*others, {"type": "attack", "detachment": attacker, "target": target}]
    alone = _led_by(outlook(view, tried), attacker)
    if alone is None:
        return None
    state, helped = view.state, {}
    busy = {str(other.get("detachment")) for other in others if isinstance(other, Mapping)}
    for at in state.board.adjacent[alone.battle.hex]:
        force = state.detachment_at.get(at)
        if force is None or force.owner != view.viewer or force.id in (*busy, attacker):
            continue
        with_help = [*tried, {"type": "support", "detachment": force.id, "target": attacker}]
        found = _led_by(outlook(view, with_help), attacker)
        if found is not None and force.id in found.battle.supporters:
            helped[force.id] = found
    likeliest = sorted(helped, key=lambda id_: (-helped[id_].odds.attacker.wins, id_))
    return Attempt(alone, {id_: helped[id_] for id_ in likeliest})


def _led_by(found: Sequence[Prospect], attacker: str) -> Prospect | None:
    return next((prospect for prospect in found if prospect.battle.attacker == attacker), None)
