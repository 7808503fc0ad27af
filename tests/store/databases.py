"""Databases for tests: a fresh SQLite file, or a PostgreSQL database of the test worker's own.

``SEALED_ORDERS_TEST_POSTGRESQL`` names a PostgreSQL server (default :data:`DEFAULT`; its user must
be allowed to create databases). Where none answers, tests fail, unless
``SEALED_ORDERS_SKIP_POSTGRESQL=1`` says that there is none here. ``SEALED_ORDERS_TEST_CITUS`` names a database on the
coordinator of a Citus cluster instead: then each has its tables spread over that cluster's machines.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Connection, Integer, Table, create_engine, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from server.store import migrate
from server.store.database import Database, normalised, single_engine
from server.store.distribute import distribute
from server.store.tables import Base

DEFAULT = "postgresql://postgres@127.0.0.1:5432/postgres"
KINDS = ("sqlite", "postgresql")
CITUS = os.environ.get("SEALED_ORDERS_TEST_CITUS", "")


@contextmanager
def empty(kind: str, name: str) -> Iterator[URL]:
    """A database without any tables, gone afterwards. *name* tells it from other tests' ones."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="sealed-orders-") as folder:
            yield make_url(f"sqlite:///{folder}/{name}.db")
        return
    name = f"sealed_orders_test_{os.getpid()}_{name}"
    _administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
    if CITUS:
        _make_cluster(name)
    try:
        yield server().set(database=name)
    finally:
        _administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@contextmanager
def migrated(kind: str, name: str) -> Iterator[URL]:
    """A database with all tables and no rows, gone afterwards."""
    with empty(kind, name) as url:
        if kind == "sqlite":
            shutil.copyfile(_sqlite_template(), str(url.database))
        else:
            migrate.upgrade(url)
            if CITUS:
                distribute(url)
        yield url


@contextmanager
def copied(url: URL) -> Iterator[URL]:
    """A copy of a SQLite database that nobody uses, gone afterwards."""
    with empty("sqlite", "copy") as copy:
        shutil.copyfile(str(url.database), str(copy.database))
        yield copy


def clear(database: Database) -> None:
    """Delete every row; on PostgreSQL in one round trip, which SQLite does not know."""
    deletes = [f'DELETE FROM "{table.name}"' for table in reversed(Base.metadata.sorted_tables)]
    with database.write() as session:
        for statement in deletes if database.sqlite else ["; ".join(deletes)]:
            session.connection().exec_driver_sql(statement)


def count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number rows from now on with what no row has that was put there with its number."""
    key, *others = table.primary_key.columns
    if connection.dialect.name == "postgresql" and not others and isinstance(key.type, Integer):
        sequence = func.pg_get_serial_sequence(table.name, key.name)
        newest = select(func.max(key)).scalar_subquery()
        connection.execute(select(func.setval(sequence, func.greatest(newest, func.nextval(sequence)))))


def strip(url: URL) -> None:
    """Drop every table."""
    if url.get_backend_name() == "sqlite":
        Path(str(url.database)).unlink(missing_ok=True)
        return
    engine = single_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()


def dump(url: URL) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table, sorted."""
    engine = single_engine(url)
    try:
        with engine.connect() as connection:
            return {
                name: sorted(map(tuple, connection.execute(table.select())), key=repr)
                for name, table in Base.metadata.tables.items()
            }
    finally:
        engine.dispose()


def size(database: Database) -> int:
    """Return the bytes of a database; on a cluster those of all machines."""
    if database.sqlite:
        files = (Path(f"{database.url.database}{end}") for end in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    return sum(map(int, _everywhere(database, "SELECT pg_database_size(current_database())")))


def backends(database: Database) -> list[int]:
    """Return the ids of PostgreSQL's processes for a database; of a cluster whose machines are all this one, too."""
    if database.sqlite:
        return []
    query = "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE datname = current_database()"
    return [int(pid) for answer in _everywhere(database, query) for pid in answer.split()]


def _everywhere(database: Database, query: str) -> list[str]:
    asked = f"SELECT result FROM run_command_on_all_nodes($${query}$$)" if CITUS else query
    with database.read() as session:
        return [str(answer) for answer in session.scalars(text(asked))]


def server() -> URL:
    """Return the address of the tests' PostgreSQL, with a user who may create databases."""
    return normalised(CITUS or os.environ.get("SEALED_ORDERS_TEST_POSTGRESQL", DEFAULT))


def _administer(*statements: str) -> None:
    """Run statements on the server; on each machine of a cluster."""
    for url in _machines() if CITUS else [server()]:
        _run(url, *statements)


def _run(url: URL, *statements: str) -> None:
    engine = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    try:
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(text(statement))
    except OperationalError as error:
        if os.environ.get("SEALED_ORDERS_SKIP_POSTGRESQL") == "1":
            pytest.skip("SEALED_ORDERS_SKIP_POSTGRESQL=1: not tested on PostgreSQL")
        pytest.fail(f"no PostgreSQL for the tests (SEALED_ORDERS_SKIP_POSTGRESQL=1 does without): {error.orig}")
    finally:
        engine.dispose()


@cache
def _machines() -> tuple[URL, ...]:
    """Return the addresses of a cluster's machines, the coordinator first."""
    engine = create_engine(server(), poolclass=NullPool)
    with engine.connect() as connection:
        query = "SELECT nodename, nodeport FROM pg_dist_node WHERE isactive AND groupid > 0 ORDER BY nodeid"
        workers = [server().set(host=host, port=port) for host, port in connection.execute(text(query))]
    engine.dispose()
    return (server(), *workers)


def _make_cluster(name: str) -> None:
    """Make a cluster of the databases of that name."""
    coordinator, *workers = (url.set(database=name) for url in _machines())
    for url in (coordinator, *workers):
        _run(url, "CREATE EXTENSION citus")
    _run(
        coordinator,
        f"SELECT citus_set_coordinator_host('{coordinator.host}', {coordinator.port or 5432})",
        *(f"SELECT citus_add_node('{url.host}', {url.port or 5432})" for url in workers),
    )


@cache
def _sqlite_template() -> Path:
    folder = tempfile.TemporaryDirectory(prefix="sealed-orders-")
    _templates.append(folder)
    path = Path(folder.name) / "template.db"
    migrate.upgrade(f"sqlite:///{path}")
    return path


_templates: list[tempfile.TemporaryDirectory[str]] = []
"""Kept until the end of the run."""
