"""``db backup`` and ``db restore``: while somebody writes, on both databases, and with files that are no backup."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL

from server.play.accounts import accounts
from server.play.context import AppContext
from server.play.schedule.downtime import HELD
from server.settings import Settings
from server.store import backup
from server.store.database import Database
from tests.commands.conftest import json_of, run
from tests.store import databases


def add(url: URL, *names: str) -> None:
    store = Database(url)
    for name in names:
        accounts.make_user(AppContext(store, Settings()), name)
    store.close()


def held(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """Return what a database holds after it was restored: the next server gives phases that came due a grace."""
    return rows | {"server_values": sorted([*rows["server_values"], (HELD, b"1")], key=repr)}


@pytest.fixture(params=databases.KINDS)
def any_url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[URL]:
    with databases.migrated(request.param, "backups") as found:
        monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", found.render_as_string(hide_password=False))
        yield found


def test_there_and_back(any_url: URL, tmp_path: Path) -> None:
    add(any_url, "Ann", "Ben")
    before = databases.dump(any_url)
    told = json_of("db", "backup", tmp_path / "copy")
    assert told == {"written": str(tmp_path / "copy"), "bytes": (tmp_path / "copy").stat().st_size}
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0
    add(any_url, "Cyd")
    assert "--yes" in run("db", "restore", tmp_path / "copy", code=1).stderr
    assert databases.dump(any_url) != before
    run("db", "restore", tmp_path / "copy", "--yes")
    assert databases.dump(any_url) == held(before)
    run("db", "check")


def test_an_empty_database_is_not_copied(any_url: URL, tmp_path: Path) -> None:
    """Seen to fail: on PostgreSQL a copy was written, and said to be checked, that `db restore` refuses."""
    run("db", "downgrade", "base", "--yes")
    assert "not a copy of a campaign server's database" in run("db", "backup", tmp_path / "copy", code=3).stderr
    assert not (tmp_path / "copy").exists()


def test_what_was_overwritten_is_kept(any_url: URL, tmp_path: Path) -> None:
    run("db", "backup", tmp_path / "empty")
    add(any_url, "Ann")
    filled = databases.dump(any_url)
    kept = Path(json_of("db", "restore", tmp_path / "empty", "--yes")["kept"])  # on PostgreSQL nothing was kept
    assert kept.stat().st_mode & 0o077 == 0
    assert databases.dump(any_url) != filled
    run("db", "restore", kept, "--yes")
    assert databases.dump(any_url) == held(filled)


def test_a_database_that_somebody_uses_is_left_alone(any_url: URL, tmp_path: Path) -> None:
    """Seen to fail: a running server's database was overwritten under it, and what it wrote next went nowhere."""
    run("db", "backup", tmp_path / "copy")
    add(any_url, "Ann")
    before, server = databases.dump(any_url), Database(any_url)
    server.check_ready()  # its connection stays open, as a server's do
    files = set(tmp_path.iterdir())
    assert "stop the server first" in run("db", "restore", tmp_path / "copy", "--yes", code=3).stderr
    assert (databases.dump(any_url), set(tmp_path.iterdir())) == (before, files)
    server.check_ready()
    server.close()
    run("db", "restore", tmp_path / "copy", "--yes")
    assert databases.dump(any_url) != before


