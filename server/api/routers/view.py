"""What you may know of a campaign now, as data and as a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.description.ground import Ruleset, Scenario
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page
from server.http.context import Server
from server.http.problems import Fault, whole_fault
from server.http.responses import SVG, created, picture_response, pictures, tag, tag_of
from server.play.campaigns import campaigns, catalog
from server.play.context import Actor
from server.play.errors import fault
from server.play.views import history, positions, reads, view_changes
from server.play.views.positions import Finality
from server.play.views.view_changes import Replaced, Spliced
from server.render.last_phase import DRAWN
from server.render.svg import Options, draw
from server.rules.sight import View

router = Endpoints("view", "/campaigns/{campaign_id}")

As = Annotated[
    str | None,
    Query(
        alias="as",
        max_length=32,
        description="As whom to look: a player's id, `gm` or `spectator`; only as oneself before the end.",
    ),
]
Since = Annotated[
    str,
    Query(
        max_length=32,
        description="The ETag, without quotes, of the view one has: of `/view`, or `etag` of the last changes.",
        examples=["5c0a3e8f0d6b4a5f9e1b7d2c8a4f6e03"],
    ),
]
Seat = Annotated[str | None, Query(max_length=32, description="The seat that is to order.")]


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The position as one viewer knows it."""

    campaign_id: str
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    deadline: datetime | None
    viewer: str
    sees: list[str]
    """Hexes in sight."""
    state: dict[str, Any]
    """The nouns of the rulebook; what the viewer does not know is not in it."""


@dataclass(frozen=True, slots=True)
class ViewChanges:
    """What makes the view one has into the view as it is now."""

    since: str | None
    """The ETag, without quotes, of the view that these changes belong to; null where `whole` is given."""
    etag: str
    """The ETag, without quotes, of the view as it is now."""
    digest: str
    """SHA-256, hexadecimal, of the bytes of the view as it is now."""
    replaced: list[Replaced]
    """Rows and values that are new or others now."""
    removed: list[list[str]]
    """The paths of rows that are gone."""
    spliced: list[Spliced]
    """Lists that have other entries now."""
    whole: PositionShown | None
    """The view as it is now, where the server does not know what you have, or where that is shorter."""


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """Orders of one kind that may be given."""

    type: str
    order: dict[str, Any]
    """The fields that are settled."""
    choices: dict[str, list[Any]]
    """The values each further field may take."""


@dataclass(frozen=True, slots=True)
class Previewed:
    """What an order would do."""

    says: dict[str, Any]
    """Empty where there is a problem."""
    problems: list[Fault]


class PreviewWanted(Body):
    """An order, and those ahead of it in the set: they may have spent the BP it needs."""

    order: Annotated[Any, Field(examples=[{"type": "guard", "detachment": "5f2c1a90b7de"}])]
    before: list[Any] = Field(default_factory=list, max_length=2000)


@router.get("/view", PositionShown, "wrong_status", public=True)
def get_view(call: CallDep, campaign_id: str, as_: As = None) -> Response:
    """Return the position as you know it: as a player, the game master or a spectator."""
    found = positions.shown(call.ctx, call.actor, campaign_id, as_=as_)
    view_changes.note(call.ctx, call.actor, campaign_id, found)
    return call.answer(lambda: found.body, etag=tag_of(found.etag))


@router.get("/view/changes", ViewChanges, "wrong_status", public=True)
def get_view_changes(call: CallDep, campaign_id: str, since: Since = "", as_: As = None) -> Response:
    """Return what has changed in the view since one has read it; the whole view where the server does not know that."""
    found = positions.shown(call.ctx, call.actor, campaign_id, as_=as_)
    return call.answer(view_changes.since(call.ctx, call.actor, campaign_id, found, since))


@router.get("/board", Scenario, public=True)
def get_board(call: CallDep, campaign_id: str) -> Response:
    """Return the campaign's map as its scenario has it (docs/maps.md); it never changes."""
    return call.answer(catalog.board(call.ctx, call.actor, campaign_id))


@router.get("/ruleset", Ruleset, public=True)
def get_ruleset(call: CallDep, campaign_id: str) -> Response:
    """Return the campaign's ruleset: costs, tables, factions; it never changes."""
    return call.answer(catalog.rules(call.ctx, call.actor, campaign_id))


@router.get("/finality", Page[Finality], "wrong_status", public=True)
def get_finality(call: CallDep, campaign_id: str) -> Response:
    """Return whose orders are final, if the campaign shows it."""
    return call.answer({"items": positions.finality(call.ctx, call.actor, campaign_id), "next": None})


@router.get("/legal-orders", Page[LegalOrder], "phase_closed")
def get_legal_orders(call: CallDep, campaign_id: str, seat: Seat = None) -> Response:
    """Return everything you may order now: settled fields, choices for the others, and what explains them."""
    found = positions.legal_shown(call.ctx, call.actor, campaign_id, seat=seat)
    return call.answer(found.body, etag=tag(found.digest.encode()))


@router.post("/preview", Previewed, "phase_closed")
def preview_order(call: CallDep, campaign_id: str, body: PreviewWanted, seat: Seat = None) -> Response:
    """Preview an order from what you can see."""
    found = positions.preview(call.ctx, call.actor, campaign_id, body.order, body.before, seat=seat)
    return created({"says": found.said, "problems": [whole_fault(fault(problem)) for problem in found.problems]}, 200)


map_picture = Endpoints("view", "/campaigns/{campaign_id}")

Legend = Annotated[bool, Query(description="Whether what the signs mean stands beside the map.")]
Theme = Annotated[
    Literal["auto", "light", "dark", "print"],
    Query(description="Colours of the picture; `auto` follows the reader's screen."),
]
Live = Annotated[
    bool,
    Query(description="For a page that has the map's style sheet: no legend, no title, every detail of every zoom."),
]


@map_picture.get("/map.svg", None, "wrong_status", response_class=Response, responses=pictures(SVG), public=True)
def get_picture(
    call: CallDep, campaign_id: str, as_: As = None, legend: Legend = True, theme: Theme = "auto", live: Live = False
) -> Response:
    """Return a picture of the position as you know it and of the last phase; as `application/octet-stream` a file."""
    found = positions.position(call.ctx, call.actor, campaign_id, as_=as_)

    def drawn(options: Options) -> bytes:
        told = history.last_told(
            call.ctx, call.actor, campaign_id, found.number, branch=found.branch, as_=as_, types=DRAWN
        )
        return draw(replace(found.view, events=told), options).encode()

    if not live:
        names = seat_names(call.server, call.actor, campaign_id)
        anyone = not call.actor.signed_in
        return _still(call.request, drawn(Options(names=names, legend=legend, theme=theme)), anyone=anyone)
    # nothing in it can be chosen or renamed: drawn once for each position and viewer
    key = (campaign_id, found.state_hash, found.viewer, f"map {found.branch}.{found.number}")
    kept = reads.known(call.ctx, *key) or reads.keep(call.ctx, *key, drawn(Options(live=True)))
    return _still(call.request, kept.body)


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
