"""The forces on each side of a battle, and their points (D-54, D-62)."""

from __future__ import annotations

from collections.abc import Iterable

from server.rules.state import Battle, Force, State


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
