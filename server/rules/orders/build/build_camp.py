"""The order ``build_camp`` (1.4, D-24)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, Option
from server.rules.orders.build.works import Work, stronghold_cost
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.orders.form import FormField
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    convoy_cannot_pay,
    first,
    pay,
)
from server.rules.scene import Scene
from server.rules.state import Convoy, Id, Stronghold


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCamp(Work):
    """1.4, D-24: build a new stronghold, paid by a convoy or, in an urban hex, by that (D-23)."""

    TYPE: ClassVar[str] = "build_camp"
    FIELDS: ClassVar[tuple[FormField, ...]] = (
        FormField("at", "place"),
        FormField("convoy", "convoy", needed=False),
    )
    convoy: Id = ""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(at=fields.hex("at"), convoy=fields.own_convoy() if fields.has("convoy") else "")

    def check(self, desk: Desk) -> Found:
        """A controlled land hex without a stronghold, outside enemy ZOC."""
        return first(desk, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, desk: Desk) -> Problem | None:
        if self.at not in desk.state.stronghold:
            return None
        label = desk.state.board.label(self.at)
        return self.problem(desk, "already_built", say("{hex} has a stronghold already.", hex=label), "1.4")

    def _poor(self, desk: Desk) -> Problem | None:
        cost = self._cost(desk)
        if self.convoy:
            return convoy_cannot_pay(desk, self.convoy, self.at, cost)
        if self.at in desk.state.urban:
            return cannot_pay(desk, self.at, cost, rule="1.4")
        message = "Outside urban hexes a convoy in the hex pays: name it in the field convoy."
        return Problem("missing_field", message, "convoy", None, "D-23")

    def _cost(self, desk: Desk) -> int:
        return stronghold_cost(desk, desk.state.ruleset.strongholds[0])

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what it costs and who pays."""
        return bill(desk, self.at, self._cost(desk), self.convoy, why="1.4, D-23")

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Pay; it stands at once."""
        type_ = scene.state.ruleset.strongholds[0].id
        pay(desk, self.at, self._cost(desk), self.convoy)
        scene.state.stronghold[self.at] = Stronghold(type_, changed=scene.state.turn)
        scene.tell_all("stronghold_built", hex=scene.label(self.at), by=desk.player, stronghold=type_)

    @classmethod
    def offered_in(cls, desk: Desk, at: Hex) -> Iterator[Option]:
        """Offer it in an urban hex, which pays."""
        if at in desk.state.urban:
            yield from cls(at=at).offer(desk, at=desk.state.board.label(at))

    @classmethod
    def offered_to_convoy(cls, desk: Desk, convoy: Convoy) -> Iterator[Option]:
        """Offer it where a convoy stands, which pays."""
        at = desk.state.board.label(convoy.at)
        return cls(at=convoy.at, convoy=convoy.id).offer(desk, at=at, convoy=convoy.id)
