"""A scenario as a map of Tiled, with its own picture of tiles; importing it again gives the same scenario."""

from __future__ import annotations

import json
import struct
import xml.etree.ElementTree as etree
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from server.rules.ruleset import Ruleset
from server.scenarios.exchange.layout import Grid
from server.scenarios.scenario import Scenario
from server.scenarios.writer import road_paths, to_data

WIDTH, HEIGHT, SIDE = 56, 64, 32
PICTURE = "-tiles.png"
_MAX_POINTS = 1_000
_GRID = Grid(WIDTH, HEIGHT, SIDE, "rows", 1)
_COLOURS = {
    "plains": (222, 214, 150), "forest": (76, 140, 74), "hills": (186, 150, 96), "sea": (92, 146, 200),
    "jungle": (34, 94, 54), "mountains": (136, 130, 126), "swamp": (120, 146, 124),
}  # fmt: skip
_OTHER = (190, 170, 190)
_SEATS = ((200, 40, 40), (40, 80, 200), (230, 160, 20), (130, 50, 160), (20, 140, 130), (90, 60, 30))


def write_tiled(scenario: Scenario, ruleset: Ruleset) -> dict[str, bytes]:
    """Return the ``.tmx`` file and the picture of its tiles."""
    terrains = [*ruleset.terrain, *sorted({*scenario.board.terrain} - {*ruleset.terrain})]
    picture = f"{scenario.id}{PICTURE}"
    root = _root(scenario)
    _properties(root, _meta(scenario))
    seats = len(scenario.starts)
    _tileset(root, scenario, terrains, picture)
    _layers(root, scenario, terrains)
    _objects(root, scenario)
    etree.indent(root, " ")
    text = etree.tostring(root, encoding="utf-8", xml_declaration=True)
    return {".tmx": text + b"\n", PICTURE: _draw(terrains, seats)}


def _root(scenario: Scenario) -> etree.Element:
    board = scenario.board
    attributes = {
        "version": "1.10", "tiledversion": "1.10.2", "orientation": "hexagonal", "renderorder": "right-down",
        "width": board.columns, "height": board.rows, "tilewidth": WIDTH, "tileheight": HEIGHT, "infinite": 0,
        "hexsidelength": SIDE, "staggeraxis": "y", "staggerindex": "odd", "nextlayerid": 6,
        "nextobjectid": 1 + len(scenario.starts) + len(board.names) + len(scenario.roads),
    }  # fmt: skip
    return etree.Element("map", {key: str(value) for key, value in attributes.items()})


def _meta(scenario: Scenario) -> dict[str, Any]:
    """Return what a Tiled map has no place for, as properties of the map."""
    data = to_data(scenario)
    meta: dict[str, Any] = {key: data[key] for key in ("title", "summary", "author", "ruleset") if key in data}
    if "briefing" in data:
        meta["briefing"] = "\n\n".join(data["briefing"])
    meta |= data.get("conditions", {})
    return meta | {key: json.dumps(data[key], ensure_ascii=False) for key in ("seats", "background") if key in data}


def _properties(element: etree.Element, values: Mapping[str, Any]) -> None:
    if not values:
        return
    properties = etree.SubElement(element, "properties")
    for name, value in values.items():
        entry = etree.SubElement(properties, "property", name=name)
        if isinstance(value, int):
            entry.set("type", "int")
            entry.set("value", str(value))
        elif "\n" in value:
            entry.text = value
        else:
            entry.set("value", value)


def _tileset(root: etree.Element, scenario: Scenario, terrains: list[str], picture: str) -> None:
    count = len(terrains) + len(scenario.starts)
    tileset = etree.SubElement(root, "tileset", firstgid="1", name=scenario.id)
    size = {"tilewidth": WIDTH, "tileheight": HEIGHT, "tilecount": count, "columns": count}
    tileset.attrib.update({key: str(value) for key, value in size.items()})
    etree.SubElement(tileset, "image", source=picture, width=str(count * WIDTH), height=str(HEIGHT))
    for number, terrain in enumerate(terrains):
        tile = etree.SubElement(tileset, "tile", id=str(number), type=terrain)
        _properties(tile, {"terrain": terrain})
    for seat in range(len(scenario.starts)):
        tile = etree.SubElement(tileset, "tile", id=str(len(terrains) + seat), type="start")
        _properties(tile, {"seat": seat + 1})


