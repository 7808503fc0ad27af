"""Tables and grids of text: one hex a line with a header, or the map as it looks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from server.rules.board import MAX_SIDE, Board
from server.rules.ruleset import Ruleset
from server.scenarios.exchange.layout import LAYOUTS, Cell, Layout
from server.scenarios.exchange.mapping import Rules
from server.scenarios.exchange.raw import RawMap, RawStart, check_size
from server.scenarios.fields import is_text
from server.scenarios.problems import Unreadable
from server.scenarios.scenario import MAX_PLAYERS, Scenario

HEADER = ("hex", "terrain", "seat", "start", "centre", "place", "roads")
_DELIMITERS = (",", ";", "\t")
_FORMULA = "=+-@'\t"
"""A spreadsheet takes what begins with these for a formula; an apostrophe in front makes it text."""
_MAX_FIELD = 4_000
_MIN_FILLED = 10
"""At least one hex in so many must be named."""
_MAX_FIELDS = 3_000_000


def write_table(scenario: Scenario, _ruleset: Ruleset) -> dict[str, bytes]:
    """Return the table of a scenario's hexes: board, start areas, names of places, roads."""
    board = scenario.board
    seats = {hex_: (seat, start) for seat, start in enumerate(scenario.starts, 1) for hex_ in start.area}
    centres = {start.centre: seat for seat, start in enumerate(scenario.starts, 1)}
    places = dict(board.names)
    roads: dict[int, list[str]] = {}
    for a, b in scenario.roads:
        roads.setdefault(a, []).append(board.label(b))
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow(HEADER)
    for hex_, terrain in enumerate(board.terrain):
        seat, start = seats.get(hex_, ("", None))
        row = [
            board.label(hex_),
            terrain,
            seat,
            start.name if start else "",
            centres.get(hex_, ""),
            places.get(hex_, ""),
            " ".join(roads.get(hex_, ())),
        ]
        out.writerow([_safe(str(cell)) for cell in row])
    return {".csv": text.getvalue().encode("utf-8")}


def _safe(text: str) -> str:
    return f"'{text}" if text[:1] in _FORMULA and text else text


def _plain(text: str) -> str:
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in _FORMULA else text


def read_table(data: bytes, source: str, rules: Rules) -> RawMap:
    """Read a table with a header, or a grid of terrain names or letters, one row a line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("is not UTF-8 text", source) from error
    if "\0" in text:
        raise Unreadable("is no text", source)
    rows = _rows(text, source)
    if not rows:
        raise Unreadable("is empty", source)
    head = [row.strip().lower() for row in rows[0]]
    if "hex" in head and "terrain" in head:
        return _read_hexes(rows[1:], head, source)
    return _read_grid(rows, source, LAYOUTS[rules.layout or "odd-r"])


def _rows(text: str, source: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > MAX_SIDE * MAX_SIDE + 1:
        raise Unreadable(f"has {len(lines)} lines; a map has at most {MAX_SIDE} rows", source, "too_large")
    first = lines[0] if lines else ""
    delimiter = max(_DELIMITERS, key=first.count)
    if not first.count(delimiter):
        return [_words(line) for line in lines]
    try:
        rows, fields = [], 0
        for row in csv.reader(lines, delimiter=delimiter, strict=True):
            rows.append(row)
            fields += len(row)
            if fields > _MAX_FIELDS or any(len(cell) > _MAX_FIELD for cell in row):
                raise Unreadable("is too large for a map", source, "too_large")
        return rows
    except csv.Error as error:
        raise Unreadable(f"is no table: {error}", source) from error


def _words(line: str) -> list[str]:
    """Split a line without delimiters into words, or into letters if it is one word."""
    words = line.split()
    return words if any(len(word) > 1 for word in words) and len(words) > 1 else list("".join(words))


# --- a grid ---


def _read_grid(rows: Sequence[Sequence[str]], source: str, layout: Layout) -> RawMap:
    columns = len(rows[0])
    check_size(columns, len(rows))
    raw = RawMap(columns, len(rows), layout, [])
    for number, row in enumerate(rows, 1):
        if len(row) != columns:
            raise Unreadable(f"row {number} has {len(row)} hexes, and the first row {columns}", source)
        raw.cells += [(((cell.strip()),),) if cell.strip() else () for cell in row]
    return raw


# --- a table ---


def _read_hexes(rows: Iterable[Sequence[str]], head: Sequence[str], source: str) -> RawMap:
    """Read one hex a line. Lines may come in any order; the largest label gives the size."""
    found: dict[Cell, dict[str, str]] = {}
    for number, row in enumerate(rows, 2):
        entry = {key: _plain(value.strip()) for key, value in zip(head, row, strict=False)}
        cell = _label(entry.get("hex", ""))
        if cell is None:
            raise Unreadable(f"line {number}: {entry.get('hex', '')[:20]!r} is no hex", source)
        if cell in found:
            raise Unreadable(f"line {number}: the hex {entry['hex']} comes twice", source)
        found[cell] = entry
    columns, rows_ = max((c for c, _ in found), default=0) + 1, max((r for _, r in found), default=0) + 1
    check_size(columns, rows_)
    if len(found) * _MIN_FILLED < columns * rows_:
        message = f"names only {len(found)} of the {columns * rows_} hexes of a map of {columns} x {rows_}"
        raise Unreadable(message, source, "too_large")
    raw = RawMap(columns, rows_, LAYOUTS["odd-r"], [])
    for row_ in range(rows_):
        for column in range(columns):
            name = found.get((column, row_), {}).get("terrain", "")
            raw.cells.append((((name,),)) if name else ())
    board = Board(columns, rows_, ("",) * (columns * rows_))
    for cell, entry in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        _read_extras(raw, board, cell, entry, source)
    return raw


def _label(text: str) -> Cell | None:
    if not (text.isascii() and text.isdigit() and len(text) in (4, 6)):
        return None
    half = len(text) // 2
    column, row = int(text[:half]) - 1, int(text[half:]) - 1
    return (column, row) if 0 <= column < MAX_SIDE and 0 <= row < MAX_SIDE else None


def _read_extras(raw: RawMap, board: Board, cell: Cell, entry: dict[str, str], source: str) -> None:
    seat, centre = _number(entry.get("seat", ""), source), _number(entry.get("centre", ""), source)
    if seat:
        start = raw.starts.setdefault(seat, RawStart(f"Start {seat}"))
        start.name = entry.get("start") or start.name
        start.area.append(cell)
    if centre:
        raw.starts.setdefault(centre, RawStart(f"Start {centre}")).centre = cell
    if entry.get("place"):
        raw.places.append((cell, entry["place"]))
    here = board.label(cell[1] * board.columns + cell[0])
    for label in entry.get("roads", "").split():
        there = board.find(label)
        if there is None or board.direction(cell[1] * board.columns + cell[0], there) is None:
            raise Unreadable(f"hex {here}: no road can go to {label[:20]!r}, it is not adjacent", source)
        raw.roads.append([cell, (there % board.columns, there // board.columns)])


def _number(text: str, source: str) -> int:
    if not text:
        return 0
    if is_text(text, 3) and text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_PLAYERS:
        return int(text)
    raise Unreadable(f"{text[:20]!r} is no seat; seats are numbers from 1 to {MAX_PLAYERS}", source)
