"""Acts at the table: accepted once, in order, kept before they are answered; pauses, in which clocks stand still."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from sqlalchemy import bindparam, delete, insert, update
from sqlalchemy.orm import Session

from server.core.errors import Problem
from server.core.sentences import say
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, fault
from server.play.tables import telling
from server.play.tables.access import load
from server.play.tables.folding import Folded, act_hash, drop, held, state_hash
from server.play.tables.info import TableInfo, info
from server.play.tables.reading import GO_ON_AFTER, Position, position_of
from server.play.tables.telling import announce
from server.referee.every_game import GO_ON
from server.referee.refusals import refuse
from server.referee.view import events_for
from server.store.tables import TableActRow, TableGameRow, TableResultRow, TableSeatRow

UNDER_WAY = ("playing", "over")
MAX_ACTS = 5000
"""Of one game: a long one has some hundred."""


_games: Any = TableGameRow.__table__
_ADVANCE = (
    update(_games)
    .where(_games.c.id == bindparam("of"), _games.c.acts == bindparam("number_now"), _games.c.status.in_(UNDER_WAY))
    .values(acts=bindparam("number_then"), last_act_at=bindparam("now"))
    .returning(_games.c.status)
)
_ADVANCE_IF = _ADVANCE.where(_games.c.revision == bindparam("revision_now"))
_KEEP = insert(TableActRow.__table__)  # type: ignore[arg-type]
"""Made once: making statements takes longer than carrying them out."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Which sides someone played when a game was at a revision. The write checks that it still is."""

    revision: int
    sides: tuple[str, ...]

    def side(self, side: str | None) -> str:
        """Return the side to act for, empty where that must be looked up."""
        if side is None:
            return self.sides[0] if len(self.sides) == 1 else ""
        return side if side in self.sides else ""


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was accepted, and how the game stands for the player who did it."""

    number: int
    by: str
    at: datetime
    events: list[dict[str, Any]]
    """What happened, as far as they may know of it."""
    position: Position


PAUSES = "pauses"
"""In a game's set-up: start and end of each stop of its clocks; None: they are stopped now."""
MAX_PAUSES = 200


def submit(
    ctx: AppContext, actor: Actor, game_id: str, expected: int, act: Mapping[str, Any], side: str | None = None,
    known: Callable[[Done], None] = lambda _: None,
) -> Done:  # fmt: skip
    """Do an act for a side, or for the game master; *expected* is the number it will have.

    *known* gets the result before it is stored; if storing fails, the last call did not happen.

    Raise ``stale_act`` if others acted meanwhile, ``act_refused`` with all problems of the action.
    """
    asking = (game_id, actor.user_id)
    rights: Rights | None = ctx.caches.table_rights.known(asking)
    by = "" if rights is None else rights.side(side)
    if rights is not None and by:
        with suppress(_Outdated):
            return _submit(ctx, game_id, expected, act, by, 0, rights.revision, known)
        ctx.caches.table_rights.forget(asking)
    with ctx.database.read() as session:
        may = load(session, actor, game_id)
        by, row = may.side(side), may.row
    may.require_status("The game is not being played.", *UNDER_WAY)
    if may.battle is None:  # who orders for a seat of a campaign is asked anew each time
        ctx.caches.table_rights.put(asking, Rights(row.revision, may.sides))
    try:
        return _submit(ctx, game_id, expected, act, by, row.acts, None, known)
    except _Outdated:
        raise stale(expected, expected + 1) from None


class _Outdated(Exception):
    """What this process believed of a game is not so any more, or does not suffice: look it up."""


