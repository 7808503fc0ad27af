"""The first page with the person's campaigns and tasks; finding campaigns, joining by code, pictures of scenarios."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

from fastapi import Response

from server import rulesets
from server.play.campaigns import campaign_info, dashboard, seats
from server.play.campaigns.campaign_info import Lobby
from server.play.context import Actor
from server.play.errors import PlayError
from server.play.operating import example
from server.rulesets import NO_LIST
from server.web.frame import LIVE
from server.web.page_context import RULES, PageContext, PageDep
from server.web.presenters.next_action import next_action
from server.web.presenters.scenario_cards import factions_of, picture
from server.web.route import OPEN, PageRouter
from server.web.routers.quick_start import as_guest

router = PageRouter()

A_PAGE = 20
LISTED = ("open", "running", "finished", "any")
_PICTURE = {
    "Cache-Control": "public, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
}


@router.get("/campaigns", openapi_extra=OPEN)
def find(page: PageDep, q: str = "", status: str = "open", cursor: str | None = None) -> Response:
    """Show visible campaigns, page by page."""
    wanted = status if status in LISTED else "open"
    found = dashboard.find(
        page.ctx,
        page.actor,
        text=q[:200].replace("\0", ""),
        status=None if wanted in ("any", "open") else wanted,
        joinable=wanted == "open",
        cursor=cursor,
        limit=A_PAGE,
    )
    more = f"/campaigns?{urlencode({'q': q, 'status': wanted, 'cursor': found.next})}" if found.next else ""
    template = "parts/found.html" if page.is_htmx else "campaigns.html"
    return page.render(
        template, found=found.items, more=more, q=q, wanted=wanted, statuses=LISTED, first=cursor is None
    )


@router.get("/scenarios/{scenario_id}/picture.svg", openapi_extra=OPEN)
def scenario_picture(scenario_id: str) -> Response:
    """Return the map of a scenario that comes with the server."""
    return Response(picture(scenario_id), 200, _PICTURE, "image/svg+xml")


@router.get("/join", openapi_extra=OPEN)
def type_code(page: PageDep, code: str = "") -> Response:
    """Go to the page of a code that was typed, or to one where it can be."""
    typed = code.strip().rpartition("/")[2][:200]
    return page.redirect(f"/join/{typed}") if typed.isascii() and typed.isprintable() and typed else page.redirect("/")


@router.get("/join/{code}", openapi_extra=OPEN)
def join_page(page: PageDep, code: str) -> Response:
    """Show the campaign a code invites to, and the free seats."""
    found = campaign_info.load_by_code(page.ctx, page.actor, code)
    if found.info.your_seats or (found.info.you_are_gm and not found.info.options.gm_plays):
        return page.redirect(f"/campaigns/{found.info.id}")
    return _join(page, found, code)


@router.post("/join/{code}", openapi_extra=OPEN)
def join(page: PageDep, code: str) -> Response:
    """Take a seat by a code; where the campaign allows it, as a guest."""
    found = campaign_info.load_by_code(page.ctx, page.actor, code)
    form, campaign = page.form, f"/campaigns/{found.info.id}"
    if not page.actor.signed_in and not (found.info.options.guests and page.guests_allowed):
        return page.redirect(f"/sign-in?next=/join/{code}")

    def take_seat(actor: Actor) -> str:
        faction, seat, name = form.text("faction") or _any_faction(found), form.optional("seat"), form.optional("name")
        seats.join(page.ctx, actor, found.info.id, faction=faction, seat=seat, name=name, code=code)
        return campaign

    try:
        return as_guest(page, take_seat, said="joined")
    except PlayError as error:
        return _join(page, found, code, error)


def _any_faction(found: Lobby) -> str:
    """Return a faction that nobody plays yet, for a guest who did not choose."""
    taken = {seat.faction for seat in found.info.seats}
    known = [id_ for id_ in found.ruleset.factions if id_ != NO_LIST]
    return secrets.choice([id_ for id_ in known if id_ not in taken] or known)


def _join(page: PageContext, found: Lobby, code: str, error: PlayError | None = None) -> Response:
    return page.render(
        "join.html",
        campaign=found.info,
        lobby=found,
        code=code,
        factions=factions_of(page.t, found.ruleset),
        rules_base=f"/rules/{found.info.ruleset}" if found.info.ruleset in rulesets.names() else RULES,
        error=error,
    )


first = PageRouter()
OVER = ("finished", "archived", "deleted")


@first.get("/", openapi_extra=OPEN)
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


@first.post("/invitations/{campaign_id}/decline")
def decline(page: PageDep, campaign_id: str) -> Response:
    """Turn an invitation down."""
    seats.decline(page.ctx, page.actor, campaign_id)
    return page.redirect("/", said="declined")
