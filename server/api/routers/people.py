"""What people say to each other: messages, declarations; blocked people, and reports on them to the operators."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut, page
from server.http.middleware import PREFIX
from server.http.responses import created, made
from server.play.accounts import blocking
from server.play.accounts.blocking import MAX_WHY, BlockInfo, OwnReport
from server.play.messages import messages
from server.play.messages.messages import DeclarationInfo, MessageInfo

router = Endpoints("people", "/campaigns/{campaign_id}")

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


@router.get("/messages", Page[MessageInfo], public=True)
def list_messages(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the messages you may read, newest first."""
    key = portion.after(str)
    before = key[0] if key else None
    found = messages.listed(call.ctx, call.actor, campaign_id, before=before, limit=portion.limit + 1)
    return call.answer(page(found, portion.limit, lambda message: (message.id,)))


@router.post("/messages", MessageInfo, "wrong_status", status=201)
def send_message(call: CallDep, campaign_id: str, body: MessageWanted, seat: Seat = None) -> Response:
    """Write to players, to all, or to the game master."""
    sent = messages.send(
        call.ctx,
        call.actor,
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


@router.put("/messages/{message_id}/read")
def mark_message_read(call: CallDep, campaign_id: str, message_id: str) -> None:
    """Note that you have read a message."""
    messages.mark_read(call.ctx, call.actor, campaign_id, message_id)


@router.post("/gm/announcements", MessageInfo, "wrong_status", status=201)
def announce(call: CallDep, campaign_id: str, body: AnnouncementWanted) -> Response:
    """Tell everyone something, spectators and webhooks too. The game master's."""
    sent = messages.announce(call.ctx, call.actor, campaign_id, body.body, subject=body.subject)
    return made(sent, f"{PREFIX}/campaigns/{campaign_id}/messages")


@router.get("/declarations", Page[DeclarationInfo], public=True)
def list_declarations(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the declarations you may know of, oldest first."""
    return call.answer(cut(messages.declarations(call.ctx, call.actor, campaign_id), portion))


@router.post("/declarations", DeclarationInfo, "wrong_status", status=201)
def declare(call: CallDep, campaign_id: str, body: DeclarationWanted, seat: Seat = None) -> Response:
    """Declare something to a player or to everyone."""
    declared = messages.declare(
        call.ctx, call.actor, campaign_id, body.kind, toward=body.toward, public=body.public, body=body.body, seat=seat
    )
    return created(declared)


blocks = Endpoints("people")


class BlockWanted(Body):
    """An account you have blocked."""

    name: Annotated[str, Field(max_length=200, description="Of the account.", examples=["Mallory"])]


class PersonReportWanted(Body):
    """What the operators should know of someone."""

    why: Annotated[str, Field(max_length=2 * MAX_WHY, examples=["They threaten me in every letter."])]
    message_id: str | None = Field(
        None, max_length=64, description="A message one got from them: its words go along with the report."
    )


@blocks.get("/me/blocks", Page[BlockInfo])
def list_blocks(call: CallDep, portion: PortionDep) -> Response:
    """Return the accounts you have blocked, the latest first."""
    return call.answer(cut(blocking.blocks(call.ctx, call.actor), portion))


@blocks.post("/me/blocks", BlockInfo, "limit_reached", status=201)
def block_account(call: CallDep, body: BlockWanted) -> Response:
    """Block the account of that name: you see none of their messages, and they cannot invite you. They do not hear."""
    return created(blocking.block_account(call.ctx, call.actor, body.name))


@blocks.delete("/me/blocks/{block_id}")
def unblock(call: CallDep, block_id: str) -> None:
    """Take a block back: their messages are there again."""
    blocking.unblock(call.ctx, call.actor, block_id)


@blocks.get("/me/reports", Page[OwnReport])
def list_own_reports(call: CallDep, portion: PortionDep) -> Response:
    """Return your reports of people, the latest first, and whether the operators have settled them."""
    return call.answer(cut(blocking.own_reports(call.ctx, call.actor), portion))


@blocks.put("/campaigns/{campaign_id}/people/{player_id}/block", BlockInfo, "limit_reached")
def block_person(call: CallDep, campaign_id: str, player_id: str) -> Response:
    """Block the player in a seat (`gm`: the game master). In an anonymous campaign the block holds there alone."""
    return created(blocking.block_seat(call.ctx, call.actor, campaign_id, player_id), 200)


@blocks.post("/campaigns/{campaign_id}/people/{player_id}/reports", None, "limit_reached")
def report_person(call: CallDep, campaign_id: str, player_id: str, body: PersonReportWanted) -> None:
    """Tell the operators of the server about someone (`gm`: the game master). Nobody else learns of it."""
    blocking.report(call.ctx, call.actor, campaign_id, player_id, body.why, message_id=body.message_id)
