"""Time without a running server costs nobody a turn.

A row of the database says when a server last ran (*beat*). If that is longer ago than :data:`SILENCE`, or the
deadlines were held on purpose, phases that came due meanwhile get a grace counted from now, and all are notified.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from sqlalchemy import Select, desc, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.play import access
from server.play.agenda import DEADLINE
from server.play.context import AppContext
from server.play.notices.notices import Notices
from server.play.records.records import set_deadline
from server.store import agenda
from server.store.clock import DatabaseClock
from server.store.database import Database, lock_campaign
from server.store.errors import StorageError
from server.store.tables import Campaign, Deadline, Phase, ServerValue

SILENCE = timedelta(minutes=15)
"""Silence from which on a server counts as having been away."""
BEAT_EVERY = timedelta(minutes=1)
WHY = "The server was away."
"""The note on a deadline that was moved for that."""
BEAT, HELD = "last_beat", "deadlines_held"
"""Names of the rows: when a server last lived; that deadlines were held until its next start."""

_log = structlog.get_logger("server.play")


class Heartbeat:
    """The sign of life of one process."""

    def __init__(self, ctx: AppContext) -> None:
        self._ctx = ctx
        self._last: datetime | None = None

    def beat(self) -> None:
        """Note once a minute that a server runs, after giving any grace due; or that deadlines are held.

        Call it before checking deadlines, at the start and after every pause.
        """
        now = self._ctx.now()
        if self._last is not None and self._last <= now < self._last + BEAT_EVERY:
            return
        if isinstance(self._ctx.clock, DatabaseClock):
            self._ctx.clock.compare()
            now = self._ctx.now()
        if self._ctx.settings.hold:
            hold(self._ctx.database)
        else:
            _live_on(self._ctx, now)
        self._last = now


def begin(ctx: AppContext) -> None:
    """Beat once before a server answers requests; where the database is away, the ticker does so later."""
    try:
        Heartbeat(ctx).beat()
    except StorageError as error:
        _log.warning("no heartbeat for want of the database", why=str(error))


def last_beat(session: Session) -> datetime | None:
    """Return when a server last lived; None where none ever did."""
    kept = session.get(ServerValue, BEAT)
    return None if kept is None else datetime.fromisoformat(kept.value.decode())


def hold(database: Database) -> None:
    """Have the next server that does not hold deadlines count all time since the last beat as time away."""
    try:
        with database.write() as session:
            if session.get(ServerValue, HELD) is None:
                session.add(ServerValue(name=HELD, value=b"1"))
    except IntegrityError:  # another process has just done the same
        pass


def _live_on(ctx: AppContext, now: datetime) -> None:
    with ctx.database.read() as session:
        last, held = last_beat(session), session.get(ServerValue, HELD) is not None
        away = last is not None and (held or now - last > SILENCE)
        due = _near(ctx, session, now, last) if away and last is not None else []
    if last is not None and away:
        given = sum(_give_grace(ctx, campaign_id, now, last) for campaign_id in due)
        _log.warning("the server was away", since=last.isoformat(), phases_with_grace=given)
    try:
        with ctx.database.write() as session:
            session.merge(ServerValue(name=BEAT, value=now.isoformat().encode()))
            kept = session.get(ServerValue, HELD)
            if kept is not None:
                session.delete(kept)
    except IntegrityError:  # another process has just begun, too
        pass


def _near(ctx: AppContext, session: Session, now: datetime, last: datetime) -> list[str]:
    """Return the campaigns whose deadline is past, or nearer than the time that was lost."""
    lost = min(now - last, timedelta(hours=ctx.settings.downtime_grace_hours))
    return sorted({entry.campaign_id for entry in agenda.due(session, {DEADLINE: now + lost})})


def _open_phases() -> Select[Phase]:
    mine = (Phase.campaign_id == Campaign.id, Phase.branch == Campaign.branch, Phase.number == Campaign.phase_number)
    running = (Campaign.status == "running", Phase.resolved_at.is_(None), Phase.deadline.is_not(None))
    return select(Phase).join(Campaign, mine[0] & mine[1] & mine[2]).where(*running)


def _give_grace(ctx: AppContext, campaign_id: str, now: datetime, last: datetime) -> bool:
    """Move a deadline that nobody could keep; says whether it was moved, which is done once for each time away."""
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        phase = None if campaign is None else session.scalars(_open_phases().where(Campaign.id == campaign_id)).first()
        if campaign is None or phase is None or phase.deadline is None or _has_grace(session, phase, last):
            return False
        due = _moved(phase.deadline, now, now - last, timedelta(hours=ctx.settings.downtime_grace_hours))
        if due == phase.deadline:
            return False
        due = access.options_of(campaign).deadlines.rested(now, due)
        set_deadline(session, campaign, phase, due, "extended", now, why=WHY)
        notices = Notices(session, campaign, now)
        key = f"away/{phase.branch}/{phase.number}/{due.timestamp():.0f}"
        seats = access.seats_of(session, campaign_id)
        notices.everybody("deadline_changed", key, seats, deadline=due.isoformat(), downtime=True)
        notices.send()
        return True


def _moved(due: datetime, now: datetime, away: timedelta, grace: timedelta) -> datetime:
    """Return a deadline as it is after time away: what is past gets the grace, what is near as much as was lost."""
    return now + grace if due <= now else max(due, now + min(away, grace))


def _has_grace(session: Session, phase: Phase, last: datetime) -> bool:
    mine = (
        Deadline.campaign_id == phase.campaign_id,
        Deadline.branch == phase.branch,
        Deadline.phase_number == phase.number,
    )
    newest = session.scalars(select(Deadline).where(*mine).order_by(desc(Deadline.seq)).limit(1)).first()
    return newest is not None and newest.why == WHY and newest.set_at > last
