"""Where a campaign stands, in its own row; campaigns that have begun get it from their phases and edits."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NEW = (
    ("turn", WHOLE), ("phase", sa.Text()), ("deadline", sa.DateTime(timezone=True)),
    ("position_hash", sa.Text()), ("position_chain", sa.Text()), ("position_branch", WHOLE),
    ("position_phase", WHOLE), ("position_edit", WHOLE),
)  # fmt: skip
CAMPAIGNS = sa.table(
    "campaigns", *map(sa.column, ("id", "branch", "phase_number", "finished_at")),
    *(sa.column(name, type_) for name, type_ in NEW),
)  # fmt: skip
PHASES = sa.table(
    "phases", *map(sa.column, ("campaign_id", "branch", "number", "turn", "phase", "resolved_at", "state_hash")),
    sa.column("chain_hash"), sa.column("deadline", sa.DateTime(timezone=True)),
)  # fmt: skip
EDITS = sa.table(
    "interventions", *map(sa.column, ("campaign_id", "branch", "phase_number", "seq", "state_hash", "chain_hash"))
)
BRANCHES = sa.table("branches", *map(sa.column, ("campaign_id", "number", "from_branch", "from_phase")))


def upgrade() -> None:
    """Make the columns, before the large ones on SQLite, which reads a row from its beginning; fill them."""
    bind = op.get_bind()
    anew = bind.dialect.name == "sqlite"
    views = bind.execute(sa.text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")).all() if anew else []
    for name, _ in reversed(views):
        op.execute(f"DROP VIEW {name}")
    with op.batch_alter_table("campaigns", recreate="always" if anew else "never") as table:
        before = "phase_number"
        for name, type_ in NEW:
            table.add_column(sa.Column(name, type_, nullable=True), **({"insert_after": before} if anew else {}))
            before = name
    for _, sql in views:
        op.execute(sql)
    query = sa.select(CAMPAIGNS, PHASES).join(
        PHASES,
        sa.and_(
            PHASES.c.campaign_id == CAMPAIGNS.c.id,
            PHASES.c.branch == CAMPAIGNS.c.branch,
            PHASES.c.number == CAMPAIGNS.c.phase_number,
        ),
    )
    wanted = [CAMPAIGNS.c.id, CAMPAIGNS.c.finished_at, *PHASES.c]
    for id_, finished_at, *phase in bind.execute(query.with_only_columns(*wanted)).all():
        values = _pointer(bind, finished_at, dict(zip(PHASES.c.keys(), phase, strict=True)))
        bind.execute(sa.update(CAMPAIGNS).where(CAMPAIGNS.c.id == id_).values(values))


def downgrade() -> None:
    """Take the columns away: earlier versions find out by joins."""
    for name, _ in reversed(NEW):
        op.drop_column("campaigns", name)


def _pointer(bind: sa.Connection, finished_at: Any, phase: dict[str, Any]) -> dict[str, Any]:
    is_open = phase["resolved_at"] is None
    found = {"turn": phase["turn"], "phase": phase["phase"]}
    found["deadline"] = phase["deadline"] if is_open and finished_at is None else None
    mine = (EDITS.c.campaign_id == phase["campaign_id"], EDITS.c.branch == phase["branch"])
    edits = sa.select(EDITS).where(*mine, EDITS.c.phase_number == phase["number"], EDITS.c.chain_hash.is_not(None))
    edit = bind.execute(edits.order_by(EDITS.c.seq.desc()).limit(1)).first() if is_open else None
    record = edit if edit is not None else phase_on(bind, phase, phase["number"] - 1 if is_open else phase["number"])
    if record is None or record.state_hash is None:
        return found
    return found | {
        "position_hash": record.state_hash, "position_chain": record.chain_hash, "position_branch": record.branch,
        "position_phase": record.phase_number if edit is not None else record.number,
        "position_edit": edit.seq if edit is not None else None,
    }  # fmt: skip


def phase_on(bind: sa.Connection, phase: dict[str, Any], number: int) -> Any:
    """Return the phase of that number as the branch of a phase knows it: its own, or of a branch that it comes from."""
    branch: int | None = phase["branch"]
    while branch is not None:
        own = (PHASES.c.campaign_id == phase["campaign_id"], PHASES.c.branch == branch, PHASES.c.number == number)
        if (found := bind.execute(sa.select(PHASES).where(*own)).first()) is not None:
            return found
        its = (BRANCHES.c.campaign_id == phase["campaign_id"], BRANCHES.c.number == branch)
        branch = bind.scalar(sa.select(BRANCHES.c.from_branch).where(*its))
    return None
