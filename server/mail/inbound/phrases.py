"""What mail programs write around the sender's own words: the file ``phrases.toml`` as compiled patterns."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FIELDS = ("from", "to", "date", "subject")
"""The fields of a quoted header."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns over all languages; all of them ignore letter case."""

    frames: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    """For each language, what begins and what ends the line above a quotation."""
    opening: re.Pattern[str]
    wrote: re.Pattern[str]
    labels: re.Pattern[str]
    """A line of a quoted header; its groups are named after :data:`FIELDS`."""
    inner_label: re.Pattern[str]
    """The label of a date behind another field on the same line."""
    separator: re.Pattern[str]
    """A whole line such as ``----- Original Message -----``; the header may follow on it."""
    forwarded: re.Pattern[str]
    """The same, of a forwarded message."""
    device: re.Pattern[str]
    """A whole line such as ``Sent from my iPhone``."""
    absent: re.Pattern[str]
    """The begin of an automatic answer's subject."""


@cache
def phrases() -> Phrases:
    """Return the patterns of all languages."""
    with (Path(__file__).parent / "phrases.toml").open("rb") as file:
        languages: dict[str, dict[str, list[str]]] = tomllib.load(file)
    frames = tuple(
        (_starting(found["opening"]), re.compile(rf"(?<!\w)(?:{_any(found['wrote'])})(?!\w)", re.IGNORECASE))
        for found in languages.values()
    )

    def all_of(key: str) -> list[str]:
        return list(dict.fromkeys(entry for found in languages.values() for entry in found[key]))

    labels = "|".join(f"(?P<{field}>{_any(all_of(field))})" for field in FIELDS)
    return Phrases(
        frames,
        _starting(all_of("opening")),
        re.compile(rf"(?:{_any(all_of('wrote'))})(?!\w)", re.IGNORECASE),
        re.compile(rf"[\s*>_]*+(?:{labels})[\s*_]*[:：][\s*_]*(?P<value>.*)", re.IGNORECASE),
        re.compile(rf"\s[*_]*(?:{_any(all_of('date'))})[*_]*[:：][\s*]", re.IGNORECASE),
        _separating(all_of("original") + all_of("forwarded"), _any(all_of("from"))),
        _separating(all_of("forwarded"), _any(all_of("from"))),
        re.compile(rf"[\s*_(<\[«-]*+(?:{_any(all_of('device'))})", re.IGNORECASE),
        re.compile(
            rf"\s*(?:\[?(?:{_any(all_of('absent'))})\]?)(?=\s*(?:[:：\-–—!.(\[,]|$|(?:bis|until|re|von|from|for|:)\b))",
            re.IGNORECASE,
        ),
    )


@cache
def marks(name: str) -> str:
    """Return the pattern of one entry of ``marks.toml``: any of its alternatives."""
    return "(?:" + "|".join(_all_marks()[name]) + ")"


@cache
def _all_marks() -> dict[str, list[str]]:
    with (Path(__file__).parent / "marks.toml").open("rb") as file:
        return tomllib.load(file)


def _any(entries: list[str]) -> str:
    """Return one pattern for all, the longest first; a space matches any white space, a space with ``?`` also none."""
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "|".join(entry.replace(" ?", r"\s*").replace(" ", r"\s+") for entry in ordered)


def _starting(entries: list[str]) -> re.Pattern[str]:
    """Return the pattern of a line's first word; words of Chinese run into what follows."""
    return re.compile(rf"(?:{_any(entries)})(?:(?<=[^\x00-\u2e7f])|(?!\w))", re.IGNORECASE)


def _separating(entries: list[str], sender: str) -> re.Pattern[str]:
    """Return the pattern of a line with an entry between dashes, perhaps in two languages, or before a colon."""
    entry = _any(entries)
    between = rf"[-=_–—]{{2,}}+\s*+(?:{entry})\s*+:?\s*+(?:[-/]++\s*+(?:{entry})\s*+)?[-=_–—>]*+"
    end = rf"(?=[\s*]*+$|\s*+(?:{sender})\s?[:：])"
    return re.compile(rf"[\s>*_]*+(?:{between}{end}|(?:{entry})\s*+[:：][\s*]*+$)", re.IGNORECASE)
