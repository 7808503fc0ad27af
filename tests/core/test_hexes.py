"""Hex geometry (D-01, D-02).

Seen to fail: with odd and even rows swapped in ``from_offset``, two steps of ``STEPS`` exchanged, ``ring`` starting
in another corner, and flank and front exchanged in ``facing``.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import hexes
from server.core.hexes import EAST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, WEST

small = st.integers(-30, 30)
points = st.tuples(small, small)


@pytest.mark.parametrize(
    ("direction", "offset"),
    [
        (EAST, (1, 1)),
        (SOUTH_EAST, (1, 2)),
        (SOUTH_WEST, (0, 2)),
        (WEST, (-1, 1)),
        (NORTH_WEST, (0, 0)),
        (NORTH_EAST, (1, 0)),
    ],
)
def test_the_rulebooks_example(direction: int, offset: tuple[int, int]) -> None:
    """``0102``, column 0 and row 1 counted from 0, lies in a row that is shoved right (D-01)."""
    assert hexes.to_offset(hexes.neighbour(hexes.from_offset(0, 1), direction)) == offset


@given(points)
def test_offset_and_back(point: hexes.Axial) -> None:
    """Columns and rows name the same hexes."""
    assert hexes.from_offset(*hexes.to_offset(point)) == point


@given(points, st.integers(0, 5))
def test_there_and_back(point: hexes.Axial, direction: int) -> None:
    """A step and its opposite lead home; a step is one away."""
    there = hexes.neighbour(point, direction)
    assert hexes.neighbour(there, hexes.opposite(direction)) == point
    assert hexes.distance(point, there) == 1


@given(points, points, points)
def test_distance_is_a_metric(a: hexes.Axial, b: hexes.Axial, c: hexes.Axial) -> None:
    """The same both ways, nothing only to itself, and no shorter by a detour."""
    assert hexes.distance(a, b) == hexes.distance(b, a) >= 0
    assert (hexes.distance(a, b) == 0) == (a == b)
    assert hexes.distance(a, c) <= hexes.distance(a, b) + hexes.distance(b, c)


@given(points, points)
def test_distance_is_the_number_of_steps(a: hexes.Axial, b: hexes.Axial) -> None:
    """From anywhere but the goal itself some neighbour is exactly one step nearer, and none nearer still."""
    if a != b:
        near = [hexes.distance(hexes.neighbour(a, direction), b) for direction in range(6)]
        assert min(near) == hexes.distance(a, b) - 1


@given(points, st.integers(0, 6))
def test_rings(centre: hexes.Axial, radius: int) -> None:
    """A ring has six hexes for each step of its radius, all that far, each next to the one before."""
    ring = list(hexes.ring(centre, radius))
    assert len(ring) == len({*ring}) == (6 * radius or 1)
    assert all(hexes.distance(centre, each) == radius for each in ring)
    if radius:
        assert ring[0] == (centre[0] - radius, centre[1])
        assert all(hexes.distance(a, b) == 1 for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


@given(points, st.integers(0, 5))
def test_within(centre: hexes.Axial, radius: int) -> None:
    """All rings together, from the inside out."""
    found = list(hexes.within(centre, radius))
    assert len(found) == len({*found}) == 1 + 3 * radius * (radius + 1)
    far = [hexes.distance(centre, each) for each in found]
    assert far == sorted(far)


@pytest.mark.parametrize("front", range(6))
def test_facing(front: int) -> None:
    """6.1: next to the attacker's hex is front, then flank, opposite is rear."""
    around = [hexes.facing(front, (front + turn) % 6) for turn in range(6)]
    assert around == ["attacker", "front", "flank", "rear", "flank", "front"]
    assert hexes.facing(front, hexes.opposite(front)) == "rear"
