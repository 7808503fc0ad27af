"""How many statements it takes to resolve a phase: a few, however many play, and whatever they have asked for.

Seen to fail with salts that are drawn one by one, with a look at each stand-in's memory by itself, and with a
statement for each of the position's tables.
"""

from __future__ import annotations

import pytest

from server.play.campaigns import campaign_start
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.notices import webhooks
from server.play.resolution.resolution import resolve_once
from server.play.schedule import ticker
from tests.play.campaigns import Club, club, gathered
from tests.play.conftest import Clock
from tests.store.statements import statements


def club_of(ctx: AppContext, players: int, stand_in: str) -> Club:
    """Start a campaign of so many, each with a webhook of their own; phases end at their deadlines."""
    options = {"deadlines": {"kind": "rolling", "hours": 24}, "stand_in": stand_in, "warn_hours": [12]}
    new = NewCampaign(f"Club of {players}", "four-corners", options=options)
    names = [f"Player {number} of {players}" for number in range(1, players + 1)]
    made = gathered(ctx, f"Gwen {players}", new, names, first=1, begin=False)
    for seat, player in made.players.items():
        webhooks.create(ctx, player, f"https://hooks.example.org/{players}/{seat}")
    campaign_start.start(ctx, made.gm, made.id)
    return made


def resolved(ctx: AppContext, made: Club) -> int:
    """Resolve the open phase at its deadline; returns how many statements that took."""
    with statements(ctx.database) as found:
        assert resolve_once(ctx, made.id) is not None
    return len(found)


def test_a_resolution_takes_fifteen_statements_at_most(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, phases=2).resolved_by_hand()
    clock.forward(minutes=5)
    for _ in range(6):
        made.play_phase()
        assert resolved(ctx, made) <= 15


@pytest.mark.parametrize("stand_in", ["defaults", "bot"])
def test_nobody_adds_one_who_plays_misses_a_deadline_or_has_a_webhook(
    ctx: AppContext, clock: Clock, stand_in: str
) -> None:
    """Computer players read what they remember, and all is read twice, so that orders do not wait while they think."""
    few, many = (club_of(ctx, players, stand_in) for players in (2, 4))
    clock.forward(hours=25)
    for made in (few, many):
        resolved(ctx, made)  # the first one learns that they think there
    for _ in range(6):
        clock.forward(hours=25)
        counted = [resolved(ctx, made) for made in (few, many)]
        assert max(counted) <= 15, counted
        if few.info.phase == many.info.phase:
            assert counted[0] == counted[1]


def test_a_look_for_warnings_takes_two_statements_however_many_campaigns_run(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail when each campaign's phase, and what was noted of its warnings, was asked for by itself."""
    for players in (2, 4):
        club_of(ctx, players, "defaults")
    with statements(ctx.database) as found:
        assert ticker.warn(ctx) == 0
    assert len(found) == 1  # no warning's time has come
    clock.forward(hours=13)
    assert ticker.warn(ctx) == 2 + 4
    with statements(ctx.database) as found:
        assert ticker.warn(ctx) == 0
    assert len(found) == 2
