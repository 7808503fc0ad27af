"""How often someone may still ask, for all processes together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039.1"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; the version before counts in each process."""
    op.create_table(
        "rates",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("full_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rates")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take it away."""
    op.drop_table("rates")
