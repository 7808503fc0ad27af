"""How the rulebook writes tables, numbers and anchors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from server.rules.ruleset import LOWEST

_WIDEST = 40
"""Columns are padded up to this width."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table, numbers to the right."""
    cells = [[str(cell).replace("|", r"\|") for cell in row] for row in rows]
    widths = [min(_WIDEST, max(3, *(len(row[n]) for row in [list(head), *cells]))) for n in range(len(head))]
    right = [all(re.fullmatch(r"[+−]?\d*( %)?", row[n]) for row in cells) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (width - 1) + ":" if flush else "-" * width for width, flush in zip(widths, right, strict=True)]
    return "\n".join([line(head), f"| {' | '.join(rule)} |", *(line(row) for row in cells)])


def signed(number: int) -> str:
    """Return a number with its sign, as a text shows it."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence lists them: a, b and c."""
    *others, last = list(words)
    return f"{', '.join(others)} and {last}" if others else last


def faces(minimum: int, maximum: int) -> str:
    """Return the faces of a die from *least* to *most*."""
    return f"{minimum}-{maximum}" if minimum < maximum else str(minimum) if minimum == maximum else "–"


def spans(rows: Sequence[tuple[int, int]]) -> Iterator[tuple[int | None, int | None, int]]:
    """Yield (least, most, value) of a table given by its least totals, falling; None: open."""
    maximum: int | None = None
    for minimum, value in rows:
        yield (None if minimum == LOWEST else minimum), maximum, value
        maximum = minimum - 1


def number(value: int | None) -> str:
    """Return a number with a typographic minus; nothing for None."""
    return "" if value is None else f"−{-value}" if value < 0 else str(value)


def slug(heading: str) -> str:
    """Return the anchor of a heading as Markdown readers make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
