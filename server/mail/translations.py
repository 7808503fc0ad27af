"""The sentences of mails in a language, and how it writes times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from server.render.translations import key_for, read

FOLDER = Path(__file__).parent / "texts"
_A_WEEK = timedelta(days=6)
"""A weekday alone names a day that is nearer than this."""


@cache
def languages() -> Mapping[str, Mapping[str, str]]:
    """Return for each language its sentences by key (``table.name``)."""
    return {file.stem: read(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*.toml"))}


@dataclass(frozen=True, slots=True)
class Translations:
    """The sentences of one language for one reader."""

    language: str
    zone: ZoneInfo
    now: datetime

    def __call__(self, key: str, /, **filled: object) -> str:
        """Return a sentence; with ``n``, its form for that number. Raise for unknown keys."""
        sentences = languages()[self.language]
        return sentences[key_for(sentences, key, filled)].format_map(filled)

    def name(self, table: str, word: str) -> str:
        """Return the name of a word of the rules; the word itself where another ruleset brought it."""
        return languages()[self.language].get(f"{table}.{word}", word.replace("_", " "))

    def when(self, instant: datetime) -> str:
        """Return day and time in the reader's zone, whole."""
        return self("time.when", zone=self.zone.key, **self._parts(instant))

    def soon(self, instant: datetime) -> str:
        """Return day and time as short as can be understood: for subjects."""
        if timedelta(0) < instant - self.now < _A_WEEK:
            return self("time.soon", **self._parts(instant))
        return self.when(instant)

    def left(self, instant: datetime) -> str:
        """Return how long it is until then, in its two largest units."""
        minutes = max(0, round((instant - self.now).total_seconds() / 60))
        counts = (("days", minutes // 1440), ("hours", minutes // 60 % 24), ("minutes", minutes % 60))
        first = next((place for place, (_, count) in enumerate(counts) if count), len(counts) - 1)
        said = [self(f"time.{unit}", n=count) for unit, count in counts[first : first + 2] if count]
        if len(said) == 2:
            return self("time.two", first=said[0], second=said[1])
        return said[0] if said else self("time.minutes", n=0)

    def _parts(self, instant: datetime) -> dict[str, object]:
        try:
            local = instant.astimezone(self.zone)
        except OverflowError:  # at the very end of the calendar, kept before dates were bounded
            local = instant
        weekday, month = self(f"time.weekday.{local.weekday()}"), self(f"time.month.{local.month}")
        return {"weekday": weekday, "day": local.day, "month": month, "time": f"{local:%H:%M}"}
