"""Orders that found and enlarge urban hexes and strongholds (1.4, 1.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.board import Hex
from server.rules.orders.base import Found, ImmediateOrder, Order
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.orders.sites import (
    bill,
    cannot_pay,
    convoy_cannot_pay,
    first,
    in_enemy_zoc,
    not_controlled,
    not_land,
    not_urban,
    pay,
)
from server.rules.ruleset import StrongholdType, UrbanSize
from server.rules.scene import Scene
from server.rules.state import BUILD, Id, Stronghold, Urban


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(ImmediateOrder):
    """What all works have in common: a hex."""

    PHASE: ClassVar[tuple[str, ...]] = (BUILD,)
    at: Hex

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(at=fields.hex("at"))

    def problem(self, desk: Desk, code: str, message: str, rule: str) -> Problem:
        """Return a problem with the hex."""
        return Problem(code, message, "at", desk.state.board.label(self.at), rule)

    def _controlled(self, desk: Desk) -> Problem | None:
        return not_land(desk, self.at) or not_controlled(desk, self.at)

    def _zoc(self, desk: Desk) -> Problem | None:
        return in_enemy_zoc(desk, self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildVillage(Work):
    """1.5: found a village, paid by a convoy in the hex (D-23)."""

    TYPE: ClassVar[str] = "build_village"
    convoy: Id

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(at=fields.hex("at"), convoy=fields.own_convoy())

    def check(self, desk: Desk) -> Found:
        """Any controlled hex, except resource hexes and in enemy ZOC."""
        return first(desk, self._controlled, self._taken, self._zoc, self._poor)

    def _taken(self, desk: Desk) -> Problem | None:
        label = desk.state.board.label(self.at)
        if self.at in desk.state.urban:
            return self.problem(desk, "already_built", say("{hex} is an urban hex already.", hex=label), "1.5")
        if self.at in desk.state.resource:
            return self.problem(desk, "occupied", say("{hex} is a resource hex.", hex=label), "1.5")
        return None

    def _poor(self, desk: Desk) -> Problem | None:
        return convoy_cannot_pay(desk, self.convoy, self.at, self._size(desk).cost)

    def _size(self, desk: Desk) -> UrbanSize:
        return desk.state.ruleset.urban[0]

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what it costs and what the convoy has left."""
        size = self._size(desk)
        return bill(desk, self.at, size.cost, self.convoy, income=size.income, why="1.5: paid by a convoy in the hex")

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Pay and found it; it is remembered who did (D-71a)."""
        state, size = scene.state, self._size(desk)
        pay(desk, self.at, size.cost, self.convoy)
        race = state.players[desk.player].faction
        state.urban[self.at] = Urban(size.id, race=race, changed=state.turn)
        scene.tell_all("urban_built", hex=scene.label(self.at), by=desk.player, size=size.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeUrban(Work):
    """1.5: make an urban hex one size larger."""

    TYPE: ClassVar[str] = "upgrade_urban"

    def check(self, desk: Desk) -> Found:
        """One step a turn, not in the turn it was built, not in enemy ZOC (D-24)."""
        return first(desk, self._here, self._top, self._hasty, self._zoc, self._poor)

    def _here(self, desk: Desk) -> Problem | None:
        return not_urban(desk, self.at)

    def _top(self, desk: Desk) -> Problem | None:
        if self._next(desk) is not None:
            return None
        label = desk.state.board.label(self.at)
        return self.problem(desk, "already_built", say("{hex} has reached the largest size.", hex=label), "1.5")

    def _hasty(self, desk: Desk) -> Problem | None:
        if desk.state.urban[self.at].changed != desk.state.turn:
            return None
        label = desk.state.board.label(self.at)
        return self.problem(
            desk, "limit_reached", say("{hex} was built or upgraded this turn already.", hex=label), "1.5"
        )

    def _poor(self, desk: Desk) -> Problem | None:
        size = self._next(desk)
        return None if size is None else cannot_pay(desk, self.at, size.cost, rule="1.5")

    def _next(self, desk: Desk) -> UrbanSize | None:
        sizes = desk.state.ruleset.urban
        level = desk.state.ruleset.urban_level(desk.state.urban[self.at].size)
        return sizes[level] if level < len(sizes) else None

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what it costs and what the hex will yield."""
        size = self._next(desk)
        if size is None:
            return {}
        return bill(desk, self.at, size.cost, size=size.id, income=size.income, why="1.5: paid by the urban hex")

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Pay; it grows at once."""
        size, urban = self._next(desk), scene.state.urban[self.at]
        if size is None:
            return
        pay(desk, self.at, size.cost)
        urban.size, urban.changed = size.id, scene.state.turn
        scene.tell_all("urban_upgraded", hex=scene.label(self.at), by=desk.player, size=size.id)


# --- strongholds ---


def stronghold_cost(desk: Desk, type_: StrongholdType) -> int:
    """1.4, D-71: some factions build strongholds at a part of the price, rounded up."""
    return -(-type_.cost * desk.state.faction(desk.player).stronghold_percent // 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCamp(Work):
    """1.4, D-24: build a new stronghold, paid by a convoy or, in an urban hex, by that (D-23)."""

    TYPE: ClassVar[str] = "build_camp"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeStronghold(Work):
    """1.4: make a stronghold one type stronger. "Capital fortification" is a fortress in the capital (D-24)."""

    TYPE: ClassVar[str] = "upgrade_stronghold"

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


KINDS: tuple[type[Order], ...] = (BuildVillage, UpgradeUrban, BuildCamp, UpgradeStronghold)
