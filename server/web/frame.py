"""The frame of a campaign's pages: its name, where it stands, its tabs."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from server.play.campaigns import CampaignInfo
from server.play.notices import KINDS
from server.web.visits import Visit

BEGUN = ("running", "paused", "finished", "archived")
"""Statuses of campaigns that have something to look at."""
LIVE = " ".join((*KINDS, "orders_changed", "finality"))
"""Kinds of live events a page listens to."""


def tabs(campaign: CampaignInfo) -> list[str]:
    """Return the pages of a campaign that somebody may open, in order."""
    found = ["overview"]
    if campaign.status in BEGUN:
        found += ["table", "battles", "reports"]
    if campaign.your_seats or campaign.you_are_gm:
        found.append("people")
    if campaign.you_are_gm:
        found.append("gm")
    return found


def frame(campaign: CampaignInfo) -> dict[str, Any]:
    """Return what ``campaign.html`` and ``parts/now.html`` need."""
    return {"campaign": campaign, "tabs": tabs(campaign), "kinds": LIVE}


def campaign_page(
    visit: Visit, template: str, campaign: CampaignInfo, tab: str, status: int = 200, **content: Any
) -> Response:
    """Return a page of a campaign."""
    return visit.page(template, status, tab=tab, **frame(campaign), **content)
