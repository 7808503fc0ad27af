"""Alone against computer players: a campaign created and started at once, a practice from its first turn."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from server.bots.levels import LEVELS, REGULAR
from server.core.sentences import say
from server.play.campaigns import campaign_start, campaigns, own_maps, seats
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import SCOPES, Actor, AppContext
from server.play.errors import PlayError, invalid
from server.play.game_data import ruleset_data, scenario_data
from server.rulesets import NO_LIST


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents."""

    level: str = REGULAR
    """How well they play."""
    give_up: bool = False
    """One is out when it was hopeless two turns in a row (P-37)."""


def begin(ctx: AppContext, actor: Actor, new: NewCampaign, faction: str, against: Opponents) -> CampaignInfo:
    """Make a campaign, take its first seat and begin; the other seats are computer players'.

    *faction* empty: dice choose. Raises PlayError ``unknown_faction``, ``limit_reached``, and what
    :func:`server.play.campaigns.campaigns.create` refuses; then there is no campaign.
    """
    actor.require("orders")
    own_maps.check_hexes(new.scenario_data, ctx.settings.own_map_hexes)
    scenario, _ = scenario_data(new.scenario, new.scenario_data)
    ruleset, _ = ruleset_data(new.ruleset or scenario.ruleset, new.ruleset_data)
    chosen = faction or secrets.choice([id_ for id_ in ruleset.factions if id_ != NO_LIST])
    if chosen not in ruleset.factions:
        raise PlayError("unknown_faction", field="faction", value=chosen)
    if against.level not in LEVELS:
        raise invalid("level", say("One of: {words}.", words=", ".join(LEVELS)), against.level)
    options = dict(new.options) | {
        "practice": True,
        "bot_level": against.level,
        "computers_give_up": against.give_up,
        "anonymous": False,
        "deadlines": {"kind": "none"},
    }
    owner = replace(actor, scopes=SCOPES)  # nobody else is in it: a token for orders is enough
    made = campaigns.create(ctx, owner, replace(new, options=options))
    try:
        seats.join(ctx, owner, made.id, faction=chosen)
        campaign_start.start(ctx, owner, made.id)
    except PlayError:
        campaigns.remove(ctx, owner, made.id)
        raise
    return campaigns.get(ctx, actor, made.id)
