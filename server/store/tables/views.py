"""Views for people with an SQL prompt: who holds what, what is where, and how they stand."""

from __future__ import annotations

from sqlalchemy import DDL, event

from server.store.tables.base import Base

_LIST = {
    "sqlite": "(SELECT group_concat({column}, ' ') FROM (SELECT {column} FROM {table}"
    " WHERE campaign_id = h.campaign_id AND hex = h.hex ORDER BY {column}))",
    "postgresql": "(SELECT string_agg({column}, ' ' ORDER BY {column}) FROM {table}"
    " WHERE campaign_id = h.campaign_id AND hex = h.hex)",
}
"""How each database writes several rows as one text."""

_READINGS = {
    "sqlite": "coalesce(json_extract(c.settings, '$.readings'), 1)",
    "postgresql": "coalesce(CAST(c.settings->>'readings' AS INTEGER), 1)",
}
"""How each database reads the version of a campaign's readings."""

_READY = (
    "CASE WHEN {readings} > 1 THEN"
    " CASE WHEN u.damaged THEN (u.points * u.ready / u.models + 1) / 2 ELSE u.points * u.ready / u.models END"
    " WHEN u.ready * 2 < u.models OR u.ready = 0 THEN 0"
    " WHEN u.damaged OR u.ready < u.models THEN (u.points + 1) / 2 ELSE u.points END"
)
"""D-62 in SQL: the points of the ready models, or those that rules version 1 counted."""

_HOLDINGS = """
CREATE VIEW holdings AS
SELECT h.campaign_id, h.owner, h.hex, h.terrain, h.place, n.size AS urban, n.capital_of,
       {buildings} AS buildings, s.type AS stronghold, {defences} AS defences, g.id AS garrison,
       h.resource, h.store, h.harvest, h.corrupted_by, h.infested_by
FROM hexes h
LEFT JOIN urban_hexes n ON n.campaign_id = h.campaign_id AND n.hex = h.hex
LEFT JOIN strongholds s ON s.campaign_id = h.campaign_id AND s.hex = h.hex
LEFT JOIN garrisons g ON g.campaign_id = h.campaign_id AND g.hex = h.hex
WHERE h.owner IS NOT NULL OR n.hex IS NOT NULL OR s.hex IS NOT NULL OR h.resource IS NOT NULL
"""

_FORCES = """
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

NAMES = ("holdings", "forces", "standings")
"""In the order of creation; dropped in the reverse."""


def statements(dialect: str) -> list[str]:
    """Return the ``CREATE VIEW`` statements for ``sqlite`` or ``postgresql``."""
    listed = _LIST[dialect]
    return [
        _HOLDINGS.format(
            buildings=listed.format(column="building", table="buildings"),
            defences=listed.format(column="defence", table="defences"),
        ).strip(),
        _FORCES.format(ready=_READY.format(readings=_READINGS[dialect])).strip(),
        _STANDINGS.strip(),
    ]


def _attach() -> None:
    for dialect in _LIST:
        for statement in statements(dialect):
            event.listen(Base.metadata, "after_create", DDL(statement).execute_if(dialect=dialect))  # type: ignore[no-untyped-call]
    for name in reversed(NAMES):
        event.listen(Base.metadata, "before_drop", DDL(f"DROP VIEW IF EXISTS {name}"))  # type: ignore[no-untyped-call]


_attach()
