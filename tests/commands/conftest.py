from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.engine import URL

from tests.store import databases


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[URL]:
    """A fresh SQLite database, which is the one the commands work on."""
    with databases.migrated("sqlite", "commands") as found:
        monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", found.render_as_string(hide_password=False))
        yield found
