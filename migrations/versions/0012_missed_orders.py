"""Which order sets were missed, so that the counts can follow a rollback."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; SQLite's table is written anew, so that it reads as if made today."""
    anew = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("order_sets", recreate="always" if anew else "never") as table:
        table.add_column(sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Take it away."""
    op.drop_column("order_sets", "missed")
