"""Orders that a seat repeats until it cancels them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0023"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "repeated_orders",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("left_out", sa.JSON(), nullable=False),
        sa.Column("revision", WHOLE, nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "player_id"],
            ["seats.campaign_id", "seats.player_id"],
            name=op.f("fk_repeated_orders_campaign_id_player_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "phase", name=op.f("pk_repeated_orders")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop it: each order has to be given again in each phase."""
    op.drop_table("repeated_orders")
