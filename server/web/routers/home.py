"""The first page: one's campaigns and what each wants; for strangers, what this is."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import dashboard, seats
from server.web.asks import ask
from server.web.route import OPEN, PageRoute
from server.web.visits import Visiting

router = APIRouter(route_class=PageRoute)
OVER = ("finished", "archived", "deleted")


@router.get("/", openapi_extra=OPEN)
def home(visit: Visiting) -> Response:
    """Show one's campaigns and what each wants."""
    if not visit.actor.signed_in:
        return visit.page("welcome.html")
    cards = [(each, ask(visit.t, each)) for each in dashboard.mine(visit.ctx, visit.actor)]
    return visit.page(
        "home.html",
        going=[each for each in cards if each[0].status not in OVER],
        over=[each for each in cards if each[0].status in OVER],
        asked=dashboard.invitations(visit.ctx, visit.actor),
        offers=dashboard.offers(visit.ctx, visit.actor),
    )


@router.post("/invitations/{campaign_id}/decline")
def decline(visit: Visiting, campaign_id: str) -> Response:
    """Turn an invitation down."""
    seats.decline(visit.ctx, visit.actor, campaign_id)
    return visit.go("/", said="declined")
