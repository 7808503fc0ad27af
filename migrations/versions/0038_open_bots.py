"""Bots say which games they are open to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no bot is listed yet. SQLite's table is written again, without the views on it."""
    bind = op.get_bind()
    anew = bind.dialect.name == "sqlite"
    views = bind.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")).all() if anew else []
    for name, _ in reversed(views):
        op.execute(f"DROP VIEW {name}")
    plays = sa.Column("plays", sa.Text(), nullable=True)
    with op.batch_alter_table("users", recreate="always" if anew else "never") as batch:
        batch.add_column(plays, **({"insert_after": "bot_owner_id"} if anew else {}))
    for _, sql in views:
        op.execute(sql)


def downgrade() -> None:
    """Take the column away."""
    op.drop_column("users", "plays")
