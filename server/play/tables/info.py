"""A table game before, beside and after its acts, as someone may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from server.play.tables.access import Access
from server.play.tables.battle_info import BattleInfo, battle_info
from server.play.tables.presence import is_online
from server.store.tables import TableGameRow, TableResultRow, TableSeatRow


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A side of a game."""

    side: str
    name: str
    """Empty: nobody sits there."""
    guest: bool
    solo: bool
    """The dice play it."""
    yours: bool
    has_army: bool
    army_name: str | None
    """For the player's own army; None for the other's."""
    army: Mapping[str, Any] | None
    """The same."""
    commitment: str
    """SHA-256 of the salt, hexadecimal; empty: none yet."""
    salt_sent: bool
    salt: str | None
    """Once the game has started."""
    confirmed: bool
    """They have confirmed the result."""
    seen_at: datetime | None = None
    """When they were last there, to the quarter of a minute, for those who take part; None: never, or by dice."""
    online: bool | None = None
    """They follow the game, read or acted in the last 40 seconds; None where ``seen_at`` is not told."""


@dataclass(frozen=True, slots=True)
class ResultInfo:
    """How a game ended."""

    mission: str
    winner: str
    """``red``, ``blue`` or empty: a draw."""
    word: str
    """``major_victory``, ``victory`` or ``draw``."""
    vp: dict[str, int]
    rounds: int
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table game."""

    id: str
    name: str
    mission: str
    """Empty: it is rolled at the start."""
    status: str
    """``open``, ``playing``, ``over`` (to be confirmed) or ``closed``."""
    campaign: str | None
    """The campaign whose battle it is."""
    turn: int | None
    hex: str | None
    setup: Mapping[str, Any]
    sides: tuple[str, ...]
    """One's own."""
    owner: bool
    gm: bool
    seats: tuple[SeatInfo, ...]
    acts: int
    """How many there are: the number of the next one."""
    revision: int
    commitment: str
    """SHA-256 of the dice's secret, hexadecimal."""
    join_code: str | None
    """For those who play and the one who made it, while a seat is free."""
    watch_code: str | None
    """For those who play and the one who made it."""
    created_at: datetime
    started_at: datetime | None
    last_act_at: datetime | None
    finished_at: datetime | None
    closed_at: datetime | None
    archived: bool
    result: ResultInfo | None
    battle: BattleInfo | None = None
    """The details of a campaign's battle; None for a game without a campaign."""


def info(may: Access, result: TableResultRow | None, now: datetime | None = None) -> TableInfo:
    """Return a game as someone may know it; with *now* also who is online."""
    row = may.row
    part = bool(may.sides or may.owner or may.gm)
    return TableInfo(
        id=row.id,
        name=row.name,
        mission=row.mission,
        status=row.status,
        campaign=row.campaign_id,
        turn=row.turn,
        hex=row.hex,
        setup=row.setup,
        sides=may.sides,
        owner=may.owner,
        gm=may.gm,
        seats=tuple(_seat(may, seat, now if part else None) for seat in may.seats.values()),
        acts=row.acts,
        revision=row.revision,
        commitment=row.commitment,
        join_code=row.join_code if part and may.has_free_seat else None,
        watch_code=row.watch_code if part else None,
        created_at=row.created_at,
        started_at=row.started_at,
        last_act_at=row.last_act_at,
        finished_at=row.finished_at,
        closed_at=row.closed_at,
        archived=archived(row, may.seats, may.sides),
        result=None if result is None else result_info(result),
        battle=None if may.battle is None else battle_info(may, may.battle),
    )


def result_info(row: TableResultRow) -> ResultInfo:
    """Return how a game ended."""
    return ResultInfo(
        row.mission, row.winner, row.word, {"red": row.red_vp, "blue": row.blue_vp}, row.rounds, row.ended_at
    )


def archived(row: TableGameRow, seats: Mapping[str, TableSeatRow], sides: tuple[str, ...]) -> bool:
    """Say whether someone has put a game away."""
    return all(seats[side].archived for side in sides) if sides else row.archived


def _seat(may: Access, seat: TableSeatRow, now: datetime | None) -> SeatInfo:
    seen_at = may.seen.get(seat.side) if now is not None and not seat.solo else None
    mine, begun = seat.side in may.sides, may.row.status != "open"
    return SeatInfo(
        side=seat.side,
        name=seat.name,
        guest=seat.side in may.guests,
        solo=seat.solo,
        yours=mine,
        has_army=seat.army is not None,
        army_name=seat.army_name if mine else None,
        army=seat.army if mine else None,
        commitment=seat.commitment,
        salt_sent=bool(seat.salt),
        salt=seat.salt if begun else None,
        confirmed=seat.confirmed_at is not None,
        seen_at=seen_at,
        online=None if now is None or seat.solo else is_online(seen_at, now),
    )
