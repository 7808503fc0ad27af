"""Where jump-off points may stand (3.3): the worked example, and shapely as another opinion."""

import math
from collections.abc import Callable, Sequence
from random import Random

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import affinity

from server.referee.geometry import Point, turned
from server.referee.patrol.ground import UNIT, Cover, closest_two, swept, wedge
from server.referee.patrol.jump_off_zones import Zone

WIDTH, HEIGHT, INCH = 72000, 48000, 1000
BAND = 20
points = st.tuples(st.integers(0, WIDTH), st.integers(0, HEIGHT))
Place = tuple[Point, list[Point], list[Cover], bool]
"""A marker, its enemies, cover, and whether distances are taken from the enemies."""
Discs = list[tuple[Point, float]]
"""The middles and radii of what is too close."""


def zone(
    marker: Point,
    enemies: Sequence[Point],
    cover: Sequence[Cover] = (),
    from_enemies: bool = True,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> Zone:
    ranked = sorted(enemies, key=lambda enemy: math.dist(enemy, marker))
    opposite = wedge(marker, ranked[:2], ranked[2:])
    pieces = tuple(swept(piece, opposite.facing, INCH) for piece in cover)
    return Zone(opposite, width, height, 6 * INCH, from_enemies, pieces)


HEDGE = Cover(((33000, 5000), (39000, 5000)), closed=False)
E1, E2, E3 = (30000, 22392), (42000, 22392), (36000, 24000)
M = (36000, 12000)


@pytest.mark.parametrize(
    ("point", "code"),
    [
        ((36000, 6000), "too_close"),
        ((36000, 4500), ""),
        ((36000, 3900), "not_in_cover"),
        ((36000, 0), "cover_available"),
        ((43000, 0), "not_in_zone"),
        ((36000, -1), "not_in_zone"),
    ],
)
def test_the_worked_example_with_its_hedge(point: Point, code: str) -> None:
    assert zone(M, [E1, E2], [HEDGE]).refusal(point) == code


def test_the_worked_example_without_the_hedge() -> None:
    bare = zone(M, [E1, E2])
    assert bare.refusal((36000, 0)) == ""
    assert bare.refusal((43000, 0)) == "not_in_zone"
    ((start, end),) = bare.edge_parts
    assert start[1] == end[1] == 0
    assert (start[0], end[0]) == (29072, 42928)


def test_the_worked_example_with_a_third_enemy() -> None:
    opposite = wedge(M, [E1, E3], [E2])
    right = Zone(opposite, WIDTH, HEIGHT, 6 * INCH, True, (swept(HEDGE, opposite.facing, INCH),))
    assert right.refusal((38000, 4500)) == ""
    assert right.refusal((35000, 4500)) == "not_in_zone"


def test_who_is_closest_and_what_is_left_to_choose() -> None:
    all_equal = closest_two(M, {"e1": E1, "e2": E2, "e3": (36000, 24000)})
    assert (all_equal.must, all_equal.free) == ((), 2)
    assert all_equal.allows(("e3", "e1"))
    assert not all_equal.allows(("e3", "e3"))
    one_closer = closest_two(M, {"e1": E1, "e2": E2, "e3": (36000, 20000)})
    assert (one_closer.must, one_closer.may, one_closer.free) == (("e3",), ("e1", "e2"), 1)
    assert not one_closer.allows(("e1", "e2"))
    two = closest_two(M, {"e1": E1, "e2": E2, "e3": (36000, 30000)})
    assert (two.pair(), two.free) == (("e1", "e2"), 0)
    assert closest_two(M, {"e1": E1}).pair() == ("e1",)


def test_distances_a_hundredth_apart_are_equal() -> None:
    tie = closest_two((0, 0), {"e1": (12000, 0), "e2": (0, 12010), "e3": (-12020, 0)})
    assert (tie.must, tie.may, tie.free) == ((), ("e1", "e2", "e3"), 2)
    apart = closest_two((0, 0), {"e1": (12000, 0), "e2": (0, 12011), "e3": (-12021, 0)})
    assert (apart.must, apart.may, apart.free) == (("e1",), ("e2", "e3"), 1)


def turned_about(direction: Point, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    x, y = direction
    return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)


def ray(direction: Point) -> float:
    """A direction's angle in degrees."""
    return math.degrees(math.atan2(direction[1], direction[0]))


def test_one_enemy_gives_forty_five_degrees_to_either_side() -> None:
    only = wedge((0, 0), [(0, 10000)])
    assert ray(only.right) == pytest.approx(-135)
    assert ray(only.left) == pytest.approx(-45)


def test_a_narrow_wedge_is_widened_to_twenty_degrees() -> None:
    narrow = wedge((0, 0), [(1000, 10000), (-1000, 10000)])
    assert ray(narrow.right) == pytest.approx(-100)
    assert ray(narrow.left) == pytest.approx(-80)
    just_wide = wedge((0, 0), [(1764, 10000), (-1764, 10000)])
    assert ray(just_wide.left) - ray(just_wide.right) == pytest.approx(2 * math.degrees(math.atan(0.1764)))


def test_over_170_degrees_the_next_closest_takes_the_second_place() -> None:
    wide = wedge((0, 0), [(10000, 0), (-10000, 500)], [(-20000, 800), (0, 30000)])
    assert wide.enemies == ((10000, 0), (0, 30000))
    none_left = wedge((0, 0), [(10000, 0), (-10000, 500)])
    assert none_left.enemies == ((10000, 0),)
    assert ray(none_left.left) - ray(none_left.right) == pytest.approx(-270)


@given(st.integers(-(10**5), 10**5), st.integers(-(10**5), 10**5))
def test_directions_are_as_long_as_they_say(x: int, y: int) -> None:
    assume((x, y) != (0, 0))
    facing = wedge((x, y), [(0, 0)]).facing
    assert math.hypot(*facing) == pytest.approx(UNIT)
    assert math.atan2(facing[1], facing[0]) == pytest.approx(math.atan2(y, x))


@st.composite
def places(draw: st.DrawFn) -> Place:
    """A marker, its enemies, and cover, on a table."""
    marker = draw(points)
    enemies = draw(st.lists(points, min_size=1, max_size=4, unique=True))
    assume(all(math.dist(marker, enemy) > 1000 for enemy in enemies))
    cover = []
    for _ in range(draw(st.integers(0, 3))):
        x, y = draw(points)
        corners = [(x + dx, y + dy) for dx, dy in ((0, 0), (draw(sizes), draw(sizes)), (draw(sizes), draw(sizes)))]
        if draw(st.booleans()) and shapely.Polygon(corners).area > 10**5:
            cover.append(Cover(tuple(corners)))
        else:
            cover.append(Cover(tuple(corners[:2]), closed=False))
    return marker, enemies, cover, draw(st.booleans())


sizes = st.integers(-12000, 12000)


def by_shapely(ground: Zone) -> tuple[shapely.Geometry, Discs, list[shapely.Geometry]]:
    """The same zone as shapely sees it: (wedge and table, far enough, swept ground)."""
    opposite = ground.wedge
    far = 4 * WIDTH

    def end_of(direction: Point) -> tuple[float, float]:
        scale = far / math.hypot(*direction)
        return opposite.apex[0] + direction[0] * scale, opposite.apex[1] + direction[1] * scale

    middle = end_of(opposite.facing)
    fan = shapely.Polygon([opposite.apex, end_of(opposite.right), middle, end_of(opposite.left)])
    table = shapely.box(0, 0, ground.width, ground.height)
    if ground.from_enemies:
        discs: Discs = [(enemy, math.dist(enemy, opposite.apex) + ground.distance) for enemy in opposite.enemies]
    else:
        discs = [(opposite.apex, ground.distance)]
    g = [1000 * part / UNIT for part in opposite.facing]
    covered = []
    for piece in ground.cover:
        corners = list(piece.cover.corners)
        shape = shapely.Polygon(corners) if piece.cover.closed else shapely.LineString(corners)
        covered.append(shapely.union_all([shape, affinity.translate(shape, *g)]).convex_hull)
    return fan.intersection(table), discs, covered


def margin(shape: shapely.Geometry, point: Point) -> float:
    """How far the point lies from the shape's line: beyond the band, inside and outside are sure."""
    return float(shape.boundary.distance(shapely.Point(point))) if not shape.is_empty else math.inf


@given(places(), st.lists(points, min_size=8, max_size=8), st.randoms(use_true_random=False))
def test_shapely_has_the_same_opinion_of_a_point(place: Place, anywhere: list[Point], random: Random) -> None:
    """3.4, 7 and 8. Seen to fail with the wedge's rays exchanged, and with 5" for 6"."""
    marker, enemies, cover, from_enemies = place
    ground = zone(marker, enemies, cover, from_enemies)
    fan, discs, covered = by_shapely(ground)
    assume(fan.area > 0)
    corners = [corner for piece in cover for corner in piece.corners]
    tried = list(anywhere)
    for _ in range(8):  # near the cover and near the marker, where something is decided
        x, y = random.choice([*corners, marker])
        tried.append((x + random.randint(-3000, 3000), y + random.randint(-3000, 3000)))
    for point in tried:
        spot = shapely.Point(point)
        gaps = [math.dist(point, centre) - radius for centre, radius in discs]
        if margin(fan, point) < BAND or min(map(abs, gaps)) < BAND or any(margin(c, point) < BAND for c in covered):
            continue
        if not fan.covers(spot):
            expected = "not_in_zone"
        elif min(gaps) < 0:
            expected = "too_close"
        else:
            expected = "" if any(shape.covers(spot) for shape in covered) else "not_in_cover"
        assert ground.refusal(point) == expected


@pytest.mark.parametrize(
    "cover",
    [
        Cover(((-1000, -1000), (73000, -1000), (73000, 49000), (-1000, 49000))),
        Cover(((0, 3000), (72000, 3000)), closed=False),
        Cover(((0, 2000), (72000, 2000), (72000, 11000), (0, 11000))),
    ],
)
def test_cover_is_found_where_all_its_corners_are_out_of_the_zone(cover: Cover) -> None:
    """T-51. Seen to fail when only the corners of features are looked at."""
    ground = zone(M, [E1, E2], [cover])
    assert ground.cover_point is not None
    assert ground.refusal(ground.cover_point) == ""


def far_ground(discs: Discs, shape: shapely.Geometry) -> shapely.Geometry:
    for centre, radius in discs:
        shape = shape.difference(shapely.Point(centre).buffer(radius, quad_segs=2000))
    return shape


@given(places())
def test_shapely_finds_cover_where_we_do(place: Place) -> None:
    """3.4, 8 and T-51. Seen to fail when cover is swept backwards."""
    ground = zone(*place)
    fan, discs, covered = by_shapely(ground)
    left = [far_ground(discs, shape.intersection(fan)) for shape in covered]
    if any(shape.buffer(-BAND / 2).area > 0 for shape in left):
        assert ground.cover_point is not None
    if ground.cover_point is not None:
        assert ground.refusal(ground.cover_point) == ""
        spot = shapely.Point(ground.cover_point)
        assert min(shape.distance(spot) for shape in covered) < BAND
        assert fan.distance(spot) < 1
        assert all(math.dist(ground.cover_point, centre) > radius - 2 for centre, radius in discs)


@given(places())
def test_every_marker_has_a_place_for_a_jump_off_point(place: Place) -> None:
    """3.4, 6, T-51 to T-53: in cover, or on the edge. Seen to fail when T-52 is left out."""
    ground = zone(*place)
    if ground.cover_point is None:
        assert ground.edge_parts
    for start, end in ground.edge_parts:
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        for point in (start, middle, end):
            assert ground.refusal(point) == ""


@given(places(), st.integers(0, 3), st.integers(0, WIDTH))
def test_shapely_has_the_same_opinion_of_the_edge(place: Place, side: int, along: int) -> None:
    """3.3, Edge and T-52."""
    ground = zone(*place)
    fan, discs, _ = by_shapely(ground)
    point = [(along, 0), (along, HEIGHT), (0, along * 2 // 3), (WIDTH, along * 2 // 3)][side]
    edge = shapely.box(0, 0, WIDTH, HEIGHT).boundary.intersection(fan)
    assume(edge.length > BAND)
    rest = far_ground(discs, edge)
    assume(not 0 < rest.length < BAND)
    gaps = [math.dist(point, centre) - radius for centre, radius in discs]
    rays = shapely.LineString([fan.centroid, ground.wedge.apex])
    assume(min(map(abs, gaps)) > BAND and not ground.is_in_cover(point) and rays.length > 0)
    opposite = ground.wedge
    for direction in (opposite.right, opposite.left):
        scale = 4 * WIDTH / math.hypot(*direction)
        end = opposite.apex[0] + direction[0] * scale, opposite.apex[1] + direction[1] * scale
        assume(shapely.LineString([opposite.apex, end]).distance(shapely.Point(point)) > BAND)
    if edge.distance(shapely.Point(point)) > 1:
        expected = "not_in_zone"
    elif ground.cover_point is not None:
        expected = "too_close" if min(gaps) < 0 else "cover_available"
    else:
        expected = "too_close" if min(gaps) < 0 and rest.length > 0 else ""
    assert ground.refusal(point) == expected


@given(places(), st.lists(points, min_size=6, max_size=6))
def test_turning_the_table_changes_no_answer(place: Place, tried: list[Point]) -> None:
    """3.4, 5. Seen to fail when the rays keep their order where the cross product is negative."""
    marker, enemies, cover, from_enemies = place

    def changed(change: Callable[[Point], Point]) -> Zone:
        moved = [Cover(tuple(change(corner) for corner in piece.corners), piece.closed) for piece in cover]
        return zone(change(marker), [change(enemy) for enemy in enemies], moved, from_enemies)

    ground = zone(marker, enemies, cover, from_enemies)
    for change in (lambda p: turned(p, WIDTH, HEIGHT), lambda p: (WIDTH - p[0], p[1])):
        other = changed(change)
        for point in [*tried, *([ground.cover_point] if ground.cover_point else [])]:
            assert other.refusal(change(point)) == ground.refusal(point)
        assert bool(other.cover_point) == bool(ground.cover_point)


def test_a_wedge_between_two_thousandths_of_the_edge_still_has_a_place() -> None:
    thin = zone((36000, 1), [(36000 - 5774, 10001), (36000 - 5800, 10001)])
    assert thin.edge_parts
    start, end = thin.edge_parts[0]
    assert thin.refusal(start) == ""
    assert thin.refusal(end) == ""
