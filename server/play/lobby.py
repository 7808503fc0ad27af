"""A campaign with what it is played on, for whoever thinks about joining; also for those who hold its code."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from server.play import access
from server.play.campaign_info import CampaignInfo, info
from server.play.context import Play, Who
from server.play.errors import not_found
from server.play.tokens import hashed
from server.play.worlds import world_of
from server.rules.ruleset import Ruleset
from server.scenarios.scenario import Scenario
from server.store.tables import Campaign


@dataclass(frozen=True, slots=True)
class Lobby:
    """A campaign, its scenario and its ruleset; all of it is public to whoever may know of the campaign."""

    info: CampaignInfo
    scenario: Scenario
    ruleset: Ruleset
    invited: bool
    """One was asked into it by name."""
    has_code: bool
    """There is an invitation code; for the GM only."""


def look(play: Play, who: Who, campaign_id: str) -> Lobby:
    """Return a campaign one may know of."""
    with play.database.read() as session:
        may = access.look(session, who, campaign_id)
        world = world_of(play, may.campaign)
        found = info(play, session, who, may)
        return Lobby(found, world.scenario, world.ruleset, may.invited, may.gm and may.campaign.invite_hash is not None)


def look_by_code(play: Play, who: Who, code: str) -> Lobby:
    """Return the campaign a code invites to, listed or not."""
    with play.database.read() as session:
        query = select(Campaign).where(Campaign.invite_hash == hashed(code), Campaign.status != "deleted")
        found = session.scalars(query).one_or_none()
        if found is None:
            raise not_found("code")
        may = access.look(session, who, found.id, by_code=True)
        world = world_of(play, found)
        return Lobby(info(play, session, who, may), world.scenario, world.ruleset, may.invited, False)
