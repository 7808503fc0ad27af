"""A campaign's own read is made anew as soon as anything in it is different, in every process.

Each column that it may depend on gets another value; everybody's answer is compared with one made without any memory.
Seen to fail with a statement that forgets the name of the GM, invitations, words of an offer, options, settings or
deadlines, and with what is kept for everybody alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any

import pytest
from sqlalchemy import ColumnElement, Table, select, update

from server.http.responses import body_of
from server.play.caches import Caches
from server.play.campaigns import campaigns, seats
from server.play.context import NOBODY, Actor, AppContext
from server.play.errors import PlayError
from server.play.game_masters import handover
from server.play.views import campaign_digest
from server.settings import Settings
from server.store.database import Database
from server.store.tables import Campaign, CampaignDice, Handover, Invitation, Phase, Seat, User
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

LATER = datetime(2033, 3, 3, tzinfo=UTC)


def told(ctx: AppContext, made: Club, people: dict[str, Actor]) -> dict[str, object]:
    """Return what everybody is told of a campaign, or how they are refused."""
    found: dict[str, object] = {}
    for name, actor in people.items():
        try:
            info = campaigns.get(ctx, actor, made.id)
            found[name] = (info, campaigns.written(ctx, actor, made.id, body_of))
        except PlayError as error:
            found[name] = error.code
    return found


def changes(made: Club, eve: Actor, seat: str) -> Iterator[tuple[Any, ColumnElement[bool], dict[str, Any]]]:
    """Yield table, row and values of what may change of a campaign, a row and a column at a time."""
    of_campaign: dict[str, Any] = {
        "name": "New", "description": "New", "listed": False, "gm_user_id": eve.user_id, "scenario_id": "new",
        "ruleset_id": "new", "ruleset_version": "9", "link0": "new", "options": {"warn_hours": [3]},
        "settings": {"turn_limit": 9}, "created_at": LATER, "started_at": None, "finished_at": LATER, "revision": 99,
        "phase_number": 0, "branch": 7, "status": "deleted",
    }  # fmt: skip
    of_seat: dict[str, Any] = {
        "name": "New", "faction": "new", "stand_in": "bot", "stand_in_user_id": None, "missed": 9,
        "holiday_until": LATER, "user_id": None,
    }  # fmt: skip
    of_phase: dict[str, Any] = {"turn": 9, "phase": "battles", "deadline": LATER, "resolved_at": LATER}
    of_user: dict[str, Any] = {"name": "New", "bot_owner_id": eve.user_id}
    of_offer: dict[str, Any] = {"why": "New", "made_at": LATER, "user_id": made.gm.user_id, "accepted_at": LATER}
    here = [Phase.campaign_id == made.id, Phase.number == made.info.phase_number]
    for table, row, values in (
        (Campaign, Campaign.id == made.id, of_campaign),
        (Seat, (Seat.campaign_id == made.id) & (Seat.player_id == seat), of_seat),
        (Phase, here[0] & here[1], of_phase),
        *((User, User.id == actor.user_id, of_user) for actor in (*made.players.values(), made.gm, eve)),
        (Handover, Handover.campaign_id == made.id, of_offer),
        (Invitation, Invitation.campaign_id == made.id, {"user_id": made.gm.user_id}),
        (CampaignDice, CampaignDice.campaign_id == made.id, {"published_at": LATER}),
    ):
        for name, value in values.items():
            yield table.__table__, row, {name: value}


@contextmanager
def changed(ctx: AppContext, table: Table, row: ColumnElement[bool], values: dict[str, Any]) -> Iterator[None]:
    """Change a row, and change it back."""
    columns = [table.c[name] for name in values]
    with ctx.database.write() as session:
        before = session.execute(select(*columns).select_from(table).where(row)).one()
        session.execute(update(table).where(row).values(**values))
    yield
    with ctx.database.write() as session:
        session.execute(update(table).where(row).values(**dict(zip(values, before, strict=True))))


@pytest.fixture
def other(ctx: AppContext, database: Database, clock: Clock) -> Iterator[AppContext]:
    """Another process on the same database."""
    own = AppContext(Database(database.url), Settings(_env_file=None), clock)
    yield own
    own.database.close()


def test_whatever_changes_a_campaign_is_told_at_once(
    ctx: AppContext, other: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, fay = person(ctx, "Eve"), person(ctx, "Fay")
    made = club(ctx, phases=1)
    people = {"p1": made.players["p1"], "p2": made.players["p2"], "gm": made.gm, "eve": eve, "fay": fay,
              "nobody": NOBODY}  # fmt: skip
    handover.offer(ctx, made.gm, made.id, "Ada", "I move.")
    seats.invite_user(ctx, made.gm, made.id, "Fay")
    seats.choose_stand_in(ctx, made.players["p2"], made.id, "user", substitute="Eve")
    seats.go_away(ctx, made.players["p2"], made.id, clock() + timedelta(days=30))

    def truth() -> dict[str, object]:
        with monkeypatch.context() as without:
            without.setattr(campaign_digest, "of_campaign", lambda *_: token_hex(16))
            return told(AppContext(ctx.database, ctx.settings, ctx.clock, caches=Caches()), made, people)

    everything, unlike = set(), set()
    for listed, ended in ((True, False), (False, False), (True, True)):
        campaigns.change(ctx, made.gm, made.id, listed=listed)
        if ended:
            sealing_it = replace(ctx, settings=ctx.settings.model_copy(update={"seal_hours": 72}))
            campaigns.finish(sealing_it, made.gm, made.id, "A reason.")
        before = truth()
        assert told(ctx, made, people) == told(other, made, people) == before  # and from now on they remember it
        for table, row, values in changes(made, eve, "p2"):
            with changed(ctx, table, row, values):
                now = truth()
                assert told(ctx, made, people) == told(other, made, people) == now, (table.name, values)
            what = (table.name, *values)
            everything.add(what)
            unlike |= {what} if now != before else set()
        assert told(ctx, made, people) == told(other, made, people) == before
    assert everything == unlike  # each of them matters to somebody
