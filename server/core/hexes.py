"""Hex geometry: axial coordinates, labels, directions, distance, rings (D-01, D-02).

Pointy-top hexes in the "odd-r" layout: odd rows, counted from 0, are shoved half a hex to
the right. Axial coordinates ``(q, r)``: *q* grows to the east, *r* to the south-east.
"""

from __future__ import annotations

from collections.abc import Iterator

Axial = tuple[int, int]

EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST = range(6)
STEPS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The step of each direction, clockwise from east (D-02)."""


def opposite(direction: int) -> int:
    """Return the direction that points the other way."""
    return (direction + 3) % 6


def from_offset(column: int, row: int) -> Axial:
    """Return the axial coordinates of a column and row, both counted from 0."""
    return column - (row - (row & 1)) // 2, row


def to_offset(hex_: Axial) -> tuple[int, int]:
    """Return column and row, counted from 0, of axial coordinates."""
    q, r = hex_
    return q + (r - (r & 1)) // 2, r


def neighbour(hex_: Axial, direction: int) -> Axial:
    """Return the hex next to *hex_* in *direction*, on the map or not."""
    q, r = STEPS[direction]
    return hex_[0] + q, hex_[1] + r


def distance(a: Axial, b: Axial) -> int:
    """Return the number of steps from *a* to *b*."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(centre: Axial, radius: int) -> Iterator[Axial]:
    """Yield the hexes at exactly *radius* steps, from the western corner, clockwise."""
    if radius == 0:
        yield centre
        return
    here = centre[0] - radius, centre[1]
    for direction in (NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST):
        for _ in range(radius):
            yield here
            here = neighbour(here, direction)


def within(centre: Axial, radius: int) -> Iterator[Axial]:
    """Yield the hexes at most *radius* steps away, ring by ring."""
    for r in range(radius + 1):
        yield from ring(centre, r)


def facing(front: int, direction: int) -> str:
    """Say where *direction* lies seen from a defender whose attacker is at *front* (6.1).

    Both are directions from the defender's hex. Returns ``front`` (next to the attacker's
    hex), ``flank`` (one further), ``rear`` (opposite) or ``attacker`` (the same hex).
    """
    return ("attacker", "front", "flank", "rear", "flank", "front")[(direction - front) % 6]
