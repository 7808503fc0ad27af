"""A campaign begun with the first revision of the database goes on with this one, and back, whatever lies between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.engine import URL

from server.play.context import Actor, AppContext
from server.play.messages import messages
from server.play.orders import orders
from server.play.views import history, positions
from server.settings import Settings
from server.store import migrate
from server.store.database import Database
from server.store.migrate import locked
from server.store.tables import Campaign, OrderSet, Seat
from tests.play.conftest import Clock
from tests.play.standing import check_derived
from tests.store.frozen import held, thaw
from tests.store.test_migrations import REVISIONS

FIRST = REVISIONS[0]


def test_the_first_revision_is_still_the_first() -> None:
    """Databases are out there that are at it."""
    assert FIRST == "0001"


def test_its_rows_survive_every_step_there_and_back(empty_url: URL) -> None:
    migrate.upgrade(empty_url, FIRST)
    with locked(empty_url) as connection:
        before = thaw(connection)
    assert before["campaigns"]
    assert before["hexes"]
    assert before["order_sets"]
    there = [(migrate.upgrade, each) for each in REVISIONS[1:]]
    for go, revision in (*there, *((migrate.downgrade, each) for each in REVISIONS[-2::-1])):
        assert go(empty_url, revision) == revision
        with locked(empty_url) as connection:
            assert held(connection) == before, revision


def test_its_campaign_is_played_on(empty_url: URL) -> None:
    migrate.upgrade(empty_url, FIRST)
    with locked(empty_url) as connection:
        thaw(connection)
    migrate.upgrade(empty_url)
    assert migrate.check(empty_url) == []
    with opened(empty_url) as ctx:
        check_derived(ctx.database)
        campaign, people = club_of(ctx)
        ada = people["p1"]
        number = positions.position(ctx, ada, campaign).number
        assert number > 5
        for each in range(1, number):
            assert history.past(ctx, ada, campaign, each).view.state.players
        assert [each.subject for each in messages.listed(ctx, people["p2"], campaign)] == ["About 0206"]
        for seat, actor in people.items():
            if wanted(ctx, campaign, number, seat):
                orders.declare_final(ctx, actor, campaign)
        assert positions.position(ctx, ada, campaign).number == number + 1
    assert migrate.check(empty_url) == []


@contextmanager
def opened(url: URL) -> Iterator[AppContext]:
    """This program's use cases on a database."""
    ctx = AppContext(Database(url), Settings.model_validate({}), Clock())
    try:
        yield ctx
    finally:
        ctx.close()
        ctx.database.close()


def club_of(ctx: AppContext) -> tuple[str, dict[str, Actor]]:
    """Return the campaign, and who sits where."""
    with ctx.database.read() as session:
        campaign = session.scalars(select(Campaign.id)).one()
        seats = session.scalars(select(Seat).order_by(Seat.number)).all()
    return campaign, {seat.player_id: Actor(str(seat.user_id), seat.name, session=True) for seat in seats}


def wanted(ctx: AppContext, campaign: str, number: int, seat: str) -> bool:
    """Say whether a seat has something to order."""
    with ctx.database.read() as session:
        return session.get_one(OrderSet, (campaign, 1, number, seat)).wanted
