"""Sentries: their quiet, what they spot, the alarm and what follows (1.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import Start
from server.referee.choices import Offer, offer, one_of, point
from server.referee.every_game import still_to_choose
from server.referee.game import Game
from server.referee.geometry import Point, rectangle, within
from server.referee.mission import higher
from server.referee.narrative.placing import MOVEMENT, on_table
from server.referee.narrative.shared_acts import (
    Clear,
    NearRule,
    Roll,
    RollingRule,
    Within,
    distance,
    forget_thing,
)
from server.referee.narrative.stratagems import Stratagems
from server.referee.reading import AT, UNIT, Integer, ListOf, Record, given, inches, state, to_inches
from server.referee.refusals import not_yours, refuse
from server.referee.rule import Awaited, rule_kind
from server.referee.units import TABLE, UNPLACED, Unit

SPOTTED, TROOPS = "spotted", "troops"
SENTRIES, SPY = "sentries", "spy"
"""Flags of units."""
FOR_SALE = "for_sale"
"""Mark of a unit of Sentries that Extra Sentries brings (N-67)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """How far off units are spotted."""

    power: int = given(Integer(0, 500))
    """Up to this rating."""
    inches: int = given(Integer(0, 48))


@act_kind("move_sentry", stages=("battle",), phases=(MOVEMENT,))
class MoveSentry(Act):
    """Moves a Sentry up to the die that won it (1.6, N-31)."""

    sentry: str = given(UNIT)
    to: Point = given(AT)

    def check(self, game: Game) -> Found:
        """The dice decide who, and how far."""
        if problem := self._refusal(game):
            yield problem
        else:
            yield from on_table(game, self.to)

    @classmethod
    def at_phase_end(cls, game: Game, by: str) -> bool:
        """The winner of the roll at ``end_phase`` may still move that Sentry (N-95)."""
        return True

    def _refusal(self, game: Game) -> Problem | None:
        sentries, unit = game.rule(Sentries), game.units[self.sentry]
        chosen = self.by == game.defender and game.version > 1
        if not is_sentry(unit) or unit.state != TABLE:
            return refuse("wrong_target", "This is no Sentry on the table.", "sentry", self.sentry, "1.6")
        if sentries.alarm or game.turn != game.defender or not (chosen or self.sentry in sentries.won):
            return refuse("wrong_moment", "Sentries move in quiet turns of the Defender.", "sentry", self.sentry, "1.6")
        if chosen and (problem := sentries.waits_for_move(game, self.sentry)):
            return problem
        winner, face = sentries.won.get(self.sentry) or sentries.dice_of(game, unit, game.peek)
        if not winner:
            return refuse("not_allowed", "Its dice tied: it stays.", "sentry", self.sentry, "1.6")
        if winner != self.by:
            return not_yours("The other player's die was higher.", "1.6")
        if self.sentry in sentries.moved:
            return refuse("already_used", "This Sentry has moved.", "sentry", self.sentry, "1.6")
        if unit.at and not within(unit.at, self.to, face * 1000):
            return refuse("too_far", "This is farther than the die.", "to", to_inches(self.to), "N-31")
        return None

    def play(self, game: Game) -> None:
        """Move it."""
        unit = game.units[self.sentry]
        if self.sentry not in game.rule(Sentries).won:
            game.rule(Sentries).make(game, self.by, self.sentry)
        unit.at = self.to
        forget_thing(game, unit.id)
        game.rule(Sentries).moved[self.sentry] = None
        game.emit("sentry_moved", unit=self.sentry, by=self.by, at=to_inches(self.to))

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the Sentries that this player's dice have won."""
        sentries = game.rule(Sentries)
        if sentries.alarm or game.turn != game.defender:
            return
        for sentry, (winner, face) in sentries.won.items():
            unit = game.units[sentry]
            if winner == player and sentry not in sentries.moved and unit.state == TABLE:
                yield offer(sentry=one_of([sentry]), to=point(_around(game, unit.at, face * 1000)))


