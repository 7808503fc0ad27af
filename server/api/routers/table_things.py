"""What battles on the table are made from: guests, missions, armies."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from server.api.bodies import Body
from server.api.description.ground import Army
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routers.tables import ArmyBrought, for_guests
from server.api.routes import Route
from server.http.context import ActorDep, Server, ServerDep
from server.http.responses import created, json_response, no_content
from server.http.signing import check_guest, check_sign_in, csrf_token, set_cookie
from server.missions import library
from server.play.accounts.accounts import SignedIn
from server.play.errors import not_found
from server.play.people import guests
from server.play.people.guests import DeviceCode
from server.play.tables import armies, missions
from server.play.tables.armies import ArmyInfo
from server.play.tables.missions import MissionInfo

router = APIRouter(route_class=Route, tags=["table"])

Campaign = Annotated[str | None, Query(max_length=32, description="The campaign whose own missions are wanted, too.")]


class GuestWanted(Body):
    """A guest."""

    name: Annotated[str, Field(max_length=200, examples=["Ann"])]


class GuestMade(BaseModel):
    """A guest just made."""

    id: str
    name: str
    token: str = Field(description="To be sent as `Authorization: Bearer <token>`; a browser keeps it as a cookie.")
    csrf_token: str = Field(description="To be sent as `X-CSRF-Token` with writes that are signed in by the cookie.")


class DeviceTaken(Body):
    """The proof of being a guest."""

    code: Annotated[str, Field(max_length=40)]


class Claimed(Body):
    """The proof of having been a guest."""

    token: Annotated[str, Field(max_length=100)]


class Claims(BaseModel):
    """What an account took over."""

    games: int


class ArmyWanted(ArmyBrought):
    """An army to save."""

    name: Annotated[str, Field(max_length=200, examples=["Ash Wardens"])]


class MissionUploaded(Body):
    """A club's own mission."""

    source: Annotated[str, Field(max_length=missions.MAX_SOURCE, description="The mission's file (TOML).")]
    campaign: Annotated[
        str | None, Field(max_length=32, description="The campaign that keeps it; left out: one's account.")
    ] = None


class MissionFile(BaseModel):
    """A club's own mission as it was uploaded."""

    id: str
    mission: str
    source: str
    campaign: str | None
    revision: int


@router.post(
    "/tables/guests", status_code=201, response_model=GuestMade,
    openapi_extra=for_guests("sign_up_closed", "name_taken", secret=True, cookie=True),
)  # fmt: skip
def create_guest(request: Request, parts: ServerDep, body: GuestWanted) -> Response:
    """Play without an account: the same guest as of `POST /accounts/guests`. The token is shown this once."""
    check_sign_in(parts, request)
    check_guest(parts, request)
    return _signed_in(parts, guests.create(parts.ctx, body.name, browser=request.headers.get("user-agent", "")))


@router.post("/tables/guests/devices", status_code=201, response_model=DeviceCode,
             openapi_extra=for_guests("not_signed_in", "forbidden", "limit_reached", secret=True))  # fmt: skip
def invite_device(parts: ServerDep, actor: ActorDep) -> Response:
    """Make a code with which another device continues as the same guest: good once, for ten minutes."""
    return created(guests.invite_device(parts.ctx, actor))


@router.post("/tables/guests/devices/join", status_code=201, response_model=GuestMade,
             openapi_extra=for_guests(secret=True, cookie=True))  # fmt: skip
def take_device(request: Request, parts: ServerDep, body: DeviceTaken) -> Response:
    """Go on as the guest whose code you have. The device's own token is shown this once."""
    check_sign_in(parts, request)
    return _signed_in(parts, guests.take_device(parts.ctx, body.code, browser=request.headers.get("user-agent", "")))


@router.post("/tables/claim", response_model=Claims, openapi_extra=error_responses(secret=True))
def claim_tables(parts: ServerDep, actor: ActorDep, body: Claimed) -> Response:
    """Take over everything that you had as a guest: games, sides, armies. The guest is gone afterwards."""
    return created({"games": guests.claim(parts.ctx, actor, body.token)}, 200)


@router.get("/missions", response_model=Page[MissionInfo], openapi_extra=for_guests())
def list_missions(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign: Campaign = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Return all missions you may play: those of the program, your own, those of a campaign."""
    return json_response(request, cut(missions.listed(parts.ctx, actor, campaign), cursor, limit))


@router.post("/missions", status_code=201, response_model=MissionInfo,
             openapi_extra=error_responses("mission_refused", "limit_reached"))  # fmt: skip
def upload_mission(parts: ServerDep, actor: ActorDep, body: MissionUploaded) -> Response:
    """Keep a club's own mission, for yourself or for a campaign you run; one of the same id is replaced."""
    return created(missions.upload(parts.ctx, actor, body.source, body.campaign))


@router.get("/mission-uploads/{upload_id}", response_model=MissionFile, openapi_extra=error_responses())
def get_uploaded_mission(request: Request, parts: ServerDep, actor: ActorDep, upload_id: str) -> Response:
    """Return a club's own mission as it was uploaded."""
    row = missions.source(parts.ctx, actor, upload_id)
    content = MissionFile(
        id=row.id, mission=row.mission, source=row.source, campaign=row.campaign_id, revision=row.revision
    )
    return json_response(request, content.model_dump())


@router.delete("/mission-uploads/{upload_id}", status_code=204, openapi_extra=error_responses())
def drop_mission(parts: ServerDep, actor: ActorDep, upload_id: str) -> Response:
    """Delete a club's own mission; games that were made by it keep it."""
    missions.drop(parts.ctx, actor, upload_id)
    return no_content()


@router.get("/missions/{mission_id}/samples", response_model=dict[str, Army], openapi_extra=for_guests())
def list_sample_armies(request: Request, mission_id: str) -> Response:
    """Return the sample armies of a mission by side."""
    mission = library().get(mission_id)
    if mission is None:
        raise not_found("mission", mission_id)
    return json_response(request, armies.samples(mission))


@router.get("/armies", response_model=Page[ArmyInfo], openapi_extra=for_guests("not_signed_in"))
def list_armies(
    request: Request, parts: ServerDep, actor: ActorDep, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the armies one has saved, by name."""
    return json_response(request, cut(armies.listed(parts.ctx, actor), cursor, limit))


@router.post("/armies", status_code=201, response_model=ArmyInfo,
             openapi_extra=for_guests("not_signed_in", "army_refused", "limit_reached"))  # fmt: skip
def save_army(parts: ServerDep, actor: ActorDep, body: ArmyWanted) -> Response:
    """Save an army; one of the same name is replaced."""
    return created(armies.save(parts.ctx, actor, body.name, body.brought()))


@router.delete("/armies/{army_id}", status_code=204, openapi_extra=for_guests("not_signed_in"))
def drop_army(parts: ServerDep, actor: ActorDep, army_id: str) -> Response:
    """Delete a saved army."""
    armies.drop(parts.ctx, actor, army_id)
    return no_content()


def _signed_in(parts: Server, guest: SignedIn) -> Response:
    """Return the answer that makes a browser keep the guest's session."""
    secret, account = guest.token.secret, guest.account
    made = GuestMade(id=account.id, name=account.name, token=secret, csrf_token=csrf_token(secret))
    response = created(made.model_dump())
    set_cookie(parts, response, secret, guest=True)
    return response
