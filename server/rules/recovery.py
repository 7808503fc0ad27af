"""Getting the wounded and the damaged back (2.1.3, 7.1)."""

from __future__ import annotations

from dataclasses import replace

from server.rules.board import ORBIT
from server.rules.scene import Scene
from server.rules.state import Detachment, Force, State, Unit


def recovery_rolls(scene: Scene, force: Force) -> None:
    """Roll for every wounded model and damaged vehicle of a force (7.1, D-71a)."""
    if not any(unit.wounded or unit.damaged for unit in force.units):
        return
    bonus = _place_bonus(scene.state, force)
    rules, faction = scene.state.ruleset, scene.state.faction(force.owner)
    units: list[Unit] = []
    for unit in force.units:
        after = unit
        if unit.wounded:
            needed = faction.recover_on or rules.recover_on
            faces = scene.roll(f"recovery/{unit.id}", (force.owner,), unit.wounded)
            better = sum(face + bonus >= needed for face in faces)
            after = after.in_state(after.ready + better, after.wounded - better, damaged=after.damaged)
        if unit.damaged:
            face = scene.roll_one(f"recovery/{unit.id}", (force.owner,))
            after = after.in_state(after.ready, after.wounded, damaged=face + bonus < rules.recover_on)
        units.append(after)
    force.units = tuple(units)


def _place_bonus(state: State, force: Force) -> int:
    if force.at == ORBIT:
        return 0
    urban = state.urban.get(force.at)
    if urban is not None and urban.capital == force.owner:
        return state.ruleset.recover_capital
    return state.ruleset.recover_place if urban is not None or force.at in state.stronghold else 0


def recover(scene: Scene, detachment: Detachment) -> None:
    """Carry out the Recover order: buildings heal all at once, else there is a roll (2.1.3)."""
    heals = _healed_here(scene.state, detachment)
    if "wounded" in heals:
        detachment.units = tuple(
            replace(unit, ready=unit.ready + unit.wounded, wounded=0) if unit.wounded else unit
            for unit in detachment.units
        )
    if "damaged" in heals:
        detachment.units = tuple(replace(unit, damaged=False) if unit.damaged else unit for unit in detachment.units)
    recovery_rolls(scene, detachment)
    scene.emit("recovering", (detachment.owner,), force=detachment.id, hex=scene.label(detachment.at))


def _healed_here(state: State, detachment: Detachment) -> list[str]:
    """Return what the buildings of a friendly urban hex cure."""
    urban = state.urban.get(detachment.at)
    owner = state.owner[detachment.at]
    if urban is None or not owner or not state.friendly(detachment.owner, owner):
        return []
    return [state.ruleset.buildings[building].heals for building in urban.buildings]
