"""Tables are of two groups (:mod:`server.store.groups`), so that a database can grow over machines."""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, Table, UniqueConstraint, delete, func, select, update

from server.store.database import Database
from server.store.groups import OF_CAMPAIGN, OF_SERVER, campaign_column, forget
from server.store.tables import Base, Campaign, User
from tests.store.filling import ROWS, fill

TABLES = dict(Base.metadata.tables)


def problems(table: Table) -> list[str]:
    """Return in what a table is not of a campaign."""
    column = campaign_column(table)
    found = []
    if [key.name for key in table.primary_key][:1] != [column]:
        found.append(f"{table.name}: the key does not begin with the campaign")
    unique = [(each.name, each.columns) for each in table.constraints if isinstance(each, UniqueConstraint)]
    unique += [(index.name, index.columns) for index in table.indexes if index.unique]
    found += [f"{name}: unique without the campaign" for name, columns in unique if column not in columns]
    for key in table.constraints:
        if isinstance(key, ForeignKeyConstraint) and key.referred_table.name != User.__tablename__:
            pairs = {(element.parent.name, element.column.name) for element in key.elements}
            if key.referred_table.name not in OF_CAMPAIGN or (column, campaign_column(key.referred_table)) not in pairs:
                found.append(f"{key.name}: goes out of the campaign")
    return found


def test_tables_of_campaigns_can_be_distributed_by_campaign() -> None:
    """Seen to fail with ``votes`` keyed by its number first."""
    assert [problem for name in sorted(OF_CAMPAIGN) for problem in problems(TABLES[name])] == []


def test_tables_of_the_server_refer_to_no_campaign() -> None:
    assert TABLES.keys() >= OF_SERVER
    referred = {(name, key.referred_table.name) for name in OF_SERVER for key in TABLES[name].foreign_key_constraints}
    assert not {pair for pair in referred if pair[1] not in OF_SERVER}


def test_nothing_on_the_server_is_left_of_a_campaign_that_is_gone(database: Database) -> None:
    """Seen to fail without ``webhooks``. Reports of people stay: operators decide about those."""
    with database.write() as session:
        fill(session.connection())
        session.execute(update(TABLES["webhooks"]).values(campaign_id="t0"))
        session.execute(delete(Campaign).where(Campaign.id == "t0"))
        forget(session, "t0")
        session.flush()
        theirs = [TABLES[name] for name in OF_SERVER if "campaign_id" in TABLES[name].columns]
        assert {"outbox", "table_games", "stories", "agenda"} <= {table.name for table in theirs}
        for table in theirs:
            left = select(func.count()).where(table.c.campaign_id == "t0")
            assert session.scalar(left) == 0, table.name
        reports = TABLES["person_reports"]
        assert session.scalar(select(func.count()).select_from(reports)) == ROWS
        assert session.scalar(select(func.count()).where(reports.c.message_id.is_not(None))) == ROWS - 1
