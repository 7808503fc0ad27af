"""Orders as text: one a line, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from server.rules.sight import View


@dataclass(frozen=True, slots=True)
class NotRead:
    """A line that is no order."""

    line: int
    """From 1."""
    text: str
    message: str
    unknown: bool
    """It does not even begin like an order: it may be a greeting."""


@dataclass(frozen=True, slots=True)
class ReadOrders:
    """The orders of a mail."""

    orders: tuple[dict[str, Any], ...]
    lines: tuple[int, ...]
    """The line of each order."""
    problems: tuple[NotRead, ...]
    final: bool | None = None


def read(text: str, view: View) -> ReadOrders:
    """Read the orders of a text; raises nothing, whatever it is."""
    del view
    orders: list[dict[str, Any]] = []
    places: list[int] = []
    problems: list[NotRead] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            given = orjson.loads(line)
        except orjson.JSONDecodeError:
            problems.append(NotRead(number, line.strip(), "This is no order.", not line.lstrip().startswith("{")))
            continue
        if isinstance(given, dict):
            orders.append(given)
            places.append(number)
    return ReadOrders(tuple(orders), tuple(places), tuple(problems))


def write(orders: Sequence[Any], view: View) -> str:
    """Write orders, one a line; they read back to the same."""
    del view
    return "\n".join(orjson.dumps(order).decode() for order in orders)
