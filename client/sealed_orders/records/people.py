"""Battles, letters, declarations, edits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sealed_orders.errors import Fault
from sealed_orders.records.plain import Json


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a battle on the table as someone reported it, and what the other side says."""

    id: str
    hex: str
    reported_by: str | None
    """None: the game master."""
    content: Json
    """``winner`` and, if any, ``retreated`` and ``losses``."""
    note: str
    status: str
    """``open``, ``confirmed``, ``disputed``, ``decided`` or ``withdrawn``."""
    reported_at: datetime
    answered_by: str | None
    answer: str
    revision: int


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle of this turn that you know of."""

    hex: str
    attacking: str
    defended_by: str
    kind: str
    tabletop: bool
    winner: str
    """Empty while it is not settled."""
    yours: bool
    reports: tuple[Report, ...]
    table: str | None = None
    """Id of its table game, for both sides and the game master."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message you may read."""

    id: str
    sender: str | None
    """The seat; None: the game master."""
    to: tuple[str, ...]
    """Seats, ``all`` or ``gm``."""
    announcement: bool
    in_character: bool
    subject: str
    body: str
    reply_to: str | None
    turn: int
    phase: str
    sent_at: datetime
    read_at: datetime | None


@dataclass(frozen=True, slots=True)
class Declaration:
    """A diplomatic declaration: words only."""

    id: str
    player_id: str
    toward: str | None
    """A player; None: everyone."""
    kind: str
    """``alliance``, ``alliance_ended``, ``war``, ``truce`` or ``statement``."""
    public: bool
    body: str
    turn: int
    phase: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of the position that was made."""

    number: int
    seq: int
    state_hash: str
    chain_hash: str


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What edits would do."""

    problems: tuple[Fault, ...]
    changes: tuple[Json, ...] = ()
    """None where there are problems."""
