"""The forces on each side of a battle, their points, and what is added to their dice (6.1, D-54, D-62, D-71b)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from server.rules.board import ORBIT
from server.rules.ruleset import Strength
from server.rules.state import Battle, Detachment, Force, Id, State


def side_of(state: State, battle: Battle, *, attacking: bool) -> list[Force]:
    """Return the forces that fight on a side: its primary first, then the force in its hex (D-54)."""
    primary = state.force(battle.attacker if attacking else battle.defender)
    forces = [] if primary is None else [primary]
    if attacking:
        return forces
    for beside in state.forces_at(battle.hex):
        hostile = not state.friendly(beside.owner, battle.attacking)
        if beside is not primary and hostile and not _fights_elsewhere(state, beside):
            forces.append(beside)
    return forces


def _fights_elsewhere(state: State, force: Force) -> bool:
    """A force that fights elsewhere fights next door, and has not moved there yet."""
    around = (state.battles.get(near) for near in state.board.adjacent[force.at])
    return any(other and (force.id == other.attacker or force.id in other.supporters) for other in around)


def ready_points(state: State, forces: Iterable[Force]) -> int:
    """Return the ready points of several forces together (D-62)."""
    return sum(map(state.ready_points, forces))


def striking_points(state: State, forces: Iterable[Force]) -> int:
    """Return the points by which several forces do damage: some lists' wounded fight on (D-71)."""
    return sum(state.ready_points(force) + _fighting_wounded(state, force) for force in forces)


def _fighting_wounded(state: State, force: Force) -> int:
    """Return the share of a force's wounded points that counts, rounded down."""
    percent = state.faction(force.owner).wounded_percent
    if not percent:
        return 0
    return sum(unit.points * unit.wounded // unit.models for unit in force.units) * percent // 100


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number added to a side's 2D6, and why."""

    attacking: bool
    """True: it is added to the attacker's dice."""
    key: str
    """``raid``, ``planned``, ``defend``, ``strength``; of supporters ``front``, ``flank``, ``rear``, ``defender``."""
    value: int
    rule: str
    """Section or decision."""
    force: Id = ""
    """The force it belongs to, if any."""
    strength: str = ""
    """With ``strength``: which one of the ruleset's (:attr:`Ruleset.strengths`)."""


def battle_modifiers(state: State, battle: Battle) -> list[Modifier]:
    """Return every modifier of both sides but the underdog's, as far as *state* knows the forces (6.1)."""
    return [*_orders(state, battle), *_supporters(state, battle), *_strengths(state, battle)]


def modifiers(state: State, battle: Battle) -> tuple[int, int]:
    """Return the attacker's and the defender's modifiers together, without the underdog die (6.1)."""
    found = battle_modifiers(state, battle)
    return sum(modifier.value for modifier in found if modifier.attacking), sum(
        modifier.value for modifier in found if not modifier.attacking
    )


def _orders(state: State, battle: Battle) -> Iterator[Modifier]:
    table = state.ruleset.quick_battle
    if battle.raid:
        yield Modifier(True, "raid", table.raid, "4.1.3")
        yield Modifier(False, "raid", table.raid, "4.1.3")
    if battle.planned:
        yield Modifier(True, "planned", table.planned, "4.1.4" if battle.raid else "4.1.2")
    if battle.defending and state.faction(battle.defended_by).defend_bonus:
        yield Modifier(False, "defend", table.defend, "4.1.5")


def _supporters(state: State, battle: Battle) -> Iterator[Modifier]:
    table = state.ruleset.quick_battle
    worth = {"front": table.front, "flank": table.flank, "rear": table.rear, "defender": table.supports_defender}
    for id_, side in battle.supporters.items():
        yield Modifier(side != "defender", side, worth[side], "6.1", id_)


# --- D-71b: what army lists are good at ---


def _strengths(state: State, battle: Battle) -> Iterator[Modifier]:
    for strength in state.ruleset.strengths.values():
        for role, force in _in_roles(state, battle):
            if role in strength.role and _has(state, force, strength) and _holds(state, battle, role, strength):
                yield Modifier(role != "defender", "strength", strength.bonus, "D-71b", force.id, strength.id)


def _in_roles(state: State, battle: Battle) -> Iterator[tuple[str, Force]]:
    """Yield the primaries and the attacker's supporters that are known, with their roles."""
    attackers = [("supporter", id_) for id_, side in battle.supporters.items() if side != "defender"]
    for role, id_ in (("attacker", battle.attacker), ("defender", battle.defender), *attackers):
        force = state.force(id_)
        if force is not None:
            yield role, force


def _has(state: State, force: Force, strength: Strength) -> bool:
    if strength.factions and state.players[force.owner].faction not in strength.factions:
        return False
    if not strength.detachment_types:
        return True
    return isinstance(force, Detachment) and force.type in strength.detachment_types


def _holds(state: State, battle: Battle, role: str, strength: Strength) -> bool:
    """Say whether the battle is as the strength wants it."""
    enemies = side_of(state, battle, attacking=role == "defender")
    holds = {
        "from_orbit": battle.origin == ORBIT,
        "no_vehicles": bool(enemies) and not any(unit.vehicle for force in enemies for unit in force.units),
        "unprepared": not battle.defending,
        "stronghold": battle.hex in state.stronghold,
        "open": battle.hex not in state.stronghold,
        "raid": battle.raid,
    }
    return all(holds[condition] for condition in strength.when)
