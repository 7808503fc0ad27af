"""Who plays in two campaigns is told of both, though the same things happen in them."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from server.play import campaigns, game_master, seats, starting, webhooks
from server.play.campaigns import NewCampaign
from server.play.context import Play
from server.store.tables import Outbox
from tests.play.campaigns import Club, club, factions


def second(play: Play, first: Club) -> Club:
    """Make a campaign of the same people, as that one was made."""
    made = Club(play, first.gm, dict(first.players))
    made.id = campaigns.create(play, made.gm, NewCampaign("The Short March", "four-corners")).id
    for number, who in enumerate(made.players.values(), 1):
        seats.join(play, who, made.id, faction=factions(play, made)[number], seat=f"p{number}")
    return made


def told(play: Play, kind: str, user: str) -> list[tuple[str, str]]:
    """Return what somebody is told in one way: campaign and occasion."""
    with play.database.read() as session:
        rows = session.scalars(
            select(Outbox).where(Outbox.kind == kind, Outbox.user_id == user).order_by(Outbox.id)
        ).all()
        return [(each.payload["campaign"], each.payload.get("about") or each.payload["kind"]) for each in rows]


@pytest.mark.parametrize("kind", ["mail", "webhook"])
def test_both_are_told(play: Play, kind: str) -> None:
    first = club(play, begin=False)
    other = second(play, first)
    ada = first.players["p1"]
    webhooks.create(play, ada, "https://hooks.example.org/ada")
    for made in (first, other):
        starting.start(play, made.gm, made.id)
        game_master.advance(play, made.gm, made.id, number=1)
        campaigns.finish(play, made.gm, made.id, "Enough.")
    happened = ["campaign_started", "phase_opened", "phase_opened", "finished"]
    heard = told(play, kind, ada.user_id)
    for name in ("The Long March", "The Short March"):
        assert [what for campaign, what in heard if campaign == name and what in happened] == happened
