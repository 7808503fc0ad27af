"""Guests: accounts without credentials; and invitation codes that can be read again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0025"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the columns; no account is a guest so far. SQLite's tables are written anew, without the views on them."""
    bind = op.get_bind()
    anew = bind.dialect.name == "sqlite"
    views = bind.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")).all() if anew else []
    for name, _ in reversed(views):
        op.execute(f"DROP VIEW {name}")
    guest = sa.Column("guest", sa.Boolean(), nullable=False, server_default=sa.false())
    number = sa.Column("invite_number", WHOLE, nullable=False, server_default="0")
    for table, column, before in (("users", guest, "bot_owner_id"), ("campaigns", number, "invite_hash")):
        with op.batch_alter_table(table, recreate="always" if anew else "never") as batch:
            batch.add_column(column, **({"insert_after": before} if anew else {}))
    for _, sql in views:
        op.execute(sql)


def downgrade() -> None:
    """Take them away; guests stay as accounts that nobody can sign in to once their sessions are over."""
    op.drop_column("campaigns", "invite_number")
    op.drop_column("users", "guest")
