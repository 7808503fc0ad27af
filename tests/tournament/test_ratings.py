"""Intervals and Elo."""

from __future__ import annotations

import pytest

from server.tournament.standings import elo, interval


def test_the_interval_of_a_share() -> None:
    low, high = interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)  # Wilson, 95 %
    assert interval(0, 0) == (0.0, 1.0)


def test_three_wins_of_four_are_about_190_points() -> None:
    ratings = elo(("a", "b"), {("a", "b"): 7500, ("b", "a"): 2500})
    assert ratings["a"][0] - ratings["b"][0] == pytest.approx(190.8, abs=0.5)
    assert ratings["a"][0] + ratings["b"][0] == pytest.approx(3000)


def test_whoever_always_wins_has_a_rating_too() -> None:
    rating, half = elo(("a", "b"), {("a", "b"): 10, ("b", "a"): 0})["a"]
    assert 1500 < rating < 2500
    assert half > 100
