"""``docs/schema.md``, made from the tables: ``python -m tests.store.schema`` writes it, a test compares it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Column, Table
from sqlalchemy.types import JSON, Boolean, DateTime, LargeBinary, TypeEngine

from server.store.tables import (
    VIEWS,
    Base,
    accounts,
    agenda,
    campaigns,
    delivery,
    dice,
    memberships,
    notebook,
    people,
    phases,
    position,
    stories,
    table_battles,
    table_games,
    views,
)
from server.store.tables.base import PackedJson, StringListType, UtcDateTime

DOCUMENT = Path(__file__).parents[2] / "docs" / "schema.md"

SUBJECTS = {
    "Accounts": accounts,
    "Campaigns and seats": campaigns,
    "The position": position,
    "The record": phases,
    "Dice": dice,
    "People": people,
    "Notebooks": notebook,
    "Battles on the table": table_games,
    "The chronicle": stories,
    "Battles of campaigns on the table": table_battles,
    "Delivery": delivery,
    "What is due": agenda,
    "Whose campaigns": memberships,
}

HEAD = """\
# The schema

Made from the tables in `server/store/tables/` by `python -m tests.store.schema`; do not edit it here, a test
compares. The same on SQLite and PostgreSQL. Times are UTC (`instant`), hexes are written as their labels,
`words` is a JSON array of texts, `packed_json` is JSON as bytes, compressed (zstandard) where it is long. `PK` and
`FK` mark keys. A campaign's rows are deleted with it.
"""

QUESTIONS = {
    "Who holds what": "SELECT owner, hex, urban, stronghold, buildings, resource, store\n"
    "FROM holdings WHERE campaign_id = '…' ORDER BY owner, hex;",
    "What is where": "SELECT hex, owner, kind, name, units, ready_points, bp\n"
    "FROM forces WHERE campaign_id = '…' ORDER BY hex, owner;",
    "How they stand": "SELECT player, vp, hexes, bp, detachments, ready_points\n"
    "FROM standings WHERE campaign_id = '…' ORDER BY vp DESC;",
    "Who has not ordered yet": "SELECT s.number, s.name, o.revision, o.final\n"
    "FROM campaigns c\n"
    "JOIN order_sets o ON o.campaign_id = c.id AND o.branch = c.branch AND o.phase_number = c.phase_number\n"
    "JOIN seats s ON s.campaign_id = c.id AND s.player_id = o.player_id\n"
    "WHERE c.id = '…' AND o.wanted AND NOT o.final ORDER BY s.number;",
    "Units that are hurt": "SELECT d.owner, d.name, u.name, u.ready, u.wounded, u.models\n"
    "FROM units u JOIN detachments d ON d.campaign_id = u.campaign_id AND d.id = u.detachment_id\n"
    "WHERE u.campaign_id = '…' AND (u.ready < u.models OR u.damaged);",
    "How the campaign went": "SELECT branch, number, turn, phase, resolved_at, why, state_hash\n"
    "FROM phases WHERE campaign_id = '…' ORDER BY branch, number;",
}
"""What a GM may want to know, and the statement that tells."""


def document() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_questions(), *_views(), *_subjects()])


def _questions() -> Iterator[str]:
    yield "## What a GM may ask\n"
    yield "Open the database (`sqlite3 campaigns.db`, `psql campaigns`) and put in the campaign's id.\n"
    for title, statement in QUESTIONS.items():
        yield f"**{title}**\n\n```sql\n{statement}\n```\n"


def _views() -> Iterator[str]:
    yield "## Views\n"
    for name, statement in zip(VIEWS, views.statements("sqlite"), strict=True):
        yield f"<details><summary><code>{name}</code></summary>\n\n```sql\n{statement}\n```\n\n</details>\n"


def _subjects() -> Iterator[str]:
    for title, module in SUBJECTS.items():
        classes = [each for each in vars(module).values() if _is_row(each) and each.__module__ == module.__name__]
        tables = [class_.__table__ for class_ in classes]
        yield f"## {title}\n\n```mermaid\nerDiagram"
        yield from (line for table in tables for line in _relations(table))
        yield from (line for table in tables for line in _columns(table))
        yield "```\n"
        for class_ in classes:
            yield f"- `{class_.__tablename__}`: {' '.join((class_.__doc__ or '').split())}"
        yield ""


def _is_row(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Base) and thing is not Base


def _relations(table: Table) -> Iterator[str]:
    """Yield a line for each foreign key; only the campaign's own picture shows who belongs to a campaign."""
    for key in sorted(table.foreign_key_constraints, key=lambda key: list(key.column_keys)):
        columns = [name for name in key.column_keys if name != "campaign_id"] or ["campaign_id"]
        other = key.referred_table.name
        if other == "campaigns" and len(table.foreign_key_constraints) > 1 and table.name != "seats":
            continue
        optional = any(table.c[name].nullable for name in columns)
        whole = {each.name for each in table.primary_key} == set(key.column_keys)
        yield f"    {other} {'|o' if optional else '||'}--{'o|' if whole else 'o{'} {table.name} : {'_'.join(columns)}"


def _columns(table: Table) -> Iterator[str]:
    yield f"    {table.name} {{"
    for column in table.c:
        marks = [mark for mark, holds in (("PK", column.primary_key), ("FK", bool(column.foreign_keys))) if holds]
        null = '"may be empty"' if column.nullable else ""
        yield "        " + " ".join(filter(None, (_kind(column), column.name, ",".join(marks), null)))
    yield "    }"


_KINDS: tuple[tuple[type[TypeEngine[object]] | type, str], ...] = (
    (UtcDateTime, "instant"),
    (DateTime, "instant"),
    (StringListType, "words"),
    (JSON, "json"),
    (PackedJson, "packed_json"),
    (Boolean, "boolean"),
    (LargeBinary, "bytes"),
)


def _kind(column: Column[object]) -> str:
    found = (name for kind, name in _KINDS if isinstance(column.type, kind))
    return next(found, "text" if column.type.python_type is str else "integer")


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
