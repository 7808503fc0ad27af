"""Dice of scheme 2: the scheme of a campaign, the salts of its seats. Campaigns that have begun keep scheme 1."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "campaign_dice",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("scheme", WHOLE, nullable=False),
        sa.Column("published_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_campaign_dice_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_campaign_dice")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "salts",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("serial", WHOLE, nullable=False),
        sa.Column("kept_by", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("committed_at", INSTANT, nullable=False),
        sa.Column("branch", WHOLE, nullable=True),
        sa.Column("phase_number", WHOLE, nullable=True),
        sa.CheckConstraint("kept_by IN ('server', 'player')", name=op.f("ck_salts_kept_by")),
        sa.ForeignKeyConstraint(
            ["campaign_id", "player_id"],
            ["seats.campaign_id", "seats.player_id"],
            name=op.f("fk_salts_campaign_id_player_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "serial", name=op.f("pk_salts")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Take them away."""
    op.drop_table("salts")
    op.drop_table("campaign_dice")
