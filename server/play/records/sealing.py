"""The record after the end: sealed for some time in which the game master may go back, then public for good (D-81).

While it is sealed, everyone knows what they knew before, and the dice's secret and the seat keys stay secret.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, stands_so
from server.play.records.records import note_intervention
from server.store.database import lock_campaign
from server.store.tables import Campaign, CampaignDice


def seal(ctx: AppContext, session: Session, campaign: Campaign) -> None:
    """Seal the record of a campaign that has just ended; with no time set, and of a practice, it is public at once."""
    row = session.get(CampaignDice, campaign.id)
    if row is None:
        row = CampaignDice(campaign_id=campaign.id, scheme=dice_scheme_1.SCHEME)
        session.add(row)
    sealed = ctx.settings.seal_hours and not campaign.options.get("practice")
    row.published_at = None if sealed else ctx.now()
    session.flush()


def publish(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Make the record of a campaign that is over public; nobody can go back any more."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_neutral_gm().campaign
        if campaign.finished_at is None:
            raise stands_so(campaign.status)
        row = session.get(CampaignDice, campaign_id)
        if row is None or row.published_at is not None:
            raise PlayError("record_public")
        open_record(session, campaign, ctx.now())
        note_intervention(session, campaign, actor, "publish", "", ctx.now())


def open_record(session: Session, campaign: Campaign, now: datetime) -> None:
    """Make a record public, in a transaction that has the campaign."""
    row = session.get(CampaignDice, campaign.id)
    if row is not None and row.published_at is None:
        row.published_at = now
        campaign.revision += 1
        session.flush()


def publish_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Publish the record of a campaign if its time is over; called by the ticker. Returns how many were."""
    before = ctx.now() - timedelta(hours=ctx.settings.seal_hours)
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None or campaign.finished_at is None or campaign.finished_at > before:
            return 0
        open_record(session, campaign, ctx.now())
        return 1


def sealed_until(ctx: AppContext, campaign: Campaign, *, public: bool) -> datetime | None:
    """Return the end of a record's seal; None if the campaign is not over or the record is public."""
    if campaign.finished_at is None or public:
        return None
    return campaign.finished_at + timedelta(hours=ctx.settings.seal_hours)
