"""Every rotation of the seats: everybody plays every start equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from server.tournament.game import Arena, fixtures, line_ups


def arena(seats: int) -> Arena:
    return Arena("field", seats, "rules", tuple(f"list-{n}" for n in range(9)))


@pytest.mark.parametrize(("names", "seats", "games"), [(("a", "b"), 2, 8), (("a", "b"), 4, 8), (("a", "b", "c"), 3, 9),
                                                      (("a", "b", "b", "b"), 4, 8)])  # fmt: skip
def test_each_start_is_played_equally_often(names: tuple[str, ...], seats: int, games: int) -> None:
    played = Counter(
        (seat, name) for game in fixtures(arena(seats), names, games, 5, 1) for seat, name in enumerate(game.players)
    )
    for name in set(names):
        assert len({played[seat, name] for seat in range(seats)}) == 1


def test_two_names_on_four_seats_play_two_each() -> None:
    for game in fixtures(arena(4), ("a", "b"), 12, 5, 1):
        assert sorted(game.players) == ["a", "a", "b", "b"]


def test_the_games_of_a_rotation_have_the_same_factions_and_dice() -> None:
    games = list(fixtures(arena(3), ("a", "b", "c"), 6, 5, 1))
    assert len({(game.factions, game.seed) for game in games[:3]}) == 1
    assert games[0].factions != games[3].factions


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "b", "b")])
def test_no_game_is_played_twice(names: tuple[str, ...]) -> None:
    """Two names in turn on four seats come again after half a rotation. Seen to fail when dice are the rotation's."""
    games = list(fixtures(arena(4), names, 16, 5, 1))
    assert len(dict.fromkeys(games)) == len(games)
    assert len({game.factions for game in games[:4]}) == 1


def test_more_names_than_seats_all_meet() -> None:
    assert line_ups(("a", "b", "c"), 2) == [("a", "b"), ("a", "c"), ("b", "c")]
