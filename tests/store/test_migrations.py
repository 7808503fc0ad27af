"""Migrations: forward and back on filled databases, all or nothing, and never beside the tables of the program."""

from __future__ import annotations

import ast
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Text, create_engine, func, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from server.play.accounts import tokens
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.tables import armies
from server.settings import Settings
from server.store import migrate
from server.store.database import Database, single_engine
from server.store.errors import MigrationError
from server.store.migrate import locked
from server.store.tables import VIEWS, Base
from tests.store import databases
from tests.store.filling import ROWS, fill

REVISIONS = [
    revision.revision for revision in reversed(list(ScriptDirectory.from_config(migrate._config()).walk_revisions()))
]
HEAD = REVISIONS[-1]


def counts(url: URL) -> dict[str, int]:
    """Return how many rows each table has."""
    engine = single_engine(url)
    with engine.connect() as connection:
        names = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
        found = {
            name: connection.scalar(select(func.count()).select_from(text(f'"{name}"'))) or 0 for name in sorted(names)
        }
    engine.dispose()
    return found


def test_the_program_reads_its_revisions_as_alembic_does() -> None:
    """Seen to fail with the oldest first."""
    assert list(migrate.revisions()) == REVISIONS[::-1]


def test_a_server_whose_database_fits_runs_without_alembic(empty_url: URL) -> None:
    """It takes some 15 MB. Seen to fail with an import at the head of the module."""
    migrate.upgrade(empty_url)
    code = "import sys; from server.store import migrate; migrate.upgrade(sys.argv[1]); print('alembic' in sys.modules)"
    url = empty_url.render_as_string(hide_password=False)
    done = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- forward and back ---


@pytest.mark.parametrize("revision", [
    pytest.param(each, marks=() if at % 6 == 0 or each in REVISIONS[-3:] else pytest.mark.deep)
    for at, each in enumerate(REVISIONS)
])  # fmt: skip
def test_filled_databases_go_forward_and_back(empty_url: URL, revision: str) -> None:
    """Every revision a database can be at, with rows in every table it has there; most of them in ``make deep``."""
    assert migrate.upgrade(empty_url, revision) == revision
    with locked(empty_url) as connection:
        filled = fill(connection)
    assert counts(empty_url) == filled

    assert migrate.upgrade(empty_url) == HEAD
    assert migrate.check(empty_url) == []
    kept = databases.dump(empty_url)
    assert {name: len(kept[name]) for name in filled if name in kept} == _now(filled)

    if revision != HEAD:
        assert migrate.downgrade(empty_url, revision) == revision
        assert counts(empty_url) == filled
    assert migrate.upgrade(empty_url) == HEAD
    assert databases.dump(empty_url) == kept


def test_a_guest_at_a_table_plays_on_as_an_account(empty_url: URL) -> None:
    """Their token counts on both of their devices, their army is theirs; a code that was never used counts no more."""
    migrate.upgrade(empty_url, "0023")
    at = "2026-11-01T12:00:00+00:00"
    first, second, code = (tokens.hashed(secret) for secret in ("sog_first", "sog_second", "code"))
    with locked(empty_url) as connection:
        for statement in (
            f"INSERT INTO table_guests VALUES ('g1', 'Ann', '{first}', '{at}', '{at}')",
            f"INSERT INTO table_guest_devices VALUES ('d1', 'g1', '{second}', NULL), ('d2', 'g1', '{code}', '{at}')",
            "INSERT INTO table_armies (id, guest_id, name, army, updated_at, revision)"
            f" VALUES ('a1', 'g1', 'Ash', '{{}}', '{at}', 1)",
        ):
            connection.execute(text(statement.replace(":", r"\:")))
    migrate.upgrade(empty_url)
    ctx = AppContext(Database(empty_url), Settings(_env_file=None))
    for secret in ("sog_first", "sog_second"):
        actor = tokens.authenticate(ctx, secret)
        assert (actor.name, actor.guest) == ("Ann", True)
        assert [army.name for army in armies.listed(ctx, actor)] == ["Ash"]
    with pytest.raises(PlayError):
        tokens.authenticate(ctx, "code")
    ctx.database.close()


def _now(filled: dict[str, int]) -> dict[str, int]:
    """Return how many rows there are of those in tables of today: guests at a table are accounts, with sessions."""
    guests, devices = filled.get("table_guests", 0), filled.get("table_guest_devices", 0)
    more = {"users": guests, "visits": guests, "tokens": guests + devices}
    gone = ("table_guests", "table_guest_devices")
    return {name: count + more.get(name, 0) for name, count in filled.items() if name not in gone}


