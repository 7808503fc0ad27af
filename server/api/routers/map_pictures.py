"""The position as a picture, as you know it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from server.api.openapi import error_responses
from server.api.routers.view import As
from server.api.routes import Route
from server.http.context import ActorDep, Server, ServerDep
from server.http.responses import SVG, picture_response, pictures
from server.play.campaigns import campaigns
from server.play.context import Actor
from server.play.views import history, positions, reads
from server.render.last_phase import DRAWN
from server.render.svg import Options, draw
from server.rules.sight import View

router = APIRouter(route_class=Route, tags=["view"], prefix="/campaigns/{campaign_id}")

Legend = Annotated[bool, Query(description="Whether what the signs mean stands beside the map.")]
Theme = Annotated[
    Literal["auto", "light", "dark", "print"],
    Query(description="Colours of the picture; `auto` follows the reader's screen."),
]
Live = Annotated[
    bool,
    Query(description="For a page that has the map's style sheet: no legend, no title, every detail of every zoom."),
]


@router.get("/map.svg", response_class=Response, openapi_extra=error_responses("wrong_status", public=True),
            responses=pictures(SVG))  # fmt: skip
def get_picture(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    as_: As = None,
    legend: Legend = True,
    theme: Theme = "auto",
    live: Live = False,
) -> Response:
    """Return a picture of the position as you know it and of the last phase; as `application/octet-stream` a file."""
    found = positions.position(parts.ctx, actor, campaign_id, as_=as_)

    def drawn(options: Options) -> bytes:
        told = history.last_told(parts.ctx, actor, campaign_id, found.number, branch=found.branch, as_=as_, types=DRAWN)
        return draw(replace(found.view, events=told), options).encode()

    if not live:
        names = seat_names(parts, actor, campaign_id)
        anyone = not actor.signed_in
        return _still(request, drawn(Options(names=names, legend=legend, theme=theme)), anyone=anyone)
    # nothing in it can be chosen or renamed: drawn once for each position and viewer
    key = (campaign_id, found.state_hash, found.viewer, f"map {found.branch}.{found.number}")
    kept = reads.known(parts.ctx, *key) or reads.keep(parts.ctx, *key, drawn(Options(live=True)))
    return _still(request, kept.body)


def seat_names(parts: Server, actor: Actor, campaign_id: str) -> dict[str, str]:
    """Return what the players are called in this campaign, by their ids."""
    return {seat.player_id: seat.name for seat in campaigns.get(parts.ctx, actor, campaign_id).seats}


def picture(request: Request, view: View, options: Options) -> Response:
    """Return a view as a picture that cannot do anything, wherever it is shown."""
    return _still(request, draw(view, options).encode())


def _still(request: Request, drawn: bytes, *, anyone: bool = False) -> Response:
    """Return a picture; pages of other servers may show what *anyone* may see."""
    policy = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:"}
    if anyone:
        policy["Cross-Origin-Resource-Policy"] = "cross-origin"
    return picture_response(request, drawn, SVG, "map.svg", headers=policy)
