"""From a scenario to its file: the same scenario always gives the same text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from server.rules.board import Board, Hex
from server.scenarios.scenario import FORMAT, MAX_RADIUS, Background, Conditions, Scenario, Start, disc

FILE = "scenario.json"
LETTERS = {
    "plains": ".", "forest": "f", "hills": "h", "sea": "~", "jungle": "j", "mountains": "^", "swamp": "s",
}  # fmt: skip
"""The letter a terrain gets if it is free; others get the first free letter of their name."""
_SPARE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*#=:%&@!?"


def to_data(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario as plain data, keys in the order people read them."""
    board = scenario.board
    optional: dict[str, Any] = {
        "summary": scenario.summary,
        "author": scenario.author,
        "ruleset": scenario.ruleset,
        "briefing": list(scenario.briefing),
        "conditions": _conditions(scenario.conditions),
        "starts": [_start(board, start) for start in scenario.starts],
        "seats": {str(count): [seat + 1 for seat in seats] for count, seats in sorted(scenario.seats.items())},
        "places": {board.label(hex_): name for hex_, name in board.names},
        "roads": [[board.label(hex_) for hex_ in path] for path in road_paths(scenario.roads)],
        "background": _background(scenario.background),
    }
    filled = {key: value for key, value in optional.items() if value or key == "starts"}
    legend = letters(board)
    rows = {"terrain": {letter: name for name, letter in legend.items()}, "board": _rows(board, legend)}
    return {"format": FORMAT, "title": scenario.title, **filled, **rows}


def to_text(scenario: Scenario, schema: str = "../scenario.schema.json") -> str:
    """Return the text of ``scenario.json``: one line for each thing, the board drawn as it looks."""
    data = {"$schema": schema, **to_data(scenario)} if schema else to_data(scenario)
    parts = [f"  {_json(key)}: {_value(value, 1)}" for key, value in data.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def save(scenario: Scenario, folder: Path, schema: str = "../scenario.schema.json") -> Path:
    """Write the scenario into a folder, made where it is missing. Returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    file.write_text(to_text(scenario, schema), encoding="utf-8")
    return file


def letters(board: Board) -> dict[str, str]:
    """Return a letter for each terrain of the board, the common ones as everywhere."""
    chosen: dict[str, str] = {}
    names = sorted({*board.terrain}, key=lambda name: (name not in LETTERS, name))
    for name in names:
        wishes = [LETTERS.get(name, ""), *name, *name.upper(), *_SPARE]
        chosen[name] = next(
            wish
            for wish in wishes
            if wish and wish not in chosen.values() and wish in _SPARE + ".~^" and _free(wish, name)
        )
    return chosen


def _free(letter: str, name: str) -> bool:
    """A letter everyone knows stays with its terrain, on the map or not."""
    return LETTERS.get(name) == letter or letter not in LETTERS.values()


def road_paths(edges: tuple[tuple[Hex, Hex], ...]) -> list[list[Hex]]:
    """Join road edges into long paths, each edge once; the same edges always give the same paths."""
    left: dict[Hex, list[Hex]] = {}
    for a, b in edges:
        left.setdefault(a, []).append(b)
        left.setdefault(b, []).append(a)
    for ends in left.values():
        ends.sort()
    paths = []
    odd_first = sorted(left, key=lambda hex_: (len(left[hex_]) % 2 == 0, hex_))
    for begin in odd_first:
        while left[begin]:
            paths.append(_walk(begin, left))
    return paths


def _walk(here: Hex, left: dict[Hex, list[Hex]]) -> list[Hex]:
    path = [here]
    while left[here]:
        there = left[here].pop(0)
        left[there].remove(here)
        path.append(there)
        here = there
    return path


def _start(board: Board, start: Start) -> dict[str, Any]:
    data: dict[str, Any] = {"name": start.name, "centre": board.label(start.centre)}
    radius = max((board.distance(start.centre, hex_) for hex_ in start.area), default=0)
    if radius <= MAX_RADIUS and disc(board, start.centre, radius) == start.area:
        data["radius"] = radius
    else:
        data["hexes"] = [board.label(hex_) for hex_ in start.area]
    return data | ({"briefing": start.briefing} if start.briefing else {})


def _conditions(conditions: Conditions) -> dict[str, int]:
    given = {"bp": conditions.bp, "urban": conditions.urban, "resources": conditions.resources}
    return {key: value for key, value in given.items() if value is not None}


def _background(background: Background | None) -> dict[str, Any]:
    if background is None:
        return {}
    data = {"file": background.file, "offset": list(background.offset), "scale": list(background.scale)}
    return data | ({} if background.opacity == 1 else {"opacity": background.opacity})


def _rows(board: Board, legend: dict[str, str]) -> list[str]:
    """Draw the board: a space between hexes, odd rows shoved half a hex to the right (D-01)."""
    columns = board.columns
    drawn = []
    for row in range(board.rows):
        names = board.terrain[row * columns : (row + 1) * columns]
        drawn.append(" " * (row & 1) + " ".join(legend[name] for name in names))
    return drawn


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(value: object, depth: int) -> str:
    """Lists and tables one entry a line where they are long, on one line where they are short."""
    flat = _json(value)
    if not isinstance(value, (list, dict)) or not value or (len(flat) <= 100 and depth > 1):
        return flat
    pad, ends = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        lines = [f"{pad}{_json(key)}: {_value(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{ends}}}"
    lines = [f"{pad}{_value(item, depth + 1)}" for item in value]
    return "[\n" + ",\n".join(lines) + f"\n{ends}]"
