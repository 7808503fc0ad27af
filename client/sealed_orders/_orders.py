"""What you do with your orders: making them up, handing them in, finalising them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sealed_orders._dice import DiceOperations
from sealed_orders._operation import operation
from sealed_orders._plans import Plan, Send, request_and_read
from sealed_orders._reading import as_it_is, one, several
from sealed_orders.errors import AlreadyDone, Fault
from sealed_orders.records import (
    Draft,
    HandedIn,
    Json,
    LegalOrder,
    Order,
    OrderSet,
    OrdersInAdvance,
    Preview,
    RepeatedOrders,
)


class OrderOperations(DiceOperations):
    """Operations on your orders in a campaign."""

    # --- making them up ---

    @operation
    def legal_orders(self) -> Plan[tuple[LegalOrder, ...]]:
        """Return everything you may order now."""
        return self._get("/legal-orders", several(LegalOrder), self._seat())

    @operation
    def draft(self, orders: Sequence[Order]) -> Plan[Draft]:
        """Say of orders that are being made up what each does, what is wrong, and what else may be ordered."""
        return self._write("POST", "/orders/draft", one(Draft), {"orders": list(orders)})

    @operation
    def preview(self, order: Order, before: Sequence[Order] = ()) -> Plan[Preview]:
        """Say what an order would do after those *before* it in the set, from what you can see."""
        return self._write("POST", "/preview", one(Preview), {"order": order, "before": list(before)})

    @operation
    def outlook(self, orders: Sequence[Order]) -> Plan[Json]:
        """Return the battles that orders for Battle movement would open if nobody else stirred, and their odds."""
        return self._write("POST", "/orders/odds", as_it_is, {"orders": list(orders)})

    # --- handing them in ---

    @operation
    def orders(self) -> Plan[OrderSet]:
        """Return your orders for the open phase; :class:`PhaseOver` where none is open or you are out."""
        return self._orders()

    @operation
    def check(self, orders: Sequence[Order]) -> Plan[tuple[Fault, ...]]:
        """Return everything that is wrong with a set, without handing it in."""
        return self._write("POST", "/orders/check", several(Fault, "problems"), {"orders": list(orders)})

    @operation
    def send(
        self,
        orders: Sequence[Order],
        *,
        number: int | None = None,
        final: bool = False,
        temporary: bool = False,
        lenient: bool = False,
        salt: str | None = None,
        if_match: OrderSet | None = None,
    ) -> Plan[HandedIn]:
        """Hand in a whole set, in the order in which it is to be carried out.

        *number* is the phase it is meant for (:class:`PhaseOver` once another is open), *if_match* the set it replaces
        (:class:`StaleRevision` once it has changed). :class:`OrdersRefused` names every problem and nothing is stored;
        with *lenient* the good orders are stored and the others come back. The *salt* is the one you have committed for
        this phase; where the server keeps your salts, words that it mixes into the salt of the next phase.
        """
        body = {
            "orders": list(orders), "number": number, "final": final, "temporary": temporary, "lenient": lenient,
            "salt": salt,
        }  # fmt: skip
        return self._hand_in("PUT", "/orders", body, if_match)

    @operation
    def change(
        self, changes: Sequence[Mapping[str, Any]], *, number: int | None = None, if_match: OrderSet | None = None
    ) -> Plan[HandedIn]:
        """Change single orders: ``{"op": "add"|"replace"|"remove"|"move", "at": ..., "to": ..., "order": ...}``."""
        body = {"changes": [dict(change) for change in changes], "number": number}
        return self._hand_in("PATCH", "/orders", body, if_match)

    @operation
    def declare_final(self, *, number: int | None = None, if_match: OrderSet | None = None) -> Plan[OrderSet]:
        """Declare the orders final; the phase ends with the last player who does. Twice is once."""
        return self._finality(Send("POST", self._path("/orders/final"), self._seat(), {"number": number}), if_match)

    @operation
    def take_back(self, *, number: int | None = None, if_match: OrderSet | None = None) -> Plan[OrderSet]:
        """Take *final* back, as long as the phase is open. The orders stay."""
        return self._finality(Send("DELETE", self._path("/orders/final"), self._seat() | {"number": number}), if_match)

    @operation
    def orders_in_advance(self) -> Plan[tuple[OrdersInAdvance, ...]]:
        """Return the orders you have left for later phases, nearest first."""
        return self._get("/orders/advance", several(OrdersInAdvance), self._seat())

    @operation
    def leave_in_advance(self, turn: int, phase: str, orders: Sequence[Order]) -> Plan[OrdersInAdvance]:
        """Leave orders for a later phase; what is possible then counts at its deadline."""
        path = f"/orders/advance/{turn}/{phase}"
        return self._write("PUT", path, one(OrdersInAdvance), {"orders": list(orders)})

    @operation
    def drop_in_advance(self, turn: int, phase: str) -> Plan[None]:
        """Take orders left in advance away."""
        return self._write("DELETE", f"/orders/advance/{turn}/{phase}")

    @operation
    def repeated_orders(self) -> Plan[tuple[RepeatedOrders, ...]]:
        """Return the orders you repeat until you cancel them, by kind of phase."""
        return self._get("/orders/repeated", several(RepeatedOrders), self._seat())

    @operation
    def repeat_orders(self, phase: str, orders: Sequence[Order]) -> Plan[RepeatedOrders]:
        """Repeat orders in each phase of one kind, in place of those you repeated so far; no orders cancel them."""
        return self._write("PUT", f"/orders/repeated/{phase}", one(RepeatedOrders), {"orders": list(orders)})

    # --- inside ---

    def _hand_in(self, method: str, below: str, body: Json, if_match: OrderSet | None) -> Plan[HandedIn]:
        send = _matching(Send(method, self._path(below), self._seat(), body), if_match)
        try:
            done: HandedIn = yield from request_and_read(send, one(HandedIn), self._config.patience)
        except AlreadyDone:  # an earlier attempt arrived, its answer did not
            return HandedIn((yield from self._orders()), ())
        self._config.keep(done.orders.receipt)
        return done

    def _finality(self, send: Send, if_match: OrderSet | None) -> Plan[OrderSet]:
        try:
            done: OrderSet = yield from request_and_read(
                _matching(send, if_match), one(OrderSet), self._config.patience
            )
        except AlreadyDone:
            return (yield from self._orders())
        self._config.keep(done.receipt)
        return done


def _matching(send: Send, if_match: OrderSet | None) -> Send:
    return send if if_match is None else replace(send, headers={"If-Match": if_match.etag})
