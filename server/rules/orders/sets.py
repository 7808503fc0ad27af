"""Order sets: what a player hands in for one phase, read and checked as a whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import say, word, words
from server.rules.orders.base import ImmediateOrder, Order
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.registry import IN_PHASE
from server.rules.scene import Scene
from server.rules.sight import GM, View, view_for, views_for
from server.rules.state import OVER, PlayerId, State

MAX_ORDERS = 2000


class HopefulDice:
    """Dice that always show their highest face: what may succeed does, when orders are checked."""

    def roll(self, label: str, sides: int = 6) -> int:  # noqa: ARG002
        """Return the highest face."""
        return sides


@dataclass(frozen=True, slots=True)
class Checked:
    """An order set after checking."""

    accepted: tuple[Order, ...]
    problems: tuple[Problem, ...]


def check(view: View, orders: object) -> list[Problem]:
    """Return every problem of an order set for the phase the campaign stands at.

    *orders* is arbitrary JSON; nothing is raised, whatever it is. All is judged by the view, so
    what is said cannot tell more than the player knows.
    """
    return list(read_set(view.state, view.viewer, view.state.phase, orders).problems)


def read_set(known: State, player: PlayerId, phase: str, orders: object) -> Checked:
    """Read and check a player's orders against *known*, their redacted state."""
    refusal = closed(known, player)
    if refusal is not None:
        return Checked((), (refusal,) if orders else ())
    if not isinstance(orders, list | tuple):
        return Checked((), (Problem("bad_value", "Orders are a list.", "", shown(orders)),))
    reader = SetReader(OrderContext(known, player), phase)
    for raw in orders[:MAX_ORDERS]:
        reader.add(raw)
    if len(orders) > MAX_ORDERS:
        message = say("A set has at most {most} orders.", most=MAX_ORDERS)
        reader.problems.append(Problem("limit_reached", message, "", len(orders), "", MAX_ORDERS))
    return Checked(tuple(reader.accepted), tuple(reader.problems))


def closed(known: State, player: PlayerId) -> Problem | None:
    """Return why the player gives no orders at all, if that is so."""
    if player not in known.players and player != GM:
        return Problem("not_yours", "Only players give orders.")
    if known.phase == OVER:
        return Problem("campaign_over", "The campaign is over.")
    if player != GM and known.players[player].eliminated:
        return Problem("eliminated", "You are out of the campaign.")
    return None


class SetReader:
    """Reads a set order by order; immediate orders are carried out in the context as they come (D-27)."""

    def __init__(self, context: OrderContext, phase: str) -> None:
        self.context = context
        self.accepted: list[Order] = []
        self.problems: list[Problem] = []
        self._known = context.state
        self._phase = phase
        self._count = 0
        self._taken: dict[str, int] = {}

    def add(self, raw: object, before_done: Callable[[Order], None] | None = None) -> None:
        """Read and check the next order; *before_done* is called with it if it is accepted."""
        index, self._count = self._count, self._count + 1
        order, found = read_order(self.context, self._phase, index, raw)
        only = ""
        if order is not None and not found:
            found, only = self._check(order, raw)
        if found:
            self.problems.extend(replace(problem, order=index) for problem in found)
        if order is None or found:
            return
        if before_done is not None:
            before_done(order)
        self.accepted.append(order)
        subject = order.subject
        if subject:
            self._taken[subject] = index
        if only:
            self._taken[only] = index
            self.context.taken[only] = subject
        if isinstance(order, ImmediateOrder):
            if self.context.state is self._known:
                self.context.state = self._known.copy()
            order.carry_out(Scene(self.context.state, HopefulDice()), self.context)

    def _check(self, order: Order, raw: object) -> tuple[list[Problem], str]:
        """Return what speaks against an order, and what no other may do after it (:meth:`Order.once`)."""
        if order.subject in self._taken:
            message = say(
                "It already has order number {number} of this set; that one stands.",
                number=self._taken[order.subject] + 1,
            )
            return [Problem("duplicate_order", message, "", order.subject, "D-39a")], ""
        found = list(order.check(self.context))
        only = "" if found else order.once(self.context)
        if only in self._taken:
            message = say(
                "Order number {number} of this set does that already; only one may.", number=self._taken[only] + 1
            )
            field, rule = order.ONCE
            given = raw.get(field) if isinstance(raw, Mapping) else None
            found.append(Problem("limit_reached", message, field, shown(given), rule))
        return found, only


def read_order(context: OrderContext, phase: str, index: int, raw: object) -> tuple[Order | None, list[Problem]]:
    """Read one order; None and its problems when it was not understood or does not fit the phase."""
    if not isinstance(raw, Mapping):
        return None, [Problem("bad_value", "An order is an object with a type.", "", shown(raw))]
    type_ = raw.get("type")
    if type_ is None:
        return None, [Problem("missing_field", "The order needs the field type.", "type")]
    kinds = IN_PHASE.get(type_, {}) if isinstance(type_, str) else {}
    if not kinds:
        return None, [
            Problem("unknown_type", say("There is no order called {type}.", type=shown(type_)), "type", shown(type_))
        ]
    kind = kinds.get(phase)
    if kind is None:
        where = words("phase", kinds)
        message = say(
            "{type} is an order of the phase {where}, not of {phase}.",
            type=type_,
            where=where,
            phase=word("phase", phase),
        )
        return None, [Problem("wrong_phase", message, "type", type_, "1")]
    if context.player == GM and not kind.BY_GM:
        return None, [Problem("not_yours", "The game master reports battles and gives no other orders.", "type", type_)]
    fields = Fields(raw, context)
    alias = fields.text("as") if fields.has("as") else ""
    order = kind.read(fields)
    fields.finish()
    if fields.problems:
        return None, fields.problems
    return order.numbered(index, alias), []


@dataclass(slots=True)
class OrderBook:
    """The order sets of all players for one phase, checked; what the resolution works from."""

    accepted: dict[PlayerId, tuple[Order, ...]]
    """Per player in seat order, the game master last; each in the player's own order."""
    problems: dict[PlayerId, list[Problem]]

    def of(self, player: PlayerId) -> tuple[Order, ...]:
        """Return the accepted orders of a player."""
        return self.accepted.get(player, ())


Accepted = Mapping[PlayerId, tuple[Order, ...]]
"""Orders per player, as :class:`Checked` has them."""


def collect(
    state: State, orders: Mapping[PlayerId, Sequence[Any]], phase: str, checked_before: Accepted | None = None
) -> OrderBook:
    """Check all order sets, each against what its own player knows (D-07).

    *checked_before*: the results of sets already checked against this very state without a problem.
    """
    accepted: dict[PlayerId, tuple[Order, ...]] = {}
    problems: dict[PlayerId, list[Problem]] = {}
    views = views_for(state, ())
    for player in (*state.players, GM):
        given = orders.get(player, ())
        if not given:
            continue
        if checked_before is not None and player in checked_before:
            accepted[player] = checked_before[player]
            continue
        view = views[player] if player != GM else view_for(state, (), GM)
        checked = read_set(view.state, player, phase, given)
        accepted[player] = checked.accepted
        if checked.problems:
            problems[player] = list(checked.problems)
    return OrderBook(accepted, problems)
