"""The map page: a campaign's map and the player's orders, drawn and written by the scripts of ``static/table``."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Response

from server.play.campaigns.campaign_info import CampaignInfo
from server.rulebook.economy import effects
from server.rulebook.translations import TableTranslations
from server.rules.orders import registry
from server.rules.ruleset import Ruleset
from server.web.frame import campaign_page, started
from server.web.page_context import PageContext, PageDep
from server.web.presenters.map_data import PICTURES, about
from server.web.route import OPEN, PageRoute
from server.web.routers.phase_outcome import score_of, seen
from server.web.templating import site

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/table")

ORDERS = registry.description()
"""Kinds of orders and what units may be, for the scripts that write them."""


@router.get("", openapi_extra=OPEN)
def table(page: PageDep, campaign_id: str) -> Response:
    """Show the map of a campaign that has started, with the person's orders if they have a seat."""
    found = started(page, campaign_id)
    modules = sorted(name for name in site().assets.files if name.startswith("table/"))
    asked = _asked(found, page.seat)
    view = seen(page, found)
    return campaign_page(
        page,
        "table.html",
        found,
        "table",
        about=about(page, found) | {"buildings": _effects(view.state.ruleset, page.t.language)},
        pictures=PICTURES,
        orders=ORDERS,
        modules=modules,
        asked=asked,
        score=score_of(page, found, view),
    )


def _effects(rules: Ruleset, language: str) -> dict[str, str]:
    """Return what each building does, as the rulebook says it."""
    t = TableTranslations(language)
    return {building.id: "; ".join(effects(rules, building, t)) for building in rules.buildings.values()}


def _asked(campaign: CampaignInfo, seat: str | None) -> list[str]:
    """Return what the scripts will ask the API for first, word for word: the browser may begin before they run."""
    mine = campaign.your_seats
    chosen = seat if seat in mine else ""
    viewer = f"?as={quote(chosen or mine[0])}" if len(mine) > 1 else ""
    picture = f"map.svg{viewer}{'&' if viewer else '?'}live=true"
    found = [f"view{viewer}", picture, "board", "ruleset"]
    if mine and campaign.phase is not None:
        found.append(f"orders{PageContext.seat_query(chosen)}")
    return [f"/api/v1/campaigns/{campaign.id}/{path}" for path in found]
