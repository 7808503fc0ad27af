"""Second factors, people who block others, and reports of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _refers(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=op.f(f"fk_{table}_{column}"), ondelete=ondelete)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "second_factors",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("confirmed_at", INSTANT, nullable=True),
        sa.Column("last_step", WHOLE, nullable=False),
        sa.Column("recovery", sa.Text(), nullable=False),
        sa.Column("failures", WHOLE, nullable=False),
        sa.Column("blocked_until", INSTANT, nullable=True),
        _refers("second_factors", "user_id", "users.id", "CASCADE"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "blocks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("blocked_user_id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        _refers("blocks", "user_id", "users.id", "CASCADE"),
        _refers("blocks", "blocked_user_id", "users.id", "CASCADE"),
        _refers("blocks", "campaign_id", "campaigns.id", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocks")),
    )
    for column in ("user_id", "blocked_user_id", "campaign_id"):
        op.create_index(op.f(f"ix_blocks_{column}"), "blocks", [column])
    op.create_table(
        "person_reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("about_user_id", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("quoted", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("settled_at", INSTANT, nullable=True),
        sa.Column("settled_by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        _refers("person_reports", "user_id", "users.id", "CASCADE"),
        _refers("person_reports", "about_user_id", "users.id", "CASCADE"),
        _refers("person_reports", "campaign_id", "campaigns.id", "SET NULL"),
        _refers("person_reports", "message_id", "messages.id", "SET NULL"),
        _refers("person_reports", "settled_by", "users.id", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person_reports")),
    )
    for column in ("user_id", "about_user_id", "campaign_id", "message_id", "made_at"):
        op.create_index(op.f(f"ix_person_reports_{column}"), "person_reports", [column])


def downgrade() -> None:
    """Take them away."""
    for table in ("person_reports", "blocks", "second_factors"):
        op.drop_table(table)
