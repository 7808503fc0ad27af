"""Fairness by play: what stands out, and what chance alone explains."""

from __future__ import annotations

import pytest

from server.scenarios.problems import ERROR, MapProblem
from server.scenarios.report import verdict
from server.tournament.fairness import Played, StartPlayed, by_play, equality


def played(*wins: float) -> Played:
    games = int(sum(wins))
    fair = games / len(wins)
    starts = tuple(StartPlayed(str(n), each, games, each / fair, 0, 0.0) for n, each in enumerate(wins))
    return Played(starts, games, 12, equality(wins))


def test_the_chi_square_test() -> None:
    assert equality([50, 50]) == 1.0
    assert equality([60, 40]) == pytest.approx(0.0455, abs=1e-4)  # chi-square 4, one degree of freedom
    assert equality([10, 20, 30]) == pytest.approx(0.00674, abs=1e-5)  # 10, two degrees
    assert equality([6, 0, 0, 0, 0, 0, 0, 0]) < 1e-6


def test_what_is_not_fair() -> None:
    assert played(52, 48).fair
    assert [each.name for each in played(170, 30).outside] == ["0", "1"]
    assert not played(120, 80).fair  # within the bounds, but no chance
    assert played(11, 9, 8, 12).fair


def test_the_same_seed_gives_the_same_figures() -> None:
    assert by_play("the-pass", 2, 2, 1, processes=1) == by_play("the-pass", 2, 2, 1, processes=1)


def test_three_verdicts() -> None:
    unfair = MapProblem("unfair", "starts", "They differ.", severity="warning")
    broken = MapProblem("bad_hex", "board", "No.", severity=ERROR)
    assert verdict([]) == "good"
    assert verdict([unfair]) == "playable, not fair: They differ."
    assert verdict([], "A wins too often.") == "playable, not fair: A wins too often."
    assert verdict([unfair, broken]) == "broken"
