"""The words of the rulebook's tables in a language: sentences (``texts/<language>.toml``) and names of rulesets.

A sentence stands in the code in English and is the key of its translation. What a ruleset names in English has the
translation that all pages use (:mod:`server.render.translations`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from server.render.translations import FALLBACK, LANGUAGES, names


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return the translations of a language by their English sentence; none for English."""
    if language == FALLBACK or language not in LANGUAGES:
        return {}
    return tomllib.loads(resources.files(__package__).joinpath("texts", f"{language}.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class TableTranslations:
    """How one language says what stands in the tables."""

    language: str = FALLBACK

    def __call__(self, sentence: str, /, **filled: object) -> str:
        """Return an English sentence in this language, its places filled in."""
        text = sentences(self.language).get(sentence, sentence)
        return text.format_map(filled) if filled else text

    def name(self, name: str) -> str:
        """Return what a thing is called that a ruleset names in English."""
        return names(self.language).get(name, name)

    def inside(self, name: str) -> str:
        """Return what it is called within a sentence; German keeps capitals, English those of ``HQ`` and the like."""
        if self.language != FALLBACK:
            return self.name(name)
        return " ".join(word if word.isupper() else word.lower() for word in self.name(name).split(" "))

    def listed(self, words: Iterable[str]) -> str:
        """Return words as a sentence lists them: a, b and c."""
        *others, last = list(words)
        return f"{', '.join(others)} {self('and')} {last}" if others else last
