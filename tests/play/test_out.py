"""Players who are out: they take another seat, watch everything, or leave.

Seen to fail: with everybody who had a seat let in to another; with watching allowed to those who are in.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from server.play.campaigns import campaigns, seats
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.messages import messages
from server.play.views import history, positions
from server.rules.sight import GM
from server.store.tables import Campaign, PlayerRow
from tests.play.campaigns import Club, club


def put_out(made: Club, player: str) -> None:
    """Have a player be eliminated, as far as rights go."""
    with made.ctx.database.write() as session:
        mine = (PlayerRow.campaign_id == made.id, PlayerRow.id == player)
        session.execute(update(PlayerRow).where(*mine).values(eliminated=True))


def refused(work: Any, *args: Any, **named: Any) -> str:
    with pytest.raises(PlayError) as caught:
        work(*args, **named)
    return caught.value.code


def test_a_player_who_is_out_takes_another_seat(ctx: AppContext) -> None:
    made = club(ctx)
    ann: Actor = made.players["p1"]
    seats.leave(ctx, made.players["p2"], made.id)
    assert refused(seats.join, ctx, ann, made.id) == "already_joined"
    put_out(made, "p1")
    assert seats.join(ctx, ann, made.id).your_seats == ("p2",)
    assert not next(seat for seat in made.info.seats if seat.player_id == "p1").free, "it is out"


def test_a_player_who_is_out_watches_everything_and_takes_no_seat(ctx: AppContext) -> None:
    made = club(ctx)
    ann: Actor = made.players["p1"]
    seats.leave(ctx, made.players["p2"], made.id)
    assert refused(seats.watch, ctx, ann, made.id) == "forbidden"
    assert refused(positions.position, ctx, ann, made.id, as_=GM) == "not_found"
    put_out(made, "p1")
    assert refused(positions.position, ctx, ann, made.id, as_=GM) == "not_found", "they have not chosen it yet"
    seats.watch(ctx, ann, made.id)
    assert positions.position(ctx, ann, made.id, as_=GM).view.viewer == GM
    assert positions.position(ctx, ann, made.id).view.viewer == "p1"
    assert history.read_phases(ctx, ann, made.id, as_=GM).viewer == GM
    assert campaigns.get(ctx, ann, made.id).you_watch
    assert refused(seats.join, ctx, ann, made.id) == "forbidden"
    assert refused(messages.send, ctx, ann, made.id, ["all"], "They have few left.") == "forbidden"
    assert refused(positions.position, ctx, made.players["p3"], made.id, as_=GM) == "not_found"
    seats.leave(ctx, ann, made.id)
    assert refused(positions.position, ctx, ann, made.id, as_=GM) == "not_found"
    assert refused(seats.join, ctx, ann, made.id) == "forbidden"


def test_a_campaign_of_an_earlier_version_shows_them_no_more_than_before(ctx: AppContext) -> None:
    made = club(ctx)
    put_out(made, "p1")
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, made.id)
        campaign.options = {name: value for name, value in campaign.options.items() if name != "out_watches"}
    assert refused(seats.watch, ctx, made.players["p1"], made.id) == "forbidden"
    assert not made.info.options.out_watches
