"""Orders, and what may be ordered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from sealed_orders.errors import Fault
from sealed_orders.records.order_options import OrderChoices, OrderFields, OrderType
from sealed_orders.records.order_types import Order
from sealed_orders.records.plain import Json


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Your orders for the open phase."""

    campaign_id: str
    player_id: str
    branch: int
    number: int
    """Of the phase, from 1 at Setup."""
    turn: int
    phase: str
    """``setup``, ``build``, ``movement``, ``battle_movement``, ``battles`` or ``reports``."""
    deadline: datetime | None
    wanted: bool
    """There is something to order."""
    revision: int
    """0: nothing was handed in."""
    final: bool
    temporary: bool
    """It counts at the deadline and does not bring it forward."""
    source: str
    salt: str
    updated_at: datetime | None
    orders: tuple[Order, ...]
    receipt: str | None = None
    """For a write: what the server signed; kept by the client."""

    @property
    def etag(self) -> str:
        """What ``If-Match`` asks for: this phase, this revision."""
        return f'"{self.number}.{self.revision}"'


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What became of orders."""

    orders: OrderSet
    problems: tuple[Fault, ...]
    """The refused orders of a lenient write; empty otherwise."""


@dataclass(frozen=True, slots=True)
class OrdersInAdvance:
    """Orders for a phase that is still to come."""

    player_id: str
    turn: int
    phase: str
    revision: int
    updated_at: datetime
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class RepeatedOrders:
    """Orders that you repeat in each phase of one kind."""

    player_id: str
    phase: str
    revision: int
    """0: none so far."""
    updated_at: datetime | None
    orders: tuple[Order, ...]
    left_out: tuple[Json, ...] = ()
    """Those that were not possible when such a phase last opened: ``number`` of that phase, ``order``, ``problem`` and
    whether it has ``ended`` for good."""


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """Orders of one kind that you may give."""

    order: OrderFields
    """The fields that are settled."""
    choices: OrderChoices = field(default_factory=OrderChoices)
    """The values each further field may take."""
    needs: Any = None
    """The fields still to be filled in, if choices do not suffice (units to raise); None: nothing."""
    more: Json = field(default_factory=dict)
    """What explains it: costs, limits, reach, casualties."""

    @property
    def type(self) -> OrderType:
        """The type of the order."""
        return self.order["type"]

    @property
    def subject(self) -> str:
        """What the order is for: a detachment, a convoy, what is placed; otherwise its type. Each needs one order."""
        return self.order.get("detachment") or self.order.get("convoy") or self.order.get("what") or self.type

    def pick(self, choose: Callable[[Sequence[Any]], Any] = lambda values: values[0]) -> Order:
        """Return the order with a value for each choice: the first, or what *choose* picks (``random.choice``).

        What :attr:`needs` asks for is left to you.
        """
        choices = cast("Mapping[str, Sequence[Any]]", self.choices)
        return cast("Order", {**self.order, **{name: choose(values) for name, values in choices.items()}})


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of an order from what you can see."""

    says: Json
    problems: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """What can be said of orders that are being made up; nothing of them is stored."""

    says: tuple[Json, ...]
    """What each would do; empty for those with a problem."""
    problems: tuple[Fault, ...]
    options: tuple[LegalOrder, ...]
    """What may be ordered after all of them."""
    stores: dict[str, int]
    """BP that are left, by hex."""
    left: dict[str, list[str]]
    """Sizes that are left to be placed in Setup."""


@dataclass(frozen=True, slots=True)
class Finality:
    """Whether a seat's orders are final; None: hidden from you."""

    player_id: str
    final: bool
    handed_in: bool | None
    wanted: bool | None
