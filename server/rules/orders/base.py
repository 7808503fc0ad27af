"""What all orders have in common: each kind reads, checks and previews itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from server.core.errors import Problem
from server.core.sentences import say
from server.rules.orders.desk import Desk
from server.rules.orders.fields import Fields
from server.rules.scene import Scene
from server.rules.state import Id

Found = Iterator[Problem]
"""What a check yields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order of one player. Each kind reads, checks and previews itself."""

    TYPE: ClassVar[str]
    PHASE: ClassVar[tuple[str, ...]]

    index: int = 0
    """Its place in the player's set."""
    alias: str = ""
    """The name given with ``as`` for what it creates."""

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order; what is wrong is noted in *fields*, and the result is then of no use."""
        raise NotImplementedError

    def numbered(self, index: int, alias: str) -> Self:
        """Return the order with its place and name. It has just been read, so it is changed itself: a copy is dear."""
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "alias", alias)
        return self

    @property
    def subject(self) -> str:
        """What may have only one order of this kind, e.g. a detachment's id; empty: no such limit."""
        return ""

    def once(self, desk: Desk) -> str:  # noqa: ARG002
        """Name what only one order of a set may do; empty: nothing of the kind."""
        return ""

    def check(self, desk: Desk) -> Found:
        """Yield what speaks against the order, as far as its player can know (D-07)."""
        raise NotImplementedError

    def preview(self, desk: Desk) -> dict[str, Any]:
        """Say what the order would do, as far as its player can know; for an order without problems."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachmentOrder(Order):
    """An order to one detachment, which obeys one of its kind in a phase (D-39a)."""

    detachment: Id

    @property
    def subject(self) -> str:
        """The detachment."""
        return self.detachment

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the order."""
        return cls(detachment=fields.own_detachment())

    def under_construction(self, desk: Desk) -> Problem | None:
        """Refuse a detachment that does not stand yet."""
        detachment = desk.detachment(self.detachment)
        if not detachment.ready_in:
            return None
        message = say("{detachment} is still under construction.", detachment=detachment.name)
        return Problem("under_construction", message, "detachment", self.detachment, "D-32")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmediateOrder(Order):
    """An order that is done at once, one after the other (Setup and Build, D-27)."""

    def carry_out(self, scene: Scene, desk: Desk) -> None:
        """Do it, right after :meth:`check` found nothing on the same desk (``desk.state is scene.state``).

        Runs twice: when orders are checked, on a copy of what the player knows with dice that always
        show their highest face, and when the phase is resolved, on the true state. What it
        creates goes by :attr:`alias` in ``desk.aliases``.
        """
        raise NotImplementedError
