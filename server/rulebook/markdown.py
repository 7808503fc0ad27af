"""How the rulebook writes tables, numbers and anchors, and its words in a language.

A sentence stands in the code in English and is the key of its translation (``texts/<language>.toml``). What a ruleset
names in English has the translation that all pages use (:mod:`server.render.translations`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from server.render.translations import FALLBACK, LANGUAGES, Translations
from server.rules.ruleset import LOWEST


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return the translations of a language by their English sentence; none for English."""
    if language == FALLBACK or language not in LANGUAGES:
        return {}
    return tomllib.loads(resources.files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class TableTranslations(Translations):
    """How one language says what stands in the tables."""

    language: str = FALLBACK

    def __call__(self, sentence: str, /, **filled: object) -> str:
        """Return an English sentence in this language, its places filled in."""
        text = sentences(self.language).get(sentence, sentence)
        return text.format_map(filled) if filled else text

    def listed(self, words: Iterable[str]) -> str:
        """Return words as a sentence lists them: a, b and c."""
        *others, last = list(words)
        return f"{', '.join(others)} {self('and')} {last}" if others else last


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
