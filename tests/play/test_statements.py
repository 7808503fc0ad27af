"""No statement of a resolution is sent for each player, whatever they have asked for.

Seen to fail with salts that are drawn one by one, and with a look at each stand-in's memory by itself.
"""

from __future__ import annotations

import pytest

from server.play.campaigns import campaign_start
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.notices import webhooks
from server.play.resolution.resolution import resolve_once
from server.play.schedule import ticker
from tests.play.campaigns import Club, gathered
from tests.play.conftest import Clock
from tests.store.statements import repeated, statements


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


@pytest.mark.parametrize("stand_in", ["defaults", "bot"])
def test_no_statement_is_sent_for_each_player(ctx: AppContext, clock: Clock, stand_in: str) -> None:
    """All is read twice where computer players think, so that orders do not wait for them."""
    made = club_of(ctx, 4, stand_in)
    for _ in range(7):
        clock.forward(hours=25)
        with statements(ctx.database) as found:
            assert resolve_once(ctx, made.id) is not None
        assert repeated(found, times=2) == {}


def test_a_look_takes_two_statements_however_many_campaigns_run(ctx: AppContext, clock: Clock) -> None:
    """Nothing is due: one asks whether something is, one when the next deadline comes."""
    for players in (2, 4):
        club_of(ctx, players, "defaults")
    with statements(ctx.database) as found:
        assert ticker.advance(ctx) == 0
        assert ticker.until_next(ctx) == 24 * 3600
    assert len(found) == 2
    assert not any("campaigns" in statement for statement in found)
    clock.forward(hours=13)
    assert ticker.work(ctx, "warning") == 2 + 4
    with statements(ctx.database) as found:
        assert ticker.advance(ctx) == 0
    assert len(found) == 1
