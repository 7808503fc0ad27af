"""The chronicle: stories of battles with their pictures. More than one device of a guest at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "table_guest_devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("guest_id", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["table_guests.id"], name=op.f("fk_table_guest_devices_guest_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_guest_devices")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_table_guest_devices_secret_hash")),
    )
    op.create_index(op.f("ix_table_guest_devices_expires_at"), "table_guest_devices", ["expires_at"])
    op.create_index(op.f("ix_table_guest_devices_guest_id"), "table_guest_devices", ["guest_id"])
    op.create_table(
        "stories",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("branch", NUMBER, nullable=True),
        sa.Column("turn", NUMBER, nullable=True),
        sa.Column("hex", sa.Text(), nullable=True),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("guest_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("revision", NUMBER, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.CheckConstraint("game_id IS NOT NULL OR campaign_id IS NOT NULL", name=op.f("ck_stories_of_a_battle")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_stories_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["game_id"], ["table_games.id"], name=op.f("fk_stories_game_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["table_guests.id"], name=op.f("fk_stories_guest_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_stories_user_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stories")),
        sa.UniqueConstraint(
            "campaign_id", "branch", "turn", "hex", "side", name=op.f("uq_stories_campaign_id_branch_turn_hex_side")
        ),
        sa.UniqueConstraint("game_id", "side", name=op.f("uq_stories_game_id_side")),
    )
    op.create_index(op.f("ix_stories_guest_id"), "stories", ["guest_id"])
    op.create_index(op.f("ix_stories_user_id"), "stories", ["user_id"])
    op.create_table(
        "story_pictures",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("alt", sa.Text(), nullable=False),
        sa.Column("width", NUMBER, nullable=False),
        sa.Column("height", NUMBER, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["story_id"], ["stories.id"], name=op.f("fk_story_pictures_story_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story_pictures")),
    )
    op.create_index(op.f("ix_story_pictures_story_id"), "story_pictures", ["story_id"])


def downgrade() -> None:
    """Take them away."""
    for name in ("story_pictures", "stories", "table_guest_devices"):
        op.drop_table(name)
