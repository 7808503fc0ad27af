"""The sentences of this package in a language (``texts/<language>.toml``), and how files of sentences are read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from server.rules.ruleset import Building, Defence, ResourceSize, Ruleset, StrongholdType, UrbanSize, Weapon

FALLBACK = "en"
"""The language everything is written in first; the others are translations of it."""
LANGUAGES = ("en", "de")
"""Every language there is, in the order people choose it from; ``docs/translating.md`` says how to add one."""


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


def choose(wanted: str) -> str:
    """Return our language that best fits an ``Accept-Language`` header or a locale such as ``de-AT``."""
    ranked: list[tuple[float, str]] = []
    for place, part in enumerate(wanted.split(",")[:20]):
        name, _, quality = part.partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        ranked.append((-weight + place / 1000, name.strip().lower().replace("_", "-").partition("-")[0]))
    return next((name for _, name in sorted(ranked) if name in LANGUAGES), FALLBACK)


@cache
def names(language: str) -> Mapping[str, str]:
    """Return a language's names for a ruleset's things by their English name; in English only those that differ."""
    file = resources.files(__package__).joinpath("texts", "names", f"{language}.toml")
    return read(file.read_text("utf-8")) if language in LANGUAGES else {}


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Return all sentences of a language by key; English ones for a language we do not have."""
    file = resources.files(__package__).joinpath("texts", f"{language if language in LANGUAGES else FALLBACK}.toml")
    return read(file.read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Translations:
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

    def called(self, name: str) -> str:
        """Return what a thing is called that a ruleset names in English; that name where a ruleset brought its own."""
        return names(self.language).get(name, name)

    def inside(self, name: str) -> str:
        """Return what a thing is called within a sentence: English writes it small there, but for HQ and the like."""
        if self.language != FALLBACK:
            return self.called(name)
        return " ".join(word if word.isupper() else word.lower() for word in self.called(name).split(" "))

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules; the word itself where a ruleset brought its own."""
        return sentences(self.language).get(f"{table}.{word}", word.replace("_", " "))


def ruleset_names(rules: Ruleset, language: str) -> dict[str, str]:
    """Return what a ruleset's things are called within a sentence, as :mod:`server.render.story` asks for them."""
    t = Translations(language)
    return {f"word/{thing.id}": t.inside(thing.name) for thing in things_of(rules)}


def things_of(rules: Ruleset) -> list[Building | Defence | ResourceSize | StrongholdType | UrbanSize | Weapon]:
    """Return the things of a ruleset that have a name and stand in positions and events by their ids."""
    works = (rules.buildings, rules.defences, rules.weapons)
    return [*rules.urban, *rules.resources, *rules.strongholds, *(thing for table in works for thing in table.values())]
