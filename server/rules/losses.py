"""Casualties of a battle: wounds, wrecks, second chances (6.2.3.6); and getting them back (2.1.3, 7.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from server.rules.board import ORBIT
from server.rules.scene import Scene
from server.rules.state import Detachment, Force, Id, State, Unit


@dataclass(frozen=True, slots=True)
class UnitLoss:
    """What happened to one unit in a battle."""

    lost: int = 0
    """Models lost."""
    destroyed: bool = False
    """The whole squad, or the vehicle."""
    damaged: bool = False
    immobilised: bool = False
    broken: bool = False
    """Broken off the table (6.2.3.1)."""
    returned: bool = False
    """It counts as destroyed, but had come back and was on the table at the end (N-15)."""

    def leaves_nobody(self, ready: int, *, broken_have_left: bool = True) -> bool:
        """True when nobody of a unit that had *ready* models is left on the table (D-67).

        The broken have left it (T-82), the returned stand on it (N-15).
        """
        return not self.returned and (self.destroyed or self.lost >= ready or (broken_have_left and self.broken))


def attacker_wins(*, reported: bool, retreated: bool | None, raid: bool, nobody_left: Mapping[bool, bool]) -> bool:
    """Say whether the attacker has won a battle on the table, as the campaign reads its report (6.2.3.2, D-67).

    A side that retreats or has nobody left loses, the attacker if both; a raider can break off (6.2.2.6).

    Args:
        reported: True where the report names the attacker as winner.
        retreated: The sides that retreated by the report: True the attacker, False the defender.
        raid: Whether the battle is a raid.
        nobody_left: Of each side, the attacker's at True.
    """
    if (retreated is True and not raid) or nobody_left[True]:
        return False
    return reported or retreated is False or nobody_left[False]


def apply_losses(
    scene: Scene, force: Force, losses: Mapping[Id, UnitLoss], *, won: bool, retreated: bool = False
) -> Fraction:
    """Roll for every lost model of a force and return the points of the models destroyed (D-64, D-65).

    A unit whose models are all dead is removed, and a force without units.
    """
    left: list[Unit] = []
    gone = Fraction(0)
    for unit in force.units:
        loss = losses.get(unit.id)
        after: Unit | None = unit
        if loss is not None:
            after, dead = (
                _vehicle(unit, loss, won=won)
                if unit.vehicle
                else _squad(scene, force, unit, loss, won=won, retreated=retreated)
            )
            gone += Fraction(unit.points * dead, unit.models) if dead else 0
        if after is not None:
            left.append(after)
    force.units = tuple(left)
    if not left:
        scene.state.remove_force(force)
    return gone


def _vehicle(unit: Unit, loss: UnitLoss, *, won: bool) -> tuple[Unit | None, int]:
    """Return what is left of a vehicle and how many are gone; an immobilised one on the losing side is."""
    if loss.destroyed or loss.lost >= unit.ready or (loss.immobilised and not won):
        return None, unit.models
    damaged = unit.damaged or loss.damaged or loss.immobilised
    return unit.in_state(unit.ready - loss.lost, unit.wounded, damaged=damaged), loss.lost


def _squad(
    scene: Scene, force: Force, unit: Unit, loss: UnitLoss, *, won: bool, retreated: bool
) -> tuple[Unit | None, int]:
    """Return what is left of a squad and how many models are dead."""
    no_hope = retreated and (loss.broken or loss.destroyed)
    lost = unit.ready if loss.destroyed or no_hope else min(loss.lost, unit.ready)
    dead, wounded = (lost, 0) if no_hope else _wounds(scene, force, unit, lost, won=won)
    if dead and "character" in unit.flags:
        needed = second_chance_on(scene.state, force)
        saved = sum(face >= needed for face in scene.roll(f"second-chance/{unit.id}", (force.owner,), dead))
        dead, wounded = dead - saved, wounded + saved
    after = unit.in_state(unit.ready - dead - wounded, unit.wounded + wounded, damaged=unit.damaged)
    if after.ready or after.wounded:
        return after, dead
    if "character" in unit.flags:
        scene.state.lost_characters[f"{force.owner}/{unit.name}"] = None
    return None, dead


def _wounds(scene: Scene, force: Force, unit: Unit, lost: int, *, won: bool) -> tuple[int, int]:
    """Roll for each lost model; return how many are dead and how many wounded, the rest is fit."""
    state = scene.state
    faces = scene.roll(f"wounds/{unit.id}", (force.owner,), lost) if lost else []
    max_dead = dead_up_to(state, force, won=won)
    dead = sum(face <= max_dead for face in faces)
    fit = sum(face > state.ruleset.win_wounded for face in faces) if _as_winner(state, force, won=won) else 0
    return dead, lost - dead - fit


def dead_up_to(state: State, force: Force, *, won: bool) -> int:
    """Return the highest face on which a lost model of a force is dead (6.2.3.6, D-71, D-71b)."""
    rules = state.ruleset
    face = rules.win_dead if _as_winner(state, force, won=won) else rules.lose_dead
    tough = rules.detachment_types[force.type].fewer_dead if isinstance(force, Detachment) else 0
    return max(0, face - tough)


def second_chance_on(state: State, force: Force) -> int:
    """Return the least face on which a dead special character of a force is wounded instead (6.2.3.6, D-71b)."""
    return state.faction(force.owner).second_chance_on or state.ruleset.second_chance_on


def _as_winner(state: State, force: Force, *, won: bool) -> bool:
    return won or state.faction(force.owner).losers_recover_as_winners


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
