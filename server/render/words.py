"""The sentences of this room in a language (``texts/<language>.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

FALLBACK = "en"
LANGUAGES = ("en", "de")


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return all sentences of a language by key; English ones for a language we do not have."""
    file = resources.files(__package__).joinpath("texts", f"{language if language in LANGUAGES else FALLBACK}.toml")
    return dict(_flat(tomllib.loads(file.read_text("utf-8")), ""))


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(value, f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", str(value)))
    return found


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
        if "n" in filled and not self.has(key):
            key = f"{key}.{'one' if filled['n'] == 1 else 'other'}"
        return self.template(key).format_map(filled)

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules; the word itself where a ruleset brought its own."""
        return sentences(self.language).get(f"{table}.{word}", word.replace("_", " "))
