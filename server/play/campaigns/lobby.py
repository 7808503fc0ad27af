"""A campaign with its scenario and ruleset, for people who think about joining; also for those who hold its code."""

from __future__ import annotations

from dataclasses import dataclass

from server.play import access
from server.play.accounts.tokens import hashed
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.context import Actor, AppContext
from server.play.errors import not_found
from server.play.game_data import game_data_of
from server.rules.ruleset import Ruleset
from server.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Lobby:
    """A campaign, its scenario and its ruleset; all of it is public to everyone who may know of the campaign."""

    info: CampaignInfo
    scenario: Scenario
    ruleset: Ruleset
    invited: bool
    """One was asked into it by name."""
    has_code: bool
    """There is an invitation code; for the GM only."""


def load(ctx: AppContext, actor: Actor, campaign_id: str) -> Lobby:
    """Return a visible campaign."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        world = game_data_of(ctx, may.campaign)
        found = info(ctx, session, actor, may)
        return Lobby(found, world.scenario, world.ruleset, may.invited, may.gm and may.campaign.invite_hash is not None)


def load_by_code(ctx: AppContext, actor: Actor, code: str) -> Lobby:
    """Return the campaign a code invites to, listed or not."""
    with ctx.database.read() as session:
        found = access.of_code(session, hashed(code))
        if found is None or found.status == "deleted":
            raise not_found("code")
        may = access.load(session, actor, found.id, by_code=True)
        world = game_data_of(ctx, found)
        return Lobby(info(ctx, session, actor, may), world.scenario, world.ruleset, may.invited, False)
