"""The view ``forces`` counts the points of the models fit to fight (D-62), in campaigns that are played so."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_VIEW = """
CREATE VIEW forces AS
SELECT d.campaign_id, d.owner, 'detachment' AS kind, d.id, d.name, d.type, d.hex, d.ready_in,
       count(u.id) AS units, CAST(coalesce(sum(u.points), 0) AS BIGINT) AS points,
       CAST(coalesce(sum({ready}), 0) AS BIGINT) AS ready_points, 0 AS bp
FROM detachments d JOIN campaigns c ON c.id = d.campaign_id
LEFT JOIN units u ON u.campaign_id = d.campaign_id AND u.detachment_id = d.id
GROUP BY d.campaign_id, d.owner, d.id, d.name, d.type, d.hex, d.ready_in
UNION ALL
SELECT g.campaign_id, g.owner, 'garrison', g.id, '', '', g.hex, 0,
       count(u.id), CAST(coalesce(sum(u.points), 0) AS BIGINT), CAST(coalesce(sum({ready}), 0) AS BIGINT), 0
FROM garrisons g JOIN campaigns c ON c.id = g.campaign_id
LEFT JOIN units u ON u.campaign_id = g.campaign_id AND u.garrison_id = g.id
GROUP BY g.campaign_id, g.owner, g.id, g.hex
UNION ALL
SELECT c.campaign_id, c.owner, 'convoy', c.id, '', '', c.hex, 0, 0, 0, 0, c.bp
FROM convoys c
"""
_STANDINGS = """
CREATE VIEW standings AS
SELECT p.campaign_id, p.number, p.id AS player, p.faction, p.vp, p.eliminated,
       (SELECT count(*) FROM hexes h WHERE h.campaign_id = p.campaign_id AND h.owner = p.id) AS hexes,
       (SELECT CAST(coalesce(sum(h.store + h.harvest), 0) AS BIGINT) FROM hexes h
         WHERE h.campaign_id = p.campaign_id AND h.owner = p.id)
       + (SELECT CAST(coalesce(sum(c.bp), 0) AS BIGINT) FROM convoys c
         WHERE c.campaign_id = p.campaign_id AND c.owner = p.id) AS bp,
       (SELECT count(*) FROM detachments d WHERE d.campaign_id = p.campaign_id AND d.owner = p.id) AS detachments,
       (SELECT CAST(coalesce(sum(f.ready_points), 0) AS BIGINT) FROM forces f
         WHERE f.campaign_id = p.campaign_id AND f.owner = p.id) AS ready_points
FROM players p
"""
_BEFORE = (
    "CASE WHEN u.ready * 2 < u.models OR u.ready = 0 THEN 0"
    " WHEN u.damaged OR u.ready < u.models THEN (u.points + 1) / 2 ELSE u.points END"
)
_NOW = (
    "CASE WHEN {readings} > 1 THEN"
    " CASE WHEN u.damaged THEN (u.points * u.ready / u.models + 1) / 2 ELSE u.points * u.ready / u.models END"
    " WHEN u.ready * 2 < u.models OR u.ready = 0 THEN 0"
    " WHEN u.damaged OR u.ready < u.models THEN (u.points + 1) / 2 ELSE u.points END"
)
_READINGS = {
    "sqlite": "coalesce(json_extract(c.settings, '$.readings'), 1)",
    "postgresql": "coalesce(CAST(c.settings->>'readings' AS INTEGER), 1)",
}


def upgrade() -> None:
    """Count fit models where the campaign's readings say so."""
    _make(_NOW.format(readings=_READINGS[op.get_bind().dialect.name]))


def downgrade() -> None:
    """Count units whole, half or not at all."""
    _make(_BEFORE)


def _make(ready: str) -> None:
    op.execute("DROP VIEW standings")
    op.execute("DROP VIEW forces")
    op.execute(_VIEW.format(ready=ready).strip())
    op.execute(_STANDINGS.strip())
