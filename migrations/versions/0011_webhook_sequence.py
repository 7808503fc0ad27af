"""Webhooks count what they are told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0008"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the column; SQLite's table is written anew, so that it reads as if made today."""
    anew = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("webhooks", recreate="always" if anew else "never") as table:
        table.add_column(sa.Column("sequence", WHOLE, nullable=False, server_default="0"))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("webhooks", "sequence")
