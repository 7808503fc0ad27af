"""The order ``upgrade_stronghold`` (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work, stronghold_cost
from server.rules.orders.desk import Desk
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    first,
    not_controlled,
    pay,
)
from server.rules.ruleset import StrongholdType
from server.rules.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeStronghold(Work):
    """1.4: make a stronghold one type stronger. "Capital fortification" is a fortress in the capital (D-24)."""

    TYPE: ClassVar[str] = "upgrade_stronghold"
    FIELDS: ClassVar[tuple[FormField, ...]] = (FormField("at", "place"),)

    def check(self, desk: Desk) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(desk, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, desk: Desk) -> Problem | None:
        problem = not_controlled(desk, self.at)
        if problem is not None or self.at in desk.state.stronghold:
            return problem
        label = desk.state.board.label(self.at)
        return self.problem(desk, "needs_stronghold", say("There is no stronghold in {hex}.", hex=label), "1.4")

    def _top(self, desk: Desk) -> Problem | None:
        if self._next(desk) is not None:
            return None
        label = desk.state.board.label(self.at)
        return self.problem(desk, "already_built", say("{hex} has the strongest type already.", hex=label), "1.4")

    def _hasty(self, desk: Desk) -> Problem | None:
        if desk.state.stronghold[self.at].changed != desk.state.turn:
            return None
        label = desk.state.board.label(self.at)
        message = say("The stronghold in {hex} was built or upgraded this turn already.", hex=label)
        return self.problem(desk, "limit_reached", message, "D-24")

    def _poor(self, desk: Desk) -> Problem | None:
        type_ = self._next(desk)
        return None if type_ is None else cannot_pay(desk, self.at, stronghold_cost(desk, type_), rule="1.4")

    def _next(self, desk: Desk) -> StrongholdType | None:
        types = desk.state.ruleset.strongholds
        level = desk.state.ruleset.stronghold_level(desk.state.stronghold[self.at].type)
        return types[level] if level < len(types) else None

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what it costs."""
        type_ = self._next(desk)
        if type_ is None:
            return {}
        return bill(desk, self.at, stronghold_cost(desk, type_), stronghold=type_.id, why="1.4")

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Pay; it is stronger at once."""
        type_, stronghold = self._next(desk), scene.state.stronghold[self.at]
        if type_ is None:
            return
        pay(desk, self.at, stronghold_cost(desk, type_))
        stronghold.type, stronghold.changed = type_.id, scene.state.turn
        scene.tell_all("stronghold_upgraded", hex=scene.label(self.at), by=desk.player, stronghold=type_.id)

    @classmethod
    def offered_in(cls, desk: Desk, at: Hex) -> Iterator[Option]:
        """Offer it where it may be done."""
        if at in desk.state.stronghold:
            yield from cls(at=at).offer(desk, at=desk.state.board.label(at))
