"""Maps of The Battle for Wesnoth: flat-top columns of terrain codes."""

from __future__ import annotations

import re

from server.scenarios.exchange.layout import Layout
from server.scenarios.exchange.mapping import Rules
from server.scenarios.exchange.raw import OUTSIDE, Names, RawMap, RawStart, check_size
from server.scenarios.problems import Notebook, Unreadable

_BORDER = 1
_MAX_CODE = 40
_CELL = re.compile(r"(?:(?P<mark>[A-Za-z0-9_]+) +)?(?P<code>[A-Za-z_][^\s,]*)")
_HEADER = re.compile(r"\s*(?P<key>border_size|usage)\s*=\s*(?P<value>\w+)\s*")

BUILTIN = {
    "_*": OUTSIDE,
    "Xv*": OUTSIDE,
    "^_*": OUTSIDE,
    "^Ft*": "jungle",
    "^F*": "forest",
    "^Uf*": "forest",
    "^Tf*": "forest",
    "^B*": "plains",
    "^X*": "mountains",
    "^Qh*": "mountains",
    "Ch*": "plains",
    "G*": "plains",
    "R*": "plains",
    "I*": "plains",
    "D*": "plains",
    "C*": "plains",
    "K*": "plains",
    "A*": "plains",
    "Wwf*": "plains",
    "Wwr*": "swamp",
    "W*": "sea",
    "S*": "swamp",
    "H*": "hills",
    "U*": "hills",
    "T*": "forest",
    "M*": "mountains",
    "Q*": "mountains",
    "X*": "mountains",
}
"""Codes by their beginning, of the ground and of what lies on it (after ``^``); the longest counts."""


def read_wesnoth(data: bytes, source: str, _rules: Rules) -> RawMap:
    """Read a map file, with or without the old header; its border is left out."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("is no Wesnoth map: not UTF-8 text", source) from error
    notes = Notebook()
    lines = text.splitlines()
    border = _header(lines)
    rows = [line.split(",") for line in lines if line.strip() and not _HEADER.fullmatch(line)]
    if not rows:
        raise Unreadable("is no Wesnoth map: there are no rows of terrain codes", source)
    columns = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != columns:
            raise Unreadable(f"row {number} has {len(row)} codes, and the first row {columns}", source)
    if columns <= 2 * border or len(rows) <= 2 * border:
        raise Unreadable("is no Wesnoth map: nothing is left without its border", source)
    inner = [row[border : columns - border] for row in rows[border : len(rows) - border]]
    check_size(len(inner[0]), len(inner))
    raw = RawMap(len(inner[0]), len(inner), Layout("columns", "odd"), [], dict(BUILTIN), notes=notes)
    for y, row in enumerate(inner):
        for x, cell in enumerate(row):
            raw.cells.append(_cell(raw, x, y, cell.strip(), source))
    if sum(_villages(pieces) for pieces in raw.cells):
        count = sum(_villages(pieces) for pieces in raw.cells)
        notes.warn("left_out", "board", f"{count} villages were left out: players place urban hexes themselves")
    return raw


def _header(lines: list[str]) -> int:
    """Return the width of the border: 1, unless a header says 0."""
    found = [match for line in lines[:10] if (match := _HEADER.fullmatch(line))]
    sizes = [match["value"] for match in found if match["key"] == "border_size"]
    return 0 if sizes == ["0"] else _BORDER


def _cell(raw: RawMap, x: int, y: int, text: str, source: str) -> tuple[Names, ...]:
    match = _CELL.fullmatch(text)
    if match is None or len(text) > _MAX_CODE:
        raise Unreadable(f"column {x + 1}, row {y + 1}: {text[:_MAX_CODE]!r} is no terrain code", source)
    mark, code = match["mark"], match["code"]
    if mark and mark.isdigit() and 1 <= int(mark) <= 24:
        raw.starts[int(mark)] = RawStart(f"Side {int(mark)}", (x, y))
    elif mark:
        raw.places.append(((x, y), mark))
    ground, _, above = code.partition("^")
    return ((code, f"^{above}", ground),) if above else ((code,),)


def _villages(pieces: tuple[Names, ...]) -> bool:
    return any("^V" in names[0] for names in pieces)
