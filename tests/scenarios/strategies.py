"""Scenarios by chance: everything the format can hold."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from server.rules.board import Board
from server.scenarios.scenario import Background, Conditions, Scenario, Start, disc, middle

TERRAINS = ("plains", "forest", "hills", "sea", "jungle", "mountains", "swamp")

_LETTERS = st.characters(exclude_categories=("C", "Zl", "Zp"))


def lines(maximum: int, minimum: int = 1) -> st.SearchStrategy[str]:
    return (
        st.text(_LETTERS, min_size=minimum, max_size=maximum).map(str.strip).filter(lambda text: len(text) >= minimum)
    )


@st.composite
def boards(draw: Any, maximum: int = 9) -> Board:
    columns, rows = draw(st.integers(1, maximum)), draw(st.integers(1, maximum))
    size = columns * rows
    terrain = draw(st.lists(st.sampled_from(TERRAINS), min_size=size, max_size=size))
    places = draw(st.dictionaries(st.integers(0, size - 1), lines(20), max_size=4))
    return Board(columns, rows, tuple(terrain), tuple(sorted(places.items())))


@st.composite
def scenarios(draw: Any) -> Scenario:
    board = draw(boards())
    edges = [(a, b) for a in range(board.size) for b in board.adjacent[a] if a < b]
    roads = draw(st.lists(st.sampled_from(edges), unique=True, max_size=12)) if edges else []
    starts = draw(_starts(board))
    seats = {}
    if len(starts) > 2:
        seats[2] = tuple(draw(st.permutations(range(len(starts))))[:2])
    number = st.none() | st.integers(0, 99)
    return Scenario(
        id="by-chance",
        title=draw(lines(40)),
        board=board,
        starts=starts,
        summary=draw(lines(40, 0)),
        author=draw(lines(40, 0)),
        ruleset=draw(st.sampled_from(("wh40k-2001", "frontier"))),
        roads=tuple(sorted(roads)),
        conditions=Conditions(draw(number), draw(number), draw(number)),
        seats=seats,
        briefing=tuple(draw(st.lists(lines(60), max_size=3))),
        background=draw(st.none() | _backgrounds()),
    )


@st.composite
def _starts(draw: Any, board: Board) -> tuple[Start, ...]:
    free = set(range(board.size))
    starts = []
    for seat in range(draw(st.integers(0, 4))):
        if not free:
            break
        centre = draw(st.sampled_from(sorted(free)))
        area = tuple(each for each in disc(board, centre, draw(st.integers(0, 3))) if each in free)
        centre = centre if draw(st.booleans()) else middle(board, area)
        free -= {*area}
        starts.append(Start(f"{draw(lines(20))} {seat}", centre, area, draw(lines(30, 0))))
    return tuple(starts)


def _backgrounds() -> st.SearchStrategy[Background]:
    pixels, step = st.integers(-500, 500).map(float), st.integers(4, 400).map(lambda n: n / 4)
    return st.builds(
        Background,
        st.sampled_from(("scan.png", "Old Map_2.JPG", "x.webp")),
        st.tuples(pixels, pixels),
        st.tuples(step, step),
        st.sampled_from((0.0, 0.5, 1.0)),
    )


def facts(scenario: Scenario) -> dict[str, Any]:
    """Everything a scenario says: boards themselves are never equal."""
    board = scenario.board
    said = {
        name: getattr(scenario, name) for name in Scenario.__dataclass_fields__ if name not in ("board", "folder", "id")
    }
    return said | {"board": (board.columns, board.rows, board.terrain, board.names), "seats": dict(scenario.seats)}
