"""A Tiled map as a clean XML tree: read with limits, nothing followed, every layer decoded.

What this leaves of a file is safe to give to pytiled-parser: no document types or entities, no files it
could open, all sizes checked, and all tile layers (XML, CSV, base64, compressed or not) as plain numbers.
"""

from __future__ import annotations

import base64
import binascii
import sys
import xml.etree.ElementTree as etree
import zlib
from array import array
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from xml.parsers import expat

import zstandard

from server.scenarios.exchange.raw import check_size
from server.scenarios.problems import Notebook, Unreadable

_BYTES = 4
_MAX_WINDOW = 1 << 23
_GZIP, _ZLIB = zlib.MAX_WBITS | 16, zlib.MAX_WBITS


def tile_numbers(
    data: etree.Element, encoding: str, compression: str, count: int, source: str
) -> list[int] | array[int]:
    """Return exactly *count* tile numbers of a piece of data."""
    if encoding == "base64":
        return _from_bytes(
            _decompress(_base64(data.text or "", count, source), compression, count, source), count, source
        )
    if compression:
        raise Unreadable(f"a layer is compressed without being base64: {compression[:20]!r}", source)
    if encoding == "csv":
        numbers = _csv(data.text or "", count, source)
    elif not encoding:
        numbers = [_whole(tile.get("gid", "0"), source) for tile in data.findall("tile")]
    else:
        raise Unreadable(f"a layer has the unknown encoding {encoding[:20]!r}", source)
    return _exactly(numbers, count, source)


def _exactly(numbers: list[int], count: int, source: str) -> list[int]:
    if len(numbers) != count:
        raise Unreadable(f"a layer has {len(numbers)} tiles and should have {count}", source, "bad_value")
    if numbers and not (min(numbers) >= 0 and max(numbers) < 2**32):
        raise Unreadable("a layer has tile numbers that are none", source, "bad_value")
    return numbers


def _csv(text: str, count: int, source: str) -> list[int]:
    if len(text) > count * 16 + 10_000:
        raise Unreadable(f"a layer has more data than {count} tiles can have", source, "too_large")
    try:
        return list(map(int, text.strip().rstrip(",").split(",")))
    except ValueError as error:
        raise Unreadable("a layer has tile numbers that are none", source, "bad_value") from error


def _whole(text: str, source: str) -> int:
    if len(text) <= 10 and text.isascii() and text.isdigit():
        return int(text)
    raise Unreadable("a layer has tile numbers that are none", source, "bad_value")


def _base64(text: str, count: int, source: str) -> bytes:
    if len(text) > count * _BYTES * 2 + 10_000:
        raise Unreadable(f"a layer has more data than {count} tiles can have", source, "too_large")
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable("a layer is not base64 as it says", source) from error


def _decompress(data: bytes, compression: str, count: int, source: str) -> bytes:
    """Unpack at most one byte more than there should be: a bomb does not go off."""
    maximum = count * _BYTES + 1
    try:
        if compression in ("zlib", "gzip"):
            return zlib.decompressobj(_GZIP if compression == "gzip" else _ZLIB).decompress(data, maximum)
        if compression == "zstd":
            unpacker = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
            with unpacker.stream_reader(data) as stream:
                return stream.read(maximum)
    except (zlib.error, zstandard.ZstdError, MemoryError) as error:
        raise Unreadable(f"a layer is not {compression} as it says", source) from error
    if compression:
        raise Unreadable(f"a layer has the unknown compression {compression[:20]!r}", source)
    return data


def _from_bytes(data: bytes, count: int, source: str) -> array[int]:
    if len(data) != count * _BYTES:
        more = "more" if len(data) > count * _BYTES else "less"
        message = f"a layer unpacks to {more} than the {count} tiles the map says it has"
        raise Unreadable(message, source, "hostile" if more == "more" else "bad_value")
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


