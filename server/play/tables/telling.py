"""Telling the devices at a table that there is something new. It says how many acts there are, never what they are.

All processes share the people present: when each side's player last followed, read or acted (N-61) is a row of the
database. A process writes it at most once in some seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam
from sqlalchemy.orm import Session

from server.play.context import AppContext
from server.store.errors import StorageError
from server.store.live import News, publish
from server.store.tables import SIDES, TablePresenceRow
from server.store.upserts import by_dialect

if TYPE_CHECKING:
    from server.referee.reading import LocalizedText


SEEN_EVERY = timedelta(seconds=15)
"""How often a row is written at most, and how often an open stream says that its player is there."""
ONLINE = timedelta(seconds=40)
"""How long a player counts as online after they were seen."""

_SEEN = by_dialect(
    TablePresenceRow,
    lambda insert: insert.values(
        game_id=bindparam("of"), side=bindparam("whose"), seen_at=bindparam("now")
    ).on_conflict_do_update(index_elements=["game_id", "side"], set_={"seen_at": insert.excluded.seen_at}),
)


def table_topic(game_id: str) -> str:
    """Return the topic of a table game: all who may know of it hear the same."""
    return f"table/{game_id}"


def announce(session: Session, games: Iterable[str], kind: str, at: datetime, acts: int | None = None) -> None:
    """Tell who follows a game that it changed; *acts*: how many there are now. Call it once, at a transaction's end."""
    data = {} if acts is None else {"acts": acts}
    publish(session, [News(table_topic(game_id), kind, data) for game_id in games], at)


def by_language(text: LocalizedText) -> dict[str, str]:
    """Return a text of a mission by language."""
    return {language: text.to(language) for language in ("en", "de")}


def note_presence(ctx: AppContext, session: Session, game_id: str, side: str, now: datetime) -> None:
    """Write in a transaction that a side's player is there, unless that was done a moment ago."""
    if side in SIDES and _is_due(ctx, game_id, side, now):
        connection = session.connection()
        connection.execute(_SEEN[connection.dialect.name], {"of": game_id, "whose": side, "now": now})
        ctx.caches.table_presence.put((game_id, side), now)


def seen_at_table(ctx: AppContext, game_id: str, sides: Iterable[str]) -> None:
    """Write that the players of some sides are there. Call it without a session; a busy database is let be."""
    now = ctx.now()
    due = [side for side in sides if _is_due(ctx, game_id, side, now)]
    if due:
        with suppress(StorageError), ctx.database.write() as session:
            for side in due:
                note_presence(ctx, session, game_id, side, now)


def is_online(seen_at: datetime | None, now: datetime) -> bool:
    """Say whether someone who was last seen then is still there."""
    return seen_at is not None and now - seen_at < ONLINE


def _is_due(ctx: AppContext, game_id: str, side: str, now: datetime) -> bool:
    last: datetime | None = ctx.caches.table_presence.known((game_id, side))
    return last is None or now - last >= SEEN_EVERY
