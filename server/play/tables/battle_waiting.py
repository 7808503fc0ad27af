"""A phase that waits for table games: dice do not decide a battle at the deadline while it is being played."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play import access
from server.play.agenda import waits_for_orders
from server.play.context import AppContext
from server.play.notices.notices import Notices
from server.play.records.pointer import set_deadline
from server.play.records.records import open_phase
from server.play.tables.battle_opening import last_act_in
from server.rules.state import REPORTS
from server.store.database import lock_campaign
from server.store.tables import Campaign, Deadline, Phase

BEING_PLAYED = timedelta(hours=24)
"""A game is being played while its last action is at most this old."""
WHY_DATE, WHY_WAITING = "The date of a game on the table.", "A game on the table is being played."
"""Why the server has moved a deadline, as the record has it."""


def own_deadline(session: Session, phase: Phase) -> datetime | None:
    """Return a phase's deadline as it was before table games moved it."""
    return _deadline_without(session, phase, (WHY_DATE, WHY_WAITING))


def waits_until(session: Session, campaign: Campaign, phase: Phase, now: datetime) -> datetime | None:
    """Return how long a phase whose deadline has come waits for its table games; None: it does not."""
    if phase.phase != REPORTS or phase.deadline is None or phase.deadline > now:
        return None
    last = last_act_in(session, phase)
    if last is None:
        return None
    since = _deadline_without(session, phase, (WHY_WAITING,)) or phase.deadline
    maximum = timedelta(days=access.options_of(campaign).table_wait_days)
    until: datetime = min(last + BEING_PLAYED, since + maximum)
    return until if until > now else None


def wait(ctx: AppContext, campaign_id: str) -> bool:
    """Move the deadline of a phase that waits for its table games, and tell the game master; false: it does not."""
    with ctx.database.read() as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None or _waits(session, campaign, ctx.now()) is None:
            return False
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id)
        now = ctx.now()
        found = None if campaign is None else _waits(session, campaign, now)
        if campaign is None or found is None:
            return False
        phase, until = found
        set_deadline(session, campaign, phase, until, "extended", now, why=WHY_WAITING)
        notices = Notices(session, campaign, now)
        seats = access.seats_of(session, campaign_id)
        key = f"table_waits/{phase.branch}/{phase.number}/{until.timestamp():.0f}"
        notices.everybody("deadline_changed", key, seats, deadline=until.isoformat())
        notices.game_master("table_waits", key, number=phase.number, deadline=until.isoformat())
        notices.send()
        return True


def _waits(session: Session, campaign: Campaign, now: datetime) -> tuple[Phase, datetime] | None:
    """Return the open phase and until when it waits; None where it does not, or nobody has anything left to say."""
    now_open = open_phase(session, campaign) if campaign.status == "running" else None
    until = None if now_open is None else waits_until(session, campaign, now_open.phase, now)
    if now_open is None or until is None:
        return None
    phase = now_open.phase
    return (phase, until) if session.scalar(select(waits_for_orders(phase))) else None


def _deadline_without(session: Session, phase: Phase, whys: tuple[str, ...]) -> datetime | None:
    """Return the last deadline of a phase that the server has not moved for one of these reasons."""
    mine = (
        Deadline.campaign_id == phase.campaign_id,
        Deadline.branch == phase.branch,
        Deadline.phase_number == phase.number,
    )
    rows = session.scalars(select(Deadline).where(*mine).order_by(Deadline.seq.desc()))
    own = next((row for row in rows if row.set_by is not None or row.why not in whys), None)
    return own.due_at if own is not None else phase.deadline
