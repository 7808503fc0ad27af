"""Warnings before a deadline, for those who have handed in nothing; each of a campaign's warnings once."""

from __future__ import annotations

from sqlalchemy import select, update

from server.play import access
from server.play.agenda import AGENDA, warning_key, warning_times
from server.play.context import AppContext
from server.play.notices.notices import Notices
from server.play.resolution.phase_opening import untouched
from server.store import outbox
from server.store.database import lock_campaign
from server.store.tables import OrderSet, Outbox, Phase


def warn_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Warn the players of a campaign whose deadline is near; return how many were."""
    with ctx.database.write() as session:
        campaign, now = lock_campaign(session, campaign_id), ctx.now()
        if campaign is None or campaign.status != "running":
            return 0
        phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number))
        if phase is None or phase.resolved_at is not None or phase.deadline is None or phase.deadline <= now:
            return 0
        times = warning_times(access.options_of(campaign), phase.opened_at, phase.deadline)
        come = {warning_key(campaign.id, phase.branch, phase.number, phase.deadline, hours): hours
                for hours, at in times if at <= now}  # fmt: skip
        done = set(session.scalars(select(Outbox.dedupe).where(Outbox.dedupe.in_(come))))
        due = {key: hours for key, hours in come.items() if key not in done}
        if not due:
            return 0
        AGENDA.touch(session, campaign_id)
        for key in due:
            outbox.put(session, "note", key, {}, now, campaign_id=campaign.id)
        session.execute(update(Outbox).where(Outbox.dedupe.in_(due)).values(sent_at=now))
        mine = (OrderSet.campaign_id == campaign.id, OrderSet.branch == phase.branch,
                OrderSet.phase_number == phase.number, OrderSet.wanted, untouched())  # fmt: skip
        late = set(session.scalars(select(OrderSet.player_id).where(*mine)))
        notices = Notices(session, campaign, now)
        told = {
            "turn": phase.turn,
            "phase": phase.phase,
            "number": phase.number,
            "deadline": phase.deadline.isoformat(),
        }
        near = f"near/{phase.branch}/{phase.number}/{phase.deadline.timestamp():.0f}/{min(due.values())}"
        notices.channel("deadline_near", near, **told)  # whoever is late: who it is, and whether, is not public
        for seat in access.seats_of(session, campaign.id):
            if seat.player_id in late:
                notices.seat(seat, "deadline_near", f"{near}/{seat.player_id}", **told)
        notices.send()
        return len(late)
