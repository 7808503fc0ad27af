"""Dice: what is published of them, and the salts of your seat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dice:
    """The published data of a campaign's dice; links, seeds and salts are with the phases."""

    campaign_id: str
    scheme: int
    link0: str
    key_commitments: dict[str, str]
    """By seat the SHA-256 of the key of its hidden rolls."""
    seat_keys: dict[str, str]
    """The keys you may know: yours, everyone's when the record is published."""


@dataclass(frozen=True, slots=True)
class Salt:
    """A salt of your seat, as far as it is known before its phase is over."""

    serial: int
    commitment: str
    """SHA-256 of the salt; empty: none was made in time."""
    kept_by: str
    """``server`` or ``player``."""
    given: bool
    """The server has it."""


@dataclass(frozen=True, slots=True)
class Salts:
    """How the salts of your seat stand."""

    campaign_id: str
    player_id: str
    scheme: int
    branch: int
    number: int
    """Of the open phase; 0 before the start."""
    kept_by: str
    now: Salt | None
    """For the open phase; before the start for the start."""
    next: Salt | None
    """For the phase after it."""
    next_serial: int | None
    """The serial number of a salt that is committed now; None: yours is committed already."""
    seat_key: str | None
    """The key of your hidden rolls."""
    receipt: str | None = None
    """For a write: what the server signed; kept by the client."""
