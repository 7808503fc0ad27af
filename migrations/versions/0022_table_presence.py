"""When the players at a table were last there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "table_presence",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_presence_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "side", name=op.f("pk_table_presence")),
        sa.CheckConstraint("side IN ('red', 'blue')", name=op.f("ck_table_presence_side")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take it away: earlier versions do not say who is offline."""
    op.drop_table("table_presence")
