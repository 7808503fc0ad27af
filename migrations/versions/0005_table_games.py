"""Battles on the table: guests, games, seats, acts, results, saved armies, missions of clubs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "table_guests",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("last_seen_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_guests")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_table_guests_token_hash")),
    )
    op.create_index(op.f("ix_table_guests_last_seen_at"), "table_guests", ["last_seen_at"])

    op.create_table(
        "table_armies",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("guest_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("army", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("revision", NUMBER, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.CheckConstraint("(user_id IS NULL) <> (guest_id IS NULL)", name=op.f("ck_table_armies_one_owner")),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["table_guests.id"], name=op.f("fk_table_armies_guest_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_table_armies_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_armies")),
        sa.UniqueConstraint("guest_id", "name", name=op.f("uq_table_armies_guest_id_name")),
        sa.UniqueConstraint("user_id", "name", name=op.f("uq_table_armies_user_id_name")),
    )
    op.create_table(
        "table_games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("mission", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("owner_user_id", sa.Text(), nullable=True),
        sa.Column("owner_guest_id", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("branch", NUMBER, nullable=True),
        sa.Column("turn", NUMBER, nullable=True),
        sa.Column("hex", sa.Text(), nullable=True),
        sa.Column("setup", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("join_code", sa.Text(), nullable=True),
        sa.Column("watch_code", sa.Text(), nullable=True),
        sa.Column("dice_secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("acts", NUMBER, nullable=False),
        sa.Column("revision", NUMBER, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("started_at", INSTANT, nullable=True),
        sa.Column("last_act_at", INSTANT, nullable=True),
        sa.Column("finished_at", INSTANT, nullable=True),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.CheckConstraint("status IN ('open', 'playing', 'over', 'closed')", name=op.f("ck_table_games_status")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_table_games_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["owner_guest_id"], ["table_guests.id"], name=op.f("fk_table_games_owner_guest_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["owner_user_id"], ["users.id"], name=op.f("fk_table_games_owner_user_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_games")),
        sa.UniqueConstraint("join_code", name=op.f("uq_table_games_join_code")),
        sa.UniqueConstraint("watch_code", name=op.f("uq_table_games_watch_code")),
    )
    op.create_index(
        "ix_table_games_address",
        "table_games",
        ["address"],
        sqlite_where=sa.text("address IS NOT NULL"),
        postgresql_where=sa.text("address IS NOT NULL"),
    )
    op.create_index(
        op.f("ix_table_games_campaign_id_branch_turn_hex"), "table_games", ["campaign_id", "branch", "turn", "hex"]
    )
    op.create_index(op.f("ix_table_games_owner_guest_id"), "table_games", ["owner_guest_id"])
    op.create_index(op.f("ix_table_games_owner_user_id"), "table_games", ["owner_user_id"])
    op.create_index(op.f("ix_table_games_status"), "table_games", ["status"])

    op.create_table(
        "table_missions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("campaign_id", sa.Text(), nullable=True),
        sa.Column("mission", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("content", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("revision", NUMBER, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.CheckConstraint("(campaign_id IS NULL) <> (user_id IS NULL)", name=op.f("ck_table_missions_one_owner")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_table_missions_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_table_missions_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_missions")),
        sa.UniqueConstraint("campaign_id", "mission", name=op.f("uq_table_missions_campaign_id_mission")),
        sa.UniqueConstraint("user_id", "mission", name=op.f("uq_table_missions_user_id_mission")),
    )
    op.create_table(
        "table_acts",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("content", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_acts_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_table_acts")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "table_beginnings",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("beginning", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("missions", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_beginnings_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_table_beginnings")),
    )
    op.create_table(
        "table_results",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("mission", sa.Text(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("red_vp", NUMBER, nullable=False),
        sa.Column("blue_vp", NUMBER, nullable=False),
        sa.Column("rounds", NUMBER, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_results_game_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_table_results")),
    )
    op.create_table(
        "table_seats",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("guest_id", sa.Text(), nullable=True),
        sa.Column("solo", sa.Boolean(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("army", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("army_name", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("joined_at", INSTANT, nullable=True),
        sa.Column("confirmed_at", INSTANT, nullable=True),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.CheckConstraint("side IN ('red', 'blue')", name=op.f("ck_table_seats_side")),
        sa.ForeignKeyConstraint(
            ["game_id"], ["table_games.id"], name=op.f("fk_table_seats_game_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["guest_id"], ["table_guests.id"], name=op.f("fk_table_seats_guest_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_table_seats_user_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("game_id", "side", name=op.f("pk_table_seats")),
    )
    op.create_index(op.f("ix_table_seats_guest_id"), "table_seats", ["guest_id"])
    op.create_index(op.f("ix_table_seats_user_id"), "table_seats", ["user_id"])


def downgrade() -> None:
    """Take them away."""
    for name in ("seats", "results", "beginnings", "acts", "missions", "games", "armies", "guests"):
        op.drop_table(f"table_{name}")
