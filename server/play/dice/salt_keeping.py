"""Where salts lie from their commitment to their phase (D-81). Nothing here tells anybody a salt.

Each seat has a row of salts, numbered from 0. The next one waits without a phase. When a phase opens, it takes the
next salt of each living seat, and the server draws and commits another for the phase after it. Where the player
keeps the salts, the server draws none: the player commits and sends them (:mod:`server.play.dice.salts`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, select
from sqlalchemy.orm import Session

from server.core.dice import commitment
from server.store.position.changes import Changes
from server.store.position.rows import table
from server.store.tables import Salt, Seat

SERVER, PLAYER = "server", "player"
SALTS = table(Salt)
Values = dict[str, Any]
"""A row of :data:`SALTS` by column."""
START_NUMBER = 0
"""The serial number of the salt of joining."""


def draw(session: Session, campaign_id: str, player_id: str, serial: int, now: datetime) -> Salt:
    """Draw and commit a salt for a seat whose salts the server keeps."""
    row = Salt(**drawn(campaign_id, player_id, serial, now))
    session.add(row)
    session.flush()
    return row


def drawn(campaign_id: str, player_id: str, serial: int, now: datetime) -> Values:
    """Return the row of a salt that the server draws and commits."""
    salt = secrets.token_urlsafe(16)
    return values_of(campaign_id, player_id, serial, SERVER, salt, now)


def values_of(campaign_id: str, player_id: str, serial: int, kept_by: str, salt: str, now: datetime) -> Values:
    """Return a new row without a phase."""
    return {
        "campaign_id": campaign_id,
        "player_id": player_id,
        "serial": serial,
        "kept_by": kept_by,
        "commitment": commitment(salt.encode()) if salt else "",
        "salt": salt,
        "committed_at": now,
        "branch": None,
        "phase_number": None,
    }


def join(session: Session, campaign_id: str, player_id: str, now: datetime) -> None:
    """Draw the salt of joining for a player who takes a seat; salts of the player before are gone."""
    forget(session, campaign_id, player_id)
    draw(session, campaign_id, player_id, START_NUMBER, now)


def forget(session: Session, campaign_id: str, player_id: str) -> None:
    """Take the salts of a seat away, before the start."""
    session.execute(delete(Salt).where(Salt.campaign_id == campaign_id, Salt.player_id == player_id))


def hand_over(session: Session, campaign_id: str, player_id: str, now: datetime) -> None:
    """Keep the salts of a seat on the server from now on, where its player kept them."""
    newest = newest_of(session, campaign_id, player_id)
    if newest is not None and newest.kept_by == PLAYER:
        draw(session, campaign_id, player_id, newest.serial + 1, now)


def open_for(
    session: Session, campaign_id: str, branch: int, number: int, players: Iterable[str], now: datetime
) -> None:
    """Give a phase that opens the next salt of each living seat, and commit those for the phase after it."""
    changes = Changes()
    take(session, campaign_id, branch, number, players, now, changes)
    session.flush()
    changes.write(session.connection())


def take(
    session: Session, campaign_id: str, branch: int, number: int, players: Iterable[str], now: datetime,
    changes: Changes, waiting: Iterable[Row[Any]] | None = None,
) -> None:  # fmt: skip
    """Add what :func:`open_for` writes to *changes*.

    *waiting* are the salts without a phase, by player and serial number, if they have been read.
    """
    rows: dict[str, list[Row[Any]]] = {}
    if waiting is None:
        unused = (Salt.campaign_id == campaign_id, Salt.phase_number.is_(None))
        waiting = session.execute(select(*SALTS.c).where(*unused).order_by(Salt.player_id, Salt.serial))
    for row in waiting:
        rows.setdefault(row.player_id, []).append(row)
    place = {"branch": branch, "phase_number": number}
    for player_id in players:
        own = rows.get(player_id, [])
        taken = own[0]._asdict() if own else _missed(session, campaign_id, player_id, now)
        (changes.update if own else changes.insert)(SALTS, [taken | place])
        if len(own) < 2 and taken["kept_by"] == SERVER:
            changes.insert(SALTS, [drawn(campaign_id, player_id, taken["serial"] + 1, now)])


def rows_of(session: Session, campaign_id: str, branch: int, number: int) -> dict[str, Salt]:
    """Return the salts of a phase by seat."""
    mine = (Salt.campaign_id == campaign_id, Salt.branch == branch, Salt.phase_number == number)
    query = select(Salt).where(*mine).execution_options(populate_existing=True)
    return {row.player_id: row for row in session.scalars(query)}


def of_scheme_1() -> str:
    """Return the salt of an order set in a campaign of scheme 1, which stands until its player sends another."""
    return secrets.token_urlsafe(16)


def in_seat_order(rows: Mapping[str, Salt | Row[Any]], seats: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the salts of a phase and their commitments, ``""`` for none."""
    found = [rows.get(seat) for seat in seats]
    return (
        tuple("" if row is None else row.salt for row in found),
        tuple("" if row is None else row.commitment for row in found),
    )


def commitments(session: Session, campaign_id: str) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the commitments of every phase that has opened, by branch and number, in seat order."""
    query = (
        select(Salt.branch, Salt.phase_number, Seat.number, Salt.commitment)
        .join(Seat, (Seat.campaign_id == Salt.campaign_id) & (Seat.player_id == Salt.player_id))
        .where(Salt.campaign_id == campaign_id, Salt.phase_number.is_not(None))
    )
    seats = select(Seat.number).where(Seat.campaign_id == campaign_id).order_by(Seat.number)
    numbers = list(session.scalars(seats))
    found: dict[tuple[int, int], dict[int, str]] = {}
    for branch, number, seat, made in session.execute(query):
        if branch is None or number is None:
            continue
        found.setdefault((branch, number), {})[seat] = made
    return {place: tuple(made.get(seat, "") for seat in numbers) for place, made in found.items()}


def newest_of(session: Session, campaign_id: str, player_id: str) -> Salt | None:
    """Return the last salt of a seat: who keeps it keeps those to come."""
    mine = (Salt.campaign_id == campaign_id, Salt.player_id == player_id)
    return session.scalars(select(Salt).where(*mine).order_by(Salt.serial.desc()).limit(1)).first()


def waiting_of(session: Session, campaign_id: str, player_id: str) -> list[Salt]:
    """Return the salts of a seat that are committed and have no phase yet, the next one first."""
    mine = (Salt.campaign_id == campaign_id, Salt.player_id == player_id, Salt.phase_number.is_(None))
    return list(session.scalars(select(Salt).where(*mine).order_by(Salt.serial)))


def mix_in(session: Session, campaign_id: str, player_id: str, words: str) -> bool:
    """Draw the next salt of a seat again with a player's own words in it; False where the server does not keep it."""
    row = next((salt for salt in waiting_of(session, campaign_id, player_id) if salt.kept_by == SERVER), None)
    if row is None:
        return False
    row.salt = f"{secrets.token_urlsafe(16)} {words}"
    row.commitment = commitment(row.salt.encode())
    session.flush()
    return True


def _missed(session: Session, campaign_id: str, player_id: str, now: datetime) -> Values:
    """Return the salt of a seat that has none waiting: the server draws one, a player who committed none has none."""
    newest = newest_of(session, campaign_id, player_id)
    serial = START_NUMBER if newest is None else newest.serial + 1
    if newest is None or newest.kept_by == SERVER:
        return drawn(campaign_id, player_id, serial, now)
    return values_of(campaign_id, player_id, serial, PLAYER, "", now)