def test_back_to_nothing_and_forward_again(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        fill(connection)
    assert migrate.downgrade(empty_url, "base") == ""
    assert counts(empty_url) == {}
    assert migrate.upgrade(empty_url) == HEAD
    assert set(counts(empty_url).values()) == {0}


def test_every_table_is_filled(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        assert fill(connection) == dict.fromkeys(Base.metadata.tables, ROWS)


# --- the same as the program's tables ---


def test_the_migrated_schema_is_the_programs(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        assert migrate.differences(connection) == []


def test_a_difference_is_found(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        connection.execute(text("CREATE TABLE stray (id INTEGER)"))
        connection.execute(text("DROP INDEX ix_campaigns_status"))
    told = migrate.check(empty_url)
    assert len(told) == 2
    assert any("stray" in event for event in told)


def test_tables_and_views_are_written_the_same_way(empty_url: URL) -> None:
    """What comparing the schemas does not see: constraints, table options, views."""
    migrate.upgrade(empty_url)
    migrated = definitions(empty_url)
    databases.strip(empty_url)
    engine = single_engine(empty_url)
    Base.metadata.create_all(engine)
    engine.dispose()
    assert definitions(empty_url) == migrated


def definitions(url: URL) -> dict[str, list[str]]:
    """Return what the database says of each table and view, in any order that has no meaning."""
    engine = single_engine(url)
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            query = text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'")
            rows = connection.execute(query).all()  # a table that was written anew has its own name in quotes
            plain = {name: sql.replace(f'TABLE "{name}"', f"TABLE {name}", 1) for name, sql in rows}
            found = {name: sorted(re.split(r",?\s*\n\s*", sql)) for name, sql in plain.items()}
        else:
            query = text(
                "SELECT conrelid::regclass::text || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint"
                " WHERE connamespace = 'public'::regnamespace AND conname NOT LIKE 'alembic%'"
            )
            found = {name: [sql] for name, sql in connection.execute(query)}
            found |= {view: inspect(connection).get_view_definition(view).split("\n") for view in VIEWS}
    engine.dispose()
    assert len(found) > len(Base.metadata.tables)
    return found


# --- all or nothing ---


def test_a_step_that_fails_leaves_everything_as_it_was(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        fill(connection)
    before = databases.dump(empty_url)
    with pytest.raises(ZeroDivisionError), locked(empty_url) as connection:  # noqa: PT012
        operations(connection).add_column("campaigns", Column("extra", Text()))
        connection.execute(text("DELETE FROM outbox"))
        raise ZeroDivisionError
    assert databases.dump(empty_url) == before
    assert migrate.check(empty_url) == []


def test_rows_that_would_be_left_over_stop_a_migration() -> None:
    """SQLite only, which does not look while foreign keys are off."""
    with databases.migrated("sqlite", "test") as url:
        with locked(url) as connection:
            fill(connection)
        with pytest.raises(MigrationError, match=r"without what they belong to: .*units"), locked(url) as connection:
            connection.execute(text("DELETE FROM detachments"))
        assert counts(url)["detachments"] == ROWS


def operations(connection: Connection) -> Operations:
    return Operations(MigrationContext.configure(connection))


def rebuild(connection: Connection) -> None:
    """What every change of a column is in SQLite: make the table anew, copy the rows, drop the old one."""
    for name in ("campaigns", "hexes"):
        with operations(connection).batch_alter_table(name, recreate="always") as batch:
            batch.add_column(Column("extra", Text()))


def test_a_table_made_anew_keeps_what_belongs_to_it() -> None:
    with databases.migrated("sqlite", "test") as url:
        with locked(url) as connection:
            fill(connection)
        before = counts(url)
        with locked(url) as connection:
            rebuild(connection)
        assert counts(url) == before
        with locked(url) as connection:
            made = connection.scalar(text("SELECT sql FROM sqlite_master WHERE name = 'hexes'"))
            assert "WITHOUT ROWID" in str(made)
            for view in VIEWS:
                connection.execute(text(f"SELECT * FROM {view}")).all()


def test_with_foreign_keys_on_it_would_not() -> None:
    """Why migrations have an engine of their own."""
    with databases.migrated("sqlite", "test") as url:
        with locked(url) as connection:
            fill(connection)
            for view in reversed(VIEWS):
                connection.execute(text(f"DROP VIEW {view}"))
        database = Database(url)
        with database.write() as session, operations(session.connection()).batch_alter_table("campaigns") as batch:
            batch.alter_column("description", nullable=True)
        database.close()
        assert counts(url)["campaigns"] == ROWS
        assert counts(url)["seats"] == 0


# --- several at once, and what else can be wrong ---


def test_processes_that_start_together_migrate_once(empty_url: URL) -> None:
    failures: list[Exception] = []

    def start() -> None:
        try:
            assert migrate.upgrade(empty_url) == HEAD
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert migrate.check(empty_url) == []


def test_what_a_database_is_at(empty_url: URL) -> None:
    assert migrate.current(empty_url) is None
    (told,) = migrate.check(empty_url)
    needed = f"the database is at revision none, this program needs {HEAD}; run: sealed-orders db upgrade"
    assert told in ("there is no database yet", needed)
    migrate.upgrade(empty_url)
    assert migrate.current(empty_url) == HEAD == migrate.head()
    database = Database(empty_url)
    assert migrate.up_to_date(database)
    with database.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert not migrate.up_to_date(database)
    database.close()
    (told,) = migrate.check(empty_url)
    assert "made by a newer version of this program (it is at revision 9999, this program knows" in told


def test_a_database_to_which_a_newer_version_has_only_added_fits(empty_url: URL) -> None:
    """So both versions run beside each other. Seen to fail where only this program's revision fitted."""
    migrate.upgrade(empty_url)
    later = f"{HEAD.partition('.')[0]}.99"
    with locked(empty_url) as connection:
        connection.execute(text("ALTER TABLE campaigns ADD COLUMN extra TEXT"))
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{later}'"))
    assert migrate.upgrade(empty_url) == later
    assert migrate.check(empty_url) == []
    assert migrate.mismatch(later, exactly=True)
    database = Database(empty_url)
    assert migrate.up_to_date(database)
    database.close()
    with pytest.raises(MigrationError, match="newer version"):
        migrate.downgrade(empty_url, "0001")


ADDS = frozenset({"create_table", "add_column", "create_index", "execute", "batch_alter_table", "f"})


def test_a_revision_with_a_point_only_adds() -> None:
    """The version before goes on beside it. What it adds may be empty or has a default, for that version leaves it out.

    Seen to fail with a migration 0039.1 that dropped an index.
    """
    for path in sorted((Path(__file__).parents[2] / "migrations" / "versions").glob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        if "." not in _revision_of(module):
            continue
        (upgrade,) = (each for each in module.body if isinstance(each, ast.FunctionDef) and each.name == "upgrade")
        called = {each.func.attr for each in ast.walk(upgrade)
                  if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
                  and isinstance(each.func.value, ast.Name) and each.func.value.id in ("op", "batch")}  # fmt: skip
        assert called <= ADDS, path.name
        for column in _columns_added(upgrade):
            assert column & {"nullable=True", "server_default"}, path.name


def _revision_of(module: ast.Module) -> str:
    named = (
        each for each in module.body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "revision"
    )
    return str(ast.literal_eval(next(named).value))


def _columns_added(upgrade: ast.FunctionDef) -> Iterator[set[str]]:
    """Yield for each column that is added to a table how it is made."""
    for call in ast.walk(upgrade):
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".add_column"):
            (column,) = (each for each in call.args if isinstance(each, ast.Call))
            told = (each for each in column.keywords if each.arg)
            yield {each.arg if each.arg == "server_default" else ast.unparse(each) for each in told}


def test_looking_does_not_make_a_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/none.db"
    assert migrate.current(url) is None
    assert migrate.check(url) == ["there is no database yet"]
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_a_newer_program_is_left_alone(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    with locked(empty_url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for change in (migrate.upgrade, lambda url: migrate.downgrade(url, "0001")):
        with pytest.raises(MigrationError, match=r"newer version of this program .* 9999"):  # was Alembic's own words
            change(empty_url)


def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    with databases.migrated("sqlite", "test") as url:
        with locked(url) as connection:
            fill(connection)
        with closing(sqlite3.connect(str(url.database))) as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'seats'").fetchone()
            (size,) = file.execute("PRAGMA page_size").fetchone()
        with open(str(url.database), "r+b") as raw:
            raw.seek((page - 1) * size + 100)
            raw.write(b"\xff" * (size - 100))
        assert any("damaged" in each for each in migrate.check(url))
    (tmp_path / "letter.db").write_text("Dear GM, " * 1000)
    assert migrate.check(f"sqlite:///{tmp_path}/letter.db") == ["the file is damaged: file is not a database"]


def test_rows_left_over_by_others_are_found() -> None:
    with databases.migrated("sqlite", "test") as url:
        with locked(url) as connection:
            fill(connection)
        with closing(sqlite3.connect(str(url.database))) as file:  # has foreign keys off, as it comes
            file.execute("DELETE FROM hexes")
            file.commit()
        assert "the file is damaged: rows in detachments refer to nothing" in migrate.check(url)


def test_alembics_own_command_works(empty_url: URL) -> None:
    """``alembic -x url=... upgrade head``, as who writes a migration uses it."""
    root = Path(__file__).parents[2]
    address = empty_url.render_as_string(hide_password=False)
    ran = subprocess.run(
        [sys.executable, "-m", "alembic", "-x", f"url={address}", "upgrade", "head"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert migrate.check(empty_url) == []


def test_migrations_do_not_use_the_programs_tables() -> None:
    """They must stay what they are when the tables move on."""
    for path in (Path(__file__).parents[2] / "migrations" / "versions").glob("*.py"):
        assert "server" not in re.findall(r"^(?:from|import) (\w+)", path.read_text(), re.MULTILINE), path.name


def test_an_engine_without_our_settings_can_read_it(empty_url: URL) -> None:
    migrate.upgrade(empty_url)
    engine = create_engine(empty_url, poolclass=NullPool)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT * FROM standings")).all() == []
    engine.dispose()
