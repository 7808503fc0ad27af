"""Spreading the tables of campaigns over the machines of a Citus cluster (PostgreSQL's extension).

All rows of a campaign go to one machine, so its statements run there alone. Accounts are on all of them. What belongs
to the server stays on the coordinator, to which the program connects.
"""

from __future__ import annotations

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL

from server.store import migrate
from server.store.database import normalised
from server.store.errors import MigrationError
from server.store.groups import OF_CAMPAIGN, campaign_column
from server.store.tables import VIEWS, Base, User, views

_INNER = text("""
    SELECT conrelid::regclass::text AS on_table, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
    AND conrelid::regclass::text = ANY(:tables) AND confrelid::regclass::text = ANY(:tables)
    ORDER BY 1, 2""")
"""Foreign keys from one table of a campaign to another: a table that is spread cannot refer to one that is not yet."""
_DONE = text("SELECT logicalrelid::text FROM pg_dist_partition WHERE partmethod = 'h'")
_HOSTS = text("SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive")


def distribute(url: str | URL) -> int:
    """Spread the tables over the cluster; returns how many it were, 0 where all are. All or nothing.

    Raises :class:`MigrationError` in words where something is missing. Nobody can use the database meanwhile.
    """
    if normalised(url).get_backend_name() != "postgresql":
        raise MigrationError(
            "only PostgreSQL can be spread over machines; `sealed-orders db copy` takes a database there"
        )
    if wrong := migrate.mismatch(migrate.current(url), exactly=True):
        raise MigrationError(wrong)
    with migrate.locked(url) as connection:
        if connection.scalar(text("SELECT 1 FROM pg_extension WHERE extname = 'citus'")) is None:
            raise MigrationError(
                "this database has no extension citus: install Citus on each machine, then run"
                " CREATE EXTENSION citus in the database of each, and add the workers (citus_add_node)"
            )
        if not connection.scalar(_HOSTS):
            raise MigrationError(
                "the cluster has no machine for rows yet: add one (SELECT citus_add_node('host', 5432))"
            )
        done = set(connection.scalars(_DONE))
        tables = [table for table in Base.metadata.sorted_tables if table.name in OF_CAMPAIGN - done]
        if tables:
            _spread(connection, {table.name: campaign_column(table) for table in tables})
        return len(tables)


def _spread(connection: Connection, columns: dict[str, str]) -> None:
    """Spread tables by these columns.

    From then on, a statement that concerns several machines asks one after the other: after one that asked several
    at once, Citus refuses to write accounts or tables of the server in the same transaction.
    """
    connection.execute(text("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"))
    name = connection.dialect.identifier_preparer.quote(str(connection.scalar(text("SELECT current_database()"))))
    connection.execute(text(f"ALTER DATABASE {name} SET citus.multi_shard_modify_mode TO 'sequential'"))
    for view in reversed(VIEWS):
        connection.execute(text(f"DROP VIEW {view}"))
    keys = connection.execute(_INNER, {"tables": sorted(OF_CAMPAIGN)}).all()
    for key in keys:
        connection.execute(text(f"ALTER TABLE {key.on_table} DROP CONSTRAINT {key.name}"))
    everywhere = text(
        "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = CAST(:name AS regclass) AND partmethod = 'n'"
    )
    if connection.scalar(everywhere, {"name": User.__tablename__}) is None:
        connection.execute(text("SELECT create_reference_table(:name)"), {"name": User.__tablename__})
    for name, column in columns.items():
        beside = "none" if name == "campaigns" else "campaigns"
        row = {"name": name, "column": column, "beside": beside}
        connection.execute(text("SELECT create_distributed_table(:name, :column, colocate_with => :beside)"), row)
    for name in columns:
        connection.execute(text("SELECT truncate_local_data_after_distributing_table(:name)"), {"name": name})
    for key in keys:
        connection.execute(text(f"ALTER TABLE {key.on_table} ADD CONSTRAINT {key.name} {key.definition}"))
    for statement in views.statements("postgresql"):
        connection.execute(text(statement))
