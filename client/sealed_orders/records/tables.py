"""Battles on the table, as the server answers them. Views, options and armies stay plain JSON (``docs/api.md``)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sealed_orders.records.plain import Json


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table game: who plays, how it is set up, how far it has come."""

    id: str
    name: str
    mission: str
    """Empty: it is rolled at the start."""
    status: str
    """``open``, ``playing``, ``over`` (to be confirmed) or ``closed``."""
    sides: tuple[str, ...]
    """Your own: ``red``, ``blue`` or both."""
    owner: bool
    gm: bool
    seats: tuple[Json, ...]
    acts: int
    """How many there are: the number of the next one."""
    revision: int
    commitment: str
    """SHA-256 of the dice's secret, hexadecimal."""
    join_code: str | None = None
    watch_code: str | None = None
    result: Json | None = None
    battle: Json | None = None
    """Of a campaign's battle: ``players``, ``proposals``, ``meets_at``, ``place``, ``transfers``; None: no battle."""


@dataclass(frozen=True, slots=True)
class TablePosition:
    """How a table game stands for someone, and what they could do now."""

    acts: int
    viewer: str
    view: Json
    open: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class TableAct:
    """An act that was accepted."""

    number: int
    by: str
    at: datetime
    events: tuple[Json, ...]
    position: TablePosition
    """How the game stands after it."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An act in the log of a game; number -1 is the beginning."""

    number: int
    by: str
    at: datetime | None
    act: Json | None
    """Its fields, of your own acts; of all when the game is closed."""
    events: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class TableGuest:
    """A guest at a table just made."""

    id: str
    name: str
    token: str
    """Shown this once."""


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a battle as one side tells it; pictures are plain JSON: ``id``, ``alt``, ``width``, ``height``."""

    id: str
    campaign: str | None
    game: str | None
    """The game on the table, for those who know of the battle; likewise hex and result."""
    turn: int | None
    hex: str | None
    result: Json | None
    side: str
    """``red`` or ``blue`` of the game, else the player's id in the campaign."""
    author: str
    title: str
    body: str
    held: bool
    """The others read it when the campaign is over."""
    pictures: tuple[Json, ...]
    yours: bool
    removable: bool
    revision: int
    created_at: datetime
    updated_at: datetime
