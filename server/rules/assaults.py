"""Attacks and raids carried out: battles opened or joined, hexes entered, loot taken (4.1.1 to 4.1.4, 5.1)."""

from __future__ import annotations

from typing import ClassVar, Protocol

from server.rules.battle_field import Field, against_an_ally, facing, join, join_if_wanted, standing_around
from server.rules.board import ORBIT, Hex
from server.rules.movement import mover
from server.rules.orders.fields import Target
from server.rules.sight import witnesses
from server.rules.state import Battle, Detachment, Force, State
from server.rules.treasury import capture_convoys, haul, plunder


class Assault(Protocol):
    """What an attack or a raid says of itself."""

    TYPE: ClassVar[str]

    @property
    def kind(self) -> str:
        """``attack``, ``planned_attack``, ``raid`` or ``planned_raid``."""

    @property
    def target(self) -> Target:
        """The hex or force it is aimed at."""


def assault(field_: Field, attacker: Detachment, order: Assault) -> None:
    """Carry out an attack or a raid; tell its owner where it fails."""
    reason = _strike(field_, attacker, order)
    if reason == "withdrawn":  # D-52: an attack on a hex is on what is left there, one on a unit follows it
        reason = _strike(field_, attacker, order)
    if reason:
        field_.scene.emit("attack_failed", (attacker.owner,), force=attacker.id, reason=reason)


def _strike(field_: Field, attacker: Detachment, order: Assault) -> str:
    """Carry out an assault; return why it fails, ``withdrawn`` when its target has just given way."""
    state = field_.state
    at = order.target.where(state)
    if at == ORBIT or (order.target.force and state.force(order.target.force) is None):
        return "target_gone"
    if attacker.at != ORBIT and at not in state.board.adjacent[attacker.at]:
        return "out_of_reach"
    if not may_attack_into(state, attacker, at):
        return "terrain"
    if state.in_truce(attacker.owner, at):
        return "truce"
    enemies = [force for force in state.forces_at(at) if not state.friendly(attacker.owner, force.owner)]
    if order.target.force and all(enemy.id != order.target.force for enemy in enemies):
        return "target_gone"
    if at in state.battles:
        return _reinforce(field_, attacker, order, state.battles[at])
    if not enemies:
        return _enter(field_, attacker, at) if order.TYPE == "attack" else _loot(field_, attacker, at)
    if all(enemy.id in field_.committed for enemy in enemies):
        return "contested"
    if order.TYPE == "raid" and at in field_.raided:
        return "contested"
    defenders = [enemy for enemy in enemies if enemy.id not in field_.committed]
    if _gives_way(field_, defenders[0], attacker):
        return "withdrawn"
    _open(field_, attacker, defenders, order, at)
    return ""


def _enter(field_: Field, attacker: Detachment, at: Hex) -> str:
    """D-50: an attack on a hex without an enemy force simply enters it."""
    scene = field_.scene
    if at in field_.state.detachment_at:
        return "occupied"
    start = attacker.at
    field_.state.move(attacker, at)
    path = [scene.label(at)]
    scene.emit("moved", (attacker.owner,), force=attacker.id, start=scene.label(start), path=path, stop="")
    capture_convoys(scene, at, attacker.owner)
    return ""


def _loot(field_: Field, raider: Detachment, at: Hex) -> str:
    """D-50: a raid on a hex without an enemy force takes what there is, once a turn."""
    if at in field_.raided:
        return "contested"
    bp, convoys = plunder(field_.scene, at, raider.owner, raider.at)
    if not bp and not convoys:
        return "nothing_to_take"
    field_.raided[at] = None
    haul(field_.scene, raider.owner, raider.at, bp)
    return ""


def _reinforce(field_: Field, attacker: Detachment, order: Assault, battle: Battle) -> str:
    """D-51: later attackers of the same side support the battle, all others fail."""
    state = field_.state
    if not state.friendly(attacker.owner, battle.attacking) or order.TYPE == "raid":
        return "contested"
    if against_an_ally(state, battle, attacker, "attacker"):
        return "contested"
    join(field_, battle, attacker, facing(state, battle, attacker))
    return ""


def _gives_way(field_: Field, defender: Force, attacker: Detachment) -> bool:
    """Cancel the defender's order, or let it withdraw if it acts before its attacker (4.1, 5.1, D-53)."""
    if not isinstance(defender, Detachment):
        return False
    answer = field_.orders.get(defender.id)
    if defender.id in field_.carried_out:
        stands = answer is not None and defender.battle_order == answer.TYPE
        return stands and answer is not None and answer.gives_way(field_, defender, attacker)
    if answer is not None and defender.battle_order not in ("defend", ""):
        field_.scene.emit("order_cancelled", (defender.owner,), force=defender.id, order=defender.battle_order)
        defender.battle_order = ""
    return False


def _open(field_: Field, attacker: Detachment, defenders: list[Force], order: Assault, at: Hex) -> None:
    scene, state, primary = field_.scene, field_.state, defenders[0]
    defending = isinstance(primary, Detachment) and primary.battle_order == "defend"
    battle = Battle(
        at, attacker.id, primary.id, order.kind, attacker.owner, primary.owner, attacker.at, defending=defending
    )
    state.battles[at] = battle
    field_.opened[at] = len(field_.opened)
    if battle.raid:
        field_.raided[at] = None
    for force in (attacker, *defenders):
        field_.committed[force.id] = at
    to = [*(force.owner for force in (attacker, *defenders)), *witnesses(state, at, field_.visibility)]
    scene.emit("battle", to, hex=scene.label(at), attacker=attacker.id, defender=primary.id, kind=battle.kind)
    for supporter in standing_around(field_, at):
        join_if_wanted(field_, battle, supporter, field_.standing_by[supporter.id])


def may_attack_into(state: State, detachment: Detachment, at: Hex) -> bool:
    """True when the terrain lets the detachment in (D-50); the sea lets nobody."""
    who = mover(state, detachment)
    if not state.ruleset.terrain[state.board.terrain[at]].land:
        return False
    return (who.enters(state.board.terrain[at]) if detachment.at == ORBIT else who.cost(state, detachment.at, at)) > 0
