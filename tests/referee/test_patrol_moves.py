"""How far patrol markers go (3.2): the worked examples, and brute force as another opinion."""

import math

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from server.referee.geometry import Point, on_segment, rounded, squared, turned, within
from server.referee.patrol.patrol_phase import halt, is_chain, start_places

WIDTH, HEIGHT, REACH = 72000, 48000, 12000
points = st.tuples(st.integers(0, WIDTH), st.integers(0, HEIGHT))
MoveOfMarker = tuple[Point, Point, list[Point]]
"""From where, to where, and the enemies."""


def steps(start: Point, to: Point) -> list[tuple[float, float]]:
    """The path in steps of a hundredth of an inch."""
    far = math.dist(start, to)
    count = max(1, math.ceil(far / 10))
    return [
        (start[0] + (to[0] - start[0]) * step / count, start[1] + (to[1] - start[1]) * step / count)
        for step in range(count + 1)
    ]


@st.composite
def moves(draw: st.DrawFn) -> MoveOfMarker:
    """A start outside every circle, an end within reach, and enemies."""
    start = draw(points)
    enemies = draw(st.lists(points, min_size=1, max_size=5))
    enemies = [enemy for enemy in enemies if not within(start, enemy, REACH)]
    assume(enemies)
    angle, far = draw(st.floats(0, 2 * math.pi)), draw(st.floats(0, REACH))
    to = round(start[0] + far * math.cos(angle)), round(start[1] + far * math.sin(angle))
    return start, to, enemies


@pytest.mark.parametrize(
    ("start", "to", "enemies", "end"),
    [
        ((30000, 10000), (36000, 20392), [(36000, 34000), (46000, 34000)], (36000, 20392)),
        ((36000, 34000), (36000, 24000), [(36000, 20392), (42000, 10000)], (36000, 32392)),
        ((36000, 10000), (36000, 22000), [(30000, 30000), (42000, 30000)], (36000, 19608)),
        ((12000, 14000), (24000, 14000), [(28000, 28000), (34000, 20000)], (23608, 14000)),
        ((28000, 12000), (28000, 23000), [(26000, 32000), (36000, 32000)], (28000, 20168)),
    ],
)
def test_the_worked_examples(start: Point, to: Point, enemies: list[Point], end: Point) -> None:
    assert halt(start, to, enemies, REACH) == end


@given(moves())
def test_the_end_lies_on_the_path_and_no_earlier_point_is_too_near(move: MoveOfMarker) -> None:
    """3.4, 3. Seen to fail when the larger root ends the path, and when only the first enemy is looked at."""
    start, to, enemies = move
    end = halt(start, to, enemies, REACH)
    assert shapely.LineString([start, to]).distance(shapely.Point(end)) < 0.71
    for place in steps(start, end):
        assert min(math.dist(place, enemy) for enemy in enemies) >= REACH - 2


@given(moves())
def test_brute_force_halts_at_the_same_place(move: MoveOfMarker) -> None:
    """3.4, 8. The path in steps of 0.01 inches: the first one on a circle is where the marker halts."""
    start, to, enemies = move
    end = halt(start, to, enemies, REACH)
    reached = next((p for p in steps(start, to) if min(math.dist(p, e) for e in enemies) <= REACH), None)
    if reached is None:
        # the path may touch a circle between two steps: then it came within the band of 0.02 inches
        nearest = min(math.dist(place, enemy) for place in steps(start, to) for enemy in enemies)
        assert end == to or nearest <= REACH + 20
    else:
        assert math.dist(reached, end) <= 20


@given(moves())
def test_a_marker_that_halts_short_is_twelve_inches_from_an_enemy(move: MoveOfMarker) -> None:
    """3.4, 2. Seen to fail when the end point is rounded to hundredths of an inch."""
    start, to, enemies = move
    end = halt(start, to, enemies, REACH)
    if end != to:
        assert any(abs(math.dist(end, enemy) - REACH) <= 2 for enemy in enemies)
        assert any(within(end, enemy, REACH) for enemy in enemies)


@given(moves())
def test_reflection_and_turning_change_no_answer(move: MoveOfMarker) -> None:
    """3.4, 5."""
    start, to, enemies = move
    end = halt(start, to, enemies, REACH)

    def mirrored(point: Point) -> Point:
        return WIDTH - point[0], point[1]

    def half_turn(point: Point) -> Point:
        return turned(point, WIDTH, HEIGHT)

    for moved in (mirrored, half_turn):
        assert halt(moved(start), moved(to), [moved(enemy) for enemy in enemies], REACH) == moved(end)


@given(points, st.lists(points, max_size=3))
def test_a_move_of_nothing_goes_nowhere(start: Point, enemies: list[Point]) -> None:
    assert halt(start, start, enemies, REACH) == start


@given(st.lists(points, min_size=1, max_size=6))
def test_a_chain_is_one_piece_whatever_the_order(markers: list[Point]) -> None:
    """3.4, 1. Another opinion: the reach of each marker, spread until nothing is added."""
    reached = {0}
    while True:
        more = {
            index
            for index, marker in enumerate(markers)
            if any(squared(marker, markers[link]) <= 12001**2 for link in reached)
        }
        if more <= reached:
            break
        reached |= more
    assert is_chain(markers, REACH) == (len(reached) == len(markers))
    assert is_chain(markers[::-1], REACH) == is_chain(markers, REACH)


def test_the_chain_of_the_worked_example_breaks() -> None:
    assert not is_chain([(30000, 22000), (42000, 10000)], REACH)
    assert is_chain([(36000, 20392), (42000, 10000)], REACH)


@pytest.mark.parametrize(
    ("edge", "places"),
    [
        (72000, [22500, 31500, 40500, 49500]),
        (44000, [8500, 17500, 26500, 35500]),
        (30000, [1500, 10500, 19500, 28500]),
        (24000, [0, 8000, 16000, 24000]),
    ],
)
def test_default_places_of_four_markers(edge: int, places: list[int]) -> None:
    assert start_places(4, edge, 9000) == places


def test_one_marker_stands_in_the_middle() -> None:
    assert start_places(1, 44000, 9000) == [22000]


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_rounding_is_symmetric(numerator: int, denominator: int) -> None:
    """What 3.4, 5 stands on. Seen to fail when halves are rounded up instead of away from zero."""
    assert rounded(-numerator, denominator) == -rounded(numerator, denominator)
    assert abs(rounded(numerator, denominator) * denominator - numerator) * 2 <= denominator


def test_on_segment_holds_its_ends() -> None:
    assert on_segment((0, 0), (0, 0), (4, 4))
    assert on_segment((4, 4), (0, 0), (4, 4))
    assert not on_segment((5, 5), (0, 0), (4, 4))
