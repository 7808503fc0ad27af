"""Phases 6 and 7: every battle fought, by dice or on the table, and what follows from it (6.2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from server.rules.aftermath import finish
from server.rules.losses import UnitLoss, apply_losses, attacker_wins
from server.rules.orders.battles import BattlesOrder, Fight, Papers, Report
from server.rules.orders.sets import OrderBook
from server.rules.quick_battle import Wishes, fight_quickly
from server.rules.scene import Scene
from server.rules.sides import modifiers, side_of
from server.rules.sight import GM, watchers
from server.rules.state import REPORTS, Battle, Detachment, Force, Garrison, Id, PlayerId, State, Unit


def play_battles(scene: Scene, book: OrderBook) -> None:
    """Fight all battles and finish them; leave the phase at ``reports`` while tabletop results are missing.

    A reported battle is as reported. One that both sides want on the table waits for a report, once; when
    none has come by then, dice decide (D-60).
    """
    state = scene.state
    papers = _papers(book)
    waiting = state.phase == REPORTS
    for battle in state.battles.values():
        if battle.winner:
            continue
        report = papers.reports.get(battle.hex)
        if report is not None:
            _fought_on_table(scene, battle, report)
        elif not waiting and _wants_table(state, battle, papers.fights):
            battle.tabletop = True
        else:
            _fought_by_dice(scene, battle, papers.fights)
    if any(not battle.winner for battle in state.battles.values()):
        state.phase = REPORTS
    else:
        finish(scene)


def _papers(book: OrderBook) -> Papers[Fight, Report]:
    """Return what has been handed in: the game master's first, then in seat order."""
    papers = Papers[Fight, Report]()
    for player in (GM, *(player for player in book.accepted if player != GM)):
        for order in book.of(player):
            if isinstance(order, BattlesOrder):
                order.hand_in(papers, player)
    return papers


def _wants_table(state: State, battle: Battle, wishes: Mapping[tuple[int, PlayerId], Fight]) -> bool:
    if state.settings.battles != "choice":
        return state.settings.battles == "tabletop"
    both = [wishes.get((battle.hex, player)) for player in (battle.attacking, battle.defended_by)]
    return all(order is not None and order.mode == "tabletop" for order in both)


def _fought_by_dice(scene: Scene, battle: Battle, wishes: Mapping[tuple[int, PlayerId], Fight]) -> None:
    def wanted(player: PlayerId) -> Wishes:
        order = wishes.get((battle.hex, player))
        return Wishes() if order is None else Wishes(order.casualties, order.picks)

    outcome = fight_quickly(scene, battle, wanted(battle.attacking), wanted(battle.defended_by))
    worth = {
        attacking: strength(scene.state, side_of(scene.state, battle, attacking=attacking))
        for attacking in (True, False)
    }
    _conclude(scene, battle, Result(outcome.winner, outcome.losses, worth))


def _fought_on_table(scene: Scene, battle: Battle, report: Report) -> None:
    state = scene.state
    battle.tabletop = True
    battle.attacker_modifier, battle.defender_modifier = modifiers(state, battle)
    _lose_works(scene, battle, report)
    turnout = {attacking: _turnout(state, battle, report, attacking=attacking) for attacking in (True, False)}
    worth = {attacking: side.strength(state) for attacking, side in turnout.items()}
    winner = _winner(state, battle, report, turnout)
    _conclude(scene, battle, Result(winner, report.losses, worth, report.retreated))


def _turnout(state: State, battle: Battle, report: Report, *, attacking: bool) -> Turnout:
    """6.2.3.5, T-82: who of a side fought; where the report is silent, all of the primaries that may fight."""
    primaries = side_of(state, battle, attacking=attacking)
    turnout = Turnout()
    for force in (*primaries, *_supporters(state, battle, attacking=attacking)):
        for unit in force.units:
            if not unit.takes_part or unit.id in report.withheld:
                continue
            if unit.id in report.bombarded:
                turnout.bombarded.append((force, unit))
            elif unit.id in report.took_part if report.took_part is not None else force in primaries:
                turnout.fought.append((force, unit))
    return turnout


def _supporters(state: State, battle: Battle, *, attacking: bool) -> list[Force]:
    return [
        force
        for id_, side in battle.supporters.items()
        if (side != "defender") == attacking and (force := state.force(id_)) is not None
    ]


def _winner(state: State, battle: Battle, report: Report, turnout: Mapping[bool, Turnout]) -> PlayerId:
    attacker, defender = battle.attacking, battle.defended_by
    attacked = attacker_wins(
        reported=report.winner == attacker,
        retreated=report.retreated == attacker if report.retreated else None,
        raid=battle.raid,
        nobody_left={attacking: side.wiped_out(state, report.losses) for attacking, side in turnout.items()},
    )
    return attacker if attacked else defender


