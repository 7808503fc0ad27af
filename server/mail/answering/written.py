"""Orders as people write them: one a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from server.rules.sight import View
from server.rules.text import read_orders, write_orders


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
    """Read the orders of a text, lines as JSON among them; raises nothing, whatever it is."""
    given: list[tuple[int, dict[str, Any]]] = []
    lines = text.split("\n")
    for place, line in enumerate(lines):
        order = _as_json(line)
        if order is not None:
            given.append((place + 1, order))
            lines[place] = ""
    found = read_orders("\n".join(lines), view)
    given += zip(found.lines, found.orders, strict=True)
    given.sort(key=lambda one: one[0])
    problems = tuple(
        NotRead(problem.line, problem.text, str(problem.message), problem.code == "unknown_order")
        for problem in found.problems
    )
    return ReadOrders(tuple(order for _, order in given), tuple(line for line, _ in given), problems, found.final)


def write(orders: Sequence[Any], view: View) -> str:
    """Write orders, one a line; they read back to the same."""
    return write_orders(orders, view)


def _as_json(line: str) -> dict[str, Any] | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        order = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return order if isinstance(order, dict) else None