_MAX_DEPTH = 24
_MAX_ELEMENTS = 300_000
_MAX_CELLS = 1_500_000
_MAX_ATTRIBUTES = 60
_MAX_OBJECTS = 20_000
_MAX_TILES = 20_000
_FAR = 1_000_000

_MAP = {
    "version": "1.10", "tiledversion": "1.10.0", "renderorder": "right-down", "nextlayerid": "1", "nextobjectid": "1",
}  # fmt: skip
"""Attributes pytiled-parser asks for and older maps lack. Nothing here depends on their values."""


def parse(data: bytes, source: str) -> etree.Element:
    """Return the XML tree of a file. Document types, and with them all entities, are refused."""
    builder = etree.TreeBuilder()
    depth = elements = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, elements
        depth, elements = depth + 1, elements + 1
        if depth > _MAX_DEPTH or elements > _MAX_ELEMENTS or len(attributes) > _MAX_ATTRIBUTES:
            raise Unreadable("is nested too deeply or has too many elements for a map", source, "too_large")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def doctype(*_: object) -> None:
        raise Unreadable("has a document type (<!DOCTYPE>), which a Tiled map has no use for", source, "hostile")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as error:
        raise Unreadable(f"is no XML file: {error}", source) from error
    except (ValueError, LookupError, AssertionError) as error:
        raise Unreadable(f"is no XML file: {error}", source) from error


