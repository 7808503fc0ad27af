"""The tile numbers of a piece of a Tiled layer: XML, CSV, base64, compressed or not, never more than said."""

from __future__ import annotations

import base64
import binascii
import sys
import xml.etree.ElementTree as etree
import zlib
from array import array

import zstandard

from server.scenarios.problems import Unreadable

_BYTES = 4
_MAX_WINDOW = 1 << 23
_GZIP, _ZLIB = zlib.MAX_WBITS | 16, zlib.MAX_WBITS


def numbers(data: etree.Element, encoding: str, compression: str, count: int, source: str) -> list[int] | array[int]:
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
