"""The end of a table game: both confirm the result, then the dice are published and everything is open."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from server.play import access
from server.play.battles import battle_results
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, check_revision
from server.play.resolution.resolution import resolve_when_due
from server.play.tables.access import load
from server.play.tables.auto_close import close
from server.play.tables.info import TableInfo, info
from server.play.tables.telling import announce
from server.store.tables import TableBeginningRow, TableResultRow


@dataclass(frozen=True, slots=True)
class TableDiceInfo:
    """The dice of a game: what fixed them, and what they were made of as far as it is published."""

    game: str
    commitment: str
    """SHA-256 of the secret, hexadecimal."""
    commitments: dict[str, str]
    salts: dict[str, str] | None
    """Once the game has started."""
    secret: str | None
    """When the game is closed, as the seed; hexadecimal."""
    seed: str | None


def confirm(
    ctx: AppContext, actor: Actor, game_id: str, side: str | None = None, revision: int | None = None
) -> TableInfo:
    """Confirm the result for a side (None: for all one plays). When both have, the game is closed."""
    result = battle_results.at_the_end(ctx, actor, game_id)
    with ctx.database.write() as session:
        campaign = None if result is None else _campaign_of(session, actor, game_id)
        may = load(session, actor, game_id, lock=True)
        check_revision(revision, may.row.revision)
        if may.row.status != "over":
            raise PlayError("wrong_status", "There is no result to confirm.", field="status", value=may.row.status)
        sides = may.sides if side is None else (may.seat(side).side,)
        if not sides and (not may.gm or may.battle is not None):
            raise PlayError("forbidden", "You take no part in this game.")
        now = ctx.now()
        if campaign is not None and result is not None:
            battle_results.confirm(ctx, session, campaign, may, sides, result)
        for name in sides:
            may.seats[name].confirmed_at = now
        if may.gm or all(seat.confirmed_at is not None or seat.solo for seat in may.seats.values()):
            close(may.row, now)
        may.row.revision += 1
        announce(session, [game_id], "closed" if may.closed else "confirmed", now, may.row.acts)
        session.flush()
        confirmed = info(may, session.get(TableResultRow, game_id))
    if campaign is not None:
        resolve_when_due(ctx, str(confirmed.campaign))
    return confirmed


def _campaign_of(session: Session, actor: Actor, game_id: str) -> access.Access:
    """Return the campaign whose battle a game is, held before the game is."""
    return access.load_shared(session, actor, str(load(session, actor, game_id).row.campaign_id))


def archive(ctx: AppContext, actor: Actor, game_id: str, archived: bool = True) -> TableInfo:
    """Archive a game in the person's list, or put it back."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_part()
        for side in may.sides:
            may.seats[side].archived = archived
        if not may.sides:
            may.row.archived = archived
        session.flush()
        return info(may, session.get(TableResultRow, game_id))


def dice(ctx: AppContext, actor: Actor, game_id: str, watch: str | None = None) -> TableDiceInfo:
    """Return what is known of a game's dice."""
    with ctx.database.read() as session:
        may = load(session, actor, game_id, watch)
        begun = session.get(TableBeginningRow, game_id) if may.closed else None
    row = may.row
    return TableDiceInfo(
        row.id,
        row.commitment,
        {side: seat.commitment for side, seat in may.seats.items()},
        {side: seat.salt for side, seat in may.seats.items()} if row.status != "open" else None,
        row.dice_secret.hex() if may.closed else None,
        begun.seed if begun else None,
    )
