"""When accounts were last here, in a table of its own: the rows of accounts change rarely."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table, fill it from the accounts, take their column away."""
    op.create_table(
        "visits",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_visits_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_visits")),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO visits SELECT id, last_seen_at FROM users WHERE last_seen_at IS NOT NULL")
    op.drop_column("users", "last_seen_at")


def downgrade() -> None:
    """Give the accounts their column back."""
    op.add_column("users", sa.Column("last_seen_at", INSTANT, nullable=True))
    op.execute("UPDATE users SET last_seen_at = (SELECT last_seen_at FROM visits WHERE user_id = users.id)")
    op.drop_table("visits")
