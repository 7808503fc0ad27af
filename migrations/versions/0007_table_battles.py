"""Battles of campaigns on the table: whose they are, what was agreed before the start."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "table_battles",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("red_player", sa.Text(), nullable=False),
        sa.Column("blue_player", sa.Text(), nullable=False),
        sa.Column("units", JSON, nullable=False),
        sa.Column("secret", JSON, nullable=False),
        sa.Column("keeps_models", JSON, nullable=False),
        sa.Column("moved", JSON, nullable=False),
        sa.Column("mission_by", sa.Text(), nullable=False),
        sa.Column("meets_at", INSTANT, nullable=True),
        sa.Column("place", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_battles_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_table_battles")),
    )
    op.create_table(
        "table_proposals",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("content", JSON, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("answered_at", INSTANT, nullable=True),
        sa.CheckConstraint("side IN ('red', 'blue')", name=op.f("ck_table_proposals_side")),
        sa.CheckConstraint("about IN ('mission', 'date')", name=op.f("ck_table_proposals_about")),
        sa.CheckConstraint(
            "status IN ('open', 'agreed', 'declined', 'withdrawn')", name=op.f("ck_table_proposals_status")
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_proposals_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_table_proposals")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("table_proposals")
    op.drop_table("table_battles")
