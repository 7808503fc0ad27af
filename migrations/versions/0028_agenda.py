"""The agenda: what is due when, over all campaigns; the indexes by which that was looked for are gone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0036"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
A_BATCH = 1000
ASKS_SOME = ("movement", "battle_movement", "battles", "reports")
UNDER_WAY = ("running", "paused")
AGENDA = sa.table("agenda", *map(sa.column, ("campaign_id", "kind")), sa.column("at", INSTANT))
OLD = (
    ("ix_campaigns_deleted_at", "campaigns", "deleted_at", None),
    ("ix_votes_ends_at", "votes", "ends_at", None),
    ("ix_phases_due", "phases", "deadline", "resolved_at IS NULL"),
)

TYPES: dict[str, Any] = {
    **dict.fromkeys(("started_at", "finished_at", "deleted_at", "opened_at", "deadline", "left_at", "vote", "vote_made",
                     "successor"), INSTANT),
    **dict.fromkeys(("waits", "sits", "sealed", "successor_sits"), sa.Boolean()),
    "options": sa.JSON(),
}  # fmt: skip
CAMPAIGNS = """
SELECT c.id, c.status, c.options, c.gm_user_id, c.started_at, c.finished_at, c.deleted_at,
    p.branch, p.number, p.phase, p.opened_at, p.deadline,
    EXISTS (SELECT 1 FROM order_sets AS o WHERE o.campaign_id = p.campaign_id AND o.branch = p.branch
        AND o.phase_number = p.number AND o.wanted AND NOT o.final) AS waits,
    EXISTS (SELECT 1 FROM seats AS s WHERE s.campaign_id = c.id AND s.user_id IS NOT NULL) AS sits,
    (SELECT max(r.until) FROM seat_readers AS r WHERE r.campaign_id = c.id AND r.player_id <> '') AS left_at,
    (SELECT min(v.ends_at) FROM votes AS v WHERE v.campaign_id = c.id AND v.outcome = '') AS vote,
    (SELECT min(v.made_at) FROM votes AS v WHERE v.campaign_id = c.id AND v.outcome = '') AS vote_made,
    EXISTS (SELECT 1 FROM campaign_dice AS d WHERE d.campaign_id = c.id AND d.published_at IS NULL) AS sealed,
    (SELECT min(g.since) FROM game_masters AS g WHERE g.campaign_id = c.id AND g.role = 'successor') AS successor,
    EXISTS (SELECT 1 FROM game_masters AS g JOIN seats AS s ON s.campaign_id = c.id AND s.user_id = g.user_id
        WHERE g.campaign_id = c.id AND g.role = 'successor') AS successor_sits
FROM campaigns AS c
LEFT JOIN phases AS p ON p.campaign_id = c.id AND p.branch = c.branch AND p.number = c.phase_number
    AND p.resolved_at IS NULL
WHERE c.id > :last ORDER BY c.id LIMIT :most
"""


def upgrade() -> None:
    """Make the table and fill it from what the campaigns say."""
    bind = op.get_bind()
    op.create_table(
        "agenda",
        sa.Column("campaign_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("campaign_id", "kind", name=op.f("pk_agenda")),
        sqlite_with_rowid=False,
    )
    last = ""
    while rows := bind.execute(sa.text(CAMPAIGNS).columns(**TYPES), {"last": last, "most": A_BATCH}).all():
        last = rows[-1].id
        found = [{"campaign_id": row.id, "kind": kind, "at": at} for row in rows for kind, at in _due(bind, row)]
        if found:
            bind.execute(sa.insert(AGENDA), found)
    op.create_index("ix_agenda_kind_at", "agenda", ["kind", "at"])
    for name, table, _, _ in OLD:
        op.drop_index(name, table)


def downgrade() -> None:
    """Take it away; earlier versions look for what is due by indexes of their own."""
    for name, table, column, which in OLD:
        where = None if which is None else sa.text(which)
        op.create_index(name, table, [column], sqlite_where=where, postgresql_where=where)
    op.drop_table("agenda")


def _due(bind: sa.Connection, row: Any) -> Iterator[tuple[str, datetime]]:
    options = row.options or {}
    under_way = row.status in UNDER_WAY
    if row.status == "running" and row.opened_at is not None:
        if row.deadline is not None:
            yield "deadline", row.deadline
            warning = _next_warning(bind, row, options)
            if warning is not None:
                yield "warning", warning
        early = row.deadline is None or not (options.get("until_deadline", False) and row.phase in ASKS_SOME)
        if not row.waits and early:
            yield "ready", row.opened_at
    starts = options.get("starts_at")
    if row.status == "open" and starts:
        yield "start", _for(bind, datetime.fromisoformat(starts).astimezone(UTC))
    if row.vote is not None:
        yield "vote", row.vote if under_way else row.vote_made
    days, since = options.get("abandoned_days", 0), row.left_at or row.started_at
    if under_way and not row.sits and not options.get("practice", False) and days and since is not None:
        yield "abandoned", since + timedelta(days=days)
    if row.status == "deleted" and row.deleted_at is not None:
        yield "removal", row.deleted_at
    if row.finished_at is not None and row.sealed:
        yield "publication", row.finished_at
    days = options.get("successor_days", 14)
    if (row.successor is not None and row.status in ("open", *UNDER_WAY) and days
            and (options.get("gm_plays", False) or not row.successor_sits)):  # fmt: skip
        yield "succession", row.successor + timedelta(days=days)  # looked at then, and set right


def _next_warning(bind: sa.Connection, row: Any, options: dict[str, Any]) -> datetime | None:
    times = {}
    instant = row.deadline if row.deadline.tzinfo else row.deadline.replace(tzinfo=UTC)
    for hours in options.get("warn_hours", [24]):
        at = row.deadline - timedelta(hours=hours)
        if row.opened_at < at:
            times[f"warned/{row.id}/{row.branch}/{row.number}/{instant.timestamp():.0f}/{hours}"] = at
    outbox = sa.table("outbox", sa.column("dedupe"))
    done = set(bind.scalars(sa.select(outbox.c.dedupe).where(outbox.c.dedupe.in_(times)))) if times else set()
    return min((at for key, at in times.items() if key not in done), default=None)


def _for(bind: sa.Connection, instant: datetime) -> datetime:
    """Return an instant as the database gives it back: SQLite knows no time zones."""
    return instant.replace(tzinfo=None) if bind.dialect.name == "sqlite" else instant
