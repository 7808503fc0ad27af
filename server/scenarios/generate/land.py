"""Divides land and sea, one connected land with the starts on it, and covers it: mountains, woods, wet lowlands."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from server.core import hexes
from server.rules.board import NOWHERE, Board, Hex
from server.rules.ruleset import Ruleset
from server.scenarios.fairness import connected, difference
from server.scenarios.generate.request import Request, base_terrain, water
from server.scenarios.generate.seeded_random import SeededRandom, noise
from server.scenarios.generate.starts import ROOM, Layout
from server.scenarios.generate.symmetry import Symmetry

_LIFT = 0.45
_EVEN = 0.08
"""By how much the land around the starts may differ before the terrain on it is balanced."""
_SMALL_ISLAND = 0.04
"""Islands up to this share of the land sink; larger ones get a bridge."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Land and height."""

    land: list[bool]
    height: list[float]


def shape(request: Request, symmetry: Symmetry, layout: Layout, lot: SeededRandom, sea: str) -> Ground:
    """Raise the land: the requested share of sea, all land in one piece."""
    board, share = symmetry.board, request.shares.get(sea, 0) / 100
    height = symmetry.even(_height(board, lot, share))
    _lift_homes(symmetry, layout, height)
    dry = symmetry.spread(_ways(board, layout)) | {
        hex_ for area in layout.areas for hex_ in area if symmetry.orbit[hex_]
    }
    land = [bool(symmetry.orbit[hex_]) for hex_ in range(board.size)]
    wanted = round(share * len(symmetry.inside))
    free = sorted((hex_ for hex_ in symmetry.first if hex_ not in dry), key=lambda hex_: (height[hex_], hex_))
    sunk = 0
    for first in free:
        if sunk >= wanted:
            break
        sunk += _set(symmetry, land, first, False)
    _join(symmetry, layout, land)
    _even_out(symmetry, layout, land, height)
    _settle(symmetry, land, height, dry, wanted)
    return Ground(land, height)


def _height(board: Board, lot: SeededRandom, share: float) -> list[float]:
    """Return the height of each hex; where there is much sea, more of it lies at the edges."""
    size = min(board.columns, board.rows)
    height = noise(lot, board.columns, board.rows, max(5.0, min(30.0, size / 3)), 3)
    pull, width = min(0.5, share), max(2.0, size / 5)
    for hex_ in range(board.size):
        row, column = divmod(hex_, board.columns)
        edge = min(row, column, board.rows - 1 - row, board.columns - 1 - column)
        if edge < width:
            height[hex_] -= pull * (1 - edge / width)
    return height


def _lift_homes(symmetry: Symmetry, layout: Layout, height: list[float]) -> None:
    """Keep most of the sea out of the neighbourhood of the starts, so that nobody is hemmed in."""
    far = layout.radius + 5
    for centre in layout.centres:
        for hex_ in symmetry.board.within(centre, far - 1):
            height[hex_] += _LIFT * (1 - symmetry.board.distance(centre, hex_) / far)


def _even_out(symmetry: Symmetry, layout: Layout, land: list[bool], height: list[float]) -> None:
    """Raise coast near the starts with the least land around, until everyone has about as much."""
    zones = [list(symmetry.board.within(centre, layout.radius + ROOM)) for centre in layout.centres]
    while True:
        counts = [sum(land[hex_] for hex_ in zone) for zone in zones]
        low = counts.index(min(counts))
        if difference(counts) <= _EVEN:
            return
        sea = [hex_ for hex_ in zones[low] if not land[hex_] and symmetry.orbit[hex_]]
        coast = [hex_ for hex_ in sea if any(land[there] for there in symmetry.board.adjacent[hex_])]
        if not coast:
            return
        for hex_ in sorted(coast, key=lambda hex_: (-height[hex_], hex_))[:3]:
            _set(symmetry, land, hex_, True)
            for image in symmetry.orbit[hex_]:
                height[image] += 1.0


