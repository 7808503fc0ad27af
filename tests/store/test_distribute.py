"""Spreading over a cluster: what is missing is said in words. ``make citus`` plays on one."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL

from server.store import migrate
from server.store.database import single_engine
from server.store.distribute import _INNER, distribute
from server.store.errors import MigrationError
from server.store.groups import OF_CAMPAIGN
from tests.store import databases


def test_what_is_missing_is_said(empty_url: URL) -> None:
    """An old schema, then no cluster; nothing is changed."""
    sqlite = empty_url.get_backend_name() == "sqlite"
    told = "only PostgreSQL" if sqlite else "at revision none"
    with pytest.raises(MigrationError, match=told):
        distribute(empty_url)
    migrate.upgrade(empty_url)
    with pytest.raises(MigrationError, match="only PostgreSQL" if sqlite else "no extension citus"):
        distribute(empty_url)
    assert migrate.check(empty_url) == []


def test_foreign_keys_between_tables_of_campaigns_are_found() -> None:
    """They are dropped and made again: a table that is spread cannot refer to one that is not yet."""
    with databases.migrated("postgresql", "keys") as url:
        engine = single_engine(url)
        with engine.begin() as connection:
            keys = connection.execute(_INNER, {"tables": sorted(OF_CAMPAIGN)}).all()
            names = {key.name for key in keys}
            assert {"fk_seats_campaign_id", "fk_messages_campaign_id_reply_to"} <= names
            assert not [name for name in names if name.endswith("user_id")]
            for key in keys:
                connection.execute(text(f"ALTER TABLE {key.on_table} DROP CONSTRAINT {key.name}"))
            for key in keys:
                connection.execute(text(f"ALTER TABLE {key.on_table} ADD CONSTRAINT {key.name} {key.definition}"))
        engine.dispose()
        assert migrate.check(url) == []
