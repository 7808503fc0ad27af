"""Battles that were fought, each as one line of what happened: who won, with which dice, odds and losses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from server.core.events import Event
from server.play.views.history import PastPhase
from server.rules.odds import Odds
from server.rules.sides import modifiers, side_of
from server.rules.sight import View
from server.rules.state import Battle, Force, State, Unit
from server.web.presenters.phase_outcome import Result
from server.web.presenters.reader import Reader

FindOdds = Callable[[State, Battle], Odds]


def battle_results(before: View, past: PastPhase, reader: Reader, odds: FindOdds) -> Iterator[Result]:
    """Yield the battles of a finished phase, the viewer's own first.

    *before* is the view ahead of the phase: the odds are those that the battle page showed then.
    """
    fought = [event for event in past.events if event.type == "battle_fought"]
    own, others = [], []
    for event in fought:
        at = before.state.board.find(str(event.fields["hex"]))
        battle = before.state.battles.get(at) if at is not None else None
        mine = battle is not None and reader.viewer in (battle.attacking, battle.defended_by)
        if battle is not None and mine:
            own.append(_own(event, battle, before, past, reader, odds))
        else:
            others.append(_other(event, battle, reader))
    yield from own
    yield from others


def _own(event: Event, battle: Battle, before: View, past: PastPhase, reader: Reader, odds: FindOdds) -> Result:
    """Return a battle in which the viewer fought."""
    told, label = event.fields, str(event.fields["hex"])
    attacking = battle.attacking == reader.viewer
    enemy = battle.defended_by if attacking else battle.attacking
    won = told["winner"] == reader.viewer
    losses = losses_of(before.state, past.view.state, battle, reader, reader.viewer)
    chances = odds(before.state, battle)
    dice = rolled(past, label, (reader.viewer, enemy))
    cost = reader.text("lost_units", units=", ".join(losses)) if losses else reader.text("lost_nothing")
    filled = {"hex": reader.hex(label), "enemy": reader.player(enemy), "vp": told["vp"], "cost": cost}
    details = []
    if told["attacker_damage"] is None:
        parts = reader.line("won_table" if won else "lost_table", **filled)
        brief = reader.text("brief_won" if won else "brief_lost", hex=reader.hex(label))
    else:
        damage = told["attacker_damage"], told["defender_damage"]
        mine, other = damage if attacking else damage[::-1]
        parts = reader.line("won_dice" if won else "lost_dice", mine=mine, other=other, **filled)
        brief = reader.text(
            "brief_won_dice" if won else "brief_lost_dice", hex=reader.hex(label), mine=mine, other=other
        )
        totals = reached(before.state, battle, past, chances, dice, attacking=attacking)
        if totals is not None:
            details.append(reader.text("totals", mine=totals[0], other=totals[1]))
    side = chances.attacker if attacking else chances.defender
    details.append(_chance(chances, side.wins, reader, attacking=attacking))
    return Result(
        "battle",
        "good" if won else "bad",
        parts,
        (label,),
        tuple(details),
        dice,
        f"/reports/{past.info.number}",
        brief,
    )


def _chance(chances: Odds, wins: Fraction, reader: Reader, *, attacking: bool) -> str:
    """Say how likely a victory was, as far as one knew."""
    if chances.assumed is None:
        return reader.text("odds", chance=_percent(wins))
    lowest, highest = chances.range if attacking else (1 - chances.range[1], 1 - chances.range[0])
    return reader.text("odds_between", least=_percent(lowest), most=_percent(highest))


def _percent(chance: Fraction) -> int:
    shown = round(chance * 100)
    return min(99, max(1, shown)) if 0 < chance < 1 else shown


def _other(event: Event, battle: Battle | None, reader: Reader) -> Result:
    """Return a battle that the viewer saw, or that the game master or a spectator knows of."""
    label, winner = str(event.fields["hex"]), str(event.fields["winner"])
    filled = {"hex": reader.hex(label), "winner": reader.player(winner), "vp": event.fields["vp"]}
    brief = reader.text("brief_seen", hex=filled["hex"], winner=filled["winner"])
    if battle is None:
        return Result("battle", "plain", reader.line("seen", **filled), (label,), brief=brief, theirs=True)
    loser = battle.defended_by if winner == battle.attacking else battle.attacking
    parts = reader.line("seen_against", loser=reader.player(loser), **filled)
    return Result("battle", "plain", parts, (label,), brief=brief, theirs=True)


# --- dice ---


def rolled(past: PastPhase, label: str, players: tuple[str, str]) -> tuple[tuple[int, ...], ...]:
    """Return the faces of both sides' dice; nothing where dice did not decide."""
    rolls = {str(event.fields["label"]): tuple(event.fields["faces"]) for event in past.events if event.type == "dice"}
    found = [rolls.get(f"quick-battle/{label}/{player}", ()) for player in players]
    return (found[0], found[1]) if all(found) else ()


def reached(
    state: State, battle: Battle, past: PastPhase, chances: Odds, dice: tuple[tuple[int, ...], ...], *, attacking: bool
) -> tuple[int, int] | None:
    """Return what both sides reached (6.1), the viewer's first; None where not all of it is known to them."""
    if not dice or chances.assumed is not None:
        return None
    added = modifiers(state, battle)
    mine, other = added if attacking else added[::-1]
    totals = [sum(dice[0]) + mine, sum(dice[1]) + other]
    label = f"underdog/{state.board.label(battle.hex)}"
    face = next((event.fields["faces"][0] for event in past.events if event.fields.get("label") == label), 0)
    table = state.ruleset.quick_battle
    if chances.underdog and face >= table.underdog_on:
        me = battle.attacking if attacking else battle.defended_by
        totals[0 if chances.underdog == me else 1] += table.underdog
    return totals[0], totals[1]


# --- losses ---


def losses_of(before: State, after: State, battle: Battle, reader: Reader, owner: str) -> list[str]:
    """Return what a player's forces lost, as phrases: units that are gone, models that are dead or wounded.

    Of others only forces count that the viewer still sees: what is out of sight is not lost.
    """
    forces: dict[str, Force] = {}
    for attacking in (True, False):
        forces |= {force.id: force for force in side_of(before, battle, attacking=attacking)}
    helpers = (before.force(id_) for id_ in battle.supporters)
    forces |= {force.id: force for force in helpers if force is not None}
    left: dict[str, Unit] = {}
    for id_ in forces:
        if (force := after.force(id_)) is not None:
            left |= {unit.id: unit for unit in force.units}
    gone, hurt = Counter[str](), Counter[str]()
    for force in forces.values():
        if force.owner != owner or (owner != reader.viewer and after.force(force.id) is None):
            continue
        for unit in force.units:
            now = left.get(unit.id)
            if now is None:
                gone[unit.name] += 1
            elif now.ready < unit.ready or (now.damaged and not unit.damaged):
                hurt[unit.name] += max(1, unit.ready - now.ready) if not unit.vehicle else 1
    found = [f"{count} {name}" for name, count in gone.items()]
    return found + [reader.text("of_unit", n=count, unit=name) for name, count in hurt.items()]