def _ways(board: Board, layout: Layout) -> Iterator[Hex]:
    """Yield the hexes of a straight way from each start to its nearest rival."""
    for here in layout.centres:
        rivals = [centre for centre in layout.centres if centre != here]
        if rivals:
            there = min(rivals, key=lambda rival: (board.distance(here, rival), rival))
            yield from line(board, here, there)


def line(board: Board, a: Hex, b: Hex) -> Iterator[Hex]:
    """Yield the hexes of a straight line, both ends too."""
    steps = board.distance(a, b)
    (q1, r1), (q2, r2) = board.axial[a], board.axial[b]
    for step in range(steps + 1):
        part = step / steps if steps else 0.0
        q, r = q1 + (q2 - q1) * part + 1e-6, r1 + (r2 - r1) * part + 2e-6
        column, row = hexes.to_offset(_round(q, r))
        if 0 <= column < board.columns and 0 <= row < board.rows:
            yield row * board.columns + column


def _round(q: float, r: float) -> hexes.Axial:
    """Return the hex nearest to fractional axial coordinates."""
    s = -q - r
    near_q, near_r, near_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    if off_q > off_r and off_q > off_s:
        return -near_r - near_s, near_r
    if off_r > off_s:
        return near_q, -near_q - near_s
    return near_q, near_r


def _set(symmetry: Symmetry, land: list[bool], hex_: Hex, value: bool) -> int:
    """Make a hex and its images land or sea. Returns how many there are."""
    for image in symmetry.orbit[hex_]:
        land[image] = value
    return len(symmetry.orbit[hex_])


def _join(symmetry: Symmetry, layout: Layout, land: list[bool]) -> None:
    """Sink small islands, and bridge the sea to all others."""
    board = symmetry.board
    while True:
        parts = connected(board, land)
        main = next(part for part in parts if layout.centres[0] in part)
        others = [part for part in parts if part is not main]
        if not others:
            return
        small = [p for p in others if len(p) <= _SMALL_ISLAND * sum(land) and not {*layout.centres}.intersection(p)]
        for part in small:
            for hex_ in part:
                _set(symmetry, land, hex_, False)
        if not small:
            for bridge in _bridge(symmetry, main, {here for part in others for here in part}):
                _set(symmetry, land, bridge, True)


def _bridge(symmetry: Symmetry, main: Sequence[Hex], targets: set[Hex]) -> list[Hex]:
    """Return the shortest way over the sea from the main land to one of the targets."""
    before: dict[Hex, Hex] = dict.fromkeys(main, NOWHERE)
    queue = deque(sorted(main))
    while queue:
        here = queue.popleft()
        for there in symmetry.board.adjacent[here]:
            if there not in before and symmetry.orbit[there]:
                before[there] = here
                queue.append(there)
                if there in targets:
                    return _way_back(before, there)
    return sorted(targets)


def _way_back(before: dict[Hex, Hex], here: Hex) -> list[Hex]:
    way = []
    while here != NOWHERE:
        way.append(here)
        here = before[here]
    return way


def _settle(symmetry: Symmetry, land: list[bool], height: list[float], dry: set[Hex], wanted: int) -> None:
    """Raise or sink coast until there is as much sea as wanted, and the land stays in one piece."""
    sea = sum(not land[hex_] for hex_ in symmetry.inside)
    grow = sea > wanted
    sign = -1 if grow else 1
    coast = [(sign * height[hex_], hex_) for hex_ in symmetry.first if land[hex_] != grow]
    heapq.heapify(coast)
    while coast and (sea > wanted if grow else sea < wanted):
        _, first = heapq.heappop(coast)
        if land[first] == grow or (not grow and first in dry):
            continue
        if not (_raise(symmetry, land, first) if grow else _sink(symmetry, land, first)):
            continue
        sea += sign * len(symmetry.orbit[first])
        for there in symmetry.board.adjacent[first]:
            group = symmetry.orbit[there]
            if group and land[there] != grow:
                heapq.heappush(coast, (sign * height[there], group[0]))


