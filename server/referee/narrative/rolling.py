"""The act ``roll``: dice that a player asks for, because the player chooses when or whether (N-11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.core.errors import Problem
from server.referee.act import Act, Found
from server.referee.choices import Offer, offer, one_of, some_of
from server.referee.reading import ID, ListOf, given
from server.referee.refusals import not_yours, refuse, unknown
from server.referee.rule import Rule

if TYPE_CHECKING:
    from server.referee.game import Game


class RollingRule(Rule):
    """A rule whose dice a player calls for."""

    def takes(self, game: Game, what: str) -> bool:
        """Say whether the die *what* belongs to this rule now, allowed or not."""
        raise NotImplementedError

    def refusal(self, game: Game, player: str, what: str) -> Problem | None:
        """Return why *player* cannot have it rolled now."""
        raise NotImplementedError

    def make(self, game: Game, player: str, what: str) -> None:
        """Roll it, and do what follows."""
        raise NotImplementedError

    def rollable(self, game: Game, player: str) -> Iterator[str]:
        """Yield what *player* could have rolled now."""
        raise NotImplementedError


def _rule_for(game: Game, what: str) -> RollingRule | None:
    return next((rule for rule in game.rules if isinstance(rule, RollingRule) and rule.takes(game, what)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Act):
    """Rolls for one thing, or for several units one after the other."""

    DO = "roll"
    STAGES = ("first_turn", "battle")
    ENDING = True

    for_: str = given(ID, "", name="for")
    units: tuple[str, ...] = given(ListOf(ID, max=100), ())

    def _wanted(self) -> tuple[str, ...]:
        return ((self.for_,) if self.for_ else ()) + self.units

    def check(self, game: Game) -> Found:
        """N-11, fine print on the end of a phase."""
        wanted = self._wanted()
        if not wanted:
            yield refuse("missing_field", "Say what to roll for.", "for", "")
        if len(dict.fromkeys(wanted)) < len(wanted):
            yield refuse("bad_value", "Each unit is rolled for once.", "units", list(wanted))
            return
        for what in wanted:
            problem = self._refusal(game, what)
            if problem:
                yield problem

    def _refusal(self, game: Game, what: str) -> Problem | None:
        rule = _rule_for(game, what)
        if rule:
            return rule.refusal(game, self.by, what)
        field = "for" if what == self.for_ else "units"
        unit = game.units.get(what)
        if unit is None:
            return unknown("unit", field, what)
        if unit.side != self.by:
            return not_yours("This is a unit of the other player.")
        return refuse("wrong_target", "There is nothing to roll for this unit.", field, what, "N-11")

    def play(self, game: Game) -> None:
        """Roll them in the order named."""
        for what in self._wanted():
            rule = _rule_for(game, what)
            if rule:
                rule.make(game, self.by, what)

    @classmethod
    def open(cls, game: Game, player: str) -> Iterator[Offer]:
        """Offer each unit alone, and all units at once."""
        found = [what for rule in game.rules if isinstance(rule, RollingRule) for what in rule.rollable(game, player)]
        if found:
            yield Offer({"for": one_of(found)})
        units = [what for what in found if what in game.units]
        if len(units) > 1:
            yield offer(units=some_of(units, 1))
