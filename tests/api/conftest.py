from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from server.settings import Settings
from tests.store import databases


def settings_for(url: URL, **more: object) -> Settings:
    """Settings for tests: no limits, no ticker, phases are resolved at once."""
    given = {
        "database_url": url.render_as_string(hide_password=False),
        "ticker": False,
        "resolver_threads": 0,
        "resolver_processes": 0,
        "account_rate": 0,
        "address_rate": 0,
        "guests_per_day": 100_000,
        "sign_in_rate": 0,
        "guess_rate": 0,
    } | more
    return Settings.model_validate(given)


@pytest.fixture
def url() -> Iterator[URL]:
    """A fresh database, on SQLite unless ``make twins`` asks for the other kind."""
    with databases.migrated(os.environ.get("SEALED_ORDERS_TWINS", "sqlite"), "api") as found:
        yield found


@pytest.fixture
def client(url: URL) -> Iterator[TestClient]:
    """A client of a running app that nobody has signed in to."""
    with TestClient(create_app(settings_for(url)), base_url="http://127.0.0.1:8000") as found:
        yield found
