"""Canonical states as they are kept: compressed, and never trusted to be small when they come back."""

from __future__ import annotations

import zlib

MAX_BYTES = 512 * 1024 * 1024
"""The largest state that is unpacked: more is a damaged or hostile file."""


class DamagedSnapshot(Exception):
    """Bytes that are no snapshot."""


def pack(state: bytes) -> bytes:
    """Compress the canonical bytes of a state (``codec.encode``)."""
    return zlib.compress(state, 6)


def unpack(snapshot: bytes, maximum: int = MAX_BYTES) -> bytes:
    """Return the canonical bytes; :class:`DamagedSnapshot` for anything :func:`pack` did not write."""
    reader = zlib.decompressobj()
    try:
        state = reader.decompress(snapshot, maximum)
    except zlib.error as error:
        raise DamagedSnapshot(f"a snapshot cannot be unpacked: {error}") from error
    if not reader.eof or reader.unused_data:
        raise DamagedSnapshot("a snapshot ends too early, is too large, or something follows it")
    return state
