"""A campaign's outcome: a page worth showing, its picture, and the film of the map; also by a link of its own."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Query, Response

from server.http.responses import json_response
from server.play.campaigns import outcome
from server.play.campaigns.campaign_info import player_names, seats_by_player
from server.play.campaigns.outcome import Outcome, Turn
from server.render.naming import names_in
from server.render.page import OVER_LAND, Frame, first_events
from server.render.story import summarize
from server.render.svg import draw
from server.render.translations import ruleset_names
from server.rules.elimination import held
from server.rules.sight import View
from server.web.frame import frame
from server.web.page_context import PageContext, PageDep
from server.web.presenters.outcome import account, complete
from server.web.route import HEAVY, OPEN, PageRouter

router = PageRouter("/campaigns/{campaign_id}/outcome")

MAX_FRAMES = 40
"""Turns that the film shows at most."""
PICTURE_WIDTH = 1200
"""Pixels."""
_ANYWHERE = {
    "Cache-Control": "public, max-age=3600",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}
Code = Annotated[str, Query(max_length=32)]


@router.get("", openapi_extra=OPEN)
def outcome_page(page: PageDep, campaign_id: str, code: Code = "") -> Response:
    """Show how a campaign was won: the standings, turning points, awards, the film."""
    found = outcome.read(page.ctx, page.actor, campaign_id, code)
    info = found.info
    link = "" if found.for_everyone else found.code
    query = f"?code={quote(link)}" if link else ""
    path = f"/campaigns/{info.id}/outcome"
    around: dict[str, Any] = {} if found.by_code else frame(page, info) | {"tab": "reports"}
    content = {
        "outcome": account(page.t, found), "by_code": found.by_code, "query": query, "path": path,
        "shared": f"{page.ctx.settings.public_url}{path}{query}", "complete": complete(found),
        "image": f"{page.ctx.settings.public_url}{path}/picture.png{query}", "seats": seats_by_player(info),
        "past_view": "outcome",
    }  # fmt: skip
    return page.render("outcome.html", **({"campaign": info} | around | content))


@router.get("/picture.png", openapi_extra=OPEN | HEAVY)
def picture(page: PageDep, campaign_id: str, code: Code = "") -> Response:
    """Return the map at the end with the standings: what messengers show beside the link."""
    from server.render.moving import Moving, write_still  # Pillow: only where wanted

    found = outcome.read(page.ctx, page.actor, campaign_id, code)
    told, file = account(page.t, found), BytesIO()
    last = _frame(page, found, found.turns[-1], found.view, (told.how,))
    write_still(file, found.info.name, found.view, last, Moving(PICTURE_WIDTH, chip=_chip(page)))
    return json_response(page.request, file.getvalue(), media_type="image/png", headers=_headers(found, code))


@router.get("/film.gif", openapi_extra=OPEN | HEAVY)
def film(page: PageDep, campaign_id: str, code: Code = "") -> Response:
    """Return the film of the map, a picture for each turn."""
    from server.render.moving import Moving, write  # Pillow: only where wanted

    found = outcome.read(page.ctx, page.actor, campaign_id, code, frames=MAX_FRAMES)
    frames = [_frame(page, found, turn, view) for turn, view in found.film]
    file = BytesIO()
    write(file, "GIF", found.info.name, found.view, frames, Moving(seconds=0.8, chip=_chip(page)))
    return json_response(page.request, file.getvalue(), media_type="image/gif", headers=_headers(found, code))


# --- inside ---


def _frame(page: PageContext, found: Outcome, turn: Turn, view: View, lines: tuple[str, ...] = ()) -> Frame:
    """Return the picture of a turn: the map at its end, and what mattered most."""
    t, hexes = page.t, held(view.state)
    names = names_in(player_names(found.info), [view.state], t.language) | ruleset_names(view.state.ruleset, t.language)
    score = tuple((names.get(id_, id_), player.vp, hexes[id_]) for id_, player in view.state.players.items())
    told = lines or tuple(dict.fromkeys(summarize(first_events(turn.events), names, t.language)))[:2]
    heading = t("frame.turn", turn=turn.number) if turn.number else t.name("phase", "setup")
    return Frame(heading, draw(view, OVER_LAND), (), score, told)


def _headers(found: Outcome, code: str) -> dict[str, str]:
    """Return headers that let other pages and caches have a picture only if the link alone shows it."""
    return _ANYWHERE if found.for_everyone or code == found.code else {"Cache-Control": "private, no-store"}


def _chip(page: PageContext) -> Any:
    return lambda name, vp, hexes: page.t("outcome.chip", name=name, vp=vp, hexes=hexes)
