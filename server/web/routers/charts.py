"""Charts: everyone's standing, phase by phase, as the viewer can see it."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play.views import history
from server.web.frame import started
from server.web.page_context import PageDep
from server.web.presenters.charts import HEIGHT, LEFT, RIGHT, WIDTH, charts
from server.web.route import OPEN, PageRoute
from server.web.routers.reports import finished, past_page

router = APIRouter(route_class=PageRoute, prefix="/campaigns/{campaign_id}/reports/charts")


@router.get("", openapi_extra=OPEN)
def page(page: PageDep, campaign_id: str) -> Response:
    """Show curves of VP, land, armies and BP, each with its numbers as a table."""
    campaign = started(page, campaign_id)
    standings = history.standings(page.ctx, page.actor, campaign_id)
    numbers = {seat.player_id: seat.number for seat in campaign.seats}
    found = charts(standings, finished(page, campaign, None), numbers)
    content = {"charts": found, "width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT}
    return past_page(page, "charts.html", campaign, "charts", **content)
