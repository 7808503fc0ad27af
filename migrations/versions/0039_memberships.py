"""Memberships: which campaigns an account has to do with; the indexes by which that was looked for are gone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

OLD = (
    ("campaigns", "gm_user_id"), ("game_masters", "user_id"), ("handovers", "user_id"), ("hex_pins", "user_id"),
    ("holidays", "user_id"), ("invitations", "user_id"), ("seat_readers", "user_id"), ("seats", "user_id"),
    ("seats", "stand_in_user_id"), ("turn_notes", "user_id"),
)  # fmt: skip
ROLES = ("gm", "partner", "successor", "player", "substitute", "invited", "offered", "former", "named")
FILL = """
INSERT INTO memberships (campaign_id, user_id, role)
SELECT id, gm_user_id, 'gm' FROM campaigns WHERE gm_user_id IS NOT NULL
UNION SELECT campaign_id, user_id, role FROM game_masters
UNION SELECT campaign_id, user_id, 'player' FROM seats WHERE user_id IS NOT NULL
UNION SELECT campaign_id, stand_in_user_id, 'substitute' FROM seats
    WHERE stand_in_user_id IS NOT NULL
UNION SELECT campaign_id, user_id, 'invited' FROM invitations
UNION SELECT campaign_id, user_id, 'offered' FROM handovers WHERE accepted_at IS NULL
UNION SELECT campaign_id, user_id, 'former' FROM seat_readers
"""
FILL_OTHERS = """
INSERT INTO memberships (campaign_id, user_id, role)
SELECT campaign_id, user_id, 'named' FROM (
    SELECT campaign_id, user_id FROM handovers
    UNION SELECT campaign_id, made_by FROM branches
    UNION SELECT campaign_id, set_by FROM deadlines
    UNION SELECT campaign_id, made_by FROM interventions
    UNION SELECT campaign_id, updated_by FROM order_sets
    UNION SELECT campaign_id, user_id FROM holidays
    UNION SELECT campaign_id, user_id FROM turn_notes
    UNION SELECT campaign_id, user_id FROM hex_pins
) AS n WHERE user_id IS NOT NULL
"""
ONLY_OTHERS = """
DELETE FROM memberships WHERE role = 'named' AND EXISTS (
    SELECT 1 FROM memberships AS m
    WHERE m.campaign_id = memberships.campaign_id AND m.user_id = memberships.user_id AND m.role <> 'named')
"""
"""By itself: a cluster joins no table of campaigns with one of the server."""


def upgrade() -> None:
    """Make the table and fill it from what the campaigns say."""
    op.create_table(
        "memberships",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.CheckConstraint(f"role IN {ROLES}", name=op.f("ck_memberships_role")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memberships_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", "role", name=op.f("pk_memberships")),
        sqlite_with_rowid=False,
    )
    op.execute(FILL)
    op.execute(FILL_OTHERS)
    op.execute(ONLY_OTHERS)
    op.create_index(op.f("ix_memberships_user_id"), "memberships", ["user_id"])
    for table, column in OLD:
        op.drop_index(op.f(f"ix_{table}_{column}"), table)


def downgrade() -> None:
    """Take it away; earlier versions look through the campaigns by indexes of their own."""
    for table, column in OLD:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
    op.drop_table("memberships")
