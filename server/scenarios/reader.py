"""From a scenario's data to a :class:`~server.scenarios.scenario.Scenario`, or to all that is wrong with it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from server.rules.board import MAX_SIDE, Board, Hex
from server.scenarios.fields import Fields, is_text, shown
from server.scenarios.problems import MapError, Notebook
from server.scenarios.scenario import (
    DEFAULT_RULESET,
    FORMAT,
    MAX_PLAYERS,
    MAX_RADIUS,
    Background,
    Conditions,
    Scenario,
    Start,
    disc,
    find_hex,
    middle,
)

KEYS = (
    "$schema", "format", "title", "summary", "author", "ruleset", "briefing", "conditions", "starts", "seats",
    "places", "roads", "background", "terrain", "board",
)  # fmt: skip
MAX_PIXELS = 100_000
_CONDITIONS = {"bp": 1_000_000, "urban": 99, "resources": 99}
PICTURES = (".png", ".jpg", ".jpeg", ".webp")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_PICTURE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,99}")


def read(data: object, id_: str, notes: Notebook | None = None, folder: Path | None = None) -> Scenario:
    """Return the scenario that plain data describes.

    Raises :class:`MapError` with every problem found. Whether the map makes sense under a ruleset is
    for :func:`server.scenarios.checks.check` to say.
    """
    notes = notes or Notebook()
    reading = _Reading(data, notes)
    scenario = reading.scenario(id_, folder)
    if scenario is None or notes.failed:
        raise MapError(notes.problems, id_)
    return scenario


def sketch(data: object, id_: str) -> Scenario | None:
    """Return the readable part of a scenario, whatever its problems; None without a usable board.

    Rows that are too short are filled up. A letter that is not in the table of terrains stands for a terrain without
    a name. For a picture: nobody can play it.
    """
    data = dict(data) if isinstance(data, dict) else {}
    given = data.get("board")
    strings = [row for row in given if isinstance(row, str)] if isinstance(given, list) else []
    rows = ["".join(row.split())[:MAX_SIDE] for row in strings[:MAX_SIDE]]
    data["board"] = [row.ljust(max(map(len, rows)), "\0") for row in rows]
    return _Reading(data, Notebook()).scenario(id_, None)


def good_id(id_: str) -> bool:
    """Say whether a word can be a scenario's id: small letters, digits and hyphens."""
    return _NAME.fullmatch(id_) is not None


