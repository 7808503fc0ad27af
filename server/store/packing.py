"""Compressed text in the database: zstandard with a dictionary that comes with the program.

``python -m bench.dictionary`` trains the dictionary on sample campaigns. Packed text needs its own dictionary
again. So a new dictionary gets a number of its own, and older ones stay.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

import zstandard

MAX_BYTES = 512 * 1024 * 1024
"""The most that is unpacked: more is a damaged or hostile file."""
DICTIONARY = Path(__file__).parent / "dictionary.1.zstd"
LEVEL = 9
SIGN = b"\x28\xb5\x2f\xfd"
"""How what is packed begins; no JSON does."""

_own = threading.local()


class Damaged(Exception):
    """Bytes that :func:`pack` did not write."""


def pack(text: bytes) -> bytes:
    """Compress with the program's dictionary."""
    packer = getattr(_own, "packer", None)
    if packer is None:
        packer = _own.packer = zstandard.ZstdCompressor(level=LEVEL, dict_data=_dictionary(), write_checksum=True)
    packed: bytes = packer.compress(text)
    return packed


def unpack(packed: bytes | memoryview, maximum: int = MAX_BYTES) -> bytes:
    """Return what was packed; raises :class:`Damaged` for anything else and for more than *maximum* bytes."""
    unpacker = getattr(_own, "unpacker", None)
    if unpacker is None:
        unpacker = _own.unpacker = zstandard.ZstdDecompressor(dict_data=_dictionary())
    return _unpacked(unpacker, packed, maximum)


def pack_after(text: bytes, before: bytes) -> bytes:
    """Compress what is much like *before*, which is needed to unpack it."""
    made = zstandard.ZstdCompressor(level=6, dict_data=_raw(before), write_checksum=True)
    packed: bytes = made.compress(text)
    return packed


def unpack_after(packed: bytes | memoryview, before: bytes, maximum: int = MAX_BYTES) -> bytes:
    """Return what :func:`pack_after` packed; raises :class:`Damaged` where *before* is not what it was then."""
    return _unpacked(zstandard.ZstdDecompressor(dict_data=_raw(before)), packed, maximum)


def _unpacked(unpacker: zstandard.ZstdDecompressor, packed: bytes | memoryview, maximum: int) -> bytes:
    """Return what is in a frame; it is not unpacked where it says that it is too large."""
    try:
        size = zstandard.frame_content_size(packed)
        if not 0 < size <= maximum:
            raise Damaged("what was packed is empty, too large, or does not say how large it is")
        text: bytes = unpacker.decompress(packed, allow_extra_data=False)
    except (zstandard.ZstdError, MemoryError) as error:
        raise Damaged(f"it cannot be unpacked: {error}") from error
    return text


def _raw(before: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(before, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


@lru_cache(maxsize=1)
def _dictionary() -> zstandard.ZstdCompressionDict:
    """Return the dictionary, digested once: a compression of a few hundred bytes would take mostly that."""
    found = zstandard.ZstdCompressionDict(DICTIONARY.read_bytes(), dict_type=zstandard.DICT_TYPE_FULLDICT)
    found.precompute_compress(level=LEVEL)
    return found
