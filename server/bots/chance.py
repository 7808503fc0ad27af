"""A player of random legal orders: what any other must beat."""

from __future__ import annotations

from random import Random
from typing import Any

from server.bots.army import LINE, bill, units_for
from server.rules.options import legal_orders
from server.rules.sight import View

Order = dict[str, Any]
MAX_ORDERS = 30


def choose(view: View, random: Random) -> list[Order]:
    """Return a few orders drawn from the legal ones, one for each detachment and convoy."""
    options = legal_orders(view)
    random.shuffle(options)
    orders: dict[str, Order] = {}
    for option in options[: MAX_ORDERS * 3]:
        order = dict(option["order"])
        if "alliance" in order["type"] or (order["type"] == "build_road" and "urban" not in order):
            continue  # nor roads far from all towns
        for name, values in option.get("choices", {}).items():
            order[name] = random.choice(values)
        if "needs" in option:
            order |= filled(order)
        subject = order.get("detachment") or order.get("convoy") or f"{order['type']}/{len(orders)}"
        orders.setdefault(subject, order)
    return list(orders.values())[:MAX_ORDERS]


def filled(order: Order) -> Order:
    """Return an order that raises units with some that the rules take."""
    if order["type"] == "build_detachment":
        return {"detachment_type": "standard", "units": units_for(LINE)}
    return {"units": units_for(bill(1))}
