"""Lists of one's own campaigns ask those machines of a cluster alone that have them; ``make citus`` runs this."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from server.play.campaigns import campaigns, dashboard, seats
from server.play.campaigns.campaigns import NewCampaign
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database
from tests.play.campaigns import gathered
from tests.play.conftest import person
from tests.store import databases

pytestmark = pytest.mark.skipif(not databases.CITUS, reason="SEALED_ORDERS_TEST_CITUS names no cluster")
TASKS = re.compile(r"Task Count: (\d+)")


def test_own_lists_ask_for_these_campaigns_alone() -> None:
    with databases.migrated("postgresql", "lists") as url:
        database = Database(url)
        ctx = AppContext(database, Settings(_env_file=None))
        gm = gathered(ctx, "Gwen", NewCampaign("One", "the-pass"), ["Ada", "Ben"]).gm
        ida = person(ctx, "Ida")
        seats.invite_user(ctx, gm, campaigns.create(ctx, gm, NewCampaign("Two", "the-pass")).id, ida.name)
        lists: dict[str, tuple[Callable[[], Any], int]] = {
            "one's own": (lambda: dashboard.mine(ctx, gm), 2),
            "one's own, page by page": (lambda: dashboard.find(ctx, gm, mine=True).items, 2),
            "invitations": (lambda: dashboard.invitations(ctx, ida), 1),
            "offers": (lambda: dashboard.offers(ctx, ida), 0),
        }
        for name, (look, count) in lists.items():
            with statements(database) as asked:
                assert len(look()) == count, name
            for statement, values in asked:
                with database.engine.connect() as connection:
                    plan = "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", values))
                assert max([0, *map(int, TASKS.findall(plan))]) <= max(count, 1), (name, statement)
        database.close()


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """Collect what is asked, with its values."""
    found: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, values: Any, *_more: object) -> None:
        if statement.startswith("SELECT"):
            found.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
