"""What battle orders would come to: the battles they open, as far as one knows, and their odds."""

from __future__ import annotations

from typing import Any

import pytest

from server.core.dice import SeededDice
from server.rules.odds import odds
from server.rules.outlook import Prospect, attempt, outlook
from server.rules.phases import resolve
from server.rules.sight import view_for
from server.rules.state import BATTLE_MOVEMENT, BUILD, Battle, State
from tests.rules.builders import campaign, detachment, hex_at, own_around, unit

ATTACK = {"type": "attack", "detachment": "a", "target": "0605"}
HELP = {"type": "support", "detachment": "b", "target": "a"}


@pytest.fixture
def state() -> State:
    """Two of red's next to one of blue's, and one of blue's that red does not see."""
    made = campaign(phase=BATTLE_MOVEMENT)
    own_around(made, "red", "0505", 1)
    detachment(made, "red", "a", "0505", unit("a1", flags=("scout",)), unit("a2", points=150, models=5))
    detachment(made, "red", "b", "0604", unit("b1"))
    detachment(made, "blue", "d", "0605", unit("d1", points=180))
    detachment(made, "blue", "hidden", "1010", unit("h1"))
    return made


def of_red(state: State, *orders: Any) -> list[Prospect]:
    return outlook(view_for(state, (), "red"), orders)


def test_an_attack_has_the_odds_of_the_battle_it_opens(state: State) -> None:
    [found] = of_red(state, ATTACK)
    battle = Battle(hex_at(state.board, "0605"), "a", "d", "attack", "red", "blue", hex_at(state.board, "0505"))
    assert found.battle == battle
    assert found.odds == odds(state, battle)
    assert found.odds.assumed is None


def test_help_and_planning_count(state: State) -> None:
    [alone] = of_red(state, ATTACK)
    [helped] = of_red(state, ATTACK | {"planned": True}, HELP)
    assert helped.battle.supporters == {"b": "flank"}
    table = state.ruleset.quick_battle
    assert helped.odds.attacker.modifier == alone.odds.attacker.modifier + table.planned + table.flank
    assert helped.odds.attacker.wins > alone.odds.attacker.wins


def test_one_battle_for_two_who_attack_the_same(state: State) -> None:
    second = ATTACK | {"detachment": "b"}
    [found] = of_red(state, second, ATTACK | {"primary": True})
    assert found.battle.attacker == "a"
    assert found.battle.supporters == {"b": "flank"}


def test_where_nobody_is_seen_there_is_no_battle(state: State) -> None:
    assert of_red(state, ATTACK | {"target": "0405"}) == []


def test_what_is_hidden_and_what_others_order_changes_nothing(state: State) -> None:
    before = of_red(state, ATTACK, HELP)
    state.detachments["hidden"].units = (unit("h1", points=999),)
    state.detachments["d"].battle_order = "guard"
    state.move(state.detachments["hidden"], hex_at(state.board, "1009"))
    assert of_red(state, ATTACK, HELP) == before


@pytest.mark.parametrize("orders", [[], [{}], [7, None], [{"type": "attack"}], [ATTACK | {"target": []}]])
def test_what_is_no_order_opens_no_battle(state: State, orders: list[Any]) -> None:
    assert of_red(state, *orders) == []


def test_only_in_battle_movement_and_only_for_players(state: State) -> None:
    assert outlook(view_for(state, (), "gm"), [ATTACK]) == []
    assert outlook(view_for(state, (), "spectator"), [ATTACK]) == []
    state.phase = BUILD
    assert of_red(state, ATTACK) == []


def test_the_view_stays_as_it_was(state: State) -> None:
    view = view_for(state, (), "red")
    before = view.state.copy()
    outlook(view, [ATTACK, HELP])
    assert view.state.copy() == before


def test_an_attack_that_is_thought_of_has_the_odds_it_would_have_if_ordered(state: State) -> None:
    view = view_for(state, (), "red")
    found = attempt(view, [{"type": "guard", "detachment": "a"}], "a", "0605")
    assert found is not None
    assert [found.alone] == of_red(state, ATTACK)
    assert list(found.helped) == ["b"]
    assert [found.helped["b"]] == of_red(state, ATTACK, HELP)
    [counted] = of_red(state, ATTACK, HELP)
    helped_already = attempt(view, [HELP], "a", "0605")
    assert helped_already is not None
    assert (helped_already.alone, helped_already.helped) == (counted, {})


def test_an_attack_that_is_thought_of_agrees_with_the_battle_that_comes_of_it(state: State) -> None:
    """Where all is seen and the enemy orders nothing, the battle page shows these very odds afterwards."""
    del state.detachments["hidden"]
    state = state.copy()
    thought = attempt(view_for(state, (), "red"), [HELP], "a", "0605")
    assert thought is not None
    after = resolve(state, {"red": [ATTACK, HELP]}, SeededDice(b"any")).state
    battle = after.battles[hex_at(after.board, "0605")]
    view = view_for(after, (), "red")
    assert odds(view.state, battle) == thought.alone.odds


def test_where_no_battle_comes_of_it_nothing_is_thought_of(state: State) -> None:
    view = view_for(state, (), "red")
    assert attempt(view, [], "a", "0405") is None
    assert attempt(view, [], "nobody", "0605") is None
    assert attempt(view, [7, None, {}], "d", "0505") is None
