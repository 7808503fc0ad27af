"""Battles on the table while they are played: acts, how the game stands, its log, pictures, its stream."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.following import Opening, follow, opening
from server.api.idempotency import Answer
from server.api.pages import Page
from server.api.routers.live import LastId
from server.api.routers.tables import Watch
from server.http.middleware import PREFIX
from server.http.responses import PNG, STILL, SVG, created, picture_response, pictures
from server.http.signing import at_the_table
from server.play.archive import table_record as record
from server.play.tables import acts, reading, setting_up, telling
from server.play.tables.access import load
from server.play.tables.acts import Done
from server.play.tables.reading import Entry, Position
from server.play.tables.telling import table_topic
from server.render.png import to_png
from server.render.table.drawing import Drawing, game_drawing
from server.render.table.svg import draw
from server.render.translations import Translations

router = Endpoints("table", "/tables/{table_id}")

As = Annotated[
    Literal["red", "blue", "gm", "spectator", "open"] | None,
    Query(
        alias="as",
        description="Through whose eyes; left out: one's own, with one device for two red's. "
        "`open`, once the game is closed: what both sides knew, with `secret` where others did not.",
    ),
]
At = Annotated[
    int | None, Query(ge=0, le=100_000, description="How it stood when there were so many acts; left out: now.")
]
Language = Annotated[Literal["en", "de"], Query(description="Of the words in it.")]
MAX_WIDTH = 3000


class ActWanted(Body):
    """An act."""

    expected: Annotated[int, Field(ge=0, le=100_000, description="The number it will have: `acts` of the view.")]
    act: Annotated[
        dict[str, Any],
        Field(
            max_length=50,
            description="`do` and its fields, as `open` of the view offers them.",
            examples=[{"do": "end_phase"}],
        ),
    ]
    side: Annotated[Literal["red", "blue", "gm"] | None, Field(description="For whom, where one plays both sides.")] = (
        None
    )


@router.get("/view", Position, "wrong_status", guests=True)
def view_table(call: CallDep, table_id: str, as_: As = None, watch: Watch = None, at: At = None) -> Response:
    """Return how a game stands as you may know it, and what you could do now, with the values each field may take."""
    return call.answer(reading.position(call.ctx, call.actor, table_id, as_, watch, at))


@router.get("/acts", Page[Entry], "wrong_status", guests=True)
def list_acts(
    call: CallDep, table_id: str, as_: As = None, watch: Watch = None,
    after: Annotated[int, Query(ge=-2, le=100_000, description="The number of the last act one has; -2: none.")] = -2,
    limit: Annotated[int, Query(ge=1, le=reading.MAX_PAGE_SIZE)] = reading.MAX_PAGE_SIZE,
) -> Response:  # fmt: skip
    """Return the log: acts with what happened, as far as you may know of it; number -1 is the beginning."""
    found = reading.log(call.ctx, call.actor, table_id, first=after + 1, limit=limit, as_=as_, watch=watch)
    return call.answer({"items": found, "next": None})


@router.post(
    "/acts", Done, "act_refused", "stale_act", "wrong_status", "forbidden", "limit_reached", status=201, guests=True
)
def act_at_table(call: CallDep, table_id: str, body: ActWanted) -> Response:
    """Do an act. `stale_act` (412) where someone acted meanwhile: read the log, then ask again or not."""
    answer = Answer[Done](lambda done: created(done, headers={"Location": f"{PREFIX}/tables/{table_id}/acts"}))
    acts.submit(call.ctx, call.actor, table_id, body.expected, body.act, body.side, answer)
    return answer.response


@router.get("/picture.svg", None, "wrong_status", response_class=Response, responses=pictures(SVG), guests=True)
def draw_table(
    call: CallDep, table_id: str, as_: As = None, watch: Watch = None, at: At = None, language: Language = "en",
    grey: bool = False, turned: Annotated[bool, Query(description="As someone sees it who sits opposite.")] = False,
    size: Annotated[float, Query(ge=0.25, le=8, description="How much larger single marks are drawn.")] = 1,
    names: Annotated[bool, Query(description="Units are called by their names.")] = False,
) -> Response:  # fmt: skip
    """Return the table as you may know it as an SVG picture."""
    drawn = reading.drawn(call.ctx, call.actor, table_id, as_, watch, at)
    svg = draw(_drawing(drawn, language), grey=grey, turned=turned, size=size, names=names)
    return picture_response(call.request, svg.encode(), SVG, "table.svg", headers=STILL)


@router.get("/picture.png", None, "wrong_status", response_class=Response, responses=pictures(PNG), guests=True)
def draw_table_as_png(
    call: CallDep, table_id: str, as_: As = None, watch: Watch = None, at: At = None, language: Language = "en",
    grey: bool = False, width: Annotated[int, Query(ge=100, le=MAX_WIDTH, description="Pixels.")] = 1000,
) -> Response:  # fmt: skip
    """Return the same as a PNG picture."""
    drawn = reading.drawn(call.ctx, call.actor, table_id, as_, watch, at)
    svg = draw(_drawing(drawn, language), grey=grey)
    return picture_response(call.request, to_png(svg, width=width), PNG, "table.png")


@router.get(
    "/record", None, "forbidden", response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}}, guests=True,
)  # fmt: skip
def export_table(call: CallDep, table_id: str, watch: Watch = None) -> Response:
    """Return a closed game as one file, which `sealed-orders verify` checks offline."""
    file = {"Content-Disposition": f'attachment; filename="{table_id}.sealed"'}
    content = record.export(call.ctx, call.actor, table_id, watch)
    return Response(content, media_type="application/octet-stream", headers=file)


def _drawing(drawn: reading.Drawn, language: str) -> Drawing:
    return game_drawing(drawn.mission, drawn.view, Translations(language), drawn.pieces, drawn.players, drawn.numbers)


def _stream(call: CallDep, table_id: str, watch: Watch = None, last_id: LastId = None) -> Iterator[Opening]:
    def topics() -> list[str]:
        asking = at_the_table(call.server, call.request)
        with call.server.database.read() as session:
            sides = load(session, asking, table_id, watch).sides
        telling.seen_at_table(call.ctx, table_id, sides)
        return [table_topic(table_id)]

    def state() -> dict[str, Any]:
        return asdict(setting_up.get(call.ctx, call.actor, table_id, watch))

    with opening(call.server, call.actor, topics, state, last_id, nobody=call.address, asks_again=True) as opened:
        yield opened


@router.get("/stream", None, "too_many_streams", response_class=EventSourceResponse, guests=True)
async def follow_table(opened: Annotated[Opening, Depends(_stream)]) -> AsyncIterator[ServerSentEvent]:
    """Follow a game: the game first (`state`), then `act` with how many acts there are, `seats`, `started` ..."""
    async for event in follow(opened):
        yield event
