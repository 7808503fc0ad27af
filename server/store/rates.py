"""How often someone may still ask, counted together for all processes on one PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.orm import Session


def exchange(session: Session, spent: Mapping[str, float], now: datetime) -> dict[str, float]:
    """Add what was used here, and return how much is used by all: seconds until a key has its whole burst again."""
    keys = sorted(spent)
    given = {"keys": keys, "spent": [timedelta(seconds=spent[key]) for key in keys], "now": now}
    return {key: (full_at - now).total_seconds() for key, full_at in session.connection().execute(_ADD, given)}


_ADD = text("""
    INSERT INTO rates (key, full_at)
    SELECT key, CAST(:now AS timestamptz) + spent
    FROM unnest(CAST(:keys AS text[]), CAST(:spent AS interval[])) AS given(key, spent)
    ON CONFLICT (key) DO UPDATE
    SET full_at = greatest(rates.full_at, CAST(:now AS timestamptz)) + (excluded.full_at - CAST(:now AS timestamptz))
    RETURNING key, full_at""")
"""In the order of their keys, so that two processes cannot wait for each other."""
