"""Bringing a database to the schema of this program, and back.

All steps of one call are one transaction, on both databases: a step that fails leaves everything
as it was. Two processes that start together do not step on each other; the second finds nothing left to do.

Revisions that share the number before the point (``0039``, ``0039.1``) only add: a program made for one of them
works with a database at a later one. So processes of both versions can run beside each other while they are exchanged.

Alembic is imported where something is migrated or compared: a server whose database fits runs without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL

import server
from server.store.database import Database, normalised, single_engine, translated
from server.store.errors import Damaged, MigrationError
from server.store.tables import Base, UtcDateTime
from server.store.tables.base import BIG_INTEGER, PackedJson, StringListType

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x5EA1ED
"""PostgreSQL's advisory lock of migrations."""
_NAMED = re.compile(r'^(revision|down_revision) = "([^"]+)"', re.MULTILINE)


def upgrade(url: str | URL, revision: str = "head") -> str:
    """Bring the database forward to a revision, the newest by default; returns the one it is at now.

    A database to which a newer version has only added stays as it is.
    """
    with locked(url) as connection:
        if revision != "head" or not fits(_revision(connection)):
            _do("upgrade", connection, revision)
        return _revision(connection) or ""


def downgrade(url: str | URL, revision: str) -> str:
    """Take the database back to a revision, ``base`` for nothing at all; data that has no place there is lost."""
    with locked(url) as connection:
        _do("downgrade", connection, revision)
        return _revision(connection) or ""


def current(url: str | URL) -> str | None:
    """Return the revision the database is at, None when it has none of our tables."""
    if _missing(url):
        return None
    with _looking(url) as connection:
        return _revision(connection)


def head() -> str:
    """Return the revision this program needs."""
    return revisions()[0]


def revisions() -> tuple[str, ...]:
    """Return the revisions this program knows, the newest first."""
    return _revisions(_location())


def fits(at: str | None) -> bool:
    """Say whether this program can work on a database at that revision: its own, or a later one that only adds."""
    return at == head() or (at is not None and at not in revisions() and _number(at) == _number(head()))


def _number(revision: str) -> str:
    return revision.partition(".")[0]


def mismatch(at: str | None, *, exactly: bool = False) -> str:
    """Return in one line what is wrong with a database at that revision and what to do; empty where it fits.

    *exactly*: it must be at the revision of this program.
    """
    if at == head() or (fits(at) and not exactly):
        return ""
    if at is not None and at not in revisions():
        return (
            f"the database was made by a newer version of this program (it is at revision {at}, this program knows "
            f"{head()}): install that version, or restore a backup from before"
        )
    return f"the database is at revision {at or 'none'}, this program needs {head()}; run: sealed-orders db upgrade"


def up_to_date(database: Database) -> bool:
    """True when this program can work on the database; cheap, for readiness checks."""
    with database.read() as session:
        return fits(_revision(session.connection()))


def check(url: str | URL) -> list[str]:
    """Return what is wrong with the database, a sentence each; nothing when this program can work on it."""
    if _missing(url):
        return ["there is no database yet"]
    try:
        with _looking(url) as connection:
            damage, at = _damage(connection), _revision(connection)
            if wrong := mismatch(at):
                return [*damage, wrong]
            return [*damage, *(differences(connection) if at == head() else ())]
    except Damaged as error:
        return [f"the file is damaged: {error}"]


def differences(connection: Connection) -> list[str]:
    """Return the differences between the schema and this program's tables."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    context = MigrationContext.configure(connection, opts={"compare_type": True, "include_object": _ours})
    return [f"the schema differs: {difference}" for difference in compare_metadata(context, Base.metadata)]


@contextmanager
def locked(url: str | URL) -> Iterator[Connection]:
    """A transaction that nobody else migrates in, with SQLite's foreign keys off; checked before it is committed."""
    engine = single_engine(url)
    try:
        with translated(), engine.begin() as connection:
            if not _sqlite(connection):
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection
            orphans = _orphans(connection)
            if orphans:
                raise MigrationError(f"rows would be left without what they belong to: {', '.join(orphans)}")
    finally:
        engine.dispose()


@contextmanager
def _looking(url: str | URL) -> Iterator[Connection]:
    database = Database(url)
    try:
        with database.read() as session:
            yield session.connection()
    finally:
        database.close()


def configured(context: Any, connection: Connection) -> None:
    """Run the migrations Alembic has chosen on a connection; called by ``migrations/env.py``."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        transactional_ddl=True,
        compare_type=True,
        include_object=_ours,
        render_item=_plainly,
    )
    with context.begin_transaction():
        context.run_migrations()


# --- Alembic ---


def _do(what: Literal["upgrade", "downgrade"], connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.util import CommandError

    at = _revision(connection)
    if at is not None and at not in revisions():
        raise MigrationError(mismatch(at, exactly=True))
    try:
        getattr(command, what)(_config(connection), revision)
    except CommandError as error:
        raise MigrationError(str(error)) from error


def _config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_location()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _location() -> Path:
    """Return the folder of the migrations: inside the package when installed, beside it in a checkout."""
    package = Path(server.__file__).parent
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


@cache
def _revisions(location: Path) -> tuple[str, ...]:
    """Return the revisions of a folder: its files name themselves and what they follow, in lines as Alembic writes."""
    follows: dict[str, str] = {}
    for file in location.joinpath("versions").glob("*.py"):
        named = dict(_NAMED.findall(file.read_text("utf-8")))
        if "revision" in named:
            follows[named.get("down_revision", "")] = named["revision"]
    found: list[str] = []
    while (following := follows.get(found[0] if found else "")) is not None:
        found.insert(0, following)
    return tuple(found)


def _revision(connection: Connection) -> str | None:
    """Return the revision in Alembic's table, if there is one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _ours(_thing: object, name: str | None, kind: str, _reflected: bool, _other: object) -> bool:
    return not (kind == "table" and name == "alembic_version")


def _plainly(kind: str, thing: object, _context: object) -> str | bool:
    """Write our column types as plain ones: migrations must stay what they are when the types change."""
    if kind != "type":
        return False
    if isinstance(thing, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(thing, StringListType):
        return "sa.Text()"
    if isinstance(thing, PackedJson):
        return "sa.LargeBinary()"
    if type(thing) is type(BIG_INTEGER):
        return 'sa.BigInteger().with_variant(sa.Integer(), "sqlite")'
    return False


# --- the database itself ---


def _sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _missing(url: str | URL) -> bool:
    parsed = normalised(url)
    return parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).exists()


def _orphans(connection: Connection) -> list[str]:
    """Return tables with rows that refer to nothing; PostgreSQL allows none at any time."""
    if not _sqlite(connection):
        return []
    return sorted({row[0] for row in connection.exec_driver_sql("PRAGMA foreign_key_check")})


def _damage(connection: Connection) -> list[str]:
    if not _sqlite(connection):
        return []
    found = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check") if row[0] != "ok"]
    orphans = [f"rows in {orphan} refer to nothing" for orphan in _orphans(connection)]
    return [f"the file is damaged: {damage}" for damage in (*found, *orphans)]
