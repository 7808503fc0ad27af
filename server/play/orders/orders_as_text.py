"""A player's orders as text: written for the reader, read with the seat's view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.core.errors import Problem
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, fault
from server.play.orders import orders_in_advance
from server.play.views.positions import own_view
from server.rules.sight import View
from server.rules.text import ReadText, read_orders, write_orders

MAX_TEXT = 500_000
"""Characters a text of orders has at most."""
CODES = {
    "unknown_order": "unknown_type",
    "unknown_name": "unknown_id",
    "ambiguous": "unknown_id",
    "missing": "missing_field",
    "not_understood": "bad_value",
}
"""What each problem of a text is called among those of orders."""


def as_text(ctx: AppContext, actor: Actor, campaign_id: str, orders: Sequence[Any], *, seat: str | None = None) -> str:
    """Return orders as text, with the names that the seat knows."""
    actor.require("read")
    view = own_view(ctx, actor, campaign_id, seat)
    return write_orders(
        orders, view, orders_in_advance.repeated_in(ctx, actor, campaign_id, view.state.phase, seat=seat)
    )


def understood(ctx: AppContext, actor: Actor, campaign_id: str, text: str, *, seat: str | None = None) -> ReadText:
    """Return the orders of a text; raises ``orders_refused`` with every line that is not understood."""
    actor.require("read")
    return ordered(text, own_view(ctx, actor, campaign_id, seat))


def ordered(text: str, view: View) -> ReadText:
    """Return the orders that a text means to a player with this view; raise as :func:`understood` does."""
    if len(text) > MAX_TEXT:
        raise PlayError("too_large", field="orders", value=len(text))
    found = read_orders(text, view)
    if found.problems:
        first = found.problems[0].message
        problems = [
            Problem(CODES[one.code], one.message, "", one.word or None, "", one.line - 1) for one in found.problems
        ]
        raise PlayError("orders_refused", first, problems=[fault(problem) for problem in problems])
    return found