class Cleaner:
    """Makes the clean copy of one map."""

    def __init__(self, source: str, notes: Notebook) -> None:
        self.source = source
        self.notes = notes
        self.width = self.height = 0
        self.origin = (0, 0)
        """The cell of an infinite map that is the first of the copy."""
        self._cells = 0
        self._objects = 0

    def clean(self, root: etree.Element) -> etree.Element:
        """Return a copy of the map with only what is needed, in the form pytiled-parser expects."""
        if root.tag != "map":
            raise Unreadable(f"is no Tiled map: its root is <{root.tag[:40]}>, not <map>", self.source)
        if root.get("orientation") != "hexagonal":
            orientation = root.get("orientation", "")[:20]
            raise Unreadable(f"is {orientation or 'not hexagonal'}; only hexagonal maps can be imported", self.source)
        infinite = root.get("infinite", "0") not in ("0", "")
        if infinite:
            self._measure(root)
        else:
            self.width, self.height = self.integer(root, "width", 1, _FAR), self.integer(root, "height", 1, _FAR)
        check_size(self.width, self.height)
        copy = etree.Element("map", {key: root.get(key, default) for key, default in _MAP.items()})
        copy.attrib.update(orientation="hexagonal", infinite="0", width=str(self.width), height=str(self.height))
        for key, minimum, default in (("tilewidth", 1, None), ("tileheight", 1, None), ("hexsidelength", 0, 0)):
            copy.set(key, str(self.integer(root, key, minimum, 100_000, default)))
        copy.set("staggeraxis", self._word(root, "staggeraxis", ("x", "y"), "y"))
        copy.set("staggerindex", self._word(root, "staggerindex", ("odd", "even"), "odd"))
        self._children(root, copy)
        return copy

    def integer(self, element: etree.Element, key: str, minimum: int, maximum: int, default: int | None = None) -> int:
        """Return a whole number of an attribute; *default* None: it must be there."""
        text = element.get(key)
        if text is None and default is not None:
            return default
        try:
            value = int(text or "") if len(text or "") <= 12 else _FAR * _FAR
        except ValueError:
            value = minimum - 1
        if not minimum <= value <= maximum:
            given = "nothing" if text is None else repr(text[:20])
            raise Unreadable(
                f"<{element.tag}> {key} must be {minimum} to {maximum}, not {given}", self.source, "bad_value"
            )
        return value

    def _word(self, element: etree.Element, key: str, words: tuple[str, ...], default: str) -> str:
        value = element.get(key, default)
        if value not in words:
            raise Unreadable(f"{key} must be one of {', '.join(words)}, not {value[:20]!r}", self.source, "bad_value")
        return value

    def _layer_numbers(self, layer: etree.Element) -> list[int]:
        """Return the tile numbers of a whole layer, 0 for none; chunks of infinite maps in their places."""
        data = layer.find("data")
        columns, rows = self.width, self.height
        if data is None:
            return [0] * (columns * rows)
        encoding, compression = data.get("encoding", ""), data.get("compression", "")
        chunks = data.findall("chunk")
        if not chunks:
            if self.integer(layer, "width", 1, 10**6) != columns or self.integer(layer, "height", 1, 10**6) != rows:
                raise Unreadable("a layer is not of the size of the map", self.source, "bad_value")
            return list(tile_numbers(data, encoding, compression, columns * rows, self.source))
        numbers = [0] * (columns * rows)
        for chunk in chunks:
            width, height = self.integer(chunk, "width", 1, 500), self.integer(chunk, "height", 1, 500)
            left = self.integer(chunk, "x", -(10**6), 10**6) - self.origin[0]
            top = self.integer(chunk, "y", -(10**6), 10**6) - self.origin[1]
            part = tile_numbers(chunk, encoding, compression, width * height, self.source)
            if not (0 <= left <= columns - width and 0 <= top <= rows - height):
                raise Unreadable("a chunk lies outside of the map", self.source, "bad_value")
            for row in range(height):
                at = (top + row) * columns + left
                numbers[at : at + width] = part[row * width : (row + 1) * width]
        return numbers

    # --- the parts of a map ---

    def _children(self, element: etree.Element, copy: etree.Element) -> None:
        parts: Mapping[str, Callable[[etree.Element, etree.Element], None]] = {
            "properties": self._properties,
            "tileset": self._tileset,
            "layer": self._layer,
            "objectgroup": self._objectgroup,
            "group": self._group,
        }
        for child in element:
            if child.tag in parts:
                parts[child.tag](child, copy)
            elif child.tag == "imagelayer":
                self.notes.warn("left_out", child.get("name", "")[:40], "an image layer was left out")

    def _group(self, group: etree.Element, copy: etree.Element) -> None:
        """Layers of a group come out of it: what is grouped how is nothing to us."""
        self._children(group, copy)

    def _properties(self, properties: etree.Element, copy: etree.Element) -> None:
        if copy.find("properties") is not None:
            return
        clean = etree.SubElement(copy, "properties")
        for entry in properties.findall("property"):
            kind = entry.get("type", "string")
            attributes = {"name": entry.get("name", "")}
            if kind in ("bool", "int"):
                attributes |= {"type": kind, "value": self._number(entry, kind)}
                etree.SubElement(clean, "property", attributes)
            else:
                etree.SubElement(clean, "property", attributes).text = entry.get("value", entry.text or "")

    def _number(self, element: etree.Element, kind: str) -> str:
        if kind == "bool":
            return "true" if element.get("value") == "true" else "false"
        return str(self.integer(element, "value", -(2**31), 2**31, 0))

    def _tileset(self, tileset: etree.Element, copy: etree.Element) -> None:
        outside = tileset.get("source")
        if outside is not None:
            file = _file_name(outside)
            message = (
                f"its tileset {file!r} is another file: embed the tileset in the map with Tiled, and save it again"
            )
            raise Unreadable(message, self.source, "external")
        first = self.integer(tileset, "firstgid", 1, 2**28)
        count = self.integer(tileset, "tilecount", 0, 2**28, 0)
        clean = etree.SubElement(
            copy, "tileset", name=tileset.get("name", ""), firstgid=str(first), tilecount=str(count)
        )
        clean.attrib.update(tilewidth="1", tileheight="1", columns="0")
        tiles = tileset.findall("tile")
        if len(tiles) > _MAX_TILES:
            raise Unreadable(f"a tileset has {len(tiles)} tiles, more than {_MAX_TILES}", self.source, "too_large")
        for tile in tiles:
            self._tile(tile, clean)

    def _tile(self, tile: etree.Element, copy: etree.Element) -> None:
        number = self.integer(tile, "id", 0, 2**28)
        clean = etree.SubElement(copy, "tile", id=str(number), type=tile.get("type", tile.get("class", "")))
        properties = tile.find("properties")
        if properties is not None:
            self._properties(properties, clean)
        image = tile.find("image")
        if image is not None:
            etree.SubElement(clean, "image", source=_file_name(image.get("source", "")), width="1", height="1")

    def _layer(self, layer: etree.Element, copy: etree.Element) -> None:
        if layer.get("visible", "1") == "0":
            self.notes.warn("left_out", layer.get("name", "")[:40], "a hidden tile layer was left out")
            return
        self._cells += self.width * self.height
        if self._cells > _MAX_CELLS:
            raise Unreadable(f"has more than {_MAX_CELLS} tiles in its layers", self.source, "too_large")
        numbers = self._layer_numbers(layer)
        clean = etree.SubElement(copy, "layer", name=layer.get("name", ""))
        clean.attrib.update(width=str(self.width), height=str(self.height))
        etree.SubElement(clean, "data", encoding="csv").text = ",".join(map(str, numbers))

    def _objectgroup(self, group: etree.Element, copy: etree.Element) -> None:
        clean = etree.SubElement(copy, "objectgroup", name=group.get("name", ""))
        for entry in group.findall("object"):
            self._objects += 1
            if self._objects > _MAX_OBJECTS:
                raise Unreadable(f"has more than {_MAX_OBJECTS} objects", self.source, "too_large")
            if entry.get("template") is not None:
                message = (
                    f"an object is made from the template {_file_name(entry.get('template', ''))!r}: detach it in Tiled"
                )
                raise Unreadable(message, self.source, "external")
            self._object(entry, clean)

    def _object(self, given: etree.Element, copy: etree.Element) -> None:
        kind = given.get("type", given.get("class", ""))
        clean = etree.SubElement(copy, "object", id="1", name=given.get("name", ""), type=kind)
        for key in ("x", "y"):
            clean.set(key, str(self._float(given.get(key, "0"))))
        properties = given.find("properties")
        if properties is not None:
            self._properties(properties, clean)
        line = given.find("polyline")
        if line is None:
            etree.SubElement(clean, "point")
            return
        points = line.get("points", "").split()
        if len(points) > 10_000:
            raise Unreadable("a line has more than 10000 points", self.source, "too_large")
        pairs = [point.split(",") for point in points]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            raise Unreadable("a line has points that are no pairs of numbers", self.source, "bad_value")
        clean_points = " ".join(f"{self._float(x)},{self._float(y)}" for x, y in pairs)
        etree.SubElement(clean, "polyline", points=clean_points)

    def _float(self, text: str) -> float:
        try:
            value = float(text[:40])
        except ValueError:
            value = float("nan")
        if not -1e7 <= value <= 1e7:
            raise Unreadable(f"{text[:20]!r} is no place on the map", self.source, "bad_value")
        return value

    # --- infinite maps ---

    def _measure(self, root: etree.Element) -> None:
        """Find the part of an infinite map that has tiles."""
        chunks = [chunk for data in root.iter("data") for chunk in data.findall("chunk")]
        if not chunks:
            raise Unreadable("is an infinite map without tiles", self.source)
        boxes = []
        for chunk in chunks:
            x, y = self.integer(chunk, "x", -_FAR, _FAR), self.integer(chunk, "y", -_FAR, _FAR)
            width, height = self.integer(chunk, "width", 1, 500), self.integer(chunk, "height", 1, 500)
            boxes.append((x, y, x + width, y + height))
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        left, top = left - left % 2, top - top % 2
        self.origin = left, top
        self.width, self.height = max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top


def _file_name(path: str) -> str:
    """Return the name of a file without its folders, as any system writes them."""
    return PureWindowsPath(PurePosixPath(path[-200:]).name).name[:80]
