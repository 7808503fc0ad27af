"""The map (D-01): labels, neighbours, distances, edges.

Seen to fail: with three digits from 100 columns only (not rows), even rows shoved instead of odd ones, ``within`` not
clipped at the map's edge (hexes of the next row showed up), and ``interior`` content with five neighbours.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core import hexes
from server.rules.board import MAX_SIDE, NOWHERE, ORBIT, Board


def plains(columns: int, rows: int) -> Board:
    return Board(columns, rows, ("plains",) * (columns * rows))


BOARDS = [plains(11, 10), plains(1, 1), plains(1, 7), plains(9, 1), plains(2, 2)]
boards = st.sampled_from(BOARDS)


def test_labels() -> None:
    """Column then row, from 1, two digits each; three where the map is larger than 99 either way."""
    board = plains(11, 10)
    assert (board.label(0), board.label(10), board.label(11), board.label(109)) == ("0101", "1101", "0102", "1110")
    assert board.label(ORBIT) == "orbit"
    assert plains(100, 2).label(0) == "001001"
    assert plains(2, 100).label(199) == "002100"
    assert plains(99, 2).label(98) == "9901"


def test_find() -> None:
    """What is no label of this map is no hex, whatever it is."""
    board = plains(11, 10)
    assert all(board.find(board.label(at)) == at for at in range(board.size))
    for wrong in ("0000", "1201", "0111", "101", "001001", "orbit", "", 101, None, ["0101"], "٠١٠١"):
        assert board.find(wrong) is None


def test_neighbours_of_the_rulebooks_example() -> None:
    """D-01: of ``0102``, clockwise from east."""
    board = plains(11, 10)
    at = board.find("0102")
    assert at is not None
    labels = [board.label(each) if each != NOWHERE else "" for each in board.neighbours[at]]
    assert labels == ["0202", "0203", "0103", "", "0101", "0201"]
    assert [board.label(each) for each in board.adjacent[at]] == ["0202", "0203", "0103", "0101", "0201"]


@given(boards)
def test_neighbours_are_one_step_away(board: Board) -> None:
    """Each is the other's, in the opposite direction, and all hexes one step away are there."""
    for at in range(board.size):
        for direction, next_ in enumerate(board.neighbours[at]):
            if next_ != NOWHERE:
                assert board.neighbours[next_][hexes.opposite(direction)] == at
                assert board.direction(at, next_) == direction
        assert sorted(board.adjacent[at]) == [each for each in range(board.size) if board.distance(at, each) == 1]
        assert board.interior(at) == (NOWHERE not in board.neighbours[at])


@given(boards, st.data())
def test_within_is_all_that_is_near(board: Board, data: st.DataObject) -> None:
    """Every hex of the map at most so far away, once, nearest first."""
    centre, radius = data.draw(st.integers(0, board.size - 1)), data.draw(st.integers(0, 4))
    found = list(board.within(centre, radius))
    assert sorted(found) == [at for at in range(board.size) if board.distance(centre, at) <= radius]
    far = [board.distance(centre, each) for each in found]
    assert far == sorted(far)


def test_direction_of_what_is_not_adjacent() -> None:
    """None, for orbit too."""
    board = plains(11, 10)
    assert board.direction(0, 2) is None
    assert board.direction(0, 0) is None
    assert board.direction(0, ORBIT) is None


@pytest.mark.parametrize(("columns", "rows"), [(0, 5), (5, 0), (MAX_SIDE + 1, 1), (1, MAX_SIDE + 1), (-1, 3)])
def test_sizes_that_cannot_be(columns: int, rows: int) -> None:
    """A map has 1 to 500 columns and rows."""
    with pytest.raises(ValueError, match="1 to 500 columns and rows"):
        Board(columns, rows, ())


def test_as_many_terrains_as_hexes() -> None:
    """None too few, none too many."""
    with pytest.raises(ValueError, match="need as many terrains"):
        Board(2, 2, ("plains",) * 3)


def test_the_largest_map() -> None:
    """500 x 500: the corners are what they should be."""
    board = plains(MAX_SIDE, MAX_SIDE)
    assert board.label(board.size - 1) == "500500"
    assert board.distance(0, board.size - 1) == 749
    assert [board.label(each) for each in board.adjacent[board.size - 1]] == ["499500", "500499"]


def test_digest() -> None:
    """Tells maps apart by size and ground, and nothing else."""
    kinds = [plains(2, 3), plains(3, 2), Board(2, 3, (*("plains",) * 5, "sea"))]
    assert len({kind.digest for kind in kinds}) == len(kinds)
    assert Board(2, 3, ("plains",) * 6, ((0, "Hill"),)).digest == plains(2, 3).digest


def test_axial_coordinates() -> None:
    """They are those of column and row."""
    board = plains(11, 10)
    for row, column in product(range(10), range(11)):
        assert board.axial[row * 11 + column] == hexes.from_offset(column, row)
