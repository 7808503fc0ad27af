"""Campaigns by the shard of a cluster that has them.

What concerns a single shard is one statement for its machine alone, and only such a statement can lock rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, Text, bindparam, column, func, select

from server.store.database import Database
from server.store.tables import Campaign


def of(campaign_id: Any) -> Any:
    """Return what says in a statement which shard has a campaign."""
    return func.get_shard_id_for_distribution_column(Campaign.__tablename__, campaign_id)


_GIVEN = func.unnest(bindparam("of", type_=ARRAY(Text))).table_valued(column("id", Text), name="given").render_derived()
_SHARDS = select(_GIVEN.c.id, of(_GIVEN.c.id).label("shard"))


def together(database: Database, campaign_ids: Sequence[str]) -> list[list[str]]:
    """Return campaigns by their shard; without a cluster, all of them together."""
    if len(campaign_ids) < 2 or not database.spread:
        return [list(campaign_ids)] if campaign_ids else []
    found: dict[int, list[str]] = {}
    for row in database.ask(_SHARDS, {"of": list(campaign_ids)}):
        found.setdefault(row.shard, []).append(row.id)
    return list(found.values())
