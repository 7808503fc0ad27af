"""What comes due by itself: phases, warnings, what nobody wants back. Runs in every server process."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import inf
from threading import Event

import structlog
from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session, load_only

from server.play import access
from server.play.campaigns import campaign_start, campaigns, votes
from server.play.context import AppContext
from server.play.game_masters import handover
from server.play.notices.delivery import Senders, deliver, delivering
from server.play.notices.notices import Notices
from server.play.options import options_from
from server.play.people import guests
from server.play.records import sealing
from server.play.resolution.prepared_orders import REPEATED
from server.play.schedule.cleanup import tidy
from server.play.schedule.downtime import Heartbeat
from server.play.schedule.due import open_phases, resolve_what_is_due
from server.play.tables.auto_close import close_what_is_over
from server.store import outbox
from server.store.database import lock_campaign
from server.store.errors import StorageError
from server.store.tables import Campaign, OrderSet, Outbox, Phase

_log = structlog.get_logger("server.play")


TIDY_EVERY = timedelta(hours=1)
HORIZON = timedelta(days=14)
"""How far ahead deadlines are looked at for warnings."""
_TIMES = load_only(Phase.opened_at, Phase.deadline)


def tick(ctx: AppContext, senders: Senders | None = None) -> int:
    """Do everything that is due; returns how much there was to do. Any number of processes may do it at once."""
    return _advance(ctx) + deliver(ctx, senders or {})


def run(ctx: AppContext, stop: Event, senders: Senders | None = None) -> None:
    """Tick until told to stop, and deliver beside it; mistakes are logged and the next tick tries again."""
    tidied, heart = ctx.now() - TIDY_EVERY, Heartbeat(ctx)
    with delivering(ctx, senders or {}, stop):
        while not stop.is_set():
            pause = ctx.settings.ticker_interval
            try:
                heart.beat()
                _advance(ctx)
                if not tidied <= ctx.now() < tidied + TIDY_EVERY:
                    tidied = ctx.now()
                    tidy(ctx)
                    close_what_is_over(ctx)
                    guests.end_forgotten(ctx)
                    votes.close_abandoned(ctx)
                    handover.succeed_where_due(ctx)
                pause = min(pause, _until_next(ctx))
            except StorageError as error:
                _log.warning("nothing done for want of the database", why=str(error))
            except Exception:
                _log.exception("the ticker failed")
            stop.wait(pause)


def _until_next(ctx: AppContext) -> float:
    """Return the seconds until the next deadline, so that a phase ends when it is due and not at the next look."""
    if ctx.settings.hold:
        return inf
    now = ctx.now()
    query = open_phases().where(Phase.deadline > now).with_only_columns(func.min(Phase.deadline))
    with ctx.database.read() as session:
        soonest = session.scalar(query)
    return inf if soonest is None else (soonest - now).total_seconds()


def _advance(ctx: AppContext) -> int:
    return (
        resolve_what_is_due(ctx)
        + warn(ctx)
        + campaigns.remove_for_good(ctx)
        + sealing.publish_due(ctx)
        + votes.close_due(ctx)
        + campaign_start.start_due(ctx)
    )


def warn(ctx: AppContext) -> int:
    """Warn those who have handed in nothing when a deadline is near; each of the campaign's warnings once."""
    if ctx.settings.hold:
        return 0
    now = ctx.now()
    with ctx.database.read() as session:
        near = _warnings_due(session, now)
    return sum(_warn(ctx, campaign_id, now) for campaign_id in near)


def _warnings_due(session: Session, now: datetime, *mine: ColumnElement[bool]) -> dict[str, list[int]]:
    """Return by campaign the hours of the warnings that have come and that nobody has seen to yet.

    Takes two statements, however many campaigns run: the ticker asks again and again.
    """
    query = open_phases().where(Phase.deadline > now, Phase.deadline <= now + HORIZON, *mine)
    come: dict[str, tuple[str, int]] = {}
    for options, phase in session.execute(query.with_only_columns(Campaign.options, Phase).options(_TIMES)):
        for hour in options_from(options).warn_hours:
            if phase.opened_at < phase.deadline - timedelta(hours=hour) <= now:
                come[_warning(phase, hour)] = phase.campaign_id, hour
    done = set(session.scalars(select(Outbox.dedupe).where(Outbox.dedupe.in_(come)))) if come else set()
    due: dict[str, list[int]] = {}
    for key, (campaign_id, hour) in come.items():
        if key not in done:
            due.setdefault(campaign_id, []).append(hour)
    return due


def _warning(phase: Phase, hours: int) -> str:
    """Return what a warning is noted under in the outbox, which takes nothing twice."""
    due = phase.deadline.timestamp() if phase.deadline else 0
    return f"warned/{phase.campaign_id}/{phase.branch}/{phase.number}/{due:.0f}/{hours}"


def _warn(ctx: AppContext, campaign_id: str, now: datetime) -> int:
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id)
        if campaign is None or campaign.status != "running":
            return 0
        hours = _warnings_due(session, now, Campaign.id == campaign_id).get(campaign_id)
        phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number))
        if not hours or phase is None or phase.deadline is None:
            return 0
        for hour in hours:
            outbox.put(session, "note", _warning(phase, hour), {}, now, campaign_id=campaign.id)
        noted = Outbox.dedupe.in_([_warning(phase, hour) for hour in hours])
        session.execute(update(Outbox).where(noted).values(sent_at=now))
        mine = (OrderSet.campaign_id == campaign.id, OrderSet.branch == phase.branch,
                OrderSet.phase_number == phase.number, OrderSet.wanted,
                or_(OrderSet.revision == 0, and_(OrderSet.source == REPEATED, OrderSet.revision == 1)))  # fmt: skip
        late = set(session.scalars(select(OrderSet.player_id).where(*mine)))
        notices = Notices(session, campaign, now)
        told = {
            "turn": phase.turn,
            "phase": phase.phase,
            "number": phase.number,
            "deadline": phase.deadline.isoformat(),
        }
        near = f"near/{phase.branch}/{phase.number}/{phase.deadline.timestamp():.0f}/{min(hours)}"
        notices.channel("deadline_near", near, **told)  # whoever is late: who it is, and whether, is not public
        for seat in access.seats_of(session, campaign.id):
            if seat.player_id in late:
                notices.seat(seat, "deadline_near", f"{near}/{seat.player_id}", **told)
        notices.send()
        return len(late)
