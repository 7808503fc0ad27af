"""Notebooks: notes of turns and pins in the map, for their owner and the owner's substitute alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.http.responses import created
from server.play.messages import notebook
from server.play.messages.notebook import MAX_NOTE, MAX_PIN, Notebook, NoteInfo, PinInfo

router = Endpoints("notebook", "/campaigns/{campaign_id}/notebook")

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


@router.get("", Notebook, "forbidden")
def read_notebook(call: CallDep, campaign_id: str, seat: Seat = None) -> Response:
    """Return all that you noted: notes by turn, pins by hex. Nobody else reads it but your substitute."""
    return call.answer(notebook.read(call.ctx, call.actor, campaign_id, seat))


@router.put("/notes/{turn}", NoteInfo, "forbidden")
def write_note(call: CallDep, campaign_id: str, turn: int, body: NoteWanted, seat: Seat = None) -> Response:
    """Note something about a turn; it replaces the earlier note."""
    return created(notebook.write_note(call.ctx, call.actor, campaign_id, turn, body.text, seat), 200)


@router.delete("/notes/{turn}", None, "forbidden")
def drop_note(call: CallDep, campaign_id: str, turn: int, seat: Seat = None) -> None:
    """Throw away what was noted of a turn."""
    notebook.drop_note(call.ctx, call.actor, campaign_id, turn, seat)


@router.put("/pins/{hex}", PinInfo, "forbidden", "limit_reached")
def put_pin(call: CallDep, campaign_id: str, hex: str, body: PinWanted, seat: Seat = None) -> Response:
    """Put a pin with a few words into a hex, or change the one there."""
    return created(notebook.put_pin(call.ctx, call.actor, campaign_id, hex, body.text, body.turn, seat), 200)


@router.delete("/pins/{hex}", None, "forbidden")
def drop_pin(call: CallDep, campaign_id: str, hex: str, seat: Seat = None) -> None:
    """Pull a pin out of the map."""
    notebook.drop_pin(call.ctx, call.actor, campaign_id, hex, seat)
