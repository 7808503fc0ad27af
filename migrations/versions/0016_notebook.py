"""Players note something of turns and hexes for themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _table("turn_notes", sa.Column("turn", NUMBER, nullable=False), key="turn")
    _table(
        "hex_pins", sa.Column("hex", sa.Text(), nullable=False), sa.Column("turn", NUMBER, nullable=False), key="hex"
    )


def downgrade() -> None:
    """Take them away."""
    for name in ("hex_pins", "turn_notes"):
        op.drop_table(name)


def _table(name: str, *columns: sa.Column[str] | sa.Column[int], key: str) -> None:
    op.create_table(
        name,
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        *columns,
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.id"], name=op.f(f"fk_{name}_campaign_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{name}_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", "user_id", key, name=op.f(f"pk_{name}")),
    )
    op.create_index(op.f(f"ix_{name}_user_id"), name, ["user_id"])
