"""The first page: one's campaigns; for strangers, what this is."""

from __future__ import annotations

from fastapi import APIRouter, Response

from server.play import finding
from server.web.route import OPEN, PageRoute
from server.web.visits import Visiting

router = APIRouter(route_class=PageRoute)


@router.get("/", openapi_extra=OPEN)
def home(visit: Visiting) -> Response:
    """Show one's campaigns and what each wants."""
    if not visit.who.signed_in:
        return visit.page("welcome.html")
    mine = finding.find(visit.play, visit.who, mine=True, limit=finding.MOST_A_PAGE)
    return visit.page("home.html", campaigns=mine.items)