def _submit(
    ctx: AppContext, game_id: str, expected: int, act: Mapping[str, Any], by: str, acts: int, revision: int | None,
    known: Callable[[Done], None],
) -> Done:  # fmt: skip
    """Do an act; with a *revision* only if the game is still at it, and nothing is refused (:class:`_Outdated`)."""
    with held(ctx, game_id, acts) as folded:
        if expected != folded.acts:
            raise _Outdated if revision is not None else stale(expected, folded.acts)
        if expected >= MAX_ACTS:
            raise PlayError("limit_reached", say("At most {most} acts.", most=MAX_ACTS))
        before, now = len(folded.table.events), ctx.now()
        try:
            problems = too_soon(folded, by, act, now) or folded.play(by, act, now)
            if not problems:
                told = events_for(folded.table.events[before:], by)
                done = Done(expected, by, now, told, position_of(folded, by))
                known(done)
                _keep(ctx, game_id, folded, expected, by, act, now, revision)
        except BaseException:
            drop(ctx, game_id, folded)
            raise
        if problems:
            if revision is not None:
                raise _Outdated  # who has left the game learns nothing from refusals
            raise PlayError(
                "act_refused",
                problems[0].message,
                field=problems[0].field,
                value=problems[0].value,
                problems=[fault(problem) for problem in problems],
            )
        return done


def too_soon(folded: Folded, by: str, act: Mapping[str, Any], now: datetime) -> list[Problem]:
    """Return whether the other side still has time before a player may continue without them (N-61)."""
    since = folded.waits_since.get(folded.table.game.other(by)) if act.get("do") == GO_ON else None
    left = 0.0 if since is None else GO_ON_AFTER - (now - since).total_seconds()
    if left <= 0:
        return []
    message = say("The other player has {seconds} seconds to answer.", seconds=ceil(left))
    return [refuse("wrong_moment", message, "do", GO_ON, "N-61")]


def stale(expected: int, now: int) -> PlayError:
    """Return the refusal of an act that was made for an earlier position."""
    return PlayError(
        "stale_act",
        say("The next act is number {now}, not {given}.", now=now, given=expected),
        field="expected",
        value=now,
    )


def _keep(
    ctx: AppContext, game_id: str, folded: Folded, number: int, by: str, act: Mapping[str, Any], now: datetime,
    revision: int | None,
) -> None:  # fmt: skip
    """Write the act that was just played, and what follows from it, in one transaction."""
    content = {name: value for name, value in act.items() if name != "by"}
    state = state_hash(folded.table)
    hashed = act_hash(folded.hash, number, by, content, state)
    with ctx.database.write() as session:
        connection = session.connection()
        at = {"of": game_id, "number_now": number, "number_then": number + 1, "now": now}
        if revision is None:
            taken = connection.execute(_ADVANCE, at).one_or_none()
        else:
            taken = connection.execute(_ADVANCE_IF, at | {"revision_now": revision}).one_or_none()
        if taken is None:
            raise _Outdated
        kept = {"game_id": game_id, "number": number, "by": by, "content": content, "state": state, "hash": hashed}
        connection.execute(_KEEP, kept | {"at": now})
        telling.note_presence(ctx, session, game_id, by, now)
        if folded.table.game.over or taken.status == "over":
            _end(session, game_id, folded, now)
        announce(session, [game_id], "act", now, number + 1)
    folded.hash = hashed


def _end(session: Session, game_id: str, folded: Folded, now: datetime) -> None:
    """Store the game's end, or that it continues because its last action was undone."""
    game = folded.table.game
    session.execute(delete(TableResultRow).where(TableResultRow.game_id == game_id))
    session.execute(update(TableSeatRow).where(TableSeatRow.game_id == game_id).values(confirmed_at=None))
    if game.over:
        result = game.result
        session.add(
            TableResultRow(
                game_id=game_id,
                mission=game.mission.id,
                winner=result.winner if result else "",
                word=result.word if result else "draw",
                red_vp=game.vp["red"],
                blue_vp=game.vp["blue"],
                rounds=game.round,
                ended_at=now,
            )
        )
    status = {"status": "over", "finished_at": now} if game.over else {"status": "playing", "finished_at": None}
    session.execute(
        update(TableGameRow)
        .where(TableGameRow.id == game_id)
        .values(**status, revision=TableGameRow.revision + 1)
        .execution_options(synchronize_session=False)
    )


def pause(ctx: AppContext, actor: Actor, game_id: str, paused: bool) -> TableInfo:
    """Stop the clocks of a game, or let them run again; either player may. Doing it twice changes nothing."""
    with ctx.database.write() as session:
        may = load(session, actor, game_id, lock=True).require_part()
        row, now = may.row, ctx.now()
        may.require_status("The game is not being played.", "playing")
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
