"""The campaign's past: phase by phase, as one saw it then, and as one file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

from anyio import to_thread
from fastapi import Query, Request, Response

from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut, page
from server.api.routers.view import As, Legend, Live, Theme, picture, seat_names
from server.bots.diplomacy_action import DiplomacyAction
from server.http.middleware import PREFIX
from server.http.problems import too_often
from server.http.responses import SVG, made, pictures
from server.play import computer_players
from server.play.archive import record_files, record_import
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.views import history
from server.play.views.history import BranchInfo, InterventionInfo, PhaseInfo, Standing
from server.render.svg import Options

router = Endpoints("history", "/campaigns/{campaign_id}")

Line = Annotated[
    int | None,
    Query(alias="branch", ge=1, le=2**31, description="A line of play; the one played on where none is named."),
]


@dataclass(frozen=True, slots=True)
class PastPhaseShown:
    """A finished phase as one viewer saw it when it was over."""

    branch: int
    number: int
    turn: int
    phase: str
    viewer: str
    events: list[dict[str, Any]]
    """What happened, as far as the viewer knows."""
    orders: dict[str, Any]
    """The reader's own orders; everyone's after the end."""
    problems: dict[str, Any]
    """The refused ones among them."""
    view: dict[str, Any]
    """The position after the phase: `viewer`, `sees` and `state`."""


@router.get("/phases", Page[PhaseInfo], public=True)
def list_phases(call: CallDep, campaign_id: str, portion: PortionDep, branch: Line = None) -> Response:
    """Return the phases of a branch, first to last, the open one included."""
    key = portion.after(int)
    after = key[0] if key and abs(key[0]) < 2**31 else -1
    found = history.phases(call.ctx, call.actor, campaign_id, branch=branch, after=after, limit=portion.limit + 1)
    return call.answer(page(found, portion.limit, lambda phase: (phase.number,)))


@router.get("/phases/{number}", PastPhaseShown, public=True)
def get_phase(call: CallDep, campaign_id: str, number: int, branch: Line = None, as_: As = None) -> Response:
    """Return a finished phase: what you know of it, your orders, and the position after it."""
    found = history.past(call.ctx, call.actor, campaign_id, _known(number), branch=branch, as_=as_)
    return call.answer(found.body)


@router.get("/phases/{number}/map.svg", response_class=Response, responses=pictures(SVG), public=True)
def get_past_picture(
    call: CallDep,
    campaign_id: str,
    number: int,
    branch: Line = None,
    as_: As = None,
    legend: Legend = True,
    theme: Theme = "auto",
    live: Live = False,
) -> Response:
    """Return a picture of the position after a finished phase, and of it; as `application/octet-stream` a file."""
    found = history.past(call.ctx, call.actor, campaign_id, _known(number), branch=branch, as_=as_)
    names = {} if live else seat_names(call.server, call.actor, campaign_id)
    return picture(
        call.request,
        replace(found.view, events=found.events),
        Options(names=names, legend=legend, theme=theme, live=live),
    )


@router.get("/branches", Page[BranchInfo], public=True)
def list_branches(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the branches: a rollback begins another, and the one before stays readable."""
    return call.answer(cut(history.branches(call.ctx, call.actor, campaign_id), portion))


@router.get("/interventions", Page[InterventionInfo], public=True)
def list_interventions(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return what game masters did by hand, in the order in which it was done."""
    return call.answer(cut(history.interventions(call.ctx, call.actor, campaign_id), portion))


@router.get("/standings", Page[Standing], public=True)
def list_standings(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return every player's standing after each phase, for charts; for others only public information."""
    return call.answer(cut(history.standings(call.ctx, call.actor, campaign_id), portion))


@dataclass(frozen=True, slots=True)
class PostureShown:
    """How a computer player felt at the end of a turn."""

    seat: str
    turn: int
    posture: str
    """`hopeless`, `defensive`, `normal`, `aggressive` or `overconfident`."""
    score: int
    x: int
    """Failures: the enemies' less its own. Likewise morale and losses below."""
    y: int
    z: int
    diplomacy: tuple[DiplomacyAction, ...] = ()
    """What it did about alliances in the turn, and why."""


@router.get("/postures", Page[PostureShown], public=True)
def list_postures(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the computer players' postures turn by turn: to a game master without a seat, after the end to all."""
    found = [
        PostureShown(postures.seat, turn.turn, turn.posture, turn.score, turn.x, turn.y, turn.z, turn.acts)
        for postures in computer_players.postures(call.ctx, call.actor, campaign_id)
        for turn in postures.turns
    ]
    return call.answer(cut(found, portion))


def _known(number: int) -> int:
    """Return a phase's number as every database can hold it; -1, which no phase has, for others."""
    return number if 0 <= number < 2**31 else -1


record = Endpoints("history")

MEDIA_TYPE = "application/octet-stream"
FILE = {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}


@record.get(
    "/campaigns/{campaign_id}/record", None, "wrong_status", response_class=Response, responses={200: FILE}, public=True
)
def export_campaign(call: CallDep, campaign_id: str) -> Response:
    """Return the whole record of a finished campaign as a file; `sealed-orders verify` checks it offline."""
    name = {"Content-Disposition": f'attachment; filename="{campaign_id}.campaign"'}
    data = record_files.export(call.ctx, call.actor, campaign_id)
    return call.answer(data, media_type=MEDIA_TYPE, headers=name)


@record.post(
    "/imports", CampaignInfo, "bad_record", "already_here", status=201, raw=True,
    extra={"requestBody": {"required": True, **FILE}},
)  # fmt: skip
async def import_campaign(call: CallDep) -> Response:
    """Bring a campaign from another server: every phase is played again and must have the same hashes.

    An account brings one at a time: that may take a minute of the server's work.
    """
    call.actor.require("gm")
    if not call.server.imports.take(call.actor.user_id):
        raise too_often(10)
    try:
        data = await _body(call.request, None if call.actor.admin else call.ctx.settings.import_unpacked)
        campaign = await to_thread.run_sync(record_import.import_, call.ctx, call.actor, data)
    finally:
        call.server.imports.give_back(call.actor.user_id)
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


async def _body(request: Request, most: int | None) -> bytes:
    """Return the body, of which never more than *most* bytes are in memory."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if most is not None and len(content) > most:
            raise record_files.too_large()
    return bytes(content)
