"""Notebooks: notes of turns and pins in the map, for their owner and the owner's substitute alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.responses import created, json_response, no_content
from server.play.messages import notebook
from server.play.messages.notebook import MAX_NOTE, MAX_PIN, Notebook, NoteInfo, PinInfo

router = APIRouter(route_class=Route, tags=["notebook"], prefix="/campaigns/{campaign_id}/notebook")

Seat = Annotated[str | None, Query(max_length=32, description="The seat, where one orders for several.")]


class NoteWanted(Body):
    """What to note of a turn."""

    text: Annotated[str, Field(max_length=2 * MAX_NOTE, examples=["They will come over the bridge."])]


class PinWanted(Body):
    """A pin to put into a hex."""

    text: Annotated[str, Field(max_length=2 * MAX_PIN, examples=["Column 4 seen here"])]
    turn: Annotated[
        int | None, Field(description="Since which turn it is there; null: as it was, a new one since now.")
    ] = None


@router.get("", response_model=Notebook, openapi_extra=error_responses("forbidden"))
def read_notebook(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, seat: Seat = None) -> Response:
    """Return all that you noted: notes by turn, pins by hex. Nobody else reads it but your substitute."""
    return json_response(request, notebook.read(parts.ctx, actor, campaign_id, seat))


@router.put("/notes/{turn}", response_model=NoteInfo, openapi_extra=error_responses("forbidden"))
def write_note(
    parts: ServerDep, actor: ActorDep, campaign_id: str, turn: int, body: NoteWanted, seat: Seat = None
) -> Response:
    """Note something about a turn; it replaces the earlier note."""
    return created(notebook.write_note(parts.ctx, actor, campaign_id, turn, body.text, seat), 200)


@router.delete("/notes/{turn}", status_code=204, openapi_extra=error_responses("forbidden"))
def drop_note(parts: ServerDep, actor: ActorDep, campaign_id: str, turn: int, seat: Seat = None) -> Response:
    """Throw away what was noted of a turn."""
    notebook.drop_note(parts.ctx, actor, campaign_id, turn, seat)
    return no_content()


@router.put("/pins/{hex}", response_model=PinInfo, openapi_extra=error_responses("forbidden", "limit_reached"))
def put_pin(
    parts: ServerDep, actor: ActorDep, campaign_id: str, hex: str, body: PinWanted, seat: Seat = None
) -> Response:
    """Put a pin with a few words into a hex, or change the one there."""
    return created(notebook.put_pin(parts.ctx, actor, campaign_id, hex, body.text, body.turn, seat), 200)


@router.delete("/pins/{hex}", status_code=204, openapi_extra=error_responses("forbidden"))
def drop_pin(parts: ServerDep, actor: ActorDep, campaign_id: str, hex: str, seat: Seat = None) -> Response:
    """Pull a pin out of the map."""
    notebook.drop_pin(parts.ctx, actor, campaign_id, hex, seat)
    return no_content()