def _layers(root: etree.Element, scenario: Scenario, terrains: list[str]) -> None:
    board = scenario.board
    number = {terrain: gid for gid, terrain in enumerate(terrains, 1)}
    _layer(root, 1, "terrain", board.columns, [number[terrain] for terrain in board.terrain])
    areas = [0] * board.size
    for seat, start in enumerate(scenario.starts, 1):
        for hex_ in start.area:
            areas[hex_] = len(terrains) + seat
    _layer(root, 2, "start areas", board.columns, areas).set("opacity", "0.5")


def _layer(root: etree.Element, id_: int, name: str, columns: int, gids: list[int]) -> etree.Element:
    rows = [gids[at : at + columns] for at in range(0, len(gids), columns)]
    layer = etree.SubElement(root, "layer", id=str(id_), name=name, width=str(columns), height=str(len(rows)))
    text = ",\n".join(",".join(map(str, row)) for row in rows)
    etree.SubElement(layer, "data", encoding="csv").text = f"\n{text}\n"
    return layer


def _objects(root: etree.Element, scenario: Scenario) -> None:
    columns = scenario.board.columns
    numbers = iter(range(1, 10**9))

    def put(group: etree.Element, kind: str, hex_: int, name: str = "") -> etree.Element:
        x, y = _GRID.centre((hex_ % columns, hex_ // columns))
        thing = etree.SubElement(group, "object", id=str(next(numbers)), type=kind, x=f"{x:g}", y=f"{y:g}")
        if name:
            thing.set("name", name)
        return thing

    roads = etree.SubElement(root, "objectgroup", id="3", name="roads")
    for path in (part for whole in road_paths(scenario.roads) for part in _parts(whole)):
        road = put(roads, "road", path[0])
        ox, oy = _GRID.centre((path[0] % columns, path[0] // columns))
        points = (_GRID.centre((hex_ % columns, hex_ // columns)) for hex_ in path)
        etree.SubElement(road, "polyline", points=" ".join(f"{x - ox:g},{y - oy:g}" for x, y in points))
    places = etree.SubElement(root, "objectgroup", id="4", name="places")
    for hex_, name in scenario.board.names:
        etree.SubElement(put(places, "place", hex_, name), "point")
    starts = etree.SubElement(root, "objectgroup", id="5", name="starts")
    for seat, start in enumerate(scenario.starts, 1):
        point = put(starts, "start", start.centre, start.name)
        _properties(point, {"seat": seat} | ({"briefing": start.briefing} if start.briefing else {}))
        etree.SubElement(point, "point")


def _parts(path: list[int]) -> Iterator[list[int]]:
    """Cut a long road into lines of a length that every program reads."""
    for at in range(0, len(path) - 1, _MAX_POINTS):
        yield path[at : at + _MAX_POINTS + 1]


# --- the picture of the tiles ---


def _draw(terrains: list[str], seats: int) -> bytes:
    """Return a PNG with one hex for each terrain, and an outlined one for each seat."""
    colours = [_COLOURS.get(terrain, _OTHER) for terrain in terrains]
    fills = [[_row(y, colour, solid=True) for y in range(HEIGHT)] for colour in colours]
    fills += [[_row(y, _SEATS[seat % len(_SEATS)], solid=False) for y in range(HEIGHT)] for seat in range(seats)]
    lines = [b"\0" + b"".join(tile[y] for tile in fills) for y in range(HEIGHT)]
    header = struct.pack(">IIBBBBB", WIDTH * len(fills), HEIGHT, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _row(y: int, colour: tuple[int, int, int], solid: bool) -> bytes:
    """Return one line of pixels of a pointy-top hex."""
    cut = (HEIGHT - SIDE) / 2
    away = max(0.0, cut - y - 0.5, y + 0.5 - (HEIGHT - cut))
    margin = round(away / cut * WIDTH / 2)
    pixels = []
    for x in range(WIDTH):
        inside = margin <= x < WIDTH - margin
        rim = inside and (x < margin + 4 or x >= WIDTH - margin - 4)
        edge = tuple(part * 4 // 5 for part in colour)
        shade = (*edge, 255) if rim else (*colour, 255 if solid else 110)
        pixels.append(bytes(shade) if inside else b"\0\0\0\0")
    return b"".join(pixels)
