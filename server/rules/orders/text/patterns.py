"""How a kind of order is written: a pattern of words, places for fields, and what may be left out.

``{at}`` is a place for the field of that name, ``{flags}`` for all fields that are set by their name, ``[...]`` may be
left out, all else is a word (:data:`server.rules.orders.text.vocabulary.SYNONYMS`). Marks (``:`` ``;``) are for the
writer; a reader passes over them.
"""

from __future__ import annotations

from dataclasses import dataclass

from server.core.errors import RulesError
from server.rules.orders.text.vocabulary import SYNONYMS


@dataclass(frozen=True, slots=True)
class Word:
    """A word that must stand there, or one that may stand for it."""

    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that may stand there."""
        return SYNONYMS[self.text]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark the writer sets."""

    text: str


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a field."""

    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """A part that may be left out."""

    parts: tuple[Part, ...]


Part = Word | Mark | Place | Maybe
FLAGS_PLACE = "flags"


def parse(pattern: str) -> tuple[Part, ...]:
    """Return the parts of a pattern."""
    for mark in "[]:;":
        pattern = pattern.replace(mark, f" {mark} ")
    parts, rest = _parts(pattern.split(), 0)
    if rest:
        raise RulesError(f"the pattern {pattern!r} closes what it did not open")
    return parts


def _parts(words: list[str], depth: int) -> tuple[tuple[Part, ...], list[str]]:
    parts: list[Part] = []
    while words:
        word, words = words[0], words[1:]
        if word == "[":
            inner, words = _parts(words, depth + 1)
            parts.append(Maybe(inner))
        elif word == "]":
            return tuple(parts), words if depth else [word]
        elif word in (":", ";"):
            parts.append(Mark(word))
        elif word.startswith("{"):
            parts.append(Place(word.strip("{}")))
        else:
            if word not in SYNONYMS:
                raise RulesError(f"{word!r} is not in SYNONYMS (server/rules/orders/text/vocabulary.py)")
            parts.append(Word(word))
    return tuple(parts), []


def needed_words(parts: tuple[Part, ...]) -> tuple[Word, ...]:
    """Return the words a line must have."""
    return tuple(part for part in parts if isinstance(part, Word))


def places(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the names of all places, in order."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Place):
            found.append(part.name)
        elif isinstance(part, Maybe):
            found.extend(places(part.parts))
    return tuple(found)


def with_alias(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return a pattern with a place for the name (``as``) of the order's creation, before any units."""
    if "as" in places(parts):
        return parts
    return (*parts, Maybe((Word("as"), Place("as"))))
