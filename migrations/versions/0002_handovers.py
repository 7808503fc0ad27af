"""A game master offers their campaign to somebody else."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "handovers",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("accepted_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_handovers_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_handovers_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name=op.f("pk_handovers")),
    )
    op.create_index(op.f("ix_handovers_user_id"), "handovers", ["user_id"])


def downgrade() -> None:
    """Take it away."""
    op.drop_table("handovers")
