"""What battles on the table are made from: guests, missions, armies."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import BaseModel, Field

from server.api.bodies import Body
from server.api.description.ground import Army
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.api.routers.tables import ArmyBrought
from server.http.context import Server
from server.http.responses import created
from server.http.signing import check_guest, check_sign_in, csrf_token, set_cookie
from server.missions import library
from server.play.accounts.accounts import SignedIn
from server.play.errors import not_found
from server.play.people import guests
from server.play.people.guests import DeviceCode
from server.play.tables import armies, missions
from server.play.tables.armies import ArmyInfo
from server.play.tables.missions import MissionInfo

router = Endpoints("table")

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
    "/tables/guests", GuestMade, "sign_up_closed", "name_taken", status=201, guests=True, secret=True, cookie=True
)
def create_guest(call: CallDep, body: GuestWanted) -> Response:
    """Play without an account: the same guest as of `POST /accounts/guests`. The token is shown this once."""
    check_sign_in(call.server, call.request)
    check_guest(call.server, call.request)
    return _signed_in(call.server, guests.create(call.ctx, body.name, browser=call.browser))


@router.post(
    "/tables/guests/devices", DeviceCode, "not_signed_in", "forbidden", "limit_reached", status=201, guests=True,
    secret=True,
)  # fmt: skip
def invite_device(call: CallDep) -> Response:
    """Make a code with which another device continues as the same guest: good once, for ten minutes."""
    return created(guests.invite_device(call.ctx, call.actor))


@router.post("/tables/guests/devices/join", GuestMade, status=201, guests=True, secret=True, cookie=True)
def take_device(call: CallDep, body: DeviceTaken) -> Response:
    """Go on as the guest whose code you have. The device's own token is shown this once."""
    check_sign_in(call.server, call.request)
    return _signed_in(call.server, guests.take_device(call.ctx, body.code, browser=call.browser))


@router.post("/tables/claim", Claims, secret=True)
def claim_tables(call: CallDep, body: Claimed) -> Response:
    """Take over everything that you had as a guest: games, sides, armies. The guest is gone afterwards."""
    return created({"games": guests.claim(call.ctx, call.actor, body.token)}, 200)


@router.get("/missions", Page[MissionInfo], guests=True)
def list_missions(call: CallDep, portion: PortionDep, campaign: Campaign = None) -> Response:
    """Return all missions you may play: those of the program, your own, those of a campaign."""
    return call.answer(cut(missions.listed(call.ctx, call.actor, campaign), portion))


@router.post("/missions", MissionInfo, "mission_refused", "limit_reached", status=201)
def upload_mission(call: CallDep, body: MissionUploaded) -> Response:
    """Keep a club's own mission, for yourself or for a campaign you run; one of the same id is replaced."""
    return created(missions.upload(call.ctx, call.actor, body.source, body.campaign))


@router.get("/mission-uploads/{upload_id}", MissionFile)
def get_uploaded_mission(call: CallDep, upload_id: str) -> Response:
    """Return a club's own mission as it was uploaded."""
    row = missions.source(call.ctx, call.actor, upload_id)
    content = MissionFile(
        id=row.id, mission=row.mission, source=row.source, campaign=row.campaign_id, revision=row.revision
    )
    return call.answer(content.model_dump())


@router.delete("/mission-uploads/{upload_id}")
def drop_mission(call: CallDep, upload_id: str) -> None:
    """Delete a club's own mission; games that were made by it keep it."""
    missions.drop(call.ctx, call.actor, upload_id)


@router.get("/missions/{mission_id}/samples", dict[str, Army], guests=True)
def list_sample_armies(call: CallDep, mission_id: str) -> Response:
    """Return the sample armies of a mission by side."""
    mission = library().get(mission_id)
    if mission is None:
        raise not_found("mission", mission_id)
    return call.answer(armies.samples(mission))


@router.get("/armies", Page[ArmyInfo], "not_signed_in", guests=True)
def list_armies(call: CallDep, portion: PortionDep) -> Response:
    """Return the armies one has saved, by name."""
    return call.answer(cut(armies.listed(call.ctx, call.actor), portion))


@router.post("/armies", ArmyInfo, "not_signed_in", "army_refused", "limit_reached", status=201, guests=True)
def save_army(call: CallDep, body: ArmyWanted) -> Response:
    """Save an army; one of the same name is replaced."""
    return created(armies.save(call.ctx, call.actor, body.name, body.brought()))


@router.delete("/armies/{army_id}", None, "not_signed_in", guests=True)
def drop_army(call: CallDep, army_id: str) -> None:
    """Delete a saved army."""
    armies.drop(call.ctx, call.actor, army_id)


def _signed_in(parts: Server, guest: SignedIn) -> Response:
    """Return the answer that makes a browser keep the guest's session."""
    secret, account = guest.token.secret, guest.account
    made = GuestMade(id=account.id, name=account.name, token=secret, csrf_token=csrf_token(secret))
    response = created(made.model_dump())
    set_cookie(parts, response, secret, guest=True)
    return response
