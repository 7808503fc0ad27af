"""Every place of a document, each filled with what nobody means."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 2**63, 1.5, 1e308, "", "\x00", "x" * 5000, "<script>", "p1", [], {}, [[]], {"a": {"b": []}},
)  # fmt: skip
FEW: tuple[Any, ...] = (None, -1, 2**63, "x", [], {"a": 1})
"""For large documents."""
Way = tuple[Any, ...]


def places(document: Any, first: int = 2, way: Way = ()) -> Iterator[Way]:
    """Yield the way to every value of a document; of a list to its *first* ones, for the others are like them."""
    if way:
        yield way
    if isinstance(document, dict):
        for name, value in document.items():
            yield from places(value, first, (*way, name))
    elif isinstance(document, list):
        for number, value in enumerate(document[:first]):
            yield from places(value, first, (*way, number))


def forged(document: Any, way: Way, value: Any) -> Any:
    """Return a copy of a document with another value in one place; only what leads there is copied."""
    if not way:
        return value
    made = copy.copy(document)
    made[way[0]] = forged(document[way[0]], way[1:], value) if way[1:] else value
    return made


def forgeries(document: Any, values: tuple[Any, ...] = HOSTILE, first: int = 2) -> Iterator[tuple[Way, Any, Any]]:
    """Yield a document once for each place and value: the way, the value, the document."""
    for way in places(document, first):
        for value in values:
            yield way, value, forged(document, way, value)
        if isinstance(way[-1], str):  # a field that nobody knows, beside it
            yield (*way[:-1], "forged"), 1, forged(document, (*way[:-1], "forged"), 1)