def test_files_are_their_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail: everybody on the machine could read the database, its log, and what was restored."""
    file = tmp_path / "club.db"
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{file}")
    run("db", "upgrade")
    run("db", "backup", tmp_path / "copy.db")
    store = Database(f"sqlite:///{file}")
    with store.write() as session:
        session.execute(text("DELETE FROM server_values"))
    found = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    store.close()
    assert found == dict.fromkeys(("club.db", "club.db-wal", "club.db-shm", "copy.db"), 0o600)
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    run("db", "restore", tmp_path / "copy.db")
    assert (tmp_path / "new.db").stat().st_mode & 0o777 == 0o600


def test_a_dump_of_a_newer_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with databases.migrated("postgresql", "newer") as found:
        monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", found.render_as_string(hide_password=False))
        store = Database(found)
        with store.write() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        store.close()
        run("db", "backup", tmp_path / "newer")
        assert "newer version" in run("db", "restore", tmp_path / "newer", "--yes", code=2).stderr
        assert "made by a newer version of this program" in run("user", "list", code=1).stderr
        assert "made by a newer version of this program" in run("serve", code=1).stderr


def test_a_copy_is_one_moment_while_others_write(url: URL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows are always written together; a copy made meanwhile, page by page, never has one of them alone."""
    monkeypatch.setattr(backup, "STEP", 1)
    path, done, copied = str(url.database), threading.Event(), threading.Event()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE pairs (number INTEGER, text TEXT)")
    connection.close()
    written = 0

    def write() -> None:
        nonlocal written
        own = sqlite3.connect(path, timeout=30)
        while not done.is_set():
            with own:
                own.executemany("INSERT INTO pairs VALUES (?, ?)", [(written, "x" * 500), (written, "y" * 500)])
            written += 1
            copied.set()
        own.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copied.wait(30)
        run("db", "backup", tmp_path / "copy.db")
    finally:
        done.set()
        writer.join()
    copy = sqlite3.connect(tmp_path / "copy.db")
    counts = [count for (count,) in copy.execute("SELECT count(*) FROM pairs GROUP BY number")]
    copy.close()
    assert counts
    assert {*counts} == {2}
    assert len(counts) <= written


def test_a_database_that_is_not_there_yet_is_restored_without_asking(
    url: URL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(url, "Ann")
    run("db", "backup", tmp_path / "copy.db")
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    run("db", "restore", tmp_path / "copy.db")
    assert "Ann" in run("user", "list").stdout


def test_a_folder_gets_a_file_with_a_name(url: URL, tmp_path: Path) -> None:
    written = Path(json_of("db", "backup", tmp_path)["written"])
    assert written.parent == tmp_path
    assert written.suffix == ".db"


def test_nothing_is_overwritten_unless_told(url: URL, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    assert "--force" in run("db", "backup", tmp_path / "copy.db", code=2).stderr
    assert (tmp_path / "copy.db").read_text() == "precious"
    run("db", "backup", tmp_path / "copy.db", "--force")
    assert "nowhere" in run("db", "backup", tmp_path / "nowhere" / "copy.db", code=2).stderr
    assert [each.name for each in tmp_path.iterdir()] == ["copy.db"]


def test_files_that_are_no_backup_change_nothing(url: URL, tmp_path: Path) -> None:
    add(url, "Ann")
    before, folder = databases.dump(url), Path(str(url.database)).parent
    run("db", "backup", tmp_path / "good.db")
    good = (tmp_path / "good.db").read_bytes()
    (tmp_path / "text").write_text("hello")
    (tmp_path / "torn.db").write_bytes(good[: len(good) // 2])
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE notes (text TEXT)")
    other.close()
    shutil.copy(tmp_path / "good.db", tmp_path / "newer.db")
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.close()
    for name, says in (
        ("text", "not a copy"), ("torn.db", "damaged"), ("other.db", "not a copy"), ("newer.db", "newer version"),
        ("missing", "no such file"),
    ):  # fmt: skip
        result = run("db", "restore", tmp_path / name, "--yes", code=2)
        assert says in result.stderr
    assert databases.dump(url) == before
    assert {each.name for each in folder.iterdir() if "before" in each.name} == set()


def test_without_postgresql_s_programs_it_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", "postgresql://ann:secret@db.example:5433/club")
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    told = run("db", "backup", tmp_path / "copy", code=3).stderr
    server = "--host=db.example --port=5433 --username=ann --dbname=club --no-password"
    assert f"run: pg_dump {server} --format=custom --file={tmp_path}/copy" in told
    assert "secret" not in told


def test_a_database_on_several_hosts_is_named_as_its_programs_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail when the hosts of the address were written down as Python has them."""
    address = "postgresql://ann:secret@/club?host=a.example:5432&host=b.example:5433&target_session_attrs=read-write"
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", address)
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    told = run("db", "backup", tmp_path / "copy", code=3).stderr
    assert "--host=a.example,b.example --port=5432,5433 --username=ann" in told
    assert "dbname=club target_session_attrs=read-write" in told
    assert "secret" not in told
