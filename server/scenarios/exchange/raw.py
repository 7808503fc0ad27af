"""What a reader found in another program's file, and how it becomes a scenario."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.rules.board import MAX_SIDE, Board
from server.rules.ruleset import Ruleset
from server.scenarios.exchange.layout import Cell, Fit, Layout
from server.scenarios.exchange.mapping import Dictionary, Rules
from server.scenarios.problems import MapProblem, Notebook, Unreadable
from server.scenarios.reader import read
from server.scenarios.scenario import FORMAT, Scenario, disc
from server.scenarios.writer import letters

Label = Callable[[Cell], str]
"""Gives the label (D-01) a cell of the other map has in ours."""

Names = tuple[str, ...]
"""What another program calls a piece of terrain, the most exact name first."""


@dataclass(slots=True)
class RawStart:
    """A start of another program's map."""

    name: str
    centre: Cell | None = None
    area: list[Cell] = field(default_factory=list)
    """Empty: a disc around the centre."""
    briefing: str = ""


@dataclass(slots=True)
class RawMap:
    """Another program's map, in its own layout."""

    columns: int
    rows: int
    layout: Layout
    cells: list[tuple[Names, ...]]
    """For each cell, row by row, the pieces of terrain that lie in it, the uppermost first; none: outside."""
    builtin: dict[str, str] = field(default_factory=dict)
    """The known terrains of the format."""
    starts: dict[int, RawStart] = field(default_factory=dict)
    """By seat number, in any order."""
    places: list[tuple[Cell, str]] = field(default_factory=list)
    roads: list[list[Cell]] = field(default_factory=list)
    """Paths of adjacent cells."""
    more: dict[str, Any] = field(default_factory=dict)
    """Other keys of a scenario, as they stand in ``scenario.json``."""
    notes: Notebook = field(default_factory=Notebook)
    """What the reader left out."""

    def cell(self, place: Cell) -> bool:
        """Say whether a cell lies on the map."""
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.rows


@dataclass(frozen=True, slots=True)
class Imported:
    """A map made from another program's."""

    scenario: Scenario
    problems: tuple[MapProblem, ...]
    """Pieces not recognised or left out; errors if that leaves holes in the map."""
    unknown: tuple[tuple[str, int, str], ...]
    """Terrain that was not understood: its name, how many hexes, the label of the first of them."""


def check_size(columns: int, rows: int) -> None:
    """Refuse a map that is too large, before anything is done with it."""
    if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
        raise Unreadable(
            f"says it has {columns} x {rows} hexes; a map has 1 to {MAX_SIDE} columns and rows", "", "too_large"
        )


def good_name(stem: str) -> str:
    """Return a scenario id for a file name."""
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60].strip("-") or "imported"


def build(raw: RawMap, rules: Rules, ruleset: Ruleset, stem: str) -> Imported:
    """Make a scenario of a reader's findings, in our layout (D-01)."""
    fit = Fit(raw.columns, raw.rows, raw.layout)
    check_size(*fit.size)
    terrain, unknown, bare = _terrain(raw, fit, rules, ruleset)
    board = Board(*fit.size, tuple(terrain))
    notes = raw.notes
    _note_layout(fit, raw.layout, notes)
    for name, hexes in unknown.items():
        severity = notes.warn if rules.unknown else notes.error
        message = f"the terrain {name!r} of {len(hexes)} hexes was not understood"
        severity("not_understood", "terrain", message, board.label(hexes[0]))
    for name in {rules.unknown, rules.outside, *rules.terrain.values()} - {*ruleset.terrain, ""}:
        notes.error("unknown_terrain", "terrain", f"the ruleset {ruleset.id} has no terrain {name!r}")
    if bare:
        notes.warn(
            "filled", "board", f"{bare} hexes that the other map does not have were made {_outside(rules, ruleset)}"
        )
    data = _data(raw, fit, board, rules, notes, stem)
    scenario = read(data, good_name(stem), Notebook())
    listed = tuple((name, len(hexes), board.label(hexes[0])) for name, hexes in unknown.items())
    return Imported(scenario, tuple(notes.problems), listed)


