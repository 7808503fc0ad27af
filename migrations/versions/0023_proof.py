"""When a session last proved whose it is, what a name looks like, and the receipts of an order set."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NEW = (
    ("users", "name_skeleton", sa.Text(), "name_key"),
    ("tokens", "proved_at", sa.DateTime(timezone=True), "last_used_at"),
    ("order_sets", "receipts", sa.LargeBinary(), "missed"),
)


def upgrade() -> None:
    """Add columns that may be empty; SQLite's tables are written anew, so that they read as if made today."""
    bind = op.get_bind()
    anew = bind.dialect.name == "sqlite"
    views = bind.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")).all() if anew else []
    for name, _ in reversed(views):
        op.execute(f"DROP VIEW {name}")
    for where, name, type_, before in NEW:
        with op.batch_alter_table(where, recreate="always" if anew else "never") as table:
            table.add_column(sa.Column(name, type_, nullable=True), **({"insert_after": before} if anew else {}))
    for _, sql in views:
        op.execute(sql)
    op.create_index("ix_users_name_skeleton", "users", ["name_skeleton"])


def downgrade() -> None:
    """Take them away: earlier versions compare all names and chain no receipts."""
    op.drop_index("ix_users_name_skeleton", "users")
    for where, name, _, _ in reversed(NEW):
        op.drop_column(where, name)
