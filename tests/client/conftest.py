from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.client.club import Club, found
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """A real server on SQLite, for all tests of the client."""
    with databases.migrated("sqlite", "client") as url, serving(url) as process:
        yield process


@pytest.fixture
def club(server: ServerProcess) -> Iterator[Club]:
    """A campaign of two that has begun, and the clients of its people."""
    with found(server.base_url) as club:
        yield club
