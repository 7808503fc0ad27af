"""Finding campaigns, joining by code, pictures of scenarios."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Response

from server.play import campaign_search, lobby, seats
from server.play.errors import PlayError
from server.play.lobby import Lobby
from server.web.factions import factions_of
from server.web.pictures import picture
from server.web.route import OPEN, PageRoute
from server.web.visits import Visit, Visiting

router = APIRouter(route_class=PageRoute)

A_PAGE = 20
LISTED = ("open", "running", "finished", "any")
_PICTURE = {"Cache-Control": "public, max-age=3600",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}  # fmt: skip


@router.get("/campaigns", openapi_extra=OPEN)
def find(visit: Visiting, q: str = "", status: str = "open", cursor: str | None = None) -> Response:
    """Show campaigns one may know of, page by page."""
    wanted = status if status in LISTED else "open"
    found = campaign_search.find(
        visit.ctx, visit.actor, text=q[:200].replace("\0", ""), status=None if wanted == "any" else wanted,
        cursor=cursor, limit=A_PAGE,
    )  # fmt: skip
    more = f"/campaigns?{urlencode({'q': q, 'status': wanted, 'cursor': found.next})}" if found.next else ""
    template = "parts/found.html" if visit.by_htmx else "campaigns.html"
    return visit.page(template, found=found.items, more=more, q=q, wanted=wanted, statuses=LISTED, first=cursor is None)


@router.get("/scenarios/{scenario_id}/picture.svg", openapi_extra=OPEN)
def scenario_picture(scenario_id: str) -> Response:
    """Return the map of a scenario that comes with the server."""
    return Response(picture(scenario_id), 200, _PICTURE, "image/svg+xml")


@router.get("/join")
def type_code(visit: Visiting, code: str = "") -> Response:
    """Go to the page of a code that was typed, or to one where it can be."""
    typed = code.strip().rpartition("/")[2][:200]
    return visit.go(f"/join/{typed}") if typed.isascii() and typed.isprintable() and typed else visit.go("/")


@router.get("/join/{code}", openapi_extra=OPEN)
def join_page(visit: Visiting, code: str) -> Response:
    """Show the campaign a code invites to, and what one may play there."""
    found = lobby.load_by_code(visit.ctx, visit.actor, code)
    if found.info.your_seats or (found.info.you_are_gm and not found.info.options.gm_plays):
        return visit.go(f"/campaigns/{found.info.id}")
    return _join(visit, found, code)


@router.post("/join/{code}")
def join(visit: Visiting, code: str) -> Response:
    """Take a seat by a code."""
    found = lobby.load_by_code(visit.ctx, visit.actor, code)
    form = visit.form
    try:
        seats.join(
            visit.ctx, visit.actor, found.info.id, faction=form.text("faction"), seat=form.optional("seat"),
            name=form.optional("name"), code=code,
        )  # fmt: skip
    except PlayError as error:
        return _join(visit, found, code, error)
    return visit.go(f"/campaigns/{found.info.id}", said="joined")


def _join(visit: Visit, found: Lobby, code: str, error: PlayError | None = None) -> Response:
    return visit.page(
        "join.html", 200 if error is None else visit.status_of(error), campaign=found.info, lobby=found, code=code,
        factions=factions_of(visit.t, found.ruleset), problem=visit.refusal(error) if error else None,
    )  # fmt: skip
