"""The act ``set_up`` in the middle of a battle: what arrives, returns, is found or disembarks (N-05, N-09)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import BOOLEAN, TRUE, Offer, integer, offer, one_of, point
from server.referee.geometry import Point
from server.referee.narrative.placing import ANYWHERE, Landing, LandingRule, areas, fits, own_movement
from server.referee.reading import AT, BOOL, INCHES, OWN_UNIT, given
from server.referee.refusals import refuse
from server.referee.units import EMBARKED, TABLE, Unit

if TYPE_CHECKING:
    from server.referee.game import Game

ARRIVED = "arrived"
"""Mark of a unit that came to the table in a phase: round, turn, phase (T-90)."""
FAR = 48
"""Inches; enough for any enemy."""
OUT = "out"
"""Mark of a unit whose transport was destroyed: its player may report where it stands (N-08)."""


def landing_of(game: Game, unit: Unit) -> tuple[Landing | Problem, LandingRule | None]:
    """Return where a unit may be set up now, or why nowhere, and the rule that says so."""
    for rule in game.rules:
        if isinstance(rule, LandingRule):
            answer = rule.landing(game, unit)
            if answer is not None:
                return answer, rule
    if unit.state == EMBARKED:
        transport = game.units.get(unit.inside)
        if transport is None or transport.on_table:
            return own_movement(game, unit.side) or ANYWHERE, None
        return refuse("wrong_moment", "Its transport is not on the table.", "unit", unit.id, "N-08"), None
    if unit.on_table and unit.marks.get(OUT):
        return ANYWHERE, None
    return refuse("wrong_moment", "This unit cannot be set up now.", "unit", unit.id, "N-09"), None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(Act):
    """Sets up a unit that comes to the table in the battle."""

    DO = "set_up"
    STAGES: ClassVar[tuple[str, ...]] = ("battle",)
    REPORT = True

    unit: str = given(OWN_UNIT)
    at: Point = given(AT)
    wholly: bool = given(BOOL, True)
    near: int | None = given(INCHES, None)

    def check(self, game: Game) -> Found:
        """N-29 and the mission's places."""
        unit = game.units[self.unit]
        landing, rule = landing_of(game, unit)
        if isinstance(landing, Problem):
            yield landing
            return
        yield from fits(game, landing, self.at, self.by, self.wholly, self.near)
        if rule and (problem := rule.unfit_place(game, unit, self.at)):
            yield problem

    def play(self, game: Game) -> None:
        """Put it there and tell the rule it came by."""
        unit = game.units[self.unit]
        _, rule = landing_of(game, unit)
        stand(game, unit, self.at)
        if rule:
            unit.marks[ARRIVED] = (game.round, game.turn, game.phase)
            rule.landed(game, unit)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each unit that may be set up now, with its places."""
        for unit in game.units_of(player):
            landing, _ = landing_of(game, unit)
            if isinstance(landing, Landing):
                yield placing_offer(game, [unit.id], landing)


def placing_offer(game: Game, units: list[str], landing: Landing) -> Offer:
    """Return the offer to set up one of some units at a landing."""
    near = integer(landing.away // 1000 + 1, FAR) if landing.away else integer(0, FAR)
    return offer(
        unit=one_of(units),
        at=point(areas(game, landing)),
        wholly=(TRUE if landing.wholly else BOOLEAN).optional(),
        near=near.optional(),
    )


def stand(game: Game, unit: Unit, at: Point) -> None:
    """Put a unit on the table; stratagems may answer (3: *a unit has been set up*)."""
    unit.inside = ""
    unit.marks.pop(OUT, None)
    game.put(unit, TABLE, at)
    game.emit("set_up", unit=unit.id, at=list(at))
    game.open_moment("unit_set_up", units=(unit.id,))
