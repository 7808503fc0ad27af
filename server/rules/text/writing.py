"""Orders become a text that reads back to the same orders, one a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from server.rules.orders.registry import BY_TYPE
from server.rules.orders.text.names import Names
from server.rules.orders.text.patterns import Style
from server.rules.sight import View
from server.rules.text.reading import JSON, created, read_orders

STYLES = (Style(True, False), Style(True, True), Style(False, False), Style(False, True))
"""The ways names are tried: as people say them first."""


def write_orders(orders: Sequence[Any], view: View | Names | None = None, repeated: Sequence[Any] = ()) -> str:
    """Return orders as text that :func:`read_orders` reads back to the same orders, with the same *view*.

    An order without words (one that the rules do not know, or with a field of a wrong kind) is a line of JSON.
    Lines of *repeated* orders say so.
    """
    names = view if isinstance(view, Names) else Names.of(view)
    lines = []
    for order in orders:
        line = _line(order, names)
        lines.append(f"repeat {line}" if order in repeated and not line.startswith(("{", JSON)) else line)
        if isinstance(order, Mapping) and isinstance(order.get("as"), str):
            names = names.with_more(order["as"], created(order))
    return "".join(f"{line}\n" for line in lines)


def _line(order: Any, names: Names) -> str:
    type_ = order.get("type") if isinstance(order, Mapping) else None
    kinds = BY_TYPE.get(type_, ()) if isinstance(type_, str) else ()
    for kind in kinds:
        for style in STYLES if names.known else STYLES[2:]:
            text = kind.to_text(order, names, style)
            if text and _reads_back(text, order, names):
                return text
    return ("" if isinstance(order, dict) else JSON) + json.dumps(order, ensure_ascii=True)


def _reads_back(text: str, order: Any, names: Names) -> bool:
    read = read_orders(text, names)
    return read.orders == (order,) and not read.problems and same_kinds(read.orders[0], order)


def same_kinds(one: Any, other: Any) -> bool:
    """Return whether two equal values have the same types throughout: 1 is not true."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return all(same_kinds(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return all(same_kinds(mine, yours) for mine, yours in zip(one, other, strict=True))
    return True
