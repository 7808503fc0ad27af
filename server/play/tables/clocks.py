"""The clocks of a table game: they follow whoever is awaited, and stand still while the players pause."""

from __future__ import annotations

from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.tables.access import load
from server.play.tables.info import TableInfo, info
from server.play.tables.telling import announce
from server.store.tables import TableResultRow

PAUSES = "pauses"
"""In a game's set-up: start and end of each stop of its clocks; None: they are stopped now."""
MAX_PAUSES = 200


def pause(ctx: AppContext, actor: Actor, game_id: str, paused: bool) -> TableInfo:
    """Stop the clocks of a game, or let them run again; either player may. Doing it twice changes nothing."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_part()
        row, now = may.row, ctx.now()
        if row.status != "playing":
            raise PlayError("wrong_status", "The game is not being played.", field="status", value=row.status)
        if not row.setup.get("minutes"):
            raise PlayError("conflict", "The game has no clocks.", field="minutes")
        pauses = [list(one) for one in row.setup.get(PAUSES, [])]
        stands = bool(pauses) and pauses[-1][1] is None
        if paused and not stands:
            if len(pauses) == MAX_PAUSES:
                raise PlayError("limit_reached", "There were too many pauses.", field="paused")
            pauses.append([now.isoformat(), None])
        elif stands and not paused:
            pauses[-1][1] = now.isoformat()
        row.setup = {**row.setup, PAUSES: pauses}
        announce(session, [game_id], "changed", now)
        session.flush()
        return info(may, session.get(TableResultRow, game_id), now)
