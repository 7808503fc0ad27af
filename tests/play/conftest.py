from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from server.play.accounts import accounts
from server.play.accounts.tokens import authenticate
from server.play.context import Actor, AppContext
from server.settings import Settings
from server.store.database import Database
from tests.play.standing import check_derived, check_pointers
from tests.store.conftest import database, kind, postgresql_database

__all__ = ["database", "kind", "postgresql_database"]


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.at = datetime(2031, 5, 16, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ctx(database: Database, clock: Clock) -> Iterator[AppContext]:
    own = AppContext(database, Settings(_env_file=None), clock)
    yield own
    own.close()
    check_pointers(database)
    check_derived(database)


def person(ctx: AppContext, name: str, **more: object) -> Actor:
    """Make an account and return it signed in; without a password, which takes long."""
    account = accounts.make_user(ctx, name, **more)  # type: ignore[arg-type]
    return Actor(account.id, account.name, account.admin, session=True)


def by_secret(ctx: AppContext, secret: str) -> Actor:
    return authenticate(ctx, secret)
