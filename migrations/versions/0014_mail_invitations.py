"""Somebody is asked into a campaign by their mail address, before they have an account."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "mail_invitations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_key", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=True),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("declined_at", INSTANT, nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_mail_invitations_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["made_by"], ["users.id"], name=op.f("fk_mail_invitations_made_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_mail_invitations_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_invitations")),
        sa.UniqueConstraint("campaign_id", "email_key", name=op.f("uq_mail_invitations_campaign_id_email_key")),
    )
    for column in ("email_key", "made_by", "user_id"):
        op.create_index(op.f(f"ix_mail_invitations_{column}"), "mail_invitations", [column])


def downgrade() -> None:
    """Forget who was asked."""
    op.drop_table("mail_invitations")
