"""The view ``standings`` counts what lies at resource hexes and in convoys among a player's BP, as the charts do."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_VIEW = """
CREATE VIEW standings AS
SELECT p.campaign_id, p.number, p.id AS player, p.faction, p.vp, p.eliminated,
       (SELECT count(*) FROM hexes h WHERE h.campaign_id = p.campaign_id AND h.owner = p.id) AS hexes,
{bp}
       (SELECT count(*) FROM detachments d WHERE d.campaign_id = p.campaign_id AND d.owner = p.id) AS detachments,
       (SELECT CAST(coalesce(sum(f.ready_points), 0) AS BIGINT) FROM forces f
         WHERE f.campaign_id = p.campaign_id AND f.owner = p.id) AS ready_points
FROM players p
"""
_STORED = """       (SELECT CAST(coalesce(sum(h.store), 0) AS BIGINT) FROM hexes h
         WHERE h.campaign_id = p.campaign_id AND h.owner = p.id) AS bp,"""
_ALL = """       (SELECT CAST(coalesce(sum(h.store + h.harvest), 0) AS BIGINT) FROM hexes h
         WHERE h.campaign_id = p.campaign_id AND h.owner = p.id)
       + (SELECT CAST(coalesce(sum(c.bp), 0) AS BIGINT) FROM convoys c
         WHERE c.campaign_id = p.campaign_id AND c.owner = p.id) AS bp,"""


def upgrade() -> None:
    """Count all."""
    _make(_ALL)


def downgrade() -> None:
    """Count the stores alone."""
    _make(_STORED)


def _make(bp: str) -> None:
    op.execute("DROP VIEW standings")
    op.execute(_VIEW.format(bp=bp).strip())
