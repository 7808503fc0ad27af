"""The bots that are open to games, for game masters with a free seat."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play.accounts import open_bots
from server.play.campaigns import campaign_search, dashboard, seats
from server.play.errors import PlayError
from server.web.page_context import PageContext, PageDep
from server.web.route import PageRoute

router = APIRouter(route_class=PageRoute, prefix="/bots")


@router.get("")
def bots(page: PageDep, campaign: str = "") -> Response:
    """Show the bots that are open to games; *campaign*: the one to invite them to."""
    return _page(page, campaign)


@router.post("")
def invite(page: PageDep) -> Response:
    """Ask a bot into a campaign."""
    campaign_id = page.form.text("campaign")
    try:
        seats.invite_user(page.ctx, page.actor, campaign_id, page.form.text("name"))
    except PlayError as error:
        return _page(page, campaign_id, error)
    return page.redirect(f"/campaigns/{campaign_id}", said="bot_invited")


def _page(page: PageContext, chosen: str, error: PlayError | None = None) -> Response:
    runs = {entry.id for entry in dashboard.mine(page.ctx, page.actor) if entry.gm}
    found = campaign_search.find(page.ctx, page.actor, mine=True, joinable=True, limit=campaign_search.MAX_PAGE_SIZE)
    return page.render(
        "bots.html",
        bots=open_bots.listed(page.ctx, page.actor),
        campaigns=[campaign for campaign in found.items if campaign.id in runs and campaign.free],
        chosen=chosen,
        error=error,
    )
