"""Hexagonal maps of Tiled, read by pytiled-parser from the clean copy :mod:`.tiled_xml` makes."""

from __future__ import annotations

import json
import tempfile
import xml.etree.ElementTree as etree
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytiled_parser
from pytiled_parser.tiled_object import Polyline, TiledObject

from server.scenarios.exchange.layout import Cell, Grid, Layout
from server.scenarios.exchange.mapping import Rules
from server.scenarios.exchange.raw import Names, RawMap, RawStart
from server.scenarios.exchange.tiled_xml import Cleaner, parse
from server.scenarios.problems import MapError, Notebook, Unreadable
from server.scenarios.scenario import MAX_PLAYERS

_FLIPS = 0xF0000000
"""Bits of a tile number that only turn or mirror its picture."""


def read_tiled(data: bytes, source: str, rules: Rules) -> RawMap:
    """Read a ``.tmx`` file."""
    notes = Notebook()
    cleaner = Cleaner(source, notes)
    clean = cleaner.clean(parse(data, source))
    tiled = _pytiled(clean, source)
    grid = Grid.of(tiled, cleaner.origin)
    raw = RawMap(cleaner.width, cleaner.height, Layout(grid.axis, tiled.stagger_index or "odd"), [], notes=notes)
    layers = [layer for layer in tiled.layers if isinstance(layer, pytiled_parser.TileLayer)]
    if rules.layer:
        names = [layer.name for layer in layers]
        if rules.layer not in names:
            raise Unreadable(f"has no visible tile layer {rules.layer!r}; it has {', '.join(names) or 'none'}", source)
    _tiles(raw, tiled, layers, rules)
    for layer in tiled.layers:
        if isinstance(layer, pytiled_parser.ObjectLayer):
            for object_ in layer.tiled_objects:
                _object(raw, grid, object_, layer.name)
    raw.more = _more(tiled.properties or {}, notes)
    return raw