class _Reading:
    """Reads one file; the board first, because every other part speaks of its hexes."""

    def __init__(self, data: object, notes: Notebook) -> None:
        self.notes = notes
        self.top = Fields(data, "", notes, KEYS)

    def scenario(self, id_: str, folder: Path | None) -> Scenario | None:
        """Read everything; None without a usable board."""
        self._format()
        if not good_id(id_):
            self.notes.error("bad_value", "", f"{shown(id_)} is no name: small letters, digits and hyphens only")
        title = self.top.text("title", 80)
        summary = self.top.text("summary", 200, "")
        author = self.top.text("author", 120, "")
        ruleset = self.top.text("ruleset", 80, DEFAULT_RULESET)
        briefing = self._briefing()
        conditions = self._conditions()
        background = self._background()
        board = self._board()
        if board is None:
            return None
        starts = self._starts(board)
        return Scenario(
            id=id_,
            title=title,
            board=board,
            starts=starts,
            summary=summary,
            author=author,
            ruleset=ruleset,
            roads=self._roads(board),
            conditions=conditions,
            seats=self._seats(len(starts)),
            briefing=briefing,
            background=background,
            folder=folder,
        )

    def _format(self) -> None:
        given = self.top.given.get("format")
        if type(given) is not int or given < 1:
            self.top.wrong("format", f"the number {FORMAT}")
        elif given > FORMAT:
            message = f"is {given}, and this server reads formats up to {FORMAT}: it needs a newer server"
            self.notes.error("newer_format", "format", message)

    def _briefing(self) -> tuple[str, ...]:
        paragraphs = []
        for where, paragraph in self.top.listed("briefing", 50, "paragraphs"):
            if is_text(paragraph, 2000) and paragraph.strip():
                paragraphs.append(paragraph)
            else:
                self.notes.error(
                    "bad_value", where, "must be a paragraph of at most 2000 characters without line breaks"
                )
        return tuple(paragraphs)

    def _conditions(self) -> Conditions:
        if not self.top.has("conditions"):
            return Conditions()
        given = Fields(self.top.given["conditions"], "conditions", self.notes, [*_CONDITIONS])
        return Conditions(
            *(given.integer(key, 0, most) if given.has(key) else None for key, most in _CONDITIONS.items())
        )

    def _background(self) -> Background | None:
        if not self.top.has("background"):
            return None
        known = ("file", "offset", "scale", "opacity")
        given = Fields(self.top.given["background"], "background", self.notes, known)
        file = given.text("file", 100)
        if file and not (_PICTURE.fullmatch(file) and file.lower().endswith(PICTURES)):
            given.wrong("file", f"the name of a picture beside scenario.json ({', '.join(PICTURES)}), without a path")
        offset = given.pair("offset", -MAX_PIXELS, MAX_PIXELS)
        scale = given.pair("scale", 1, MAX_PIXELS)
        opacity = given.number("opacity", 0, 1, 1.0)
        return Background(file, offset, scale, opacity) if offset and scale else None

    # --- the board ---

    def _board(self) -> Board | None:
        legend = self._legend()
        rows: list[list[str]] = []
        for where, row in self.top.listed("board", MAX_SIDE, "rows"):
            if isinstance(row, str) and len(row) <= 4 * MAX_SIDE:
                rows.append(list("".join(row.split())))
            else:
                self.notes.error("bad_value", where, f"must be a row of terrain letters, not {shown(row)}")
        if not rows or not legend or not self._rectangular(rows):
            if not self.top.has("board") or self.top.given["board"] == []:
                self.top.wrong("board", "a list of rows of terrain letters")
            return None
        columns = len(rows[0])
        names = [legend.get(letter, "") for row in rows for letter in row]
        board = Board(columns, len(rows), tuple(names), self._places(columns, len(rows)))
        for hex_, name in enumerate(names):
            if not name:
                where, letter = f"board[{hex_ // columns}]", rows[hex_ // columns][hex_ % columns]
                self.notes.error("unknown_letter", where, f"the letter {letter!r} is not in terrain", board.label(hex_))
        return board

    def _legend(self) -> dict[str, str]:
        if not self.top.has("terrain") or self.top.given["terrain"] == {}:
            self.top.wrong("terrain", "a table from letters to terrains")
        legend: dict[str, str] = {}
        for where, letter, name in self.top.entries("terrain", 100, "terrains"):
            if len(letter) != 1 or letter.isspace() or not letter.isprintable():
                self.notes.error("bad_value", where, "the key must be a single letter or sign")
            elif not (is_text(name, 40) and name):
                self.notes.error("bad_value", where, f"must be the name of a terrain, not {shown(name)}")
            else:
                legend[letter] = name
        return legend

    def _rectangular(self, rows: list[list[str]]) -> bool:
        columns = len(rows[0])
        good = 1 <= columns <= MAX_SIDE
        if not good:
            self.notes.error("bad_size", "board[0]", f"has {columns} hexes; a row has 1 to {MAX_SIDE}")
        for number, row in enumerate(rows):
            if len(row) != columns:
                message = f"has {len(row)} hexes, and the first row {columns}"
                self.notes.error("bad_size", f"board[{number}]", message)
                good = False
        return good

    # --- what lies on it ---

    def _hex(self, board: Board, where: str, label: object) -> Hex | None:
        found = board.find(label)
        if found is None:
            size = f"{board.columns} x {board.rows} hexes, {board.labels[0]} to {board.labels[-1]}"
            self.notes.error("bad_hex", where, f"there is no hex {shown(label)}; the map has {size}")
        return found

    def _hexes(self, board: Board, where: str, labels: object, maximum: int) -> tuple[Hex, ...]:
        if not isinstance(labels, list) or not labels or len(labels) > maximum:
            self.notes.error("bad_value", where, "must be a list of hexes")
            return ()
        found = [self._hex(board, f"{where}[{number}]", label) for number, label in enumerate(labels)]
        return tuple(start for start in found if start is not None)

    def _places(self, columns: int, rows: int) -> tuple[tuple[Hex, str], ...]:
        places = []
        for where, label, name in self.top.entries("places", columns * rows, "places"):
            hex_ = find_hex(columns, rows, label)
            if hex_ is None:
                self.notes.error("bad_hex", where, f"there is no hex {shown(label)} on {columns} x {rows} hexes")
            if not (is_text(name, 60) and name.strip()):
                self.notes.error("bad_value", where, "must be a name of at most 60 characters")
            elif hex_ is not None:
                places.append((hex_, name))
        return tuple(sorted(places))

    def _roads(self, board: Board) -> tuple[tuple[Hex, Hex], ...]:
        edges = set()
        for where, road in self.top.listed("roads", board.size * 3, "roads"):
            path = self._hexes(board, where, road, board.size * 3 + 1)
            for a, b in pairwise(path):
                if board.direction(a, b) is None:
                    message = f"a road cannot go from {board.label(a)} to {board.label(b)}: they are not adjacent"
                    self.notes.error("not_adjacent", where, message, board.label(a))
                edges.add((min(a, b), max(a, b)))
            if len(path) == 1:
                self.notes.error("bad_value", where, "a road joins at least two hexes")
        return tuple(sorted(edges))

    def _starts(self, board: Board) -> tuple[Start, ...]:
        if not self.top.has("starts"):
            self.top.wrong("starts", "a list of start areas, one for each player")
        starts = []
        for where, entry in self.top.listed("starts", MAX_PLAYERS, "start areas"):
            start = self._start(board, where, entry)
            if start is not None:
                starts.append(start)
        return tuple(starts)

    def _start(self, board: Board, where: str, data: object) -> Start | None:
        given = Fields(data, where, self.notes, ("name", "centre", "radius", "hexes", "briefing"))
        name = given.text("name", 60)
        briefing = given.text("briefing", 2000, "")
        centre = self._hex(board, f"{where}.centre", given.given["centre"]) if given.has("centre") else None
        if given.has("radius") == given.has("hexes"):
            self.notes.error("bad_value", where, "needs either a radius around its centre or a list of hexes")
            return None
        if given.has("radius"):
            radius = given.integer("radius", 0, MAX_RADIUS, -1)
            if not given.has("centre"):
                given.wrong("centre", "a hex")
            if centre is None or radius < 0:
                return None
            return Start(name, centre, disc(board, centre, radius), briefing)
        area = self._hexes(board, f"{where}.hexes", given.given["hexes"], board.size + 1)
        for twice in sorted(hex_ for hex_, times in Counter(area).items() if times > 1):
            self.notes.error("duplicate", f"{where}.hexes", "is named twice", board.label(twice))
        area = tuple(sorted({*area}))
        if not area or (centre is None and given.has("centre")):
            return None
        return Start(name, middle(board, area) if centre is None else centre, area, briefing)

    def _seats(self, starts: int) -> Mapping[int, tuple[int, ...]]:
        seats: dict[int, tuple[int, ...]] = {}
        for where, key, value in self.top.entries("seats", MAX_PLAYERS, "player counts"):
            count = int(key) if key.isascii() and key.isdigit() and len(key) < 4 else 0
            if not 1 <= count < starts:
                self.notes.error("bad_value", where, f"the key must be a number of players from 1 to {starts - 1}")
            elif not _numbers(value, count, starts):
                self.notes.error("bad_value", where, f"must list {count} different starts, from 1 to {starts}")
            else:
                seats[count] = tuple(number - 1 for number in value)
        return dict(sorted(seats.items()))


def _numbers(value: Any, count: int, maximum: int) -> bool:
    if not isinstance(value, list) or len(value) != count:
        return False
    return all(type(number) is int and 1 <= number <= maximum for number in value) and len(set(value)) == count
