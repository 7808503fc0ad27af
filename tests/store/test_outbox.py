"""The outbox: everything once, nobody twice, failures later."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from server.store import outbox
from server.store.database import Database
from server.store.tables import Outbox
from tests.store.rows import NOW

MINUTE = timedelta(minutes=1)


def put(database: Database, dedupe: str, **more: object) -> bool:
    with database.write() as session:
        return outbox.put(session, "mail", dedupe, {"to": "ada"}, NOW, **more) is not None  # type: ignore[arg-type]


def leased(database: Database, at: int = 0) -> list[str]:
    """Lease what is due so many minutes later."""
    with database.write() as session:
        return [each.dedupe for each in outbox.lease(session, NOW + at * MINUTE, 5 * MINUTE)]


def row(database: Database, dedupe: str) -> Outbox:
    with database.read() as session:
        return session.scalars(select(Outbox).where(Outbox.dedupe == dedupe)).one()


def test_the_same_thing_goes_in_once(database: Database) -> None:
    assert put(database, "phase/1/ada")
    assert not put(database, "phase/1/ada")
    assert put(database, "phase/2/ada")
    assert leased(database) == ["phase/1/ada", "phase/2/ada"]


def test_it_goes_in_with_what_it_tells_of_or_not_at_all(database: Database) -> None:
    with pytest.raises(ZeroDivisionError), database.write() as session:  # noqa: PT012
        outbox.put(session, "mail", "x", {}, NOW)
        raise ZeroDivisionError
    assert leased(database) == []


def test_what_is_not_due_waits(database: Database) -> None:
    put(database, "later", due_at=NOW + 2 * MINUTE)
    put(database, "now")
    assert leased(database) == ["now"]
    assert leased(database, 2) == ["later"]


def test_what_is_leased_is_nobody_elses_until_the_lease_runs_out(database: Database) -> None:
    put(database, "x")
    assert leased(database) == ["x"]
    assert leased(database, 4) == []
    assert leased(database, 5) == ["x"]
    assert row(database, "x").attempts == 2


def test_what_is_sent_is_done_with(database: Database) -> None:
    put(database, "x")
    leased(database)
    with database.write() as session:
        outbox.sent(session, row(database, "x").id, NOW)
    assert leased(database, 60) == []
    assert row(database, "x").sent_at == NOW


def test_what_failed_is_tried_again_later_or_given_up(database: Database) -> None:
    put(database, "x")
    leased(database)
    found = row(database, "x")
    with database.write() as session:
        outbox.failed(session, found.id, "no route", NOW, NOW + 3 * MINUTE)
    assert leased(database, 2) == []
    assert leased(database, 3) == ["x"]
    with database.write() as session:
        outbox.failed(session, found.id, "gone", NOW + 3 * MINUTE, None)
    assert leased(database, 99) == []
    found = row(database, "x")
    assert (found.last_error, found.failed_at, found.attempts) == ("gone", NOW + 3 * MINUTE, 2)


def test_the_oldest_first_and_not_too_many(database: Database) -> None:
    for number in range(5):
        put(database, f"{number}", due_at=NOW - number * MINUTE)
    with database.write() as session:
        assert [each.dedupe for each in outbox.lease(session, NOW, MINUTE, limit=2)] == ["4", "3"]


def test_two_senders_at_once_get_different_things(postgresql_database: Database) -> None:
    database = postgresql_database
    for number in range(4):
        put(database, f"both/{number}")
    with database.write() as one, database.write() as two:
        first = [each.dedupe for each in outbox.lease(one, NOW, MINUTE, limit=2)]
        second = [each.dedupe for each in outbox.lease(two, NOW, MINUTE, limit=9)]
    assert (len(first), len(second)) == (2, 2)
    assert not {*first} & {*second}
