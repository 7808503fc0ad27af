"""The chronicle: stories of battles as their sides tell them, and the pictures in them."""

from __future__ import annotations

from typing import Annotated

from anyio import to_thread
from fastapi import Query, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.api.routers.tables import Side, Watch
from server.http.middleware import PREFIX
from server.http.responses import (
    FILE,
    JPEG,
    created,
    made,
    picture_response,
    pictures,
)
from server.play.messages import chronicle
from server.play.messages.chronicle import (
    MAX_ALT,
    MAX_BODY,
    MAX_TITLE,
    PictureInfo,
    StoryInfo,
    StoryText,
    UnreportedBattle,
)

router = Endpoints("chronicle")

Seat = Annotated[str | None, Query(max_length=32, description="The seat, where one orders for several.")]
PICTURE = {"requestBody": {"required": True, "content": {FILE: {"schema": {"type": "string", "format": "binary"}}}}}


class StoryWanted(Body):
    """The story of a battle."""

    title: Annotated[str, Field(max_length=2 * MAX_TITLE, examples=["The bridge holds"])]
    body: Annotated[str, Field(max_length=2 * MAX_BODY, description="Plain text; an empty line begins a paragraph.")]
    held: Annotated[bool, Field(description="The others read it when the campaign is over.")] = False

    def written(self) -> StoryText:
        """Return it as the use cases take it."""
        return StoryText(self.title, self.body, self.held)


@router.get("/tables/{table_id}/stories", Page[StoryInfo], guests=True)
def list_table_stories(call: CallDep, table_id: str, portion: PortionDep, watch: Watch = None) -> Response:
    """Return the stories of both sides of a tabletop game."""
    return call.answer(cut(chronicle.of_table(call.ctx, call.actor, table_id, watch), portion))


@router.put(
    "/tables/{table_id}/stories/{side}", StoryInfo, "wrong_status", "forbidden", "conflict", guests=True, if_match=True
)
def tell_story_of_table(call: CallDep, table_id: str, side: Side, body: StoryWanted) -> Response:
    """Write or change the story of your side of a game that is over."""
    return _story_response(chronicle.tell_of_table(call.ctx, call.actor, table_id, side, body.written(), call.revision))


@router.get("/campaigns/{campaign_id}/chronicle", Page[StoryInfo], public=True)
def read_chronicle(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the stories of a campaign's battles you may know of, the latest first."""
    return call.answer(cut(chronicle.of_campaign(call.ctx, call.actor, campaign_id), portion))


@router.get("/campaigns/{campaign_id}/untold", Page[UnreportedBattle])
def list_untold_battles(call: CallDep, campaign_id: str, portion: PortionDep) -> Response:
    """Return the battles your seat fought and has told nothing of, the last ones first."""
    return call.answer(cut(chronicle.untold(call.ctx, call.actor, campaign_id), portion))


@router.put("/campaigns/{campaign_id}/chronicle/{turn}/{hex}", StoryInfo, "forbidden", "conflict", if_match=True)
def tell_story_of_battle(
    call: CallDep, campaign_id: str, turn: int, hex: str, body: StoryWanted, seat: Seat = None
) -> Response:
    """Write or change the story of your side of a battle that was not played at a table here."""
    written = body.written()
    return _story_response(
        chronicle.tell_of_battle(call.ctx, call.actor, campaign_id, turn, hex, written, call.revision, seat)
    )


@router.get("/stories/{story_id}", StoryInfo, guests=True)
def get_story(call: CallDep, story_id: str, watch: Watch = None) -> Response:
    """Return a story."""
    found = chronicle.get(call.ctx, call.actor, story_id, watch)
    return call.answer(found, etag=f'"{found.revision}"')


@router.delete("/stories/{story_id}", None, "forbidden", guests=True)
def remove_story(call: CallDep, story_id: str) -> None:
    """Delete a story with its pictures: who wrote it, and the game master."""
    chronicle.remove(call.ctx, call.actor, story_id)


@router.post(
    "/stories/{story_id}/pictures", PictureInfo, "forbidden", "limit_reached", status=201, guests=True, raw=True,
    heavy=True, extra=PICTURE,
)  # fmt: skip
async def add_story_picture(
    call: CallDep, story_id: str, alt: Annotated[str, Query(max_length=2 * MAX_ALT, description="What it shows.")] = ""
) -> Response:
    """Add a picture (JPEG, PNG, WebP; at most 8 MB). It is encoded again, without the other data of its file."""
    data = await call.request.body()
    added = await to_thread.run_sync(chronicle.add_picture, call.ctx, call.actor, story_id, data, alt)
    return made(added, f"{PREFIX}/stories/{story_id}/pictures/{added.id}")


@router.get("/stories/{story_id}/pictures/{picture_id}", response_class=Response, responses=pictures(JPEG), guests=True)
def get_story_picture(call: CallDep, story_id: str, picture_id: str, watch: Watch = None) -> Response:
    """Return a picture of a story."""
    content = chronicle.picture(call.ctx, call.actor, story_id, picture_id, watch)
    return picture_response(call.request, content, JPEG, "picture.jpg")


@router.delete("/stories/{story_id}/pictures/{picture_id}", None, "forbidden", guests=True)
def drop_story_picture(call: CallDep, story_id: str, picture_id: str) -> None:
    """Take a picture out of a story: who wrote it, and the game master."""
    chronicle.drop_picture(call.ctx, call.actor, story_id, picture_id)


def _story_response(story: StoryInfo) -> Response:
    return created(story, 200, headers={"ETag": f'"{story.revision}"'})
