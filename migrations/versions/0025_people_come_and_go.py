"""Seats change hands, campaigns end by vote and have several game masters, accounts are banned for a time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0021"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables and columns."""
    _table(
        "seat_readers", _text("player_id"), sa.Column("until", INSTANT, nullable=False), key=("user_id", "player_id")
    )
    _table(
        "holidays",
        sa.Column("began_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=False),
        key=("user_id", "began_at"),
    )
    _table("game_masters", _text("role"), sa.Column("since", INSTANT, nullable=False), _one_of(
        "game_masters", "role", "partner", "successor"), key=("user_id",))  # fmt: skip
    op.create_table(
        "votes",
        _text("campaign_id"),
        sa.Column("number", WHOLE, nullable=False),
        *map(_text, ("about", "winner", "proposed_by", "why")),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT, nullable=False),
        sa.Column("branch", WHOLE, nullable=False),
        sa.Column("phase_number", WHOLE, nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        _text("outcome"),
        sa.Column("closed_at", INSTANT, nullable=True),
        _one_of("votes", "about", "draw", "peace", "concede"),
        _one_of("votes", "outcome", "", "carried", "refused", "lapsed", "withdrawn"),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f("fk_votes_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_votes")),
    )
    op.create_index(op.f("ix_votes_ends_at"), "votes", ["ends_at"])
    op.create_table(
        "admin_acts",
        sa.Column("id", WHOLE, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        *map(_text, ("admin", "act", "about", "note")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_admin_acts_user_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_admin_acts")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_admin_acts_user_id"), "admin_acts", ["user_id"])
    op.create_table(
        "account_holds",
        *map(_text, ("user_id", "kind")),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("until", INSTANT, nullable=True),
        _text("why"),
        _one_of("account_holds", "kind", "ban", "approval"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_account_holds_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "kind", name=op.f("pk_account_holds")),
    )
    with op.batch_alter_table("handovers") as table:
        table.add_column(sa.Column("role", sa.Text(), nullable=False, server_default="gm"))
        table.create_check_constraint(op.f("ck_handovers_role"), "role IN ('gm', 'partner', 'successor')")


def downgrade() -> None:
    """Take them away."""
    with op.batch_alter_table("handovers") as table:
        table.drop_constraint(op.f("ck_handovers_role"), type_="check")
        table.drop_column("role")
    for name in ("account_holds", "admin_acts", "votes", "game_masters", "holidays", "seat_readers"):
        op.drop_table(name)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _one_of(table: str, column: str, *words: str) -> sa.CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in words)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=op.f(f"ck_{table}_{column}"))


def _table(name: str, *columns: sa.schema.SchemaItem, key: tuple[str, ...]) -> None:
    """Make a table of what an account is in a campaign."""
    op.create_table(
        name,
        _text("campaign_id"),
        _text("user_id"),
        *columns,
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f(f"fk_{name}_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{name}_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("campaign_id", *key, name=op.f(f"pk_{name}")),
    )
    op.create_index(op.f(f"ix_{name}_user_id"), name, ["user_id"])
