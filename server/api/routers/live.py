"""Following a campaign, or everything that concerns your account, as it happens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from server.api.following import Opening, follow, opening
from server.api.openapi import error_responses
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.limits import origin
from server.http.signing import asking
from server.play.accounts import accounts
from server.play.campaigns import campaign_search, campaigns
from server.play.notices import notices

router = APIRouter(route_class=Route, tags=["live"])

LastId = Annotated[str | None, Header(alias="Last-Event-ID", description="The id of the last event one has seen.")]


def _campaign(
    request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str, last_id: LastId = None
) -> Iterator[Opening]:
    def topics() -> list[str]:
        return notices.campaign_topics(parts.ctx, asking(parts, request, public=True), campaign_id)

    def state() -> dict[str, object]:
        return asdict(campaigns.get(parts.ctx, actor, campaign_id))

    address = origin(request.client.host if request.client else "")
    with opening(parts, actor, topics, state, last_id, nobody=address, over=_is_over) as opened:
        yield opened


def _is_over(campaign: Mapping[str, Any]) -> bool:
    return campaign["status"] in ("finished", "archived", "deleted")


def _account(request: Request, parts: ServerDep, actor: ActorDep, last_id: LastId = None) -> Iterator[Opening]:
    def topics() -> list[str]:
        return notices.own_topics(asking(parts, request, public=False))

    def state() -> dict[str, object]:
        mine = campaign_search.find(parts.ctx, actor, mine=True, limit=campaign_search.MAX_PAGE_SIZE)
        return {
            "account": asdict(accounts.me(parts.ctx, actor)),
            "campaigns": [asdict(campaign) for campaign in mine.items],
        }

    with opening(parts, actor, topics, state, last_id) as opened:
        yield opened


@router.get("/campaigns/{campaign_id}/stream", response_class=EventSourceResponse,
            openapi_extra=error_responses("too_many_streams", public=True))  # fmt: skip
async def follow_campaign(opened: Annotated[Opening, Depends(_campaign)]) -> AsyncIterator[ServerSentEvent]:
    """Follow a campaign: first the campaign (`state`), then its events, as far as you may know of them.

    The stream ends with the campaign: after `finished`, or after the `state` of a campaign that is over.
    """
    async for event in follow(opened):
        yield event


@router.get("/me/stream", response_class=EventSourceResponse, openapi_extra=error_responses("too_many_streams"))
async def follow_account(opened: Annotated[Opening, Depends(_account)]) -> AsyncIterator[ServerSentEvent]:
    """Follow everything that concerns your account, over all campaigns."""
    async for event in follow(opened):
        yield event
