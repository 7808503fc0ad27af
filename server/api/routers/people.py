"""What people say to each other: messages, announcements, declarations."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut, decode, page
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import created, json_response, made, no_content
from server.play.messages import messages
from server.play.messages.messages import DeclarationInfo, MessageInfo

router = APIRouter(route_class=Route, tags=["people"], prefix="/campaigns/{campaign_id}")

Text = Annotated[str, Field(max_length=50_000, examples=["Shall we share the river?"])]
Subject = Annotated[str, Field(max_length=1000, examples=["The river"])]
Seat = Annotated[str | None, Query(max_length=32, description="The seat one speaks for, where one has several.")]


class MessageWanted(Body):
    """A message."""

    to: Annotated[list[str], Field(max_length=100, description="Seats, `all` or `gm`.", examples=[["p2"]])]
    body: Text
    subject: Subject = ""
    in_character: bool = False
    reply_to: str | None = Field(None, max_length=64, description="The message it answers.")
    as_gm: bool = Field(False, description="As the game master.")


class AnnouncementWanted(Body):
    """Something everyone is to know."""

    body: Text
    subject: Subject = ""


class DeclarationWanted(Body):
    """A diplomatic declaration: words only, alliances in force come from orders (D-04)."""

    kind: Literal["alliance", "alliance_ended", "war", "truce", "statement"] = Field(examples=["truce"])
    toward: str | None = Field(None, max_length=32, description="A player; null: everybody.", examples=["p2"])
    public: bool = False
    body: str = Field("", max_length=50_000)


@router.get("/messages", response_model=Page[MessageInfo], openapi_extra=error_responses(public=True))
def list_messages(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the messages you may read, newest first."""
    key = decode(cursor, (str,))
    before = key[0] if key else None
    found = messages.listed(parts.ctx, actor, campaign_id, before=before, limit=limit + 1)
    return json_response(request, page(found, limit, lambda message: (message.id,)))


@router.post("/messages", status_code=201, response_model=MessageInfo, openapi_extra=error_responses("wrong_status"))
def send_message(
    parts: ServerDep, actor: ActorDep, campaign_id: str, body: MessageWanted, seat: Seat = None
) -> Response:
    """Write to players, to all, or to the game master."""
    sent = messages.send(
        parts.ctx,
        actor,
        campaign_id,
        body.to,
        body.body,
        subject=body.subject,
        in_character=body.in_character,
        reply_to=body.reply_to,
        as_gm=body.as_gm,
        seat=seat,
    )
    return created(sent)


@router.put("/messages/{message_id}/read", status_code=204, openapi_extra=error_responses())
def mark_message_read(parts: ServerDep, actor: ActorDep, campaign_id: str, message_id: str) -> Response:
    """Note that you have read a message."""
    messages.mark_read(parts.ctx, actor, campaign_id, message_id)
    return no_content()


@router.post("/gm/announcements", status_code=201, response_model=MessageInfo,
             openapi_extra=error_responses("wrong_status"))  # fmt: skip
def announce(parts: ServerDep, actor: ActorDep, campaign_id: str, body: AnnouncementWanted) -> Response:
    """Tell everyone something, spectators and webhooks too. The game master's."""
    sent = messages.announce(parts.ctx, actor, campaign_id, body.body, subject=body.subject)
    return made(sent, f"{PREFIX}/campaigns/{campaign_id}/messages")


@router.get("/declarations", response_model=Page[DeclarationInfo], openapi_extra=error_responses(public=True))
def list_declarations(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the declarations you may know of, oldest first."""
    return json_response(request, cut(messages.declarations(parts.ctx, actor, campaign_id), cursor, limit))


@router.post(
    "/declarations", status_code=201, response_model=DeclarationInfo, openapi_extra=error_responses("wrong_status")
)
def declare(
    parts: ServerDep, actor: ActorDep, campaign_id: str, body: DeclarationWanted, seat: Seat = None
) -> Response:
    """Declare something to a player or to everyone."""
    declared = messages.declare(
        parts.ctx, actor, campaign_id, body.kind, toward=body.toward, public=body.public, body=body.body, seat=seat
    )
    return created(declared)
