"""Following a campaign, or everything that concerns your account, as it happens."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Depends, Header
from fastapi.sse import EventSourceResponse, ServerSentEvent

from server.api.endpoints import CallDep, Endpoints
from server.api.following import Opening, follow, opening
from server.http.signing import asking
from server.play.accounts import accounts
from server.play.campaigns import campaigns, dashboard
from server.play.notices import notices

router = Endpoints("live")

LastId = Annotated[str | None, Header(alias="Last-Event-ID", description="The id of the last event one has seen.")]


def _campaign(call: CallDep, campaign_id: str, last_id: LastId = None) -> Iterator[Opening]:
    def topics() -> list[str]:
        return notices.campaign_topics(call.ctx, asking(call.server, call.request, public=True), campaign_id)

    def state() -> dict[str, object]:
        return asdict(campaigns.get(call.ctx, call.actor, campaign_id))

    with opening(call.server, call.actor, topics, state, last_id, nobody=call.address, over=_is_over) as opened:
        yield opened


def _is_over(campaign: Mapping[str, Any]) -> bool:
    return campaign["status"] in ("finished", "archived", "deleted")


def _account(call: CallDep, last_id: LastId = None) -> Iterator[Opening]:
    def topics() -> list[str]:
        return notices.own_topics(asking(call.server, call.request, public=False))

    def state() -> dict[str, object]:
        mine = dashboard.find(call.ctx, call.actor, mine=True, limit=dashboard.MAX_PAGE_SIZE)
        return {
            "account": asdict(accounts.me(call.ctx, call.actor)),
            "campaigns": [asdict(campaign) for campaign in mine.items],
        }

    with opening(call.server, call.actor, topics, state, last_id) as opened:
        yield opened


@router.get(
    "/campaigns/{campaign_id}/stream", None, "too_many_streams", response_class=EventSourceResponse, public=True
)
async def follow_campaign(opened: Annotated[Opening, Depends(_campaign)]) -> AsyncIterator[ServerSentEvent]:
    """Follow a campaign: first the campaign (`state`), then its events, as far as you may know of them.

    The stream ends with the campaign: after `finished`, or after the `state` of a campaign that is over.
    """
    async for event in follow(opened):
        yield event


@router.get("/me/stream", None, "too_many_streams", response_class=EventSourceResponse)
async def follow_account(opened: Annotated[Opening, Depends(_account)]) -> AsyncIterator[ServerSentEvent]:
    """Follow everything that concerns your account, over all campaigns."""
    async for event in follow(opened):
        yield event
