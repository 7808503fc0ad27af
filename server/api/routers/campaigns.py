"""Campaigns: found, made, changed, started, paused, finished, archived, deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from server.api.bodies import Body, given
from server.api.openapi import error_responses
from server.api.pages import Cursor, Limit
from server.api.routes import Route
from server.http.context import ActorDep, ServerDep
from server.http.middleware import PREFIX
from server.http.responses import body_of, created, etag_of, json_response, made, no_content, revision_of, tag_of
from server.play.campaigns import campaign_search, campaign_start, campaigns, own_maps
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaign_search import CampaignPage
from server.play.campaigns.campaigns import NewCampaign
from server.play.errors import PlayError
from server.play.game_masters import handover
from server.play.records import sealing

router = APIRouter(route_class=Route, tags=["campaigns"], prefix="/campaigns")

Settings = Annotated[dict[str, Any], Field(max_length=40)]
OPTIONS = Field(
    description="Options of the server; what is left out has its default: `deadlines`, `anonymous`, `spectators`, "
    "`show_final`, `until_deadline`, `gm_sees_orders`, `gm_plays`, `stand_in`, `stand_in_after`, `warn_hours`, "
    "`table_date_days`, `table_wait_days`, `table_roles`, `computer_seats`, `computers_give_up`, `guests`, "
    "`practice`, `bot_level`, `seat_levels`, `take_over`, `out_watches`, `newcomer_deadlines`, "
    "`vote_days`, `abandoned_days`, `successor_days`, `holiday_days`, `starts_at`.",
    examples=[{"deadlines": {"kind": "rolling", "hours": 48}, "warn_hours": [24]}],
)
RULES = Field(
    description="What the campaign chooses of the rules: `victory_points`, `territory`, `turn_limit`, "
    "`last_standing`, `capital_eliminates`, `alliances`, `shared_sight`, `muster`, `battles`, `fleet`, `start_bp`, ...",
    examples=[{"turn_limit": 20, "battles": "choice"}],
)
Status = Literal["open", "running", "paused", "finished", "archived", "deleted"]


class CampaignWanted(Body):
    """A new campaign."""

    name: str = Field(max_length=400, examples=["The Thirteen Towers"])
    scenario: str | None = Field(
        None, max_length=200, examples=["the-pass"],
        description="Id of a scenario of this server; needed unless there is `scenario_data`, of which it is the name.",
    )  # fmt: skip
    scenario_data: Settings | None = Field(None, description="One's own scenario, as `scenario.json` has it.")
    ruleset: str | None = Field(
        None,
        max_length=200,
        description="Id of a ruleset of this server. Null: that of `ruleset_data`, or the scenario's.",
    )
    ruleset_data: Settings | None = Field(None, description="One's own ruleset: what its TOML holds, as JSON.")
    description: str = Field("", max_length=100_000)
    listed: bool = Field(True, description="Everybody finds it; otherwise only who is invited.")
    options: Annotated[Settings, OPTIONS] = Field(default_factory=dict)
    rules: Annotated[Settings, RULES] = Field(default_factory=dict)


class CampaignChange(Body):
    """What to change of a campaign."""

    name: str | None = Field(None, max_length=400, examples=["The Thirteen Towers"])
    description: str | None = Field(None, max_length=100_000)
    listed: bool | None = None
    options: Annotated[Settings | None, OPTIONS] = None
    rules: Annotated[Settings | None, RULES] = None


class Reason(Body):
    """Why, for everyone to read."""

    why: str = Field("", max_length=10_000, examples=["The club is on holiday."])


@dataclass(frozen=True, slots=True)
class Deletion:
    """A campaign marked deleted."""

    gone_at: datetime
    """Until then it can be brought back."""


@router.get("", response_model=CampaignPage, openapi_extra=error_responses(public=True))
def find_campaigns(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    text: Annotated[str, Query(max_length=80, description="What the name holds.")] = "",
    status: Annotated[Status | None, Query()] = None,
    mine: Annotated[bool, Query(description="Only those one plays in or runs.")] = False,
    joinable: Annotated[bool, Query(description="Only those not started, or with a seat to take over.")] = False,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Return campaigns you may know of, newest first."""
    return json_response(
        request,
        campaign_search.find(
            parts.ctx,
            actor,
            text=text,
            status=status,
            mine=mine,
            joinable=joinable,
            cursor=cursor or None,
            limit=limit,
        ),
    )


