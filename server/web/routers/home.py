"""The first page: the person's campaigns and their tasks; for strangers, what this is."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play.campaigns import dashboard, seats
from server.play.operating import example
from server.web.frame import LIVE
from server.web.page_context import PageDep
from server.web.presenters.next_action import next_action
from server.web.route import OPEN, PageRoute

router = APIRouter(route_class=PageRoute)
OVER = ("finished", "archived", "deleted")


@router.get("/", openapi_extra=OPEN)
def home(page: PageDep) -> Response:
    """Show the person's campaigns and their tasks."""
    if not page.actor.signed_in:
        return page.render("welcome.html", example=example.to_watch(page.ctx))
    cards = [(entry, next_action(page.t, entry)) for entry in dashboard.mine(page.ctx, page.actor)]
    return page.render(
        "home.html",
        going=[card for card in cards if card[0].status not in OVER],
        over=[card for card in cards if card[0].status in OVER],
        asked=dashboard.invitations(page.ctx, page.actor),
        offers=dashboard.offers(page.ctx, page.actor),
        kinds=LIVE,
    )


@router.post("/invitations/{campaign_id}/decline")
def decline(page: PageDep, campaign_id: str) -> Response:
    """Turn an invitation down."""
    seats.decline(page.ctx, page.actor, campaign_id)
    return page.redirect("/", said="declined")
