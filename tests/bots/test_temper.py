"""Tempers: every faction has one, and at the same posture two of them do not do the same."""

from __future__ import annotations

import pytest

from server.bots.ground import Ground
from server.bots.lot import SeededTiebreak
from server.bots.posture import figures
from server.bots.target import choose_target
from server.bots.temper import temper_of
from server.rules.state import State
from server.rulesets import load
from tests.rules.builders import campaign, own, own_around, town


@pytest.mark.parametrize("ruleset", ["wh40k-2001", "frontier"])
def test_the_factions_of_a_ruleset_have_several_tempers(ruleset: str) -> None:
    names = {temper_of(faction).name for faction in load(ruleset).factions}
    assert len(names) >= 4


def test_tempers_shift_the_posture_and_keep_it_sound() -> None:
    for posture in figures().postures:
        fierce, careful = temper_of("orks").of(posture), temper_of("imperial_guard").of(posture)
        assert fierce.attacks_from < careful.attacks_from
        assert fierce.home <= careful.home
        assert fierce.field >= careful.field
        for each in (fierce, careful):
            assert 0 <= each.home <= 100
            assert 0 <= each.field <= 100
            assert bool(each.gives_way) == bool(posture.gives_way)


def test_odds_at_which_one_attacks() -> None:
    normal = figures().posture(0)
    assert temper_of("orks").of(normal).attacks(1000, 1000)
    assert not temper_of("imperial_guard").of(normal).attacks(1100, 1000)


def three(faction: str) -> State:
    """Blue and green are as far from red; green has more land."""
    state = campaign({"red": faction, "blue": "none", "green": "none"}, size=(15, 9))
    for player, at in (("red", "0705"), ("blue", "0205"), ("green", "1205")):
        own_around(state, player, at, 1)
        town(state, player, at, "metropol", 0, capital=True)
    own(state, "green", "1301", "1302", "1303", "1304")
    return state


@pytest.mark.parametrize(("faction", "target"), [("chaos", "1205"), ("eldar", "0205")])
def test_only_some_go_for_those_who_attacked_them(faction: str, target: str) -> None:
    """Green has attacked once. Its land is larger, so that without a grudge blue is the target."""
    state = three(faction)
    ground = Ground(state, "red", SeededTiebreak.of(b"", "red", 5))
    grudge = temper_of(faction).grudge
    found = choose_target(ground, {"green": 1}, grudge)
    assert found is not None
    assert state.board.label(found) == target
