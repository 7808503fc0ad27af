"""Curves of everyone's standing, as a page draws them: lines, ticks, labels that do not lie over each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from server.play.views.history import PhaseInfo, Standing
from server.render.drawing.styles import player_dash

MEASURES = ("vp", "hexes", "points", "ready_points", "bp")
WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 12, 30
LABEL = 17
"""Pixels between two labels."""
STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Line:
    """One player's curve."""

    player: str
    seat: int
    dash: str
    path: str
    """As an SVG path."""
    end: tuple[float, float]
    label_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Chart:
    """One measure over time."""

    measure: str
    lines: tuple[Line, ...]
    hidden: tuple[str, ...]
    """Players whose values are hidden."""
    across: tuple[tuple[float, int], ...]
    """Where on the axis each turn begins."""
    up: tuple[tuple[float, int], ...]
    rows: tuple[tuple[int, tuple[int | None, ...]], ...]
    """By turn, at its end: what each player of :attr:`players` had."""
    players: tuple[str, ...]


def charts(standings: Sequence[Standing], phases: Sequence[PhaseInfo], seats: Mapping[str, int]) -> list[Chart]:
    """Return the charts; *seats* are the players' numbers, in seat order."""
    turns = {phase.number: phase.turn for phase in phases}
    numbers = sorted({standing.number for standing in standings if standing.number in turns})
    if not numbers:
        return []
    known = {(standing.number, standing.player_id): standing for standing in standings}
    players = tuple(seat for seat in seats if any((number, seat) in known for number in numbers))
    return [_chart(measure, numbers, turns, known, players, seats) for measure in MEASURES]


def _chart(
    measure: str, numbers: Sequence[int], turns: Mapping[int, int], known: Mapping[tuple[int, str], Standing],
    players: tuple[str, ...], seats: Mapping[str, int],
) -> Chart:  # fmt: skip
    values: dict[str, list[tuple[int, int]]] = {}
    for player in players:
        for place, number in enumerate(numbers):
            standing = known.get((number, player))
            value = getattr(standing, measure) if standing is not None else None
            if value is not None:
                values.setdefault(player, []).append((place, value))
    top, ticks = _scale(max((value for line in values.values() for _, value in line), default=0))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(place: int) -> float:
        return round(LEFT + wide * place / max(1, len(numbers) - 1), 1)

    def y(value: int) -> float:
        return round(TOP + high * (1 - value / top), 1)

    ends = _spread({player: y(line[-1][1]) for player, line in values.items()})
    lines = tuple(
        Line(
            player,
            seats[player],
            player_dash(seats[player] - 1),
            "M" + "L".join(f"{x(place)} {y(value)}" for place, value in line),
            (x(line[-1][0]), y(line[-1][1])),
            ends[player],
            line[-1][1],
        )
        for player, line in values.items()
    )
    last = {turns[number]: number for number in numbers}
    first = {turns[number]: place for place, number in reversed(list(enumerate(numbers)))}
    every = max(1, -(-len(first) // 12))
    rows = tuple(
        (turn, tuple(getattr(known.get((number, player)), measure, None) for player in players))
        for turn, number in sorted(last.items())
    )
    return Chart(
        measure,
        lines,
        tuple(player for player in players if player not in values),
        tuple((x(place), turn) for turn, place in sorted(first.items()) if turn % every == 0),
        tuple((y(tick), tick) for tick in ticks),
        rows,
        players,
    )


def _scale(maximum: int) -> tuple[int, list[int]]:
    """Return the top of the axis and its ticks: round numbers, about five."""
    step = next(size * 10**power for power in range(12) for size in STEPS if size * 10**power * 5 >= max(maximum, 1))
    count = max(1, -(-maximum // step))
    return step * count, [step * number for number in range(count + 1)]


def _spread(ends: Mapping[str, float]) -> dict[str, float]:
    """Return where labels go, each as near to its line's end as the others let it."""
    order = sorted(ends, key=lambda player: ends[player])
    at = {player: ends[player] for player in order}
    for above, below in pairwise(order):
        at[below] = max(at[below], at[above] + LABEL)
    if order:
        at[order[-1]] = min(at[order[-1]], HEIGHT - BOTTOM)
    for above, below in reversed(list(pairwise(order))):
        at[above] = min(at[above], at[below] - LABEL)
    return {player: math.floor(where) for player, where in at.items()}  # whole: what is added stays exact