def _pytiled(clean: etree.Element, source: str) -> pytiled_parser.TiledMap:
    """Give the clean copy to pytiled-parser, which reads files only."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "map.tmx"
        file.write_bytes(etree.tostring(clean, encoding="utf-8"))
        try:
            return pytiled_parser.parse_map(file)
        except (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
            raise Unreadable(f"cannot be understood: {type(error).__name__} {error}"[:200], source) from error


# --- tile layers ---


def _tiles(
    raw: RawMap, tiled: pytiled_parser.TiledMap, layers: Sequence[pytiled_parser.TileLayer], rules: Rules
) -> None:
    """Sort the tiles into pieces of terrain, the uppermost first, and start areas."""
    terrain: list[list[Names]] = [[] for _ in range(raw.columns * raw.rows)]
    known: dict[int, tuple[Names, int]] = {}
    for layer in reversed(layers):
        numbers = (gid for row in layer.data or () for gid in row)
        for cell, gid in enumerate(numbers):
            tile = gid & ~_FLIPS
            if not tile:
                continue
            if tile not in known:
                known[tile] = _describe(tiled, tile)
            names, seat = known[tile]
            if seat:
                start = raw.starts.setdefault(seat, RawStart(f"Start {seat}"))
                start.area.append((cell % raw.columns, cell // raw.columns))
            elif not rules.layer or layer.name == rules.layer:
                terrain[cell].append(names)
    for start in raw.starts.values():
        start.area = sorted({*start.area}, key=lambda cell: (cell[1], cell[0]))
    raw.cells = [tuple(pieces) for pieces in terrain]


def _describe(tiled: pytiled_parser.TiledMap, gid: int) -> tuple[Names, int]:
    """Return what a tile may be called in a mapping file, and its seat where it marks a start area."""
    first = max((tileset for tileset in tiled.tilesets if tileset <= gid), default=0)
    if not first:
        return (str(gid),), 0
    tileset, number = tiled.tilesets[first], gid - first
    tile = (tileset.tiles or {}).get(number)
    properties = tile.properties or {} if tile else {}
    seat = properties.get("seat")
    if type(seat) is int and 1 <= seat <= MAX_PLAYERS:
        return (), seat
    words = [properties.get("terrain"), properties.get("name"), tile.class_ if tile else None]
    picture = [tile.image.stem] if tile and tile.image else []
    names = [*(word for word in words if isinstance(word, str) and word), f"{tileset.name}:{number}", *picture]
    alone = [tileset.name] if tileset.tile_count == 1 and tileset.name else []
    return (*names, *alone, str(gid)), 0


# --- objects ---


def _object(raw: RawMap, grid: Grid, given: TiledObject, layer: str) -> None:
    """Read a place, a start or a road."""
    kind = (given.class_ or "").lower() or _KINDS.get(layer.lower(), "place")
    x, y = given.coordinates
    if isinstance(given, Polyline):
        _road(raw, [grid.cell(x + point[0], y + point[1]) for point in given.points], given.name or layer)
        return
    cell = grid.cell(x, y)
    name = (given.name or "").strip()
    if not raw.cell(cell):
        raw.notes.warn("left_out", layer[:40], f"the object {name[:40]!r} lies outside of the map and was left out")
    elif kind == "start":
        properties = given.properties or {}
        seat = properties.get("seat")
        number = seat if type(seat) is int and 1 <= seat <= MAX_PLAYERS else len(raw.starts) + 1
        start = raw.starts.setdefault(number, RawStart(name or f"Start {number}"))
        start.name, start.centre = name or start.name, cell
        start.briefing = str(properties.get("briefing", ""))
    elif name:
        raw.places.append((cell, given.name or ""))
    else:
        raw.notes.warn("left_out", layer[:40], "an object without a name was left out")


_MAX_ROAD = 10_000
"""Steps of one line."""
_KINDS = {"starts": "start", "places": "place", "roads": "road"}


def _road(raw: RawMap, points: Sequence[Cell], name: str) -> None:
    """A road goes straight from point to point."""
    if not all(map(raw.cell, points)) or sum(raw.layout.distance(a, b) for a, b in pairwise(points)) > _MAX_ROAD:
        path: list[Cell] = []
    else:
        path = [cell for a, b in pairwise(points) for cell in _straight(raw.layout, a, b)] + list(points[-1:])
    if len(path) < 2:
        raw.notes.warn("left_out", name[:40], "a line that is no road on the map was left out")
        return
    raw.roads.append(path)


def _straight(layout: Layout, a: Cell, b: Cell) -> Iterator[Cell]:
    """Yield the cells from *a* to *b*, without *b*: every one adjacent to the next."""
    here = a
    while here != b:
        yield here
        if layout.distance(here, b) == 1:
            return
        here = min(layout.around(here), key=lambda cell: (layout.distance(cell, b), cell))


# --- the rest of a scenario ---


def _more(properties: dict[str, Any], notes: Notebook) -> dict[str, Any]:
    """Return what our own export keeps in the properties of the map."""
    more: dict[str, Any] = {}
    for key in ("title", "summary", "author", "ruleset"):
        if isinstance(properties.get(key), str) and properties[key]:
            more[key] = properties[key]
    if isinstance(properties.get("briefing"), str) and properties["briefing"].strip():
        more["briefing"] = [
            " ".join(paragraph.split("\n")) for paragraph in properties["briefing"].split("\n\n") if paragraph.strip()
        ]
    conditions = {key: properties[key] for key in ("bp", "urban", "resources") if type(properties.get(key)) is int}
    if conditions:
        more["conditions"] = conditions
    for key in ("seats", "background"):
        if isinstance(properties.get(key), str):
            try:
                more[key] = json.loads(properties[key][:10_000])
            except (ValueError, RecursionError, MapError):
                notes.warn("left_out", key, f"the property {key} of the map was not understood")
    return more
