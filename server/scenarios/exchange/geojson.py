"""A scenario as GeoJSON: one polygon a hex, roads as lines, starts and places as points."""

from __future__ import annotations

import json
import math
from typing import Any

from server.rules.board import MAX_SIDE, Board
from server.rules.ruleset import Ruleset
from server.scenarios.problems import Unreadable
from server.scenarios.scenario import Scenario
from server.scenarios.writer import road_paths

Point = tuple[float, float]
_DIGITS = 6
_CORNERS = tuple(
    (math.cos(math.radians(angle)) / math.sqrt(3), math.sin(math.radians(angle)) / math.sqrt(3))
    for angle in range(-90, 270, 60)
)
"""Corners of a pointy-top hex one wide, anticlockwise from the south, as RFC 7946 wants polygons."""


def write_geojson(scenario: Scenario, ruleset: Ruleset) -> dict[str, bytes]:
    """Return a feature collection in units of one hex, *y* to the north, the middle of the map at 0, 0."""
    board = scenario.board
    centres = hex_centres(board)
    owner = {hex_: seat for seat, start in enumerate(scenario.starts, 1) for hex_ in start.area}
    features = [_hex(board, ruleset, hex_, centres[hex_], owner.get(hex_)) for hex_ in range(board.size)]
    for path in road_paths(scenario.roads):
        features.append(_feature("LineString", [_round(centres[hex_]) for hex_ in path], {"kind": "road"}))
    for seat, start in enumerate(scenario.starts, 1):
        about = {"kind": "start", "seat": seat, "name": start.name, "hex": board.label(start.centre)}
        features.append(_feature("Point", _round(centres[start.centre]), about))
    for hex_, name in board.names:
        about = {"kind": "place", "name": name, "hex": board.label(hex_)}
        features.append(_feature("Point", _round(centres[hex_]), about))
    data = {"type": "FeatureCollection", "name": scenario.title, "features": features}
    lines = ",\n".join(json.dumps(feature, ensure_ascii=False) for feature in features)
    head = json.dumps({key: value for key, value in data.items() if key != "features"}, ensure_ascii=False)[:-1]
    return {".geojson": f'{head}, "features": [\n{lines}\n]}}\n'.encode()}


def hex_centres(board: Board) -> list[Point]:
    """Return the centre of each hex, one wide, *y* to the north.

    hexalattice counts its rows from the south and shoves every other one: seen from the north it is our
    layout, so *y* changes sign. Bad arguments would make it end the program: they are refused before.
    """
    if not (1 <= board.columns <= MAX_SIDE and 1 <= board.rows <= MAX_SIDE):
        raise Unreadable(f"a map has 1 to {MAX_SIDE} columns and rows")
    from hexalattice.hexalattice import create_hex_grid  # draws in a plotting library: only loaded when needed

    grid, _ = create_hex_grid(nx=board.columns, ny=board.rows, min_diam=1.0, do_plot=False)
    return [(float(x), -float(y)) for x, y in grid]


def _hex(board: Board, ruleset: Ruleset, hex_: int, centre: Point, seat: int | None) -> dict[str, Any]:
    x, y = centre
    ring = [_round((x + dx, y + dy)) for dx, dy in (*_CORNERS, _CORNERS[0])]
    terrain = ruleset.terrain.get(board.terrain[hex_])
    about: dict[str, Any] = {"kind": "hex", "hex": board.label(hex_), "terrain": board.terrain[hex_]}
    about |= {"land": terrain.land} if terrain else {}
    about |= {"seat": seat} if seat else {}
    return _feature("Polygon", [ring], about)


def _feature(kind: str, coordinates: Any, properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def _round(point: Point) -> Point:
    return round(point[0], _DIGITS) + 0.0, round(point[1], _DIGITS) + 0.0
