"""Army rosters made elsewhere, read into units: BattleScribe, New Recruit, a table from a spreadsheet.

Everything in a roster is hostile until read: archives may be bombs, XML may hold entities, numbers may be anything.
Unreadable parts are listed, never guessed silently.
"""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import BadZipFile, ZipFile

from server.core.sentences import say
from server.play.errors import PlayError
from server.play.rosters import lists, selections
from server.play.rosters.keywords import TOTAL, flags_of, mobility_of, plain, slot_of, whole_number
from server.play.rosters.roster import Roster, bad_roster, decoded, printable

MAX_BYTES = 1_500_000
"""Of a file as it is sent."""
MAX_INSIDE = 10_000_000
"""Of a file inside an archive."""
MAX_ELEMENTS = 20_000
"""Selections; all that describes them may be ten times as many."""
_SIGNS = {
    b"<": ((b"<selection ", 1), (b"<", 10), (b"=", 10)),
    b"{": ((b"{", 10), (b"[", 10), (b",", 40)),
}
"""By its first sign, what is counted of a file, and how many of it weigh as much as a selection."""
_BEFORE = b"\xef\xbb\xbf \t\r\n"
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


def read_roster(content: bytes) -> Roster:
    """Return what is understood of a file or a pasted text; raises PlayError where nothing is."""
    if len(content) > MAX_BYTES:
        raise PlayError(
            "too_large", say("A roster has at most {most} bytes.", most=MAX_BYTES), field="roster", value=len(content)
        )
    if content[:2] == b"PK":
        content = _unpacked(content)
    first = content.lstrip(_BEFORE)[:1]
    counted = _SIGNS.get(b"{" if first == b"[" else first, ())
    elements = max((content.count(sign) // weight for sign, weight in counted), default=0)
    if elements > MAX_ELEMENTS:
        raise PlayError(
            "too_large", say("A roster has at most {most} elements.", most=MAX_ELEMENTS), field="roster", value=elements
        )
    read = selections.read_xml if first == b"<" else selections.read_json if first in (b"{", b"[") else read_table
    roster = read(content)
    if not roster.units:
        raise bad_roster("No unit was found in it.")
    roster.compare()
    return roster


def _unpacked(content: bytes) -> bytes:
    """Return the one roster in an archive, however large the archive says it is."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            names = [member for member in archive.infolist() if not member.is_dir()]
            if len(names) != 1 or names[0].flag_bits & 1:
                raise bad_roster("A .rosz file holds exactly one roster.")
            with archive.open(names[0]) as inside:
                found = inside.read(MAX_INSIDE + 1)
    except (BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise bad_roster("The archive is broken.") from error
    if len(found) > MAX_INSIDE:
        raise PlayError("too_large", say("A roster has at most {most} bytes.", most=MAX_INSIDE), field="roster")
    return found


def read_table(content: bytes) -> Roster:
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
