"""Who plays in two campaigns is told of both, though the same things happen in them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from server.play.campaigns import campaign_start, campaigns, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.game_masters import game_master
from server.play.notices import webhooks
from server.store.tables import Outbox
from tests.play.campaigns import Club, club, factions


def second(ctx: AppContext, first: Club) -> Club:
    """Make a campaign of the same people, as that one was made."""
    made = Club(ctx, first.gm, dict(first.players))
    made.id = campaigns.create(ctx, made.gm, NewCampaign("The Short March", "four-corners")).id
    for number, actor in enumerate(made.players.values(), 1):
        seats.join(ctx, actor, made.id, faction=factions(ctx, made)[number], seat=f"p{number}")
    return made


def told(ctx: AppContext, kind: str, user: str) -> list[tuple[str, str]]:
    """Return what somebody is told in one way: campaign and occasion."""
    with ctx.database.read() as session:
        rows = session.scalars(
            select(Outbox).where(Outbox.kind == kind, Outbox.user_id == user).order_by(Outbox.id)
        ).all()
        return [(row.payload["campaign"], row.payload.get("about") or row.payload["kind"]) for row in rows]


@pytest.mark.parametrize("kind", ["mail", "webhook"])
def test_both_are_told(ctx: AppContext, kind: str) -> None:
    first = club(ctx, begin=False)
    other = second(ctx, first)
    ada = first.players["p1"]
    webhooks.create(ctx, ada, "https://hooks.example.org/ada")
    for made in (first, other):
        campaign_start.start(ctx, made.gm, made.id)
        game_master.advance(ctx, made.gm, made.id, number=1)
        campaigns.finish(ctx, made.gm, made.id, "Enough.")
    happened = ["campaign_started", "phase_opened", "phase_opened", "finished"]
    heard = told(ctx, kind, ada.user_id)
    for name in ("The Long March", "The Short March"):
        assert [what for campaign, what in heard if campaign == name and what in happened] == happened
