"""A stage that is set up again is as good as one that was played there."""

from __future__ import annotations

from contextlib import closing

import pytest

from server.play.context import AppContext
from server.play.orders import orders
from server.settings import Settings
from server.store.database import Database
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.store import databases


@pytest.mark.parametrize("kind", databases.KINDS)
def test_rows_get_new_numbers_in_a_database_that_has_given_none(kind: str) -> None:
    clock = Clock()
    clock.forward(days=1234)  # a stage of this test's own
    for name in ("stage_one", "stage_two"):
        with databases.migrated(kind, name) as url, closing(Database(url)) as database:
            ctx = AppContext(database, Settings(_env_file=None), clock)
            made = club(ctx)
            orders.replace(ctx, made.players["p1"], made.id, [])
            made.play_phase()
            ctx.close()
