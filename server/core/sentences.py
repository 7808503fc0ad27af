"""Sentences that can be said in other languages: a template in English, and what fills its places.

The template is the sentence's name: a reader in another language looks it up (``server/web/texts``), and a
test holds that there is a translation of each. What fills a place is a number, a text as someone wrote it, or
a :class:`Term`, which other languages have their own word for, or another sentence. A sentence without places
is plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any


class Sentence(str):
    """A sentence in English that was filled in, and knows from what. :func:`say` makes them."""

    __slots__ = ("params", "template")

    template: str
    """With its places, e.g. ``{b} is not next to {a}.``"""
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Term:
    """A word that other languages have their own for."""

    text: str
    """As it stands in an English sentence."""
    name: str = ""
    """The name a ruleset gives a thing, e.g. ``Strategic HQ``."""
    word: str = ""
    """A word of the rules with its table, e.g. ``slot.heavy``, unless it is a ruleset's name."""

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, str]:
        """Return it as programs read it: ``{"name": ...}`` or ``{"word": ...}``."""
        return {"name": self.name} if self.name else {"word": self.word}


@dataclass(frozen=True, slots=True)
class Terms:
    """Several words in a row."""

    each: tuple[Term, ...]
    between: str = ", "
    """What stands between them in English."""

    def __str__(self) -> str:
        return self.between.join(map(str, self.each))

    def capitalized(self) -> Terms:
        """Return them as they begin an English sentence."""
        first, *others = self.each
        return replace(self, each=(replace(first, text=first.text.capitalize()), *others))


def say(template: str, /, **filled: object) -> Sentence:
    """Return a sentence filled in. The template is written out at the call, so that tests find it."""
    made = Sentence(template.format_map(filled))
    made.template, made.params = template, filled
    return made


def called(name: str) -> Term:
    """Return the name a ruleset gives a thing."""
    return Term(name, name=name)


def small(name: str) -> Term:
    """Return the name a ruleset gives a thing, as it is written within an English sentence."""
    return Term(name.lower(), name=name)


def word(table: str, word: str) -> Term:
    """Return a word of the rules; *table* says what kind of word it is."""
    return Term(word.replace("_", " "), word=f"{table}.{word}")


def words(table: str, given: Iterable[str], between: str = ", ") -> Terms:
    """Return several words of the rules; *between* stands between them in English."""
    return Terms(tuple(word(table, key) for key in given), between)


def template_of(sentence: str) -> str:
    """Return the name by which a sentence is translated: one that was not filled in is its own."""
    return sentence.template if isinstance(sentence, Sentence) else sentence


def taken_apart(sentence: str) -> dict[str, Any]:
    """Return template and params as programs read them."""
    return {"template": template_of(sentence), "params": params_of(sentence)}


def params_of(sentence: str) -> dict[str, Any]:
    """Return what a sentence was filled with, as plain JSON: a term is an object, several are a list."""
    filled = sentence.params if isinstance(sentence, Sentence) else {}
    return {name: _plain(value) for name, value in filled.items()}


def _plain(value: object) -> Any:
    if isinstance(value, Term):
        return value.to_json()
    if isinstance(value, Terms):
        return [term.to_json() for term in value.each]
    if isinstance(value, Sentence):
        return taken_apart(value)
    if isinstance(value, int) and value.bit_length() > 63:
        return str(value)  # JSON is written with numbers of 64 bits
    return value if isinstance(value, int | float | str) else str(value)
