from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e import clients
from tests.store import databases


@pytest.fixture(autouse=True)
def _connections_are_closed() -> Iterator[None]:
    yield
    clients.close_all()


@pytest.fixture(params=databases.KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Both kinds of database, one after the other."""
    return str(request.param)
