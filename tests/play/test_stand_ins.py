"""Who may stand in for whom."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from server.play.campaigns import seats
from server.play.context import AppContext
from server.play.errors import PlayError
from server.store.tables import AllianceRow
from tests.play.campaigns import Club, club
from tests.play.conftest import person


@pytest.fixture
def made(ctx: AppContext) -> Club:
    """A campaign in which Eve, who has no seat, stands in for Ada."""
    found = club(ctx)
    person(ctx, "Eve")
    seats.choose_stand_in(ctx, found.players["p1"], found.id, "user", substitute="Eve")
    return found


def test_one_account_does_not_stand_in_for_two_enemies(ctx: AppContext, made: Club) -> None:
    """Seen to fail: Eve read what both of two enemies knew, and ordered for both."""
    with pytest.raises(PlayError, match="stand in for somebody else") as refused:
        seats.choose_stand_in(ctx, made.players["p2"], made.id, "user", substitute="Eve")
    assert (refused.value.code, refused.value.field) == ("conflict", "substitute")
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "user", substitute="Eve")  # one's own, once more


def test_the_game_master_may_say_so(ctx: AppContext, made: Club) -> None:
    seats.choose_stand_in(ctx, made.gm, made.id, "user", substitute="Eve", seat="p2")


def test_allies_may_share_a_substitute(ctx: AppContext, made: Club) -> None:
    with ctx.database.write() as session:
        allied = {"campaign_id": made.id, "in_force": True, "declared": True}
        session.execute(insert(AllianceRow), [allied | {"player_id": "p2", "ally": "p1"}])
    seats.choose_stand_in(ctx, made.players["p2"], made.id, "user", substitute="Eve")


def test_who_stood_in_before_may_stand_in_elsewhere(ctx: AppContext, made: Club) -> None:
    seats.choose_stand_in(ctx, made.players["p1"], made.id, "defaults")
    seats.choose_stand_in(ctx, made.players["p2"], made.id, "user", substitute="Eve")
