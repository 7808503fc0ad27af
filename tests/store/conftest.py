from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.engine import URL

from server.store.database import Database
from tests.store import databases


@pytest.fixture(scope="session")
def postgresql_database() -> Iterator[Database]:
    """One PostgreSQL database for all tests of this worker."""
    with databases.migrated("postgresql", "main") as url:
        database = Database(url)
        yield database
        database.close()


@pytest.fixture(params=databases.KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Both kinds of database, one after the other."""
    return str(request.param)


@pytest.fixture
def database(kind: str, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database with all tables and no rows."""
    if kind == "postgresql":
        shared: Database = request.getfixturevalue("postgresql_database")
        yield shared
        databases.clear(shared)
        return
    with databases.migrated("sqlite", "test") as url:
        own = Database(url)
        yield own
        own.close()


@pytest.fixture(scope="session")
def postgresql_scratch() -> Iterator[URL]:
    """A PostgreSQL database for whoever empties it first."""
    with databases.empty("postgresql", "scratch") as url:
        yield url


@pytest.fixture
def empty_url(kind: str, request: pytest.FixtureRequest) -> Iterator[URL]:
    """The URL of a database without any tables."""
    if kind == "postgresql":
        url: URL = request.getfixturevalue("postgresql_scratch")
        databases.strip(url)
        yield url
        return
    with databases.empty("sqlite", "empty") as own:
        yield own
