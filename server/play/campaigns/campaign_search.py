"""Finding campaigns, page by page."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import and_, or_, select

from server.core.sentences import say
from server.play.access import UNDER_WAY, options_of, orders_for
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext
from server.play.errors import invalid
from server.store.memberships import ASKED, ORDER, RUN, among, campaigns_of, with_roles
from server.store.tables import STATUSES, Campaign, Seat

MAX_PAGE_SIZE = 200


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """A campaign in a list."""

    id: str
    name: str
    status: str
    scenario: str
    ruleset: str
    seats: int
    taken: int
    created_at: datetime
    free: int
    """Seats that someone can take."""
    yours: bool
    """One plays in it, stands in for someone there, or runs it."""


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """A page of the matching campaigns, newest first."""

    items: tuple[CampaignSummary, ...]
    next: str | None
    """Cursor of the page after; None: this is the last."""


def find(
    ctx: AppContext,
    actor: Actor,
    *,
    text: str = "",
    status: str | None = None,
    mine: bool = False,
    joinable: bool = False,
    cursor: str | None = None,
    limit: int = 50,
) -> CampaignPage:
    """Return visible campaigns whose name holds *text*; only the person's own with *mine*.

    *joinable*: only those that have not started, and those in which someone can take a seat over.
    """
    if type(limit) is not int or not 1 <= limit <= MAX_PAGE_SIZE:
        raise invalid("limit", say("From 1 to {most}.", most=MAX_PAGE_SIZE), limit)
    if status is not None and status not in STATUSES:
        raise invalid("status", say("One of: {words}.", words=", ".join(STATUSES)), status)
    query = select(Campaign)
    if status is not None:
        query = query.where(Campaign.status == status)
    if joinable:
        query = query.where(Campaign.id.in_(takeover.maybe_joinable()))
        query = query.where(or_(Campaign.status == "open", takeover.can_be_taken_over()))
    if text:
        query = query.where(Campaign.name.icontains(text, autoescape=True))
    if cursor is not None:
        at, id_ = _read(cursor)
        query = query.where(or_(Campaign.created_at < at, and_(Campaign.created_at == at, Campaign.id < id_)))
    with ctx.database.read() as session:
        theirs = campaigns_of(session, [actor.user_id]) if actor.signed_in else {}
        run = with_roles(theirs, RUN)
        known = among(session, Campaign.id, with_roles(theirs, RUN | ORDER if mine else RUN | ORDER | ASKED))
        query = query.where(known if mine else or_(Campaign.listed, known))
        query = query.where(or_(Campaign.status != "deleted", among(session, Campaign.id, run)))
        rows = list(session.scalars(query.order_by(Campaign.created_at.desc(), Campaign.id.desc()).limit(limit + 1)))
        page = rows[:limit]
        ids = [campaign.id for campaign in page]
        seats: dict[str, list[tuple[bool, bool, bool]]] = {}
        told = (Seat.campaign_id, Seat.player_id, Seat.user_id.is_not(None), orders_for(actor.user_id))
        gone = takeover.out(session, ids)
        for campaign_id, player_id, taken, mine_ in session.execute(select(*told).where(Seat.campaign_id.in_(ids))):
            in_ = (campaign_id, player_id) not in gone
            seats.setdefault(campaign_id, []).append((taken, bool(mine_), in_))
    items = [_found(campaign, seats.get(campaign.id, []), runs=campaign.id in run) for campaign in page]
    return CampaignPage(tuple(items), _cursor(page[-1]) if len(rows) > limit else None)


def _found(campaign: Campaign, seats: list[tuple[bool, bool, bool]], *, runs: bool) -> CampaignSummary:
    yours = runs or any(mine for _, mine, _ in seats)
    options = options_of(campaign)
    takes_over = campaign.status in UNDER_WAY and options.take_over and not options.practice
    free = sum(not taken and in_ for taken, _, in_ in seats) if campaign.status == "open" or takes_over else 0
    return CampaignSummary(
        campaign.id,
        campaign.name,
        campaign.status,
        campaign.scenario_id,
        campaign.ruleset_id,
        len(seats),
        sum(taken for taken, *_ in seats),
        campaign.created_at,
        free,
        yours,
    )


def _cursor(last: Campaign) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([last.created_at.isoformat(), last.id])).decode().rstrip("=")


def _read(cursor: str) -> tuple[datetime, str]:
    try:
        at, id_ = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        instant = datetime.fromisoformat(at)
        if instant.tzinfo is None or not isinstance(id_, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error):
        raise invalid("cursor", "That is no cursor of this list.", cursor[:80]) from None
    return instant, id_
