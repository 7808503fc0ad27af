"""The frame of a campaign's pages: its name, phase and tabs."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from server.play.access import UNDER_WAY
from server.play.campaigns import campaigns, dashboard
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.errors import PlayError, stands_so
from server.play.notices.notices import KINDS
from server.play.orders import orders
from server.web.page_context import PageContext

STARTED = (*UNDER_WAY, "finished", "archived")
"""Statuses of campaigns that have something to look at."""
LIVE = " ".join((*KINDS, "orders_changed", "finality"))
"""Kinds of live events a page listens to."""


def tabs(campaign: CampaignInfo) -> list[str]:
    """Return the pages of a campaign that someone may open, in order."""
    found = ["overview"]
    if campaign.status in STARTED and campaign.open_to_you:
        found += ["table", "battles", "reports", "chronicle"]
    if campaign.your_seats or campaign.you_are_gm:
        found.append("people")
    if campaign.you_are_gm:
        found.append("gm")
    return [*found, "rules"]


def started(page: PageContext, campaign_id: str) -> CampaignInfo:
    """Return a campaign that has started and that someone may look at; who is not signed in may be one who may."""
    found = campaigns.get(page.ctx, page.actor, campaign_id)
    if found.status not in STARTED:
        raise PlayError("wrong_status", "The campaign has not begun.", field="status", value=found.status)
    if not found.open_to_you:
        if not page.actor.signed_in:
            raise PlayError("not_signed_in")
        raise PlayError("forbidden", "This campaign has no spectators: only who plays or runs it sees more of it.")
    return found


def expect(campaign: CampaignInfo, *statuses: str) -> None:
    """Refuse a page about something that the campaign's status does not allow."""
    if campaign.status not in statuses:
        raise stands_so(campaign.status, value=campaign.status)


def frame(page: PageContext, campaign: CampaignInfo) -> dict[str, Any]:
    """Return the values for ``campaign.html`` and its parts; ``unread`` counts messages to players and game masters."""
    concerned = campaign.your_seats or campaign.you_are_gm
    unread = dashboard.unread_in(page.ctx, page.actor, campaign.id) if concerned else 0
    return {
        "campaign": campaign,
        "tabs": tabs(campaign),
        "kinds": LIVE,
        "unread": unread,
        "apart": False,
        "wants": _wants(page, campaign),
    }


def _wants(page: PageContext, campaign: CampaignInfo) -> str:
    """Return the orders the reader must give; empty for none."""
    if not campaign.your_seats or campaign.phase is None or campaign.status != "running":
        return ""
    seat = page.seat if page.seat in campaign.your_seats else campaign.your_seats[0]
    try:
        mine = orders.read(page.ctx, page.actor, campaign.id, seat=seat)
    except PlayError:
        return ""
    return page.t(f"score.wanted.{campaign.phase}") if mine.wanted and not mine.final else ""


def campaign_page(
    page: PageContext, template: str, campaign: CampaignInfo, tab: str, status: int = 200, **content: Any
) -> Response:
    """Return a page of a campaign."""
    return page.render(template, status, tab=tab, **frame(page, campaign), **content)


def confirm_page(
    page: PageContext, campaign: CampaignInfo, tab: str, what: str, facts: list[str], action: str, back: str,
    **content: Any,
) -> Response:  # fmt: skip
    """Return the page that says what something means, with a button that does it: texts ``<what>.title``, ``.button``.

    *content* may have texts of its own, ``hidden`` fields, ``why`` (``optional`` or ``required``) and ``error``.
    """
    texts = {name: page.t(f"{what}.{name}") for name in ("title", "button") if name not in content}
    usual = {"facts": facts, "action": action, "back": back, "why": "", "danger": True}
    return campaign_page(page, "confirm.html", campaign, tab, **(usual | texts | content))