def _raise(symmetry: Symmetry, land: list[bool], first: Hex) -> bool:
    """Make a group of sea hexes land, unless it would be an island."""
    if not any(land[neighbour] for neighbour in symmetry.board.adjacent[first]):
        return False
    _set(symmetry, land, first, True)
    return True


def _sink(symmetry: Symmetry, land: list[bool], first: Hex) -> bool:
    """Make a group of coast hexes sea, unless that could part the land."""
    done: list[Hex] = []
    for image in symmetry.orbit[first]:
        if not _loose(symmetry.board, land, image):
            for undo in done:
                land[undo] = True
            return False
        land[image] = False
        done.append(image)
    return True


def _loose(board: Board, land: list[bool], hex_: Hex) -> bool:
    """Say whether the land around a coast hex hangs together without it, seen from nearby."""
    around = [neighbour != NOWHERE and land[neighbour] for neighbour in board.neighbours[hex_]]
    runs = sum(around[n] and not around[n - 1] for n in range(6))
    return runs == 1 and sum(around) >= 2


_ORDER = ("mountains", "hills", "swamp", "jungle", "forest")
"""The order in which terrains take the best places; those of another ruleset follow by their names."""


def cover(request: Request, ruleset: Ruleset, symmetry: Symmetry, ground: Ground, lot: SeededRandom) -> list[str]:
    """Return the terrain of each hex."""
    sea, base = water(ruleset), base_terrain(ruleset)
    terrain = [base if dry else sea for dry in ground.land]
    free = {hex_ for hex_ in symmetry.first if ground.land[hex_]}
    names = [name for name in request.shares if name not in (sea, base)]
    likes = _Likes(symmetry, ground, lot)
    for name in sorted(names, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name)):
        left = round(request.shares[name] / 100 * len(symmetry.inside))
        like = likes.of(name)
        for first in sorted(free, key=lambda hex_: (-like[hex_], hex_)):
            if left <= 0:
                break
            free.remove(first)
            for image in symmetry.orbit[first]:
                terrain[image] = name
                left -= 1
    return terrain


class _Likes:
    """How well each hex suits each terrain."""

    def __init__(self, symmetry: Symmetry, ground: Ground, lot: SeededRandom) -> None:
        self._symmetry, self._ground, self._lot = symmetry, ground, lot
        board = symmetry.board
        self._length = max(4.0, min(9.0, min(board.columns, board.rows) / 3))
        ridge = symmetry.even(self._noise("ridge", self._length * 1.3, 2))
        middle = sorted(ridge[hex_] for hex_ in symmetry.inside)[len(symmetry.inside) // 2]
        self._ridge = [-abs(value - middle) for value in ridge]
        self._wet = symmetry.even(self._noise("wet", self._length, 2))

    def _noise(self, name: str, wavelength: float, octaves: int) -> list[float]:
        board = self._symmetry.board
        return noise(self._lot.split(name), board.columns, board.rows, wavelength, octaves)

    def of(self, name: str) -> list[float]:
        """Return how well each hex suits a terrain: higher is better."""
        own = self._symmetry.even(self._noise(name, self._length * 0.8, 2))
        size = range(len(own))
        if name == "mountains":
            return [self._ridge[n] * 2 + self._ground.height[n] * 0.3 + own[n] * 0.15 for n in size]
        if name == "hills":
            return [self._ridge[n] + self._ground.height[n] * 0.3 + own[n] * 0.3 for n in size]
        if name == "swamp":
            return [self._wet[n] * 0.6 - self._ground.height[n] * 0.6 + own[n] * 0.4 for n in size]
        if name == "jungle":
            return [self._wet[n] + own[n] * 0.5 - self._pole(n) * 0.3 for n in size]
        return own

    def _pole(self, hex_: Hex) -> float:
        """Return how far north or south a hex lies, 0 in the middle (the same for all its images)."""
        if self._symmetry.turns > 2:
            return 0.0
        rows = self._symmetry.board.rows
        return abs(hex_ // self._symmetry.board.columns - (rows - 1) / 2) / rows
