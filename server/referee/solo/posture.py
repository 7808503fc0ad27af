"""The opponent that the dice play: its posture by what goes well and badly, and what its units do (4, P-01 to P-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from server.core.posture import PAIRS, ROWS, posture_of, results
from server.core.sentences import say
from server.referee import clock as clocks
from server.referee.act import Act, Found, act_kind
from server.referee.beginning import Start
from server.referee.choices import BOOLEAN, Offer, integer, offer, one_of
from server.referee.game import Game
from server.referee.mission import BATTLE, PLAYERS, Mission
from server.referee.reading import BOOL, ENEMY_UNIT, ID, UNIT, Integer, ListOf, OneOf, Record, TableOf, given, state
from server.referee.refusals import refuse
from server.referee.rule import Result, Rule, rule_kind

HUMAN, OPPONENT = PLAYERS
"""The player at the table, and the one whose units the dice move."""
FACES = 10
MAX_MARKS = 1000
TOLD_BY_UNIT = 4
"""The first version of the referee whose view has tallies by unit and the last card: views are part of the record."""


def side_of(row: str) -> str:
    """Return whose units a row of the worksheet is about."""
    return OPPONENT if row in {minus for _, minus in PAIRS.values()} else HUMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class PostureData:
    """A posture: from which score, and what a unit does on each face."""

    name: str = given(ID)
    from_score: int = given(Integer(-MAX_MARKS, MAX_MARKS))
    """The lowest score that gives it; the lowest posture has all below, too."""
    actions: tuple[str, ...] = given(ListOf(ID, min=FACES, max=FACES))
    """For the faces 1 to 10; 10 is printed 0."""


@act_kind("mark", by=(HUMAN,), stages=(BATTLE,))
class Mark(Act):
    """Enter marks on the worksheet, or take some back."""

    row: str = given(OneOf(ROWS))
    n: int = given(Integer(-MAX_MARKS, MAX_MARKS), 1)
    unit: str | None = given(UNIT, None)
    """The unit they are about; its tally counts for this turn."""

    def check(self, game: Game) -> Found:
        """A row, and a unit's tally, never fall below nothing (P-02); a row is about the units of one side."""
        rule = game.rule(Posture)
        marks = rule.marks[self.row] + self.n
        if not 0 <= marks <= MAX_MARKS:
            message = say("Row {row} would have {marks} marks.", row=self.row, marks=marks)
            yield refuse("bad_value", message, "n", self.n, "P-02")
        elif self.unit is not None and game.units[self.unit].side != side_of(self.row):
            yield refuse("bad_value", "This row is about the units of the other side.", "unit", self.unit, "P-01")
        elif self.unit is not None and rule.tallies.get(self.row, {}).get(self.unit, 0) + self.n < 0:
            message = say("{unit} has fewer marks than that.", unit=game.units[self.unit].name)
            yield refuse("bad_value", message, "n", self.n, "P-02")

    def play(self, game: Game) -> None:
        """Enter them."""
        rule = game.rule(Posture)
        marks = rule.marks
        marks[self.row] += self.n
        if self.unit is not None:
            tally = rule.tallies.setdefault(self.row, {})
            tally[self.unit] = tally.get(self.unit, 0) + self.n
        game.emit("marked", row=self.row, n=self.n, marks=marks[self.row])

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer every row, with the units it is about."""
        for row, marks in game.rule(Posture).marks.items():
            units = one_of(game.ids_of(side_of(row))).optional()
            yield offer(row=one_of([row]), n=integer(-marks, min(20, MAX_MARKS - marks)).optional(), unit=units)


@act_kind("end_turn", by=(HUMAN,), stages=(BATTLE,), holds=False)
class EndTurn(Act):
    """Report the reshuffle card: the turn is over and the posture is evaluated (P-02)."""

    def play(self, game: Game) -> None:
        """End it."""
        clocks.end_phase(game)


@act_kind("activate", by=(HUMAN,), stages=(BATTLE,))
class Activate(Act):
    """Draw what a unit of the opponent does; the players say what it can see and reach (P-05, P-08)."""

    unit: str = given(ENEMY_UNIT)
    in_range: bool | None = given(BOOL, None)
    visible: bool | None = given(BOOL, None)
    off_board: bool | None = given(BOOL, None)

    def check(self, game: Game) -> Found:
        """It must still be there."""
        if game.units[self.unit].gone:
            yield game.units[self.unit].refused("not_allowed", "{unit} is gone.")

    def play(self, game: Game) -> None:
        """Draw its action, by the face of its card."""
        rule = game.rule(Posture)
        number = rule.drawn[self.unit] = rule.drawn.get(self.unit, 0) + 1
        face = game.roll(f"posture/{game.round}/{self.unit}/{number}", FACES)
        action = rule.posture.actions[face - 1]
        rule.card = {"unit": self.unit, "face": face % FACES}
        rule.action = rule.replaced.get(action, action) if self.in_range is False else action
        game.emit("activated", unit=self.unit, face=face % FACES, action=rule.action, off_board=self.off_board)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer the opponent's units."""
        if units := [unit.id for unit in game.units_of(game.other(player)) if not unit.gone]:
            answers = {name: BOOLEAN.optional() for name in ("in_range", "visible", "off_board")}
            yield offer(unit=one_of(units), **answers)


