"""Campaigns: found, made, changed, started, voted on, finished, deleted; the scenarios and rulesets for them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from fastapi import Path, Query, Response
from pydantic import Field

from server.api.bodies import Body, given
from server.api.description.ground import Scenario
from server.api.endpoints import CallDep, Endpoints
from server.api.pages import Page, PortionDep, cut
from server.http.middleware import PREFIX
from server.http.responses import body_of, created, etag_of, made, revision_of, tag_of
from server.play.campaigns import campaign_start, campaigns, catalog, dashboard, votes
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.campaigns.catalog import RulesetInfo, ScenarioInfo
from server.play.campaigns.dashboard import CampaignPage
from server.play.campaigns.votes import VoteInfo
from server.play.errors import PlayError
from server.play.game_masters import handover
from server.play.records import records

router = Endpoints("campaigns", "/campaigns")

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


@router.get("", CampaignPage, public=True)
def find_campaigns(
    call: CallDep,
    portion: PortionDep,
    text: Annotated[str, Query(max_length=80, description="What the name holds.")] = "",
    status: Annotated[Status | None, Query()] = None,
    mine: Annotated[bool, Query(description="Only those one plays in or runs.")] = False,
    joinable: Annotated[bool, Query(description="Only those not started, or with a seat to take over.")] = False,
) -> Response:
    """Return campaigns you may know of, newest first."""
    return call.answer(
        dashboard.find(
            call.ctx,
            call.actor,
            text=text,
            status=status,
            mine=mine,
            joinable=joinable,
            cursor=portion.cursor or None,
            limit=portion.limit,
        ),
    )


@router.post(
    "", CampaignInfo, "unknown_scenario", "unknown_ruleset", "too_large", "limit_reached", status=201, heavy=True
)
def create_campaign(call: CallDep, body: CampaignWanted) -> Response:
    """Create a campaign; its maker is the game master. The dice are fixed now (D-81)."""
    if not body.scenario and body.scenario_data is None:
        raise PlayError(
            "invalid_request", "A scenario is needed: its id here, or all of it as scenario_data.", field="scenario"
        )
    scenario = body.scenario or catalog.SCENARIO_ID
    campaign = campaigns.create(call.ctx, call.actor, NewCampaign(**body.model_dump() | {"scenario": scenario}))
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


@router.get("/{campaign_id}", CampaignInfo, public=True)
def get_campaign(call: CallDep, campaign_id: str) -> Response:
    """Return a campaign: what it is played by, who sits where, what is open and until when."""
    body = body_of(campaigns.get(call.ctx, call.actor, campaign_id))
    return call.answer(body, etag=tag_of(sha256(body).hexdigest()))


@router.patch("/{campaign_id}", CampaignInfo, "wrong_status", if_match=True)
def change_campaign(
    call: CallDep,
    campaign_id: str,
    body: CampaignChange,
    revision: Annotated[int | None, Query(ge=0, description="Refuse the write if it is at another one.")] = None,
) -> Response:
    """Change what is given; of a campaign that has started the rules stay as they are. The game master's."""
    if revision is None:
        match = call.request.headers.get("if-match")
        revision = revision_of(match, lambda: campaigns.get(call.ctx, call.actor, campaign_id))
    changed = campaigns.change(call.ctx, call.actor, campaign_id, **given(body), revision=revision)
    return created(changed, 200, headers={"ETag": etag_of(changed)})


@router.delete("/{campaign_id}", Deletion, "wrong_status")
def delete_campaign(call: CallDep, campaign_id: str) -> Response:
    """Mark a campaign deleted; for some days it can be brought back. The game master's."""
    return created(Deletion(campaigns.remove(call.ctx, call.actor, campaign_id)), 200)


@router.post("/{campaign_id}/restore", None, "wrong_status")
def restore_campaign(call: CallDep, campaign_id: str) -> None:
    """Bring a deleted campaign back; one that ran is paused. The game master's."""
    campaigns.restore(call.ctx, call.actor, campaign_id)


@router.post("/{campaign_id}/start", None, "wrong_status", "too_few_players")
def start_campaign(call: CallDep, campaign_id: str) -> None:
    """Begin with those who have joined. The game master's."""
    campaign_start.start(call.ctx, call.actor, campaign_id)


@router.post("/{campaign_id}/pause", None, "wrong_status")
def pause_campaign(call: CallDep, campaign_id: str, body: Reason) -> None:
    """Stop the clock. The game master's."""
    campaigns.pause(call.ctx, call.actor, campaign_id, body.why)