def _around(game: Game, at: Point | None, reach: int) -> tuple[tuple[Point, ...], ...]:
    """Return the square inside the circle that a Sentry reaches: every point of it is near enough."""
    if at is None:
        return ()
    half, width, height = reach * 7 // 10, game.mission.width, game.mission.height
    low, high = max(0, at[1] - half), min(height, at[1] + half)
    return (rectangle(max(0, at[0] - half), low, min(width, at[0] + half), high),)


def is_sentry(unit: Unit) -> bool:
    """Say whether a unit is a Sentry."""
    return SENTRIES in unit.flags


@rule_kind("sentries", acts=(Clear, Within, MoveSentry, Roll))
class Sentries(RollingRule, NearRule):
    """Each Sentry is a unit of its own; all is quiet until one thing or another raises the alarm."""

    watches: ClassVar[bool] = True

    spotted: tuple[Sight, ...] = given(ListOf(Record(Sight), min=1, max=20))
    """In rising order of rating; the last holds for all above."""
    most_models: int = given(Integer(1, 100), 10)
    most_power: int = given(Integer(1, 100), 10)

    alarm: bool = state(bool)
    alarm_round: int = state(int)
    cause: str = state(str)
    due: str = state(str)
    """Why the alarm is raised at the end of this turn; empty: it is not."""
    response_due: bool = state(bool)
    response_turn: bool = state(bool)
    only: tuple[str, str] = state(lambda: ("", ""))
    """After an alarm in the Attacker's turn: the act and the unit whose action may still be completed."""
    just_spotted: bool = state(bool)
    """The alarm was raised as the Movement phase of this turn ended."""
    won: dict[str, tuple[str, int]] = state(dict)
    """By Sentry: who won its dice of this turn (nobody: tied), and the die."""
    moved: dict[str, None] = state(dict)
    near: dict[str, dict[str, int]] = state(dict)
    """Distances reported in this phase, by unit and Sentry."""
    further: int = state(int)
    """Added to all ranges, in thousandths."""
    halved_in: int = state(int)
    """Ranges are halved in the rounds up to this one."""
    camouflaged: dict[str, None] = state(dict)
    sizes: dict[str, tuple[int, int, str]] = state(dict)
    """Models, rating and role of each unit that single Sentries were made of."""
    silenced: dict[str, None] = state(dict)
    """Units whose next shots raise the alarm only where the target is wounded and lives."""

    # --- muster ---

    def mustered(self, game: Game) -> None:
        """Each model of the Sentries becomes a unit ``s1``, ``s2`` ...; they are outside the level (N-07)."""
        free = game.version > 1 and game.beginning.settings.extra_sentries == "free"
        for unit in list(game.units.values()):
            if is_sentry(unit):
                unit.extra = True
                others = [other for other in self.all_of(game) if other is not unit and not other.marks.get(FOR_SALE)]
                if free and unit.state == UNPLACED and any(other.part_of or other.on_table for other in others):
                    unit.marks[FOR_SALE] = True
                elif unit.state == UNPLACED:
                    self.split(game, unit)

    def split(self, game: Game, unit: Unit) -> None:
        """Put single Sentries in the place of a unit."""
        taken = dict.fromkeys(other.id for other in game.units.values() if other is not unit)
        number = 1
        names: list[str] = []
        while len(names) < unit.models_now:
            if f"s{number}" not in taken:
                names.append(f"s{number}")
            number += 1
        flags = unit.flags if is_sentry(unit) else (*unit.flags, SENTRIES)
        self.sizes[unit.id] = (unit.models, unit.power, unit.role)
        alone = replace(unit, models=1, models_now=1, flags=flags, part_of=unit.id)
        singles = [replace(alone, id=name, name=name, marks={}) for name in names]
        units: dict[str, Unit] = {}
        for other in game.units.values():
            for put in singles if other is unit else [other]:
                units[put.id] = put
        game.units = units

    def too_large(self, unit: Unit) -> Problem | None:
        """Return why a unit cannot be a Sentry: models first, then rating, then role (N-91)."""
        models, power, role = self.sizes.get(unit.part_of or unit.id, (unit.models, unit.power, unit.role))
        if models > self.most_models:
            message = say("At most {most} Sentries stand guard.", most=self.most_models)
            return refuse("too_many_models", message, "unit", unit.id, "N-91")
        if power > self.most_power:
            message = say("The unit may have a Power Rating of {most} at most.", most=self.most_power)
            return refuse("too_powerful", message, "unit", unit.id, "N-91")
        if role != TROOPS:
            return refuse("not_troops", "The unit must be {role}.", "unit", unit.id, "N-91", role=TROOPS)
        return None

    def army_faults(self, game: Game) -> Iterator[Problem]:
        """Yield one reason for each unit that cannot be a Sentry."""
        for unit in {sentry.part_of or sentry.id: sentry for sentry in self.all_of(game)}.values():
            if problem := self.too_large(unit):
                yield problem

    def all_of(self, game: Game) -> list[Unit]:
        """Return the Sentries."""
        return [unit for unit in game.units.values() if is_sentry(unit)]

    # --- quiet ---

    def turn_started(self, game: Game) -> None:
        """The Defender's first turn that starts after the alarm is the turn of the response (1.6)."""
        self.won.clear()
        self.moved.clear()
        self.silenced.clear()
        self.only, self.just_spotted = ("", ""), False
        self.response_turn = self.response_due and game.turn == game.defender
        if self.response_turn:
            self.response_due = False

    def phase_entered(self, game: Game, phase: str) -> None:
        """In a quiet turn of the Defender both roll for each Sentry; the rest of the turn is empty."""
        self.near.clear()
        if self.alarm or game.turn != game.defender or phase != MOVEMENT:
            return
        game.clock.cut = True
        for unit in self.not_rolled(game) if game.version == 1 else []:
            self.make(game, game.turn, unit.id)

    def is_quiet_turn(self, game: Game) -> bool:
        """Say whether Sentries are moved now: a Movement phase of the Defender without an alarm."""
        return not self.alarm and game.turn == game.defender and game.phase == MOVEMENT

    def not_rolled(self, game: Game) -> list[Unit]:
        """Return the Sentries whose dice are still to be rolled in this turn."""
        return [unit for unit in self.all_of(game) if unit.state == TABLE and unit.id not in self.won]

    def dice_of(self, game: Game, unit: Unit, roll: Callable[[str], int]) -> tuple[str, int]:
        """Return who wins a Sentry's dice (nobody: tied), and the higher die."""
        faces = {player: roll(f"sentry/{unit.id}/{game.round}/{player}") for player in game.players}
        return higher(faces), max(faces.values())

    def takes(self, game: Game, what: str) -> bool:
        """Dice for Sentries are those that the Defender chooses one after the other (N-95)."""
        unit = game.units.get(what)
        return game.version > 1 and unit is not None and is_sentry(unit) and unit.state == TABLE

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """The Defender chooses, once the last one has been moved or left (N-95)."""
        if player != game.defender:
            return not_yours("The Defender chooses the next Sentry.", "N-95")
        if not self.is_quiet_turn(game):
            return refuse("wrong_moment", "Sentries move in quiet turns of the Defender.", "for", what, "1.6")
        if what in self.won:
            return refuse("limit_reached", "This Sentry's dice were rolled in this turn.", "for", what, "N-95")
        return self.waits_for_move(game, what)

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll for a Sentry: both, one die each."""
        winner, face = self.won[what] = self.dice_of(game, game.units[what], game.roll)
        game.emit("sentry_dice", unit=what, winner=winner, inches=face if winner else 0)
        stratagems = game.find(Stratagems) if game.version > 1 and winner == game.attacker else None
        if stratagems and stratagems.passed_beforehand(winner, MoveSentry.DO, what):
            self.moved[what] = None

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield the Sentries that may be chosen."""
        if game.version > 1 and player == game.defender and self.is_quiet_turn(game) and not game.clock.held:
            for unit in self.not_rolled(game):
                if self.refusal(game, player, unit.id) is None:
                    yield unit.id

    def _waiting(self, game: Game) -> tuple[str, ...]:
        """Return the Sentry that waits for the Attacker's move."""
        if game.version == 1 or not self.is_quiet_turn(game):
            return ()
        return tuple(
            sentry
            for sentry, (winner, _) in self.won.items()
            if winner == game.attacker and sentry not in self.moved and game.units[sentry].state == TABLE
        )

    def waits_for_move(self, game: Game, sentry: str) -> Problem | None:
        """Return that another Sentry waits for the Attacker's move (N-95)."""
        others = [other for other in self._waiting(game) if other != sentry]
        return still_to_choose(game.attacker, self.awaited(game, game.attacker)[0]) if others else None

    def awaited(self, game: Game, player: str) -> tuple[Awaited, ...]:
        """Return the Sentry that the Attacker may move (N-61)."""
        waiting = self._waiting(game) if player == game.attacker else ()
        return (Awaited(MoveSentry.DO, "", waiting, "end_phase"),) if waiting else ()

    def passes_moment(self, game: Game, player: str, moment: str, unit: str) -> bool:
        """Leave the Sentry where it is."""
        waiting = [sentry for sentry in self._waiting(game) if unit in ("", sentry)]
        if moment != MoveSentry.DO or player != game.attacker or not waiting:
            return False
        self.moved.update(dict.fromkeys(waiting))
        return True

    def passed_for(self, game: Game, player: str) -> None:
        """Leave it where it is in the place of its mover."""
        self.passes_moment(game, player, MoveSentry.DO, "")

    def phase_held(self, game: Game, phase: str) -> bool:
        """Roll for the rest in the order of their ids; one that the Attacker wins waits (N-95)."""
        if game.version > 1 and self.is_quiet_turn(game):
            for unit in self.not_rolled(game):
                self.make(game, game.turn, unit.id)
                if self._waiting(game):
                    return True
        return False

    # --- spotting ---

    def things(self, game: Game) -> tuple[str, ...]:
        """Distances are reported to Sentries on the table."""
        return tuple(unit.id for unit in game.units.values() if is_sentry(unit) and unit.state == TABLE)

    def unfit_report(self, game: Game, player: str, unit: Unit, thing: str) -> Problem | None:
        """Either side tells which units of the Attacker have come near."""
        if unit.side != game.attacker:
            return refuse("wrong_target", "Sentries spot units of the Attacker.", "unit", unit.id, "1.6")
        return None

    def reported(self, game: Game, unit: Unit, thing: str, inches: int) -> None:
        """Keep it until the phase ends."""
        if game.version == 1:
            self.near.setdefault(unit.id, {})[thing] = inches

    def watched(self, game: Game) -> list[Unit]:
        """Return the units of the Attacker that Sentries may spot."""
        return [unit for unit in game.units_of(game.attacker, TABLE) if SPY not in unit.flags]

    def unknown(self, game: Game) -> list[tuple[Unit, str]]:
        """Return the pairs of which nobody knows how near they are, while all is quiet."""
        return [
            (unit, sentry)
            for unit in (() if self.alarm else self.watched(game))
            for sentry in self.things(game)
            if distance(game, unit, sentry, game.units[sentry].at, 0) is None
        ]

    def range_of(self, game: Game, unit: Unit) -> int:
        """Return from how far a unit is spotted, in thousandths: the table, the half, what is added (N-36)."""
        rating = -(-unit.power // 2) if unit.id in self.camouflaged else unit.power
        sight = next((sight for sight in self.spotted if rating <= sight.power), self.spotted[-1])
        reach = sight.inches * 1000
        if game.round <= self.halved_in:
            reach //= 2
        return reach + self.further

    def phase_ending(self, game: Game, phase: str) -> None:
        """At the end of any Movement phase units within range of a Sentry are spotted."""
        if phase != MOVEMENT or self.alarm:
            return
        if game.version > 1:
            self._look_out(game)
            return
        for unit_id, distances in self.near.items():
            unit = game.units[unit_id]
            if unit.state == TABLE and SPY not in unit.flags:
                reach = self.range_of(game, unit)
                if any(game.units[sentry].state == TABLE and near <= reach for sentry, near in distances.items()):
                    self.raise_alarm(game, SPOTTED, SPOTTED)
                    self.just_spotted = True
                    return

    def phase_missing(self, game: Game, phase: str) -> Problem | None:
        """While all is quiet, someone must know how near each unit is to each Sentry (N-90)."""
        pairs = self.unknown(game) if game.version > 1 and phase == MOVEMENT else []
        if not pairs:
            return None
        unit, sentry = pairs[0]
        return unit.refused(
            "report_missing", "Say how near {unit} is to {sentry}, or that all is clear.", "N-90", sentry=sentry
        )

    def _look_out(self, game: Game) -> None:
        """Raise the alarm where a unit is near enough, as measured or reported (N-90); hold the turn's end (N-34)."""
        for unit in self.watched(game):
            reach = self.range_of(game, unit)
            for sentry in self.things(game):
                if distance(game, unit, sentry, game.units[sentry].at, reach):
                    self.raise_alarm(game, SPOTTED, SPOTTED)
                    game.clock.stay = game.turn == game.attacker
                    return

    # --- the alarm ---

    def raise_alarm(self, game: Game, cause: str, act: str = "", unit: str = "") -> None:
        """Raise it: the turn ends when the action is complete (N-34); the Defender's begins again (N-35)."""
        if self.alarm:
            return
        self.alarm, self.alarm_round, self.cause, self.due = True, game.round, cause, ""
        self.response_due = True
        self.only = (act, unit)
        game.emit("alarm", round=game.round, turn=game.turn, cause=cause)
        game.clock.cut = True
        if game.turn == game.defender:
            game.clock.again = game.defender

    def raise_at_end(self, cause: str) -> None:
        """Raise it at the end of this turn, even if no Sentry is left."""
        self.due = self.due or cause

    def turn_ending(self, game: Game) -> None:
        """An alarm that is due is raised last (N-05)."""
        if self.due and not self.alarm:
            cause, self.due = self.due, ""
            self.alarm, self.alarm_round, self.cause = True, game.round, cause
            self.response_due = True
            game.emit("alarm", round=game.round, turn=game.turn, cause=cause)
            if game.turn == game.defender:
                game.clock.again = game.defender

    # --- in the middle, and what is known ---

    def track(self, game: Game, name: str, value: Any) -> bool:
        """Take the values of ``[start.tracked]``."""
        if name == "alarm":
            self.alarm = value is True
        elif name == "response_turn":
            self.response_turn = value is True
        elif name == "alarm_round":
            self.alarm_round = value if type(value) is int else 0
        return name in ("alarm", "response_turn", "alarm_round")

    def resumed(self, game: Game, start: Start) -> None:
        """What entering the phase brings is done; after an alarm in this turn the response is to come."""
        if game.phase:
            self.phase_entered(game, game.phase)
        if self.alarm and not self.response_turn and game.turn == game.attacker and self.alarm_round == game.round:
            self.response_due = True

    def tracked(self, game: Game) -> Mapping[str, Any]:
        """Alarm, its round, whether this is the turn of the response."""
        return {"alarm": self.alarm, "alarm_round": self.alarm_round, "response_turn": self.response_turn}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """Everything is open: causes, dice, ranges."""
        ranges = {unit.id: self.range_of(game, unit) for unit in game.units_of(game.attacker, TABLE)}
        farthest = max(ranges.values(), default=0) if not self.alarm else 0
        return {
            "sentry_ranges": {sentry: inches(farthest) for sentry in self.things(game)},
            self.NAME: {
                **self.tracked(game),
                "cause": self.cause,
                "dice": {sentry: {"winner": winner, "inches": face} for sentry, (winner, face) in self.won.items()},
                "ranges": {unit: inches(reach) for unit, reach in ranges.items()},
            },
        }


def left_out(game: Game, act: str, unit: str) -> Problem | None:
    """Return why an action is not open: after an alarm only the one that raised it is completed (N-34)."""
    rule = game.find(Sentries)
    if rule is None or not (rule.alarm and rule.only[0] and game.clock.cut and game.turn == game.attacker):
        return None
    return None if rule.only == (act, unit) else refuse("wrong_phase", "The alarm has ended this turn.", rule="N-34")
