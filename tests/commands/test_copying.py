"""``db copy``: everything goes from one kind of database to the other, or nothing does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.engine import URL

from server.play.accounts import accounts
from server.play.context import AppContext
from server.settings import Settings
from server.store import copying, migrate
from server.store.database import Database
from server.store.migrate import locked
from server.store.tables import Message, MessageRecipient, Outbox, User
from tests.commands.conftest import json_of, run
from tests.store import databases
from tests.store.filling import ROWS, fill
from tests.store.rows import NOW


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=False)


@pytest.fixture(params=databases.KINDS)
def filled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[URL]:
    """A database with rows in every table; some refer to others of their table, to later ones, too."""
    with databases.migrated(request.param, "from") as url:
        monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", _shown(url))
        with locked(url) as connection:
            fill(connection)
            later, one, *_ = sorted(connection.scalars(select(User.id)), key=str, reverse=True)
            connection.execute(update(User).where(User.id == one).values(bot_owner_id=later))
            letters = select(Message.campaign_id, Message.id).order_by(Message.id.desc())
            (there, last), (_, answer), (elsewhere, other_) = connection.execute(letters).all()
            theirs = {"campaign_id": elsewhere, "message_id": other_}
            connection.execute(update(MessageRecipient).where(MessageRecipient.message_id == answer).values(theirs))
            answers = {"campaign_id": there, "reply_to": last}
            connection.execute(update(Message).where(Message.id == answer).values(answers))
        yield url


@pytest.fixture
def other(filled: URL) -> Iterator[URL]:
    """An empty database of the other kind."""
    kind = "postgresql" if filled.get_backend_name() == "sqlite" else "sqlite"
    with databases.empty(kind, "to") as url:
        yield url


def test_everything_arrives_and_can_be_gone_on_with(filled: URL, other: URL) -> None:
    before = databases.dump(filled)
    told = json_of("db", "copy", _shown(other))
    assert databases.dump(other) == before
    assert set(told["tables"].values()) == {ROWS}
    assert migrate.check(other) == []
    with locked(other) as connection:  # PostgreSQL began to count anew
        row = {"kind": "note", "dedupe": "next", "payload": {}, "created_at": NOW, "due_at": NOW}
        assert connection.execute(insert(Outbox).values(**row).returning(Outbox.id)).scalar_one() not in {
            each[0] for each in before["outbox"]
        }
    again = run("db", "copy", _shown(other), code=3).stderr
    assert f"{other.database}: the database to copy to is not empty" in again  # the other one, not the one copied from


def test_who_signed_in_before_signs_in_there(filled: URL, other: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    run("user", "add", "Gwen", "--password-stdin", said="correct horse\n")
    run("db", "copy", _shown(other))
    store = Database(other)
    assert accounts.sign_in(AppContext(store, Settings()), "gwen", "correct horse").account.name == "Gwen"
    store.close()


def test_nothing_is_copied_from_a_database_that_somebody_uses(filled: URL, other: URL) -> None:
    server = Database(filled)
    server.check_ready()
    assert "stop the server first" in run("db", "copy", _shown(other), code=3).stderr
    server.close()
    assert migrate.current(other) is None


def test_what_arrives_otherwise_than_it_left_is_not_kept(
    filled: URL, other: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail without the comparison: a column that the driver rounds would be found years later."""
    sums = iter(range(10_000))
    monkeypatch.setattr(copying, "_sum", lambda rows: next(sums) + 0 * len(list(rows)))
    assert "is not what was sent" in run("db", "copy", _shown(other), code=1).stderr
    assert all(not rows for rows in databases.dump(other).values())


def test_addresses_that_cannot_be(url: URL, tmp_path: Path) -> None:
    assert "not the address of a database" in run("db", "copy", "tomorrow", code=2).stderr
    assert "the database itself" in run("db", "copy", _shown(url), code=2).stderr
    with locked(url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "newer version" in run("db", "copy", f"sqlite:///{tmp_path}/new.db", code=1).stderr
