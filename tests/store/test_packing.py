"""What is kept compressed comes back, whatever version wrote it; damaged bytes are refused."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text

from server.store import packing, snapshots
from server.store.database import Database
from server.store.snapshots import DamagedSnapshot
from server.store.tables import OrderSet
from tests.rules.strategies import plain_json
from tests.store.rows import with_phase

ORDERS = [{"type": "move", "detachment": f"p1-d{number}", "path": ["0101", "0102"]} for number in range(20)]


# --- snapshots ---


@given(st.binary(min_size=1, max_size=2000))
def test_snapshots_come_back(state: bytes) -> None:
    packed = snapshots.pack(state)
    assert snapshots.unpack(packed) == state
    for spoilt in (packed[:-1], packed + b"x", b"x" + packed, b""):
        with pytest.raises(DamagedSnapshot):
            snapshots.unpack(spoilt)


@given(st.binary(min_size=1, max_size=2000), st.binary(min_size=1, max_size=2000))
def test_what_has_changed_comes_back_with_what_was_before(before: bytes, state: bytes) -> None:
    packed = snapshots.pack(state, before)
    assert snapshots.unpack(packed, before) == state
    with pytest.raises(DamagedSnapshot):
        snapshots.unpack(packed)
    for spoilt in (packed[:-1], packed + b"x"):
        with pytest.raises(DamagedSnapshot):
            snapshots.unpack(spoilt, before)


def test_another_state_before_is_found_out() -> None:
    """Seen to fail without the checksum in the frame."""
    before, state = bytes(range(256)) * 20, bytes(range(256)) * 20 + b"more"
    packed = snapshots.pack(state, before)
    with pytest.raises(DamagedSnapshot):
        snapshots.unpack(packed, before.replace(b"abc", b"xyz"))


def test_a_snapshot_that_would_be_too_large_is_refused() -> None:
    for packed in (snapshots.pack(b"\0" * 1_000_000), snapshots.pack_plain(b"\0" * 1_000_000)):
        with pytest.raises(DamagedSnapshot, match="too large"):
            snapshots.unpack(packed, maximum=999_999)
        assert len(snapshots.unpack(packed, maximum=1_000_000)) == 1_000_000


def test_snapshots_of_earlier_versions_are_read() -> None:
    old, new = zlib.compress(b"a state", 6), snapshots.pack(b"another state", b"a state")
    assert snapshots.unpack(old) == b"a state"
    assert snapshots.unpack_last([snapshots.pack(b"long ago"), old, new]) == b"another state"


def test_no_more_than_sixteen_are_needed_and_older_ones_stand_alone_more_often() -> None:
    for number in range(100):
        first = snapshots.first_needed(number)
        assert snapshots.stands_alone(first)
        assert number - first < 16
        assert first <= number - number % 8, "where earlier versions wrote one that stands alone"


# --- JSON ---


@given(plain_json)
def test_text_comes_back(value: Any) -> None:
    packed = packing.pack(repr(value).encode())
    assert packing.unpack(packed) == repr(value).encode()
    with pytest.raises(packing.Damaged):
        packing.unpack(packed[:-1])


def _kept(database: Database, orders: list[Any]) -> bytes:
    """Keep orders; return what stands in the column."""
    campaign_id = with_phase(database)
    with database.write() as session:
        session.add(OrderSet(campaign_id=campaign_id, branch=1, phase_number=1, player_id="p1", orders=orders))
    with database.read() as session:
        return bytes(session.scalar(text("SELECT orders FROM order_sets")) or b"")


def test_long_orders_are_kept_small(database: Database) -> None:
    kept = _kept(database, ORDERS)
    assert len(kept) * 4 < len(str(ORDERS))
    with database.read() as session:
        assert session.scalar(select(OrderSet.orders)) == ORDERS


def test_short_orders_can_be_read_in_the_column(database: Database) -> None:
    assert json.loads(_kept(database, ORDERS[:1])) == ORDERS[:1]