@rule_kind("posture", acts=(Mark, EndTurn, Activate))
class Posture(Rule):
    """The worksheet, the postures and their actions."""

    postures: tuple[PostureData, ...] = given(ListOf(Record(PostureData), min=1, max=20))
    """From the lowest to the highest score."""
    replaced: Mapping[str, str] = given(TableOf(ID), {})
    """Actions that become another where nobody is in range (P-08)."""
    marks: dict[str, int] = state(lambda: dict.fromkeys(ROWS, 0))
    score: int = state(int)
    results: dict[str, int] = state(lambda: dict.fromkeys(PAIRS, 0))
    """X, Y and Z of the last turn."""
    tallies: dict[str, dict[str, int]] = state(dict)
    """By row and unit: the marks of this turn that were entered for a unit."""
    action: str = state(str)
    """What the last activated unit does."""
    card: dict[str, Any] = state(dict)
    """The last activated unit, and the face of its card."""
    drawn: dict[str, int] = state(dict)
    """How often each unit was activated this turn."""
    extremes: dict[str, int] = state(dict)
    """Evaluations in a row that gave the lowest or the highest posture."""
    broken: str = state(str)
    """Whose force has left the table (P-09)."""

    def unfit(self, mission: Mission) -> Iterator[str]:
        """Yield what does not fit: thresholds that do not rise."""
        scores = [posture.from_score for posture in self.postures]
        if any(score >= higher for score, higher in pairwise(scores)):
            yield "from_score must rise from posture to posture"

    @property
    def posture(self) -> PostureData:
        """Return the posture of the score (P-04)."""
        return posture_of(self.score, self.postures)

    def battle_started(self, game: Game) -> None:
        """Turns are the human player's."""
        game.clock.first = HUMAN

    def resumed(self, game: Game, start: Start) -> None:
        """Turns are the human player's, also in a game that begins in the middle."""
        if start.stage == BATTLE:
            game.clock.first = game.clock.turn = HUMAN
            game.clock.second = False

    def skips_turn(self, game: Game, player: str) -> bool:
        """The opponent acts in the human player's turns."""
        return player == OPPONENT

    def turn_ending(self, game: Game) -> None:
        """Evaluate the posture and begin a new column (P-01, P-02)."""
        self.results = results(self.marks)
        self.score += sum(self.results.values())
        self.marks = dict.fromkeys(ROWS, 0)
        self.drawn, self.tallies, self.card = {}, {}, {}
        name = self.posture.name
        game.emit("posture", name=name, score=self.score, **self.results)
        self.extremes = {name: self.extremes.get(name, 0) + 1}
        if game.beginning.settings.break_rules and self.extremes[name] == 2:
            self.broken = {self.postures[0].name: OPPONENT, self.postures[-1].name: HUMAN}.get(name, "")
            if self.broken:
                game.emit("force_breaks", player=self.broken)
                game.end_battle()

    def may_end(self, game: Game, player: str) -> str | None:
        """The human player ends it when they like: the points decide (P-15)."""
        return "alone" if player == HUMAN else None

    def result(self, game: Game) -> Result | None:
        """A force that has left the table has lost (P-09)."""
        return Result(game.other(self.broken), "victory") if self.broken else None

    def expected(self, game: Game, part: str, id_: str) -> Mapping[str, Any] | None:
        """Return posture and last action."""
        if part != "posture":
            return None
        return {"score": self.score, "name": self.posture.name, **self.results, "action": self.action}

    def view(self, game: Game, player: str) -> Mapping[str, Any]:
        """The worksheet is open."""
        told = {"tallies": {row: dict(tally) for row, tally in self.tallies.items()}, "drawn": dict(self.drawn)}
        return {
            "score": self.score,
            "name": self.posture.name,
            **self.results,
            "action": self.action,
            "marks": dict(self.marks),
            **({**told, "card": dict(self.card)} if game.version >= TOLD_BY_UNIT else {}),
        }
