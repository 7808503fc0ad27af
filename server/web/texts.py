"""All sentences of the pages, by language.

``texts/<language>/*.toml``; the tables of all files of a language are one. A sentence may hold ``{names}`` to
be filled in; a table with ``one`` and ``other`` is a sentence that depends on ``n``. English is complete by
definition; a test holds every other language to the same keys and names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from server.render.words import key_for, read

FOLDER = Path(__file__).parent / "texts"
FALLBACK = "en"
UTC = ZoneInfo("UTC")


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Return for each language its sentences by key (``table.title``)."""
    found: dict[str, dict[str, str]] = {}
    for folder in sorted(each for each in FOLDER.iterdir() if each.is_dir()):
        flat = found.setdefault(folder.name, {})
        for file in sorted(folder.glob("*.toml")):
            for key, text in read(file.read_text("utf-8")).items():
                if key in flat:
                    raise ValueError(f"{file}: {key} is there twice")
                flat[key] = text
    return found


@cache
def _told() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the sentences of use cases as patterns, with their keys."""
    found = []
    for key, text in languages()[FALLBACK].items():
        if key.startswith("told."):
            parts = re.split(r"\{(\w+)\}", text)
            pattern = "".join(f"(?P<{each}>.+)" if place % 2 else re.escape(each) for place, each in enumerate(parts))
            found.append((re.compile(pattern, re.DOTALL), key))
    return tuple(found)


def choose(wanted: str) -> str:
    """Return the language of ours that fits an ``Accept-Language`` header or a locale best."""
    ranked: list[tuple[float, str]] = []
    for place, part in enumerate(wanted.split(",")[:20]):
        name, _, quality = part.partition(";q=")
        try:
            weight = float(quality or 1)
        except ValueError:
            continue
        ranked.append((-weight + place / 1000, name.strip().lower().replace("_", "-").partition("-")[0]))
    return next((name for _, name in sorted(ranked) if name in languages()), FALLBACK)


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of one language, and how it writes times."""

    language: str
    zone: ZoneInfo = UTC

    def __call__(self, key: str, /, **filled: object) -> str:
        """Return a sentence. With ``n`` the one for so many. An unknown key is a mistake of ours: it is raised."""
        sentences = languages()[self.language]
        key = key_for(sentences, key, filled)
        text = sentences.get(key)
        if text is None:
            text = languages()[FALLBACK][key]
        return text.format_map(filled) if filled else text

    def has(self, key: str) -> bool:
        """Say whether there is such a sentence: for codes and names that rulesets may add to."""
        return key in languages()[self.language] or key in languages()[FALLBACK]

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules or of a ruleset (``unit.infantry``); the word itself where none is."""
        key = f"{table}.{word}"
        return self(key) if self.has(key) else word.replace("_", " ").capitalize()

    def told(self, message: str) -> str:
        """Return a sentence of a use case, which are in English, in the reader's language where it is known."""
        if self.language == FALLBACK:
            return message
        for pattern, key in _told():
            if found := pattern.fullmatch(message):
                return self(key, **found.groupdict()) if found.groupdict() else self(key)
        return message

    def section(self, *prefixes: str) -> dict[str, str]:
        """Return all sentences whose keys begin with one of *prefixes*: for scripts."""
        merged = {**languages()[FALLBACK], **languages()[self.language]}
        return {key: text for key, text in merged.items() if key.startswith(prefixes)}

    def when(self, instant: datetime | None) -> str:
        """Return day and time in the reader's zone; a dash for none."""
        if instant is None:
            return "–"
        local = instant.astimezone(self.zone)
        return self("time.when", weekday=self(f"time.weekday.{local.weekday()}"), day=local.day,
                    month=self(f"time.month.{local.month}"), time=f"{local:%H:%M}")  # fmt: skip

    def left(self, span: timedelta) -> str:
        """Return how much time is left, in its two largest units."""
        minutes = max(0, int(span.total_seconds() // 60))
        days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
        if days:
            return self("time.days", n=days) + (f" {self('time.hours', n=hours)}" if hours else "")
        if hours:
            return self("time.hours", n=hours) + (f" {self('time.minutes', n=rest)}" if rest else "")
        return self("time.minutes", n=rest)
