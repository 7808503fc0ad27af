"""An example to watch: a campaign of computer players that is over and public, for people who only want to see one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from server.bots.levels import VETERAN
from server.play.campaigns import campaign_start, campaigns
from server.play.campaigns.campaign_info import CampaignInfo
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import NOBODY, Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master
from server.play.records import records

PHASE_TIME = timedelta(hours=12)
PHASES_A_TURN = 4


@dataclass(slots=True)
class _Calendar:
    """A clock that is moved by hand, in the past."""

    at: datetime

    def __call__(self) -> datetime:
        return self.at


def create(
    ctx: AppContext, actor: Actor, name: str, scenario: str, turns: int, told: Callable[[int], None] = lambda _: None
) -> CampaignInfo:
    """Play a campaign between computer players from its start to its end, and return it.

    Its phases are half a day apart and its record is public, so it reads like the one of a club. *told*
    gets the number of each phase that opens. Raises what :func:`server.play.campaigns.campaigns.create` refuses.
    """
    calendar = _Calendar(ctx.now() - PHASE_TIME * (PHASES_A_TURN * turns + 2))
    then = replace(ctx, clock=calendar)
    options = {"computer_seats": True, "stand_in": "bot", "bot_level": VETERAN, "deadlines": {"kind": "none"}}
    rules = {"turn_limit": turns, "capital_eliminates": True, "last_standing": True}
    made = campaigns.create(then, actor, NewCampaign(name, scenario, ruleset="frontier", options=options, rules=rules))
    try:
        campaign_start.start(then, actor, made.id, nobody=True)
        while (info := campaigns.get(then, actor, made.id)).status == "running":
            told(info.phase_number)
            calendar.at += PHASE_TIME
            game_master.advance(then, actor, made.id, number=info.phase_number)
        if ctx.settings.seal_hours:
            records.publish(then, actor, made.id)
    except PlayError:
        campaigns.remove(then, actor, made.id)
        raise
    return campaigns.get(ctx, actor, made.id)


def to_watch(ctx: AppContext) -> CampaignInfo | None:
    """Return the example that visitors may watch; None without one."""
    if not ctx.settings.example_campaign:
        return None
    try:
        found = campaigns.get(ctx, NOBODY, ctx.settings.example_campaign)
    except PlayError:
        return None
    return found if found.open_to_you and found.started_at is not None else None
