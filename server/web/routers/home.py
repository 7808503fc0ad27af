"""The first page: one's campaigns and what each wants; for strangers, what this is."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import desk, seats
from server.web.asks import ask
from server.web.route import OPEN, PageRoute
from server.web.visits import Visiting

router = APIRouter(route_class=PageRoute)
OVER = ("finished", "archived", "deleted")


@router.get("/", openapi_extra=OPEN)
def home(visit: Visiting) -> Response:
    """Show one's campaigns and what each wants."""
    if not visit.who.signed_in:
        return visit.page("welcome.html")
    cards = [(each, ask(visit.t, each)) for each in desk.mine(visit.play, visit.who)]
    return visit.page(
        "home.html",
        going=[each for each in cards if each[0].status not in OVER],
        over=[each for each in cards if each[0].status in OVER],
        asked=desk.invitations(visit.play, visit.who),
        offers=desk.offers(visit.play, visit.who),
    )


@router.post("/invitations/{campaign_id}/decline")
def decline(visit: Visiting, campaign_id: str) -> Response:
    """Turn an invitation down."""
    seats.decline(visit.play, visit.who, campaign_id)
    return visit.go("/", said="declined")