def _lose_works(scene: Scene, battle: Battle, report: Report) -> None:
    """T-82: take away the defences that were lost, as far as there were any."""
    stronghold = scene.state.stronghold.get(battle.hex)
    if stronghold is None:
        return
    lost = {id_: min(n, stronghold.defences.get(id_, 0)) for id_, n in sorted(report.works.items())}
    lost = {id_: n for id_, n in lost.items() if n}
    left = {id_: n - lost.get(id_, 0) for id_, n in stronghold.defences.items()}
    stronghold.defences = {id_: n for id_, n in left.items() if n}
    armed = sum(n for id_, n in stronghold.defences.items() if scene.state.ruleset.defences[id_].armed)
    stronghold.weapons = stronghold.weapons[:armed]
    to = [battle.attacking, battle.defended_by, *watchers(scene.state, battle.hex)]
    for id_, n in lost.items():
        scene.emit("works_lost", to, hex=scene.label(battle.hex), defence=id_, lost=n)


@dataclass(frozen=True, slots=True)
class Result:
    """How a battle ended."""

    winner: PlayerId
    losses: Mapping[Id, UnitLoss]
    worth: Mapping[bool, int]
    """Strength of those who took part, the attacker's at True (6.2.3.5)."""
    retreated: PlayerId = ""


def _conclude(scene: Scene, battle: Battle, result: Result) -> None:
    """Award VP and DXP, roll for the losses, reckon the pillage (6.2.3.4 to 6.2.3.7)."""
    state, winner, losses = scene.state, result.winner, result.losses
    attacker_won = winner == battle.attacking
    sides = {attacking: side_of(state, battle, attacking=attacking) for attacking in (True, False)}
    battle.winner = winner
    battle.vp = vp_for(state, result.worth[attacker_won] - result.worth[not attacker_won])
    state.players[winner].vp += battle.vp
    supporters = {attacking: _supporters(state, battle, attacking=attacking) for attacking in (True, False)}
    _gain_experience(state, battle, sides, attacker_won=attacker_won)
    destroyed = Fraction(0)
    for attacking in (True, False):
        won = attacking == attacker_won
        ran = result.retreated == (battle.attacking if attacking else battle.defended_by)
        for force in (*sides[attacking], *supporters[attacking]):
            dead = apply_losses(scene, force, losses, won=won, retreated=ran)
            destroyed += 0 if won else dead
            if ran and isinstance(force, Garrison) and force.id in state.garrisons:
                state.remove_force(force)
            if state.force(force.id) is None:
                _emit_destroyed(scene, battle, force)
    battle.pillage = int(destroyed * state.faction(winner).pillage_percent / 100)
    hex_ = scene.label(battle.hex)
    to = [battle.attacking, battle.defended_by, *watchers(state, battle.hex)]
    scene.emit(
        "battle_fought",
        to,
        hex=hex_,
        winner=winner,
        vp=battle.vp,
        pillage=battle.pillage,
        attacker_damage=battle.attacker_damage,
        defender_damage=battle.defender_damage,
    )


def _emit_destroyed(scene: Scene, battle: Battle, force: Force) -> None:
    name = force.name if isinstance(force, Detachment) else "garrison"
    to = (battle.attacking, battle.defended_by, force.owner)
    scene.emit("destroyed", to, force=force.id, name=name, hex=scene.label(battle.hex), reason="battle")


@dataclass(slots=True)
class Turnout:
    """The units of a side that fought on the table."""

    fought: list[tuple[Force, Unit]] = field(default_factory=list)
    bombarded: list[tuple[Force, Unit]] = field(default_factory=list)

    def strength(self, state: State) -> int:
        """Return the BP cost of those who fought, and half of that of those who bombarded (6.2.3.5, D-66)."""
        return _cost(state, self.fought) + _cost(state, self.bombarded) // 2

    def wiped_out(self, state: State, losses: Mapping[Id, UnitLoss]) -> bool:
        """True when nobody is left on the table (D-67)."""
        left = state.readings.broken_have_left
        return all(
            (loss := losses.get(unit.id)) is not None and loss.leaves_nobody(unit.ready, broken_have_left=left)
            for _, unit in self.fought
        )


def strength(state: State, forces: list[Force]) -> int:
    """Return the BP cost of the units that take part (6.2.3.5, D-66)."""
    return _cost(state, [(force, unit) for force in forces for unit in force.units if unit.takes_part])


def _cost(state: State, units: list[tuple[Force, Unit]]) -> int:
    """Return what units cost in BP: those of garrisons half of their total, rounded up (D-37)."""
    full = sum(unit.points for force, unit in units if isinstance(force, Detachment))
    halved = sum(unit.points for force, unit in units if isinstance(force, Garrison))
    return full - (-halved // state.ruleset.garrison_divisor)


def vp_for(state: State, difference: int) -> int:
    """Return the VP for a difference in strength, winner's minus loser's (6.2.3.5)."""
    return next(vp for minimum, vp in state.ruleset.vp if difference >= minimum)


def _gain_experience(state: State, battle: Battle, sides: Mapping[bool, list[Force]], *, attacker_won: bool) -> None:
    """6.2.3.7: the primary detachments learn from every battle, the winner's more."""
    for attacking, forces in sides.items():
        if forces and isinstance(forces[0], Detachment):
            forces[0].dxp += state.ruleset.battle_dxp + (battle.vp if attacking == attacker_won else 0)
