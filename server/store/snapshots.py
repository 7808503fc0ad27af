"""Snapshots of canonical states: compressed, most of them by the changes since the phase before.

The first byte says how. Every sixteenth phase of a branch, its first, and every edit stand alone. Any other
phase needs the state after the phase before it, on the same branch, so at most sixteen rows are read for one state.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from server.store import packing

MAX_BYTES = packing.MAX_BYTES
"""The largest state that is unpacked: more is a damaged or hostile file."""
ALONE_EVERY = 16
"""Phases from one that stands alone to the next. It was 8 before: only a multiple of that finds older ones."""
ALONE, AFTER = b"\x01", b"\x02"
PLAIN = b"\x78"
"""How a zlib stream begins: snapshots of earlier versions, and those in the files of records."""


class DamagedSnapshot(Exception):
    """Bytes that are not a snapshot."""


def pack(state: bytes, before: bytes | None = None) -> bytes:
    """Compress the canonical bytes of a state (``codec.encode``).

    *before*: those of the phase before it on its branch, where the snapshot need not stand alone.
    """
    return ALONE + packing.pack(state) if before is None else AFTER + packing.pack_after(state, before)


def pack_plain(state: bytes) -> bytes:
    """Compress a state so that any program with zlib can read it: for the files of records."""
    return zlib.compress(state, 6)


def stands_alone(number: int) -> bool:
    """Say whether the snapshot of the phase of that number stands alone in any case."""
    return number % ALONE_EVERY == 0


def first_needed(number: int) -> int:
    """Return the first phase of a branch whose snapshot may be needed to unpack that of another."""
    return number - number % ALONE_EVERY


def unpack(snapshot: bytes, before: bytes | None = None, maximum: int = MAX_BYTES) -> bytes:
    """Return the canonical bytes; :class:`DamagedSnapshot` for anything that was not packed here.

    *before*: the bytes of the state before, for a snapshot that does not stand alone.
    """
    kind, packed = snapshot[:1], memoryview(snapshot)[1:]
    if kind == PLAIN:
        return _inflated(snapshot, maximum)
    try:
        if kind == ALONE:
            return packing.unpack(packed, maximum)
        if kind == AFTER and before is not None:
            return packing.unpack_after(packed, before, maximum)
    except packing.Damaged as error:
        raise DamagedSnapshot(f"a snapshot is damaged: {error}") from error
    raise DamagedSnapshot("these bytes are no snapshot, or the one before them is missing")


def unpack_last(snapshots: Sequence[bytes]) -> bytes:
    """Return the state of the last of snapshots that follow each other on a branch."""
    begin = max((at for at, kept in enumerate(snapshots) if kept[:1] != AFTER), default=0)
    state: bytes | None = None
    for snapshot in snapshots[begin:]:
        state = unpack(snapshot, state)
    if state is None:
        raise DamagedSnapshot("there is no snapshot")
    return state


def _inflated(snapshot: bytes, maximum: int) -> bytes:
    reader = zlib.decompressobj()
    try:
        state = reader.decompress(snapshot, maximum)
    except zlib.error as error:
        raise DamagedSnapshot(f"a snapshot cannot be unpacked: {error}") from error
    if not reader.eof or reader.unused_data:
        raise DamagedSnapshot("a snapshot ends too early, is too large, or something follows it")
    return state