@router.post("/{campaign_id}/resume", None, "wrong_status")
def resume_campaign(call: CallDep, campaign_id: str, body: Reason) -> None:
    """Go on; the open phase has as much time left as it had. The game master's."""
    campaigns.resume(call.ctx, call.actor, campaign_id, body.why)


@router.post("/{campaign_id}/finish", None, "wrong_status")
def finish_campaign(call: CallDep, campaign_id: str, body: Reason) -> None:
    """End the campaign by hand, without a winner; the record becomes public after some days. The game master's."""
    campaigns.finish(call.ctx, call.actor, campaign_id, body.why)


@router.post("/{campaign_id}/publish", None, "wrong_status", "record_public")
def publish_record(call: CallDep, campaign_id: str) -> None:
    """Make the record of a campaign that is over public now; nobody can go back any more. The game master's."""
    records.publish(call.ctx, call.actor, campaign_id)


@router.post("/{campaign_id}/archive", None, "wrong_status")
def archive_campaign(call: CallDep, campaign_id: str) -> None:
    """Put a finished campaign away. The game master's."""
    campaigns.archive(call.ctx, call.actor, campaign_id)


@router.post("/{campaign_id}/offer/accept", None, "wrong_status")
def take_campaign_over(call: CallDep, campaign_id: str) -> None:
    """Accept the game master's offer to become the new one; everyone is notified."""
    handover.accept(call.ctx, call.actor, campaign_id)


@router.post("/{campaign_id}/offer/decline")
def decline_campaign(call: CallDep, campaign_id: str) -> None:
    """Do not become the game master, though one was asked."""
    handover.decline(call.ctx, call.actor, campaign_id)


library = Endpoints("campaigns")


@library.get("/scenarios", Page[ScenarioInfo], public=True)
def list_scenarios(call: CallDep, portion: PortionDep) -> Response:
    """Return the scenarios that come with the server."""
    return call.answer(cut(catalog.scenarios(), portion))


@library.get("/scenarios/{scenario_id}", Scenario, public=True)
def get_scenario(call: CallDep, scenario_id: str) -> Response:
    """Return a scenario as its file has it (docs/maps.md)."""
    return call.answer(catalog.scenario(scenario_id))


@library.get("/rulesets", Page[RulesetInfo], public=True)
def list_rulesets(call: CallDep, portion: PortionDep) -> Response:
    """Return the rulesets that come with the server."""
    return call.answer(cut(catalog.all_rulesets(), portion))


vote = Endpoints("campaigns", "/campaigns/{campaign_id}/votes")
Number = Annotated[int, Path(ge=1, le=2**31)]


class Proposal(Body):
    """An end that players can agree on."""

    about: Literal["draw", "peace", "concede"] = Field(
        description="`draw`: all who are in share the victory. `peace`: victory points decide, as they are. "
        "`concede`: the others concede to a player.",
        examples=["draw"],
    )
    winner: str = Field("", max_length=32, description="The player to whom the others concede.", examples=["p2"])
    why: str = Field("", max_length=10_000, description="For everybody to read.", examples=["We move on."])


class Answer(Body):
    """Whether you agree."""

    agrees: bool


@vote.get("", Page[VoteInfo], public=True)
def list_votes(call: CallDep, campaign_id: str) -> Response:
    """Return the votes on the end of the campaign, the first one first."""
    return call.answer({"items": votes.listed(call.ctx, call.actor, campaign_id), "next": None})


@vote.post("", VoteInfo, "phase_closed", status=201)
def open_vote(call: CallDep, campaign_id: str, body: Proposal) -> Response:
    """Open a vote on the end of the campaign; you agree by it. Those who are absent do not block."""
    found = votes.propose(call.ctx, call.actor, campaign_id, body.about, winner=body.winner, why=body.why)
    return made(found, f"{PREFIX}/campaigns/{campaign_id}/votes")


@vote.put("/{number}/answer", VoteInfo, "phase_closed")
def answer_vote(call: CallDep, campaign_id: str, number: Number, body: Answer) -> Response:
    """Agree, or not: the vote is carried when all agree, and ends when a player does not."""
    return created(votes.answer(call.ctx, call.actor, campaign_id, number, agrees=body.agrees), 200)


@vote.delete("/{number}")
def withdraw_vote(call: CallDep, campaign_id: str, number: Number) -> None:
    """Close a vote that you opened."""
    votes.withdraw(call.ctx, call.actor, campaign_id, number)
