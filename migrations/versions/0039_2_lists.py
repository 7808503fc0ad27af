"""Indexes for lists of campaigns: the newest, and those with an empty seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039.2"
down_revision = "0039.1"
branch_labels = None
depends_on = None

_EMPTY = sa.text("user_id IS NULL")


def upgrade() -> None:
    """Make them."""
    op.create_index(op.f("ix_campaigns_created_at_id"), "campaigns", ["created_at", "id"])
    op.create_index("ix_seats_empty", "seats", ["campaign_id"], sqlite_where=_EMPTY, postgresql_where=_EMPTY)


def downgrade() -> None:
    """Take them away."""
    op.drop_index("ix_seats_empty", "seats")
    op.drop_index(op.f("ix_campaigns_created_at_id"), "campaigns")
