"""The chronicle: stories of battles as their sides tell them, and the pictures in them."""

from __future__ import annotations

from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit, Page, cut
from server.api.routers.tables import Side, Watch, for_guests
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import (
    FILE,
    JPEG,
    created,
    if_match_revision,
    json_response,
    made,
    no_content,
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

router = APIRouter(route_class=Route, tags=["chronicle"])

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


@router.get("/tables/{table_id}/stories", response_model=Page[StoryInfo], openapi_extra=for_guests())
def list_table_stories(
    request: Request, parts: ServerDep, actor: ActorDep, table_id: str, watch: Watch = None, cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:  # fmt: skip
    """Return the stories of both sides of a tabletop game."""
    return json_response(request, cut(chronicle.of_table(parts.ctx, actor, table_id, watch), cursor, limit))


@router.put("/tables/{table_id}/stories/{side}", response_model=StoryInfo,
            openapi_extra=for_guests("wrong_status", "forbidden", "conflict", if_match=True))  # fmt: skip
def tell_story_of_table(
    request: Request, parts: ServerDep, actor: ActorDep, table_id: str, side: Side, body: StoryWanted
) -> Response:
    """Write or change the story of your side of a game that is over."""
    revision = if_match_revision(request.headers.get("if-match"))
    return _story_response(chronicle.tell_of_table(parts.ctx, actor, table_id, side, body.written(), revision))


@router.get("/campaigns/{campaign_id}/chronicle", response_model=Page[StoryInfo],
            openapi_extra=error_responses(public=True))  # fmt: skip
def read_chronicle(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the stories of a campaign's battles you may know of, the latest first."""
    return json_response(request, cut(chronicle.of_campaign(parts.ctx, actor, campaign_id), cursor, limit))


@router.get("/campaigns/{campaign_id}/untold", response_model=Page[UnreportedBattle], openapi_extra=error_responses())
def list_untold_battles(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Return the battles your seat fought and has told nothing of, the last ones first."""
    return json_response(request, cut(chronicle.untold(parts.ctx, actor, campaign_id), cursor, limit))


@router.put("/campaigns/{campaign_id}/chronicle/{turn}/{hex}", response_model=StoryInfo,
            openapi_extra=error_responses("forbidden", "conflict", if_match=True))  # fmt: skip
def tell_story_of_battle(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, turn: int, hex: str, body: StoryWanted,
    seat: Seat = None,
) -> Response:  # fmt: skip
    """Write or change the story of your side of a battle that was not played at a table here."""
    revision = if_match_revision(request.headers.get("if-match"))
    written = body.written()
    return _story_response(chronicle.tell_of_battle(parts.ctx, actor, campaign_id, turn, hex, written, revision, seat))


@router.get("/stories/{story_id}", response_model=StoryInfo, openapi_extra=for_guests())
def get_story(request: Request, parts: ServerDep, actor: ActorDep, story_id: str, watch: Watch = None) -> Response:
    """Return a story."""
    found = chronicle.get(parts.ctx, actor, story_id, watch)
    return json_response(request, found, etag=f'"{found.revision}"')


@router.delete("/stories/{story_id}", status_code=204, openapi_extra=for_guests("forbidden"))
def remove_story(parts: ServerDep, actor: ActorDep, story_id: str) -> Response:
    """Delete a story with its pictures: who wrote it, and the game master."""
    chronicle.remove(parts.ctx, actor, story_id)
    return no_content()


@router.post("/stories/{story_id}/pictures", status_code=201, response_model=PictureInfo,
             openapi_extra=for_guests("forbidden", "limit_reached", raw=True, heavy=True) | PICTURE)  # fmt: skip
async def add_story_picture(
    request: Request, parts: ServerDep, actor: ActorDep, story_id: str,
    alt: Annotated[str, Query(max_length=2 * MAX_ALT, description="What it shows.")] = "",
) -> Response:  # fmt: skip
    """Add a picture (JPEG, PNG, WebP; at most 8 MB). It is encoded again, without the other data of its file."""
    data = await request.body()
    added = await to_thread.run_sync(chronicle.add_picture, parts.ctx, actor, story_id, data, alt)
    return made(added, f"{PREFIX}/stories/{story_id}/pictures/{added.id}")


@router.get("/stories/{story_id}/pictures/{picture_id}", response_class=Response, responses=pictures(JPEG),
            openapi_extra=for_guests())  # fmt: skip
def get_story_picture(
    request: Request, parts: ServerDep, actor: ActorDep, story_id: str, picture_id: str, watch: Watch = None
) -> Response:
    """Return a picture of a story."""
    content = chronicle.picture(parts.ctx, actor, story_id, picture_id, watch)
    return picture_response(request, content, JPEG, "picture.jpg")


@router.delete("/stories/{story_id}/pictures/{picture_id}", status_code=204, openapi_extra=for_guests("forbidden"))
def drop_story_picture(parts: ServerDep, actor: ActorDep, story_id: str, picture_id: str) -> Response:
    """Take a picture out of a story: who wrote it, and the game master."""
    chronicle.drop_picture(parts.ctx, actor, story_id, picture_id)
    return no_content()


def _story_response(story: StoryInfo) -> Response:
    return created(story, 200, headers={"ETag": f'"{story.revision}"'})
