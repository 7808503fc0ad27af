"""A campaign's first page: what it is, who plays, what it wants; the strip that says where it stands."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import campaigns
from server.web.frame import campaign_page, frame
from server.web.route import OPEN, PageRoute
from server.web.visits import Visiting

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}")


@router.get("", openapi_extra=OPEN)
def overview(visit: Visiting, campaign_id: str) -> Response:
    """Show a campaign."""
    return campaign_page(visit, "overview.html", campaigns.get(visit.play, visit.who, campaign_id), "overview")


@router.get("/now", openapi_extra=OPEN)
def now(visit: Visiting, campaign_id: str) -> Response:
    """Return the strip that says where the campaign stands."""
    return visit.page("parts/now.html", **frame(campaigns.get(visit.play, visit.who, campaign_id)))
