"""The events of a phase in its own row; those that were kept in rows of their own stay there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the column; SQLite's table is written anew, so that it reads as if made today."""
    anew = op.get_bind().dialect.name == "sqlite"
    with op.batch_alter_table("phases", recreate="always" if anew else "never") as table:
        table.add_column(sa.Column("events", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Take it away, and with it the events of the phases that were resolved since."""
    op.drop_column("phases", "events")