@router.post("", status_code=201, response_model=CampaignInfo,
             openapi_extra=error_responses("unknown_scenario", "unknown_ruleset", "too_large", "limit_reached",
                                           heavy=True))  # fmt: skip
def create_campaign(parts: ServerDep, actor: ActorDep, body: CampaignWanted) -> Response:
    """Create a campaign; its maker is the game master. The dice are fixed now (D-81)."""
    if not body.scenario and body.scenario_data is None:
        raise PlayError(
            "invalid_request", "A scenario is needed: its id here, or all of it as scenario_data.", field="scenario"
        )
    scenario = body.scenario or own_maps.SCENARIO_ID
    campaign = campaigns.create(parts.ctx, actor, NewCampaign(**body.model_dump() | {"scenario": scenario}))
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


@router.get("/{campaign_id}", response_model=CampaignInfo, openapi_extra=error_responses(public=True))
def get_campaign(request: Request, parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Return a campaign: what it is played by, who sits where, what is open and until when."""
    body = body_of(campaigns.get(parts.ctx, actor, campaign_id))
    return json_response(request, body, etag=tag_of(sha256(body).hexdigest()))


@router.patch("/{campaign_id}", response_model=CampaignInfo,
              openapi_extra=error_responses("wrong_status", if_match=True))  # fmt: skip
def change_campaign(
    request: Request,
    parts: ServerDep,
    actor: ActorDep,
    campaign_id: str,
    body: CampaignChange,
    revision: Annotated[int | None, Query(ge=0, description="Refuse the write if it is at another one.")] = None,
) -> Response:
    """Change what is given; of a campaign that has started the rules stay as they are. The game master's."""
    if revision is None:
        match = request.headers.get("if-match")
        revision = revision_of(match, lambda: campaigns.get(parts.ctx, actor, campaign_id))
    changed = campaigns.change(parts.ctx, actor, campaign_id, **given(body), revision=revision)
    return created(changed, 200, headers={"ETag": etag_of(changed)})


@router.delete("/{campaign_id}", response_model=Deletion, openapi_extra=error_responses("wrong_status"))
def delete_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Mark a campaign deleted; for some days it can be brought back. The game master's."""
    return created(Deletion(campaigns.remove(parts.ctx, actor, campaign_id)), 200)


@router.post("/{campaign_id}/restore", status_code=204, openapi_extra=error_responses("wrong_status"))
def restore_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Bring a deleted campaign back; one that ran is paused. The game master's."""
    campaigns.restore(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/{campaign_id}/start", status_code=204, openapi_extra=error_responses("wrong_status", "too_few_players"))
def start_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Begin with those who have joined. The game master's."""
    campaign_start.start(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/{campaign_id}/pause", status_code=204, openapi_extra=error_responses("wrong_status"))
def pause_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Reason) -> Response:
    """Stop the clock. The game master's."""
    campaigns.pause(parts.ctx, actor, campaign_id, body.why)
    return no_content()


@router.post("/{campaign_id}/resume", status_code=204, openapi_extra=error_responses("wrong_status"))
def resume_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Reason) -> Response:
    """Go on; the open phase has as much time left as it had. The game master's."""
    campaigns.resume(parts.ctx, actor, campaign_id, body.why)
    return no_content()


@router.post("/{campaign_id}/finish", status_code=204, openapi_extra=error_responses("wrong_status"))
def finish_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str, body: Reason) -> Response:
    """End the campaign by hand, without a winner; the record becomes public after some days. The game master's."""
    campaigns.finish(parts.ctx, actor, campaign_id, body.why)
    return no_content()


@router.post("/{campaign_id}/publish", status_code=204, openapi_extra=error_responses("wrong_status", "record_public"))
def publish_record(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Make the record of a campaign that is over public now; nobody can go back any more. The game master's."""
    sealing.publish(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/{campaign_id}/archive", status_code=204, openapi_extra=error_responses("wrong_status"))
def archive_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Put a finished campaign away. The game master's."""
    campaigns.archive(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/{campaign_id}/offer/accept", status_code=204, openapi_extra=error_responses("wrong_status"))
def take_campaign_over(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Accept the game master's offer to become the new one; everyone is notified."""
    handover.accept(parts.ctx, actor, campaign_id)
    return no_content()


@router.post("/{campaign_id}/offer/decline", status_code=204, openapi_extra=error_responses())
def decline_campaign(parts: ServerDep, actor: ActorDep, campaign_id: str) -> Response:
    """Do not become the game master, though one was asked."""
    handover.decline(parts.ctx, actor, campaign_id)
    return no_content()
