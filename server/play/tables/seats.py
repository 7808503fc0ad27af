"""The two sides of a table: who sits there, their armies, their part in the dice."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass

from sqlalchemy import select

from server.play import text_input
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.tables import armies, missions
from server.play.tables.access import Access, is_free, load
from server.play.tables.armies import Brought
from server.play.tables.info import TableInfo, changed, info
from server.play.tables.setting_up import distinct_name, mission_of, require_open, sit
from server.play.tables.telling import announce
from server.store.tables import SIDES, TableGameRow, TableResultRow, TableSeatRow

_HASH, _SALT = re.compile(r"[0-9a-f]{64}"), re.compile(r"[!-~]{16,200}")


@dataclass(frozen=True, slots=True)
class Invited:
    """What someone with an invitation sees before they join."""

    id: str
    name: str
    mission: str
    status: str
    players: dict[str, str]
    """By side; a side that is not there is free."""
    solo: bool


def invitation(ctx: AppContext, code: str) -> Invited:
    """Return what a code invites to."""
    with ctx.database.read() as session:
        row = session.scalars(select(TableGameRow).where(TableGameRow.join_code == _code(code))).one_or_none()
        if row is None:
            raise not_found("code", code)
        seats = session.scalars(select(TableSeatRow).where(TableSeatRow.game_id == row.id))
        taken = {seat.side: seat.name for seat in seats if not is_free(seat)}
        return Invited(row.id, row.name, row.mission, row.status, taken, row.setup["solo"])


def join(ctx: AppContext, actor: Actor, code: str, side: str | None = None, name: str | None = None) -> TableInfo:
    """Take a free side of the game of a code, or both one after the other: two people, one device."""
    actor.require("orders")
    if side is not None and side not in SIDES:
        raise invalid("side", "A side is red or blue.", side)
    player = text_input.name(actor.name if name is None else name, "name")
    with ctx.database.write() as session:
        query = select(TableGameRow.id).where(TableGameRow.join_code == _code(code))
        game_id = session.scalar(query)
        row = None if game_id is None else session.get(TableGameRow, game_id, with_for_update=True)
        if row is None:
            raise not_found("code", code)
        seats = session.scalars(select(TableSeatRow).where(TableSeatRow.game_id == row.id)).all()
        free = {seat.side: seat for seat in sorted(seats, key=lambda seat: SIDES.index(seat.side)) if is_free(seat)}
        wanted = next(iter(free), None) if side is None else side
        if wanted not in free:
            raise PlayError("seat_taken", field="side", value=side)
        if row.status == "closed":
            raise PlayError("wrong_status", "The game is closed.", field="status", value=row.status)
        taken = [seat.name for seat in seats if not is_free(seat)]
        sit(free[wanted], actor, distinct_name(player, taken), ctx.now())
        row.revision += 1
        session.flush()
        announce(session, [row.id], "seats", ctx.now())
        return info(load(session, actor, row.id), session.get(TableResultRow, row.id))


def leave(ctx: AppContext, actor: Actor, game_id: str, side: str) -> None:
    """Give up a side; before the start its maker may free the other side, too. The army goes with them."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_free()
        if side not in may.seats:
            raise not_found("side", side)
        if side not in may.sides:
            may.require_owner()
            require_open(may)
        seat = may.seats[side]
        if seat.solo:
            raise PlayError("conflict", "The dice play that side.", field="side", value=side)
        seat.user_id = seat.joined_at = seat.confirmed_at = None
        seat.name = ""
        if may.row.status == "open":
            seat.army, seat.army_name, seat.commitment, seat.salt = None, "", "", ""
            for other in may.seats.values():  # who comes next commits before the server has a salt of the others'
                if other.salt and not other.solo:
                    other.commitment = other.salt = ""
        may.row.revision += 1
        announce(session, [game_id], "seats", ctx.now())


def choose_army(
    ctx: AppContext, actor: Actor, game_id: str, side: str, brought: Brought, save_as: str | None = None
) -> TableInfo:
    """Bring an army. Against the dice one brings theirs, too."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id).require_free()
        _army_seat(may, side)
        values = mission_of(session, actor, may)
    mission = None if values is None else next(iter(missions.read_library([values]).values()))
    army, name = armies.read_army(ctx, actor, brought, side, mission)
    if save_as is not None:
        name = armies.save(ctx, actor, save_as, brought).name
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True)
        require_open(may)
        seat = _army_seat(may, side)
        seat.army, seat.army_name = army, name
        return changed(session, may, "seats", ctx.now())


def commit(ctx: AppContext, actor: Actor, game_id: str, side: str, commitment: str) -> TableInfo:
    """Commit to a salt by its SHA-256, before the server has a salt: from then on the first one holds."""
    if not _HASH.fullmatch(commitment):
        raise invalid("commitment", "A SHA-256 in 64 hexadecimal digits.", commitment[:80])
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True)
        require_open(may)
        seat = may.seat(side)
        if seat.commitment == commitment:
            return info(may, None)
        if seat.commitment and any(other.salt for other in may.seats.values() if not other.solo):
            raise PlayError("conflict", "A salt is there already.", field="commitment")
        seat.commitment = commitment
        return changed(session, may, "seats", ctx.now())


def reveal(ctx: AppContext, actor: Actor, game_id: str, side: str, salt: str) -> TableInfo:
    """Send the salt, once both sides have committed to theirs. It is shown when the game starts."""
    if not _SALT.fullmatch(salt):
        raise invalid("salt", "From 16 to 200 visible ASCII characters.")
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True)
        require_open(may)
        seat = may.seat(side)
        if any(not other.commitment and not other.solo for other in may.seats.values()):
            raise PlayError("conflict", "Both sides commit to their salts first.", field="salt")
        if not hmac.compare_digest(hashlib.sha256(salt.encode()).hexdigest(), seat.commitment):
            raise invalid("salt", "This is not the salt of the commitment.")
        if seat.salt != salt:
            seat.salt = salt
            may.row.revision += 1
            announce(session, [game_id], "seats", ctx.now())
        session.flush()
        return info(may, None)


def _army_seat(may: Access, side: str) -> TableSeatRow:
    """Return the seat one brings an army for."""
    seat = may.seats.get(side)
    return seat if seat is not None and seat.solo and may.sides else may.seat(side)


def _code(code: str) -> str:
    """Return a code in its stored form: people type it with spaces, dashes and capitals."""
    return re.sub(r"[\s-]", "", code).lower()
