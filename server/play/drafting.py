"""Orders while they are being written: what they would do and what may be added; nothing is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from server.play import positions
from server.play.context import Actor, AppContext
from server.play.errors import invalid
from server.play.orders import check_size
from server.rules import drafting
from server.rules.drafting import Draft


def draft(ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None) -> Draft:
    """Return what each order of a set would do, what is wrong with it, and what may be ordered besides."""
    actor.require("read")
    if not isinstance(orders, list):
        raise invalid("orders", "Orders are a list.")
    check_size(orders)
    found = drafting.draft(positions.own_view(ctx, actor, campaign_id, seat), orders)
    return replace(found, options=tuple(positions.by_orders(found.options)))
