"""The sentences of this room in a language (``texts/<language>.toml``), and how files of sentences are read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

FALLBACK = "en"
LANGUAGES = ("en", "de")


def read(text: str) -> dict[str, str]:
    """Return the sentences of a TOML text by key (``table.name``)."""
    return dict(_flat(tomllib.loads(text), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(f"{prefix}{key}", str(value))]
    return found


def key_for(known: Mapping[str, str], key: str, filled: Mapping[str, object]) -> str:
    """Return the key of the sentence for ``n``, where the sentence depends on it (``one``, ``other``)."""
    if "n" not in filled or key in known:
        return key
    return f"{key}.{'one' if filled['n'] == 1 else 'other'}"


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return all sentences of a language by key; English ones for a language we do not have."""
    file = resources.files(__package__).joinpath("texts", f"{language if language in LANGUAGES else FALLBACK}.toml")
    return read(file.read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one language."""

    language: str

    def template(self, key: str) -> str:
        """Return a sentence with its ``{places}``."""
        return sentences(self.language)[key]

    def has(self, key: str) -> bool:
        """Say whether there is such a sentence."""
        return key in sentences(self.language)

    def __call__(self, key: str, /, **filled: object) -> str:
        """Return a sentence filled in; with ``n`` the one for so many."""
        return self.template(key_for(sentences(self.language), key, filled)).format_map(filled)

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules; the word itself where a ruleset brought its own."""
        return sentences(self.language).get(f"{table}.{word}", word.replace("_", " "))
