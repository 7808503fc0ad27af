"""Practice: a private campaign against computer players, from its first turn or from a position you may read."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Response
from pydantic import Field

from server.api.bodies import Body
from server.api.endpoints import CallDep, Endpoints
from server.bots.levels import LEVELS, REGULAR
from server.http.middleware import PREFIX
from server.http.responses import made
from server.play.campaigns import practice
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.campaigns.practice import NewPractice, PracticeInfo

new = Endpoints("campaigns")
router = Endpoints("history", "/campaigns/{campaign_id}")


class SoloWanted(Body):
    """A game alone against computer players."""

    scenario: str = Field("the-pass", max_length=64, description="Id of one of the server's maps.")
    ruleset: str | None = Field(None, max_length=64, description="Id of a ruleset; null: the map's own.")
    faction: str = Field("", max_length=64, description="Faction to play; empty: dice choose.")
    name: str = Field("Practice", max_length=400, description="Name of the campaign.")
    level: str = Field(REGULAR, max_length=32, description=f"How well the others play: {', '.join(LEVELS)}.")
    give_up: bool = Field(False, description="A computer player is out when it was hopeless two turns in a row.")
    rules: dict[str, Any] = Field(default_factory=dict, description="Settings of the rules, such as a turn limit.")


_REFUSED = ("unknown_scenario", "unknown_ruleset", "unknown_faction", "limit_reached")


@new.post("/practice", CampaignInfo, *_REFUSED, status=201)
def start_practice(call: CallDep, body: SoloWanted) -> Response:
    """Create and start a campaign against computer players; the scope `orders` is enough."""
    wanted = NewCampaign(body.name, body.scenario, ruleset=body.ruleset, listed=False, rules=body.rules)
    campaign = practice.begin(call.ctx, call.actor, wanted, body.faction, practice.Opponents(body.level, body.give_up))
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


class PracticeWanted(Body):
    """The position to practise, and the opponents."""

    number: Annotated[
        int | None,
        Field(
            ge=0, le=2**31 - 1, description="Of the finished phase that is meant; null: the last that can be played on."
        ),
    ] = None
    branch: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="A line of play; null: the one played on.")] = (
        None
    )
    as_: str | None = Field(
        None, alias="as", max_length=32, description="As whom one reads the position, where one may."
    )
    seat: str | None = Field(None, max_length=32, description="Whose seat one takes; null: the reader's.")
    name: str = Field("", max_length=400, description="Empty: the campaign's, and the phase.")
    level: str = Field(REGULAR, max_length=32, description=f"How well the others play: {', '.join(LEVELS)}.")
    give_up: bool = Field(False, description="A computer player is out when it was hopeless two turns in a row.")


@router.post("/practice", CampaignInfo, "wrong_status", "limit_reached", status=201, heavy=True)
def practise(call: CallDep, campaign_id: str, body: PracticeWanted) -> Response:
    """Open a position as a practice against computer players; what you could not see is invented by dice."""
    campaign = practice.create(call.ctx, call.actor, campaign_id, NewPractice(**body.model_dump()))
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


class PlayingOn(Body):
    """From where to play on."""

    number: Annotated[int | None, Field(ge=0, le=2**31 - 1, description="Of the finished phase; null: the last.")] = (
        None
    )
    branch: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="A line of play; null: the last.")] = None
    name: str = Field("", max_length=400, description="Empty: the campaign's, and the phase.")


@router.post("/continuation", CampaignInfo, "wrong_status", "limit_reached", status=201, heavy=True)
def play_on_from_here(call: CallDep, campaign_id: str, body: PlayingOn) -> Response:
    """Play on from a public record: a new campaign with dice of its own. Yours to run, paused, its seats are free."""
    campaign = practice.play_on(
        call.ctx, call.actor, campaign_id, number=body.number, branch=body.branch, name=body.name
    )
    return made(campaign, f"{PREFIX}/campaigns/{campaign.id}")


@router.get("/practice", PracticeInfo, public=True)
def get_practice(call: CallDep, campaign_id: str) -> Response:
    """Return where a practice comes from, and what was invented of what you see; all when it is over."""
    return call.answer(practice.get(call.ctx, call.actor, campaign_id))
