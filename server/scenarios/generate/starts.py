"""Where the players begin: areas of the same size, each as far from its nearest rivals as the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from server.core import hexes
from server.rules.board import Board, Hex
from server.scenarios.fairness import TOLERANCE, capital_sites, difference, resource_sites
from server.scenarios.generate.request import Request
from server.scenarios.generate.seeded_random import ROW_HEIGHT, SeededRandom
from server.scenarios.generate.symmetry import Symmetry
from server.scenarios.scenario import disc

_TRIES = 10
_MAX_LAYOUTS = 400
_USUAL_RADIUS, _MIN_RADIUS = 3, 2
_MAX_HELD = 0.66
"""Of the map may belong to someone at the start: "some hexes should be left uncontrolled"."""
ROOM = 6
"""Steps around a start that should lie on the map for everyone alike."""
_NEAR = 0.8
"""Starts come nearer to each other than they could for more even surroundings, down to this share."""
_GOOD = 0.12
"""Starts whose surroundings differ by so much are even enough: the terrain can make up for it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everyone begins."""

    centres: tuple[Hex, ...]
    """Clockwise around the map."""
    areas: tuple[tuple[Hex, ...], ...]
    radius: int
    seats: Mapping[int, tuple[int, ...]]
    """Starts for fewer players, where the symmetry makes that as fair."""


def lay_out(request: Request, symmetry: Symmetry, lot: SeededRandom) -> Layout | None:
    """Return start areas, the farther from each other the better, or None if there is no room."""
    for radius, margin in _sizes(request):
        allowed = _allowed(symmetry, radius, margin)
        best, centres = _best(symmetry, _layouts(symmetry, allowed, request.players, radius, lot), radius)
        if best < 1:
            return _layout(symmetry, centres, radius)
    return None


def _best(symmetry: Symmetry, layouts: Iterator[tuple[int, list[Hex]]], radius: int) -> tuple[float, list[Hex]]:
    """Return the most even set of centres among those that are about as far apart as can be."""
    best, chosen, minimum = 1.0, list[Hex](), 0.0
    for number, (apart, centres) in enumerate(layouts):
        if apart < minimum or number >= _MAX_LAYOUTS:
            break
        uneven = _unevenness(symmetry, centres, radius)
        if uneven < best:
            best, chosen = uneven, centres
            minimum = minimum or _NEAR * apart
        if best <= _GOOD:
            break
    return best, chosen


def _sizes(request: Request) -> Iterator[tuple[int, int]]:
    """Yield radius of the areas and least distance of their centres from the edge, best first."""
    for radius in [request.radius] if request.radius else [_USUAL_RADIUS, _MIN_RADIUS]:
        for margin in range(radius + 1, -1, -1):
            yield radius, margin


def _allowed(symmetry: Symmetry, radius: int, margin: int) -> set[Hex]:
    """Return the hexes that could be centres: away from the edge, and far enough from their own images."""
    board = symmetry.board
    found: set[Hex] = set()
    for first in symmetry.first:
        group = symmetry.orbit[first]
        whole = len(group) == symmetry.turns and all(_margin(board, image) >= margin for image in group)
        if whole and _own_distance(board, group) >= radius * 2 + 2:
            found.update(group)
    return found


def _margin(board: Board, hex_: Hex) -> int:
    """Return how many hexes lie between a hex and the nearest edge."""
    row, column = divmod(hex_, board.columns)
    return min(row, column, board.rows - 1 - row, board.columns - 1 - column)


def _layouts(
    symmetry: Symmetry, allowed: set[Hex], players: int, radius: int, lot: SeededRandom
) -> Iterator[tuple[int, list[Hex]]]:
    """Yield sets of centres and how far apart they are, those far apart first."""
    if not allowed:
        return
    firsts = sorted(allowed)
    for apart in _distances(symmetry.board, players, radius):
        for _ in range(_TRIES):
            centres = _grow(symmetry, allowed, firsts, players, apart, lot)
            if centres is not None:
                yield apart, centres
    if players in (2, 4):
        yield from _corners(symmetry, firsts, players, radius, lot)


def _distances(board: Board, players: int, radius: int) -> Iterator[int]:
    """Yield distances between nearest rivals, from more than there can be room for down to the least."""
    width, height = board.columns, board.rows * ROW_HEIGHT
    maximum = min(2.0 * math.sqrt(width * height / max(players, 1)), 0.75 * math.hypot(width, height))
    apart, minimum = int(maximum), 2 * radius + 2
    while apart > minimum:
        yield apart
        apart -= max(1, apart // 16)
    yield minimum


def _grow(
    symmetry: Symmetry, allowed: set[Hex], firsts: Sequence[Hex], players: int, apart: int, lot: SeededRandom
) -> list[Hex] | None:
    """Grow a net of centres: each new one *apart* from as many others as can be, never nearer.

    So everyone has their nearest rivals at the same distance, without a pattern that people could see.
    """
    axial, about = symmetry.board.axial, apart + apart // 20
    placed: list[Hex] = []
    open_: dict[Hex, int] = {}
    chosen = lot.pick(firsts)
    if _own_distance(symmetry.board, symmetry.orbit[chosen]) < apart:
        return None
    while True:
        group = symmetry.orbit[chosen]
        placed.extend(group)
        if len(placed) == players:
            return placed
        fresh = _around(symmetry, allowed, group, apart, about) - {*open_}
        for candidates, others in ((sorted(open_), group), (sorted(fresh), placed)):
            for candidate in candidates:
                steps = [hexes.distance(axial[candidate], axial[other]) for other in others]
                if min(steps) < apart:
                    open_.pop(candidate, None)
                else:
                    open_[candidate] = min(2, open_.get(candidate, 0) + sum(step <= about for step in steps))
        if not open_:
            return None
        maximum = max(open_.values())
        chosen = lot.pick([hex_ for hex_, touches in open_.items() if touches == maximum])


def _around(symmetry: Symmetry, allowed: set[Hex], group: Sequence[Hex], apart: int, about: int) -> set[Hex]:
    """Return one hex of each group of images that lies at the right distance from a newly placed group."""
    board = symmetry.board
    found = set()
    for radius in range(apart, about + 1):
        for q, r in hexes.ring(board.axial[group[0]], radius):
            column, row = hexes.to_offset((q, r))
            hex_ = row * board.columns + column
            if 0 <= column < board.columns and 0 <= row < board.rows and hex_ in allowed:
                found.add(symmetry.orbit[hex_][0])
    return {hex_ for hex_ in found if _own_distance(board, symmetry.orbit[hex_]) >= apart}


def _corners(
    symmetry: Symmetry, firsts: Sequence[Hex], players: int, radius: int, lot: SeededRandom
) -> Iterator[tuple[int, list[Hex]]]:
    """Yield sets of centres near the corners: the way to sit on a small map."""
    board = symmetry.board
    last = board.size - 1
    corners = (0, last, board.columns - 1, last - board.columns + 1)
    near = [[first for first in firsts if board.distance(first, corner) <= radius] for corner in corners]
    if not all(near):
        return
    for _ in range(_MAX_LAYOUTS):
        if symmetry.turns == 1:
            centres = [lot.pick(group) for group in near[:players]]
        else:
            centres = [image for group in near[0:players:2] for image in symmetry.orbit[lot.pick(group)]]
        apart = min(board.distance(a, b) for a in centres for b in centres if a != b)
        if apart >= 2 * radius + 2:
            yield apart, centres


def _own_distance(board: Board, group: Sequence[Hex]) -> int:
    return min((board.distance(group[0], other) for other in group[1:]), default=1_000_000)


def _unevenness(symmetry: Symmetry, centres: Sequence[Hex], radius: int) -> float:
    """Return by how much the surroundings of the starts differ; 1 where no terrain can make up for it."""
    board = symmetry.board
    areas = [[hex_ for hex_ in disc(board, centre, radius) if symmetry.orbit[hex_]] for centre in centres]
    values: list[list[float]] = [
        [len(area) for area in areas],
        [len(capital_sites(board, area)) for area in areas],
        [len(resource_sites(board, area)) for area in areas],
    ]
    if len(centres) > 1:
        steps = [sorted(board.distance(a, b) for b in centres if b != a) for a in centres]
        values += [
            [step[0] for step in steps],
            [sum(step[:2]) for step in steps],
            [step[0] - 2 * radius for step in steps],
        ]
    held = sum(len(area) for area in areas) > _MAX_HELD * board.size
    if held or min(values[1]) == 0 or any(difference(pair) > TOLERANCE for pair in values):
        return 1.0
    rooms = [
        [sum(bool(symmetry.orbit[hex_]) for hex_ in board.within(c, far)) for c in centres]
        for far in (ROOM, ROOM + radius)
    ]
    return min(0.99, max(difference(room) for room in rooms))


def _layout(symmetry: Symmetry, centres: Sequence[Hex], radius: int) -> Layout:
    board = symmetry.board
    around = sorted(centres, key=lambda centre: (_angle(board, centre), centre))
    players = len(around)
    counts = [count for count in range(2, symmetry.turns + 1) if symmetry.turns % count == 0 and count < players]
    seats = {count: tuple(range(0, players, players // count)) for count in counts}
    areas = tuple(disc(board, centre, radius) for centre in around)
    return Layout(tuple(around), areas, radius, seats)


def _angle(board: Board, hex_: Hex) -> float:
    """Return the direction of a hex seen from the middle of the map, clockwise from the north-west."""
    row, column = divmod(hex_, board.columns)
    x = column + 0.5 * (row & 1) - (board.columns - 0.5) / 2
    y = (row - (board.rows - 1) / 2) * ROW_HEIGHT
    return round((math.atan2(y, x) + math.pi * 0.8) % (2 * math.pi), 6)
