"""Two groups of tables: keys of campaigns' rows begin with the campaign; rows of the server refer to none by a key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0026"
branch_labels = None
depends_on = None

KEYED = {
    "battle_reports": ["id"],
    "declarations": ["id"],
    "message_recipients": ["message_id", "player_id"],
    "messages": ["id"],
}
"""Tables whose keys begin with the campaign now, and what was their key before."""
OF_SERVER = {
    "blocks": "CASCADE", "inbound_mails": "CASCADE", "mail_invitations": "CASCADE", "outbox": "CASCADE",
    "person_reports": "SET NULL", "stories": "CASCADE", "table_games": "CASCADE", "table_missions": "CASCADE",
    "webhooks": "CASCADE",
}  # fmt: skip
"""Tables that had a foreign key to campaigns, and what became of their rows."""
MAIL_KEY = "uq_seats_mail_key"
CODE, SET = "ix_campaigns_invite_hash", sa.text("invite_hash IS NOT NULL")


def upgrade() -> None:
    """Take foreign keys away, then put the campaign first in each key. Nothing ever filled ``seats.mail_key``."""
    _drop_keys("person_reports", "message_id", "campaign_id")
    with op.batch_alter_table("person_reports") as batch:
        batch.drop_index(op.f("ix_person_reports_message_id"))
    for table in OF_SERVER.keys() - {"person_reports"}:
        _drop_keys(table, "campaign_id")
    _drop_keys("message_recipients", "message_id", "campaign_id")
    with op.batch_alter_table("messages") as batch:
        batch.drop_constraint(op.f("fk_messages_reply_to"), type_="foreignkey")
        batch.drop_index(op.f("ix_messages_reply_to"))
    for table, key in KEYED.items():
        _key(table, ["campaign_id", *key])
    with op.batch_alter_table("messages") as batch:
        batch.create_index(op.f("ix_messages_id"), ["id"])
        batch.create_foreign_key(
            op.f("fk_messages_campaign_id_reply_to"), "messages", ["campaign_id", "reply_to"], ["campaign_id", "id"]
        )
    with op.batch_alter_table("message_recipients") as batch:
        batch.create_foreign_key(
            op.f("fk_message_recipients_campaign_id_message_id"), "messages", ["campaign_id", "message_id"],
            ["campaign_id", "id"], ondelete="CASCADE",
        )  # fmt: skip
    with op.batch_alter_table("seats") as batch:
        batch.drop_constraint(op.f(MAIL_KEY), type_="unique")
        batch.drop_column("mail_key")
    op.create_table(
        "invitation_codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_invitation_codes")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_invitation_codes_campaign_id"), "invitation_codes", ["campaign_id"])
    op.execute("INSERT INTO invitation_codes SELECT invite_hash, id FROM campaigns WHERE invite_hash IS NOT NULL")
    op.drop_index(op.f(CODE), "campaigns")


def downgrade() -> None:
    """Give rows of the server their foreign keys back, without those whose campaign is gone."""
    op.drop_table("invitation_codes")
    op.create_index(op.f(CODE), "campaigns", ["invite_hash"], unique=True, sqlite_where=SET, postgresql_where=SET)
    with op.batch_alter_table("seats") as batch:
        batch.add_column(sa.Column("mail_key", sa.Text(), nullable=True))
        batch.create_unique_constraint(op.f(MAIL_KEY), ["mail_key"])
    with op.batch_alter_table("message_recipients") as batch:
        batch.drop_constraint(op.f("fk_message_recipients_campaign_id_message_id"), type_="foreignkey")
    with op.batch_alter_table("messages") as batch:
        batch.drop_constraint(op.f("fk_messages_campaign_id_reply_to"), type_="foreignkey")
        batch.drop_index(op.f("ix_messages_id"))
    for table, key in KEYED.items():
        _key(table, key)
    with op.batch_alter_table("messages") as batch:
        batch.create_index(op.f("ix_messages_reply_to"), ["reply_to"])
        _refer(batch, "messages", "reply_to", "messages", "SET NULL")
    with op.batch_alter_table("message_recipients") as batch:
        _refer(batch, "message_recipients", "message_id", "messages", "CASCADE")
        _refer(batch, "message_recipients", "campaign_id", "campaigns", "CASCADE")
    for table, then in OF_SERVER.items():
        gone = "campaign_id IS NOT NULL AND campaign_id NOT IN (SELECT id FROM campaigns)"
        lost = f"DELETE FROM {table}" if then == "CASCADE" else f"UPDATE {table} SET campaign_id = NULL"
        op.execute(f"{lost} WHERE {gone}")
        with op.batch_alter_table(table, table_kwargs=_kept(table)) as batch:
            _refer(batch, table, "campaign_id", "campaigns", then)
    op.execute("UPDATE person_reports SET message_id = NULL WHERE message_id NOT IN (SELECT id FROM messages)")
    with op.batch_alter_table("person_reports") as batch:
        batch.create_index(op.f("ix_person_reports_message_id"), ["message_id"])
        _refer(batch, "person_reports", "message_id", "messages", "SET NULL")


def _drop_keys(table: str, *columns: str) -> None:
    with op.batch_alter_table(table, table_kwargs=_kept(table)) as batch:
        for column in columns:
            batch.drop_constraint(op.f(f"fk_{table}_{column}"), type_="foreignkey")


def _kept(table: str) -> dict[str, bool]:
    """Return what SQLite would forget of a table that is made anew: numbers of rows that are gone do not come again."""
    return {"sqlite_autoincrement": True} if table == "outbox" else {}


def _key(table: str, columns: list[str]) -> None:
    with op.batch_alter_table(table) as batch:
        batch.drop_constraint(op.f(f"pk_{table}"), type_="primary")
        batch.create_primary_key(op.f(f"pk_{table}"), columns)


def _refer(batch: op.BatchOperations, table: str, column: str, to: str, then: str) -> None:  # type: ignore[name-defined]
    batch.create_foreign_key(op.f(f"fk_{table}_{column}"), to, [column], ["id"], ondelete=then)
