"""The table: the map of a campaign and one's orders, drawn and written by the scripts of ``static/table``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Response

from server.play.campaign_info import CampaignInfo
from server.render import style
from server.rules.orders import registry
from server.web.frame import campaign_page, started
from server.web.page_context import PageContext, PageDep
from server.web.route import OPEN, PageRoute

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/table")

PICTURES: dict[str, Any] = {
    "terrain": {name: asdict(each) for name, each in style.TERRAIN.items()},
    "unknown": asdict(style.UNKNOWN),
    "players": style.PLAYERS,
    "dashes": style.DASHES,
    "ink": style.INK,
    "fog": style.FOG,
    "house": style.HOUSE,
    "urban": style.URBAN,
    "strongholds": style.STRONGHOLDS,
    "star": style.STAR,
    "resource": style.RESOURCE,
    "crate": style.CRATE,
    "swords": style.SWORDS,
    "skull": style.SKULL,
}
"""The picture language of :mod:`server.render`, for the scripts that draw the same map."""
ORDERS = registry.description()
"""Kinds of orders and what units may be, for the scripts that write them."""


@router.get("", openapi_extra=OPEN)
def table(page: PageDep, campaign_id: str) -> Response:
    """Show the map of a campaign that has begun, with one's orders where one has a seat."""
    found = started(page, campaign_id)
    modules = sorted(name for name in page.site.assets.files if name.startswith("table/"))
    about, asked = _about(page, found), _asked(found, page.seat)
    return campaign_page(
        page, "table.html", found, "table", about=about, pictures=PICTURES, orders=ORDERS, modules=modules, asked=asked
    )


def _asked(campaign: CampaignInfo, seat: str | None) -> list[str]:
    """Return what the scripts will ask the API for first, word for word: the browser may begin before they run."""
    mine = campaign.your_seats
    chosen = seat if seat in mine else ""
    viewer = f"?as={quote(chosen or mine[0])}" if len(mine) > 1 else ""
    found = [f"view{viewer}", "board", "ruleset"]
    if mine and campaign.phase is not None:
        found.append(f"orders{PageContext.seat_query(chosen)}")
    return [f"/api/v1/campaigns/{campaign.id}/{each}" for each in found]


def _about(page: PageContext, campaign: CampaignInfo) -> dict[str, Any]:
    """Return what the scripts must know of the campaign before they ask for the position."""
    return {
        "campaign": campaign.id,
        "name": campaign.name,
        "status": campaign.status,
        "phase": campaign.phase,
        "turn": campaign.turn,
        "number": campaign.phase_number,
        "deadline": campaign.deadline,
        "seats": [
            {"id": each.player_id, "number": each.number, "name": each.name, "user": each.user, "faction": each.faction}
            for each in campaign.seats
        ],
        "mine": list(campaign.your_seats),
        "gm": campaign.you_are_gm,
        "user": page.account.id if page.account else "",
        "battles": campaign.rules.battles,
    }
