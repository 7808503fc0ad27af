"""The bot of the guide (``docs/bots.md``), on a view instead of over the API."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

from sealed_orders import LegalOrder
from server.rules.options import legal_orders
from server.rules.orders.sets import check
from server.rules.sight import View

_GUIDE = Path(__file__).parents[2] / "docs" / "bots.md"


@cache
def _bot() -> dict[str, Any]:
    """Return the names that the guide's bot defines ahead of its loop."""
    text = _GUIDE.read_text("utf-8")
    block = re.search(r"<!-- bot\.py; .*?```python\n(.*?)```", text, re.DOTALL)
    if block is None:
        raise ValueError(f"{_GUIDE} has no bot")
    names: dict[str, Any] = {}
    exec(block[1].split("\ntry:\n")[0], names)
    return names


def choose(view: View, chance: random.Random) -> list[dict[str, Any]]:
    """Return what the guide's bot orders; what the server would leave out is left out."""
    bot = _bot()
    bot["random"] = chance
    options = [
        LegalOrder(order=each["order"], choices=each.get("choices", {}), needs=each.get("needs", ()))
        for each in legal_orders(view)
    ]
    orders: list[dict[str, Any]] = bot["choose"](options)
    refused = {problem.order for problem in check(view, orders)}
    return [order for place, order in enumerate(orders) if place not in refused]
