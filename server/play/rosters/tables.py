"""A table pasted from a spreadsheet: columns by tabs, semicolons or commas, with or without a line of headings."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

from server.play.rosters import lists
from server.play.rosters.keywords import flags_of, mobility_of, plain, slot_of
from server.play.rosters.numbers import TOTAL, whole_number
from server.play.rosters.roster import Roster, decoded, printable

HEADINGS = {
    "name": ("name", "unit", "einheit", "bezeichnung"),
    "slot": ("slot", "role", "type", "category", "auswahl", "platz", "rolle", "typ"),
    "models": ("models", "model", "size", "count", "number", "modelle", "anzahl", "grösse"),
    "points": ("points", "point", "pts", "cost", "bp", "punkte", "kosten"),
    "mobility": ("mobility", "movement", "moves as", "fortbewegung", "bewegung"),
    "flags": ("flags", "traits", "abilities", "eigenschaften", "keywords"),
}
PLAIN = ("name", "slot", "models", "points", "mobility", "flags")
"""The order of the columns where no headings name them."""
MAX_LINES = 2000


def read(content: bytes) -> Roster:
    """Return the units of a table."""
    roster = Roster("table")
    lines = [line.rstrip() for line in decoded(content).splitlines()[:MAX_LINES]]
    if lists.is_list(lines):
        lists.add_units(roster, lines)
        return roster
    rows = _rows([line for line in lines if line.strip()])
    columns = _headings(rows[0]) if rows else {}
    body = rows[1:] if columns else rows
    for row in body:
        _add(roster, row, columns or {name: place for place, name in enumerate(PLAIN)})
    return roster


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Split lines at the sign that divides most of them."""
    sign = max("\t;,", key=lambda mark: sum(mark in line for line in lines))
    found: list[list[str]] = []
    for line in lines:
        try:
            found += [[cell.strip() for cell in row] for row in csv.reader([line], delimiter=sign)]
        except csv.Error:
            found.append([line])
    return found


def _headings(row: Sequence[str]) -> dict[str, int]:
    """Return the columns by meaning; nothing if the first line does not hold headings."""
    found: dict[str, int] = {}
    for place, cell in enumerate(row):
        name = next((name for name, known in HEADINGS.items() if plain(cell) in known), None)
        if name is not None:
            found.setdefault(name, place)
    return found if "name" in found and len(found) > 1 else {}


def _add(roster: Roster, row: Sequence[str], columns: Mapping[str, int]) -> None:
    cells = {name: row[place] for name, place in columns.items() if place < len(row)}
    numbers = [cells.get("points", ""), cells.get("models", "")]
    points, models = map(whole_number, numbers)
    misread = any(text and whole_number(text) is None for text in numbers)
    name = printable(cells.get("name", ""))
    if not name or len(row) < 2 or misread or (points is None and models is None) or TOTAL.match(name):
        roster.note("bad_line", " ".join(row))
        return
    words = [word for word in re.split(r"[,/|+]", cells.get("flags", "")) if word.strip()]
    mobility = cells.get("mobility", "")
    # who gives no such column means foot, and need not be told so for each unit
    moves = mobility_of([mobility]) if mobility else mobility_of(words) or "infantry"
    flags = flags_of(words)
    roster.add(
        cells["name"], slot=slot_of([cells.get("slot", "")]), models=models, points=points, mobility=moves, flags=flags
    )
