"""The tile numbers of a Tiled layer: XML, CSV, base64, and zlib, gzip or zstd in base64, never more than said."""

from __future__ import annotations

import base64
import binascii
import sys
import xml.etree.ElementTree as etree
import zlib
from array import array
from typing import TYPE_CHECKING

import zstandard

from server.scenarios.problems import Unreadable

if TYPE_CHECKING:
    from server.scenarios.exchange.tiled_xml import Cleaner

_BYTES = 4
_MAX_WINDOW = 1 << 23
_GZIP, _ZLIB = zlib.MAX_WBITS | 16, zlib.MAX_WBITS


def decode(layer: etree.Element, cleaner: Cleaner) -> list[int]:
    """Return the tile numbers of a whole layer, 0 where there is none; chunks of infinite maps in their places."""
    data = layer.find("data")
    columns, rows = cleaner.width, cleaner.height
    if data is None:
        return [0] * (columns * rows)
    encoding, compression = data.get("encoding", ""), data.get("compression", "")
    chunks = data.findall("chunk")
    if not chunks:
        if cleaner.integer(layer, "width", 1, 10**6) != columns or cleaner.integer(layer, "height", 1, 10**6) != rows:
            raise Unreadable("a layer is not of the size of the map", cleaner.source, "bad_value")
        return list(_numbers(data, encoding, compression, columns * rows, cleaner.source))
    numbers = [0] * (columns * rows)
    for chunk in chunks:
        width, height = cleaner.integer(chunk, "width", 1, 500), cleaner.integer(chunk, "height", 1, 500)
        left = cleaner.integer(chunk, "x", -(10**6), 10**6) - cleaner.origin[0]
        top = cleaner.integer(chunk, "y", -(10**6), 10**6) - cleaner.origin[1]
        part = _numbers(chunk, encoding, compression, width * height, cleaner.source)
        if not (0 <= left <= columns - width and 0 <= top <= rows - height):
            raise Unreadable("a chunk lies outside of the map", cleaner.source, "bad_value")
        for row in range(height):
            at = (top + row) * columns + left
            numbers[at : at + width] = part[row * width : (row + 1) * width]
    return numbers


def _numbers(data: etree.Element, encoding: str, compression: str, count: int, source: str) -> list[int] | array[int]:
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
