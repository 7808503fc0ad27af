"""``python -m tests.store.answers``: exits 0 when there is a PostgreSQL server the tests can use."""

from __future__ import annotations

import os
import sys

import psycopg

from tests.store.databases import DEFAULT


def answers() -> bool:
    """True when the server named for the tests, or the local one, lets us in."""
    try:
        psycopg.connect(os.environ.get("SEALED_ORDERS_TEST_POSTGRESQL", DEFAULT), connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(0 if answers() else 1)
