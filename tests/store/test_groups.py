"""Tables are of two groups, so that a database can grow over machines.

*Of a campaign*: the key begins with the campaign, unique keys hold it, and foreign keys stay within the campaign or go
to accounts. *Of the server*: all others. :data:`APART` are tables of campaigns that are not like that yet; it
may only become shorter.
"""

from __future__ import annotations

from sqlalchemy import ForeignKeyConstraint, Table, UniqueConstraint

from server.store.tables import Base, User

TABLES = dict(Base.metadata.tables)
OF_SERVER = frozenset({
    "account_holds", "admin_acts", "agenda", "idempotency_keys", "live_events", "notification_settings",
    "push_subscriptions", "second_factors", "server_values", "streams", "table_armies", "templates", "tokens", "users",
    "visits",
})  # fmt: skip
APART = frozenset({
    "battle_reports", "blocks", "declarations", "inbound_mails", "mail_invitations", "message_recipients", "messages",
    "outbox", "person_reports", "stories", "story_pictures", "table_acts", "table_battles", "table_beginnings",
    "table_games", "table_missions", "table_presence", "table_proposals", "table_results", "table_seats", "webhooks",
})  # fmt: skip
UNIQUE_APART = frozenset({"ix_campaigns_invite_hash", "uq_seats_mail_key"})
"""Keys of campaigns that are unique over all of them."""
OF_CAMPAIGN = TABLES.keys() - OF_SERVER - APART


def of_campaign(table: Table) -> str:
    """Return the column that holds the campaign."""
    return "id" if table.name == "campaigns" else "campaign_id"


def problems(table: Table) -> list[str]:
    """Return in what a table is not of a campaign."""
    column = of_campaign(table)
    found = []
    if [key.name for key in table.primary_key][:1] != [column]:
        found.append(f"{table.name}: the key does not begin with the campaign")
    unique = [(each.name, each.columns) for each in table.constraints if isinstance(each, UniqueConstraint)]
    unique += [(index.name, index.columns) for index in table.indexes if index.unique]
    found += [f"{name}: unique without the campaign" for name, columns in unique
              if column not in columns and name not in UNIQUE_APART]  # fmt: skip
    for key in table.constraints:
        if isinstance(key, ForeignKeyConstraint) and key.referred_table.name != User.__tablename__:
            pairs = {(element.parent.name, element.column.name) for element in key.elements}
            if key.referred_table.name not in OF_CAMPAIGN or (column, of_campaign(key.referred_table)) not in pairs:
                found.append(f"{key.name}: goes out of the campaign")
    return found


def test_tables_of_campaigns_can_be_distributed_by_campaign() -> None:
    """Seen to fail with ``votes`` keyed by its number first."""
    assert [problem for name in sorted(OF_CAMPAIGN) for problem in problems(TABLES[name])] == []


def test_tables_of_the_server_refer_to_no_campaign() -> None:
    referred = {(name, key.referred_table.name) for name in OF_SERVER for key in TABLES[name].foreign_key_constraints}
    assert not {pair for pair in referred if pair[1] not in OF_SERVER}


def test_every_table_that_is_apart_has_a_reason_to_be() -> None:
    """One that could be of a campaign or of the server is not apart."""
    assert TABLES.keys() >= APART | OF_SERVER
    for name in APART:
        referred = {key.referred_table.name for key in TABLES[name].foreign_key_constraints}
        assert problems(TABLES[name]), name
        assert referred - OF_SERVER, name


def test_the_row_of_an_account_has_nothing_that_changes_with_each_visit() -> None:
    assert "last_seen_at" not in TABLES["users"].columns