def _note_layout(fit: Fit, layout: Layout, notes: Notebook) -> None:
    if fit.turned:
        message = f"its columns are shoved ({layout.name}): turned a quarter to the left, so that its north is now west"
        notes.warn("turned", "board", message)
    if fit.added:
        notes.warn("moved", "board", "moved down by one row, so that the right rows are shoved")


def _outside(rules: Rules, ruleset: Ruleset) -> str:
    water = next((name for name, terrain in ruleset.terrain.items() if not terrain.land), "")
    return rules.outside or water or next(iter(ruleset.terrain))


def _terrain(raw: RawMap, fit: Fit, rules: Rules, ruleset: Ruleset) -> tuple[list[str], dict[str, list[int]], int]:
    """Return the terrain of each hex, the hexes of each unknown terrain, and how many were filled up."""
    words = Dictionary(rules, ruleset, raw.builtin)
    outside = _outside(rules, ruleset)
    columns, rows = fit.size
    terrain = [""] * (columns * rows)
    unknown: dict[str, list[int]] = {}
    for number, pieces in enumerate(raw.cells):
        column, row = fit.place((number % raw.columns, number // raw.columns))
        hex_ = row * columns + column
        for names in pieces:
            found = words.find(names)
            if found:
                terrain[hex_] = outside if found == OUTSIDE else found
                break
            unknown.setdefault(names[0], []).append(hex_)
        else:
            terrain[hex_] = (rules.unknown or outside) if pieces else ""
    bare = terrain.count("")
    return [kind or outside for kind in terrain], unknown, bare


OUTSIDE = "<outside>"
"""The built-in reading of pieces that are not terrain."""


def _data(raw: RawMap, fit: Fit, board: Board, rules: Rules, notes: Notebook, stem: str) -> dict[str, Any]:
    """Return the data of ``scenario.json``; the reader checks it like any other."""

    def label(cell: Cell) -> str:
        column, row = fit.place(cell)
        return board.labels[row * board.columns + column]

    legend = letters(board)
    starts = _starts(raw, board, label, rules, notes)
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": stem[:80].strip() or "Imported map",
        "starts": starts,
        "places": {label(cell): name for cell, name in raw.places if raw.cell(cell)},
        "roads": [[label(cell) for cell in path] for path in raw.roads],
        "terrain": {letter: name for name, letter in legend.items()},
        "board": ["".join(legend[name] for name in _row(board, row)) for row in range(board.rows)],
    }
    if not starts:
        notes.warn("no_starts", "starts", "the map has no start areas: add them before anybody can play on it")
    return data | raw.more


def _row(board: Board, row: int) -> Sequence[str]:
    return board.terrain[row * board.columns : (row + 1) * board.columns]


def _starts(raw: RawMap, board: Board, label: Label, rules: Rules, notes: Notebook) -> list[dict[str, Any]]:
    areas = _areas(raw, board, label, rules.radius)
    starts = []
    for seat, start in sorted(raw.starts.items()):
        if not areas[seat]:
            notes.warn("left_out", f"starts[{seat}]", f"the start {start.name} has no hexes and was left out")
            continue
        data: dict[str, Any] = {"name": start.name, "hexes": areas[seat]}
        if start.centre is not None:
            data["centre"] = label(start.centre)
        starts.append(data | ({"briefing": start.briefing} if start.briefing else {}))
    return starts


def _areas(raw: RawMap, board: Board, label: Label, radius: int) -> dict[int, list[str]]:
    """Return the hexes of each start; around mere positions, each free hex near enough goes to the nearest."""
    areas = {seat: [label(cell) for cell in start.area] for seat, start in raw.starts.items()}
    taken = {hex_ for area in areas.values() for hex_ in area}
    nearest: dict[str, tuple[int, int]] = {}
    for seat, start in sorted(raw.starts.items()):
        centre = board.find(label(start.centre)) if start.centre is not None else None
        if centre is None or areas[seat]:
            continue
        for hex_ in disc(board, centre, radius):
            name, claim = board.label(hex_), (board.distance(centre, hex_), seat)
            if name not in taken:
                nearest[name] = min(claim, nearest.get(name, claim))
    for name, (_, seat) in sorted(nearest.items()):
        areas[seat].append(name)
    return areas
