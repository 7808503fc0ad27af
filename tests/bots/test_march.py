"""Movement and battle movement: the capital is kept clear, a host at home, remnants in towns; who has time to plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from server.bots import assault, march
from server.bots.battle import Field, best_attack
from server.bots.ground import Ground
from server.bots.levels import LEVELS, VETERAN
from server.bots.lot import SeededTiebreak
from server.bots.manoeuvre import MARGIN, Rehearsal
from server.bots.posture import Posture, figures
from server.bots.target import choose_target
from server.rules.sight import view_for
from server.rules.state import BATTLE_MOVEMENT, MOVEMENT, State
from tests.bots.test_care import home
from tests.rules.builders import campaign, detachment, fort, garrison, hex_at, own, own_around, town, unit

NORMAL = figures().posture(0)


def ground_of(state: State) -> Ground:
    view = view_for(state, (), "red")
    return Ground(view.state, "red", SeededTiebreak.of(b"", "red", state.turn))


def marched(state: State, posture: Posture = NORMAL) -> dict[str, dict[str, Any]]:
    """Return the order of each detachment."""
    state.phase = MOVEMENT
    ground = ground_of(state)
    made = march.plan(ground, posture, figures(), choose_target(ground, {}, 0))
    return {order["detachment"]: order for order in made.orders}


def squads(count: int, name: str, **fields: Any) -> tuple[Any, ...]:
    return tuple(unit(f"{name}{number}", **fields) for number in range(count))


def test_nobody_enters_the_capital_that_a_host_leaves() -> None:
    """Seen to fail when the place of whoever leaves is free for others: then the next host waits a turn."""
    water = {f"{column:02}{row}": "sea" for column in range(1, 12) for row in ("04", "06")}
    state = campaign(terrain=water, turn=9)
    town(state, "red", "0505", "metropol", 2000, capital=True)
    town(state, "blue", "1105", "metropol", capital=True)
    own(state, "red", "0305", "0405", "0605", "0705")
    detachment(state, "red", "inside", "0505", *squads(5, "i"))
    detachment(state, "red", "behind", "0305", *squads(4, "b"))
    orders = marched(state, replace(NORMAL, home=0, draws=("melee",) * 10))
    assert {id_: order["path"][-1] for id_, order in orders.items()} == {"inside": "0705", "behind": "0405"}


@pytest.mark.parametrize(("turn", "stays"), [(3, True), (9, False)])
def test_a_host_stays_near_the_capital_in_the_first_turns(turn: int, stays: bool) -> None:
    """Seen to fail with a posture that keeps nobody at home."""
    state = campaign(turn=turn, size=(22, 10))
    own_around(state, "red", "0505", 2)
    town(state, "red", "0505", "metropol", capital=True)
    own_around(state, "blue", "1905", 2)
    town(state, "blue", "1905", "metropol", capital=True)
    for number, at in enumerate(("0804", "0805", "0806")):
        detachment(state, "red", f"r{number}", at, *squads(5, f"s{number}"))
    orders = marched(state, replace(NORMAL, home=0, draws=("melee",) * 10))
    board, capital = state.board, hex_at(state.board, "0505")
    ends = [hex_at(board, order["path"][-1]) for order in orders.values() if "path" in order]
    near = sum(board.distance(at, capital) <= march.HOME_GUARD for at in ends) + (3 - len(ends))
    assert (near > 0) is stays


def test_a_remnant_is_brought_to_a_town() -> None:
    """Seen to fail with remnants that rest beside the capital or where they are."""
    state = home(2000)
    town(state, "red", "0808", "village")
    detachment(state, "red", "r", "0909", *squads(5, "u", ready=1, wounded=2))
    assert marched(state)["r"]["path"][-1] == "0808"


@pytest.mark.parametrize("hides", [False, True])
def test_who_hides_brings_the_weak_out_of_the_reach_of_stronger_enemies(hides: bool) -> None:
    """Seen to fail without the flight, and when those hide who are as strong as the enemy near them."""
    state = campaign(turn=9, size=(22, 10))
    town(state, "red", "0505", "metropol", capital=True)
    town(state, "blue", "2205", "metropol", capital=True)
    own_around(state, "red", "1303", 6)
    detachment(state, "red", "patrol", "1303", *squads(2, "p", flags=("scout",)))
    detachment(state, "red", "host", "1304", *squads(9, "h"))
    detachment(state, "blue", "enemy", "1403", *squads(6, "e"))
    state.phase = MOVEMENT
    ground = replace(ground_of(state), hides=hides)
    made = march.plan(ground, replace(NORMAL, home=0, draws=("melee",) * 10), figures(), hex_at(state.board, "2205"))
    ends = {order["detachment"]: order.get("path", [""])[-1] for order in made.orders}
    reached = {ground.state.board.label(at) for at in ground.reached()}
    assert "1303" in reached
    assert (ends["patrol"] in {"", *reached}) is not hides
    assert ends["host"] in {"", *reached}


@pytest.mark.parametrize(("players", "out", "hiding"), [
    (("red", "blue"), "", True), (("red", "blue", "green"), "", False), (("red", "blue", "green"), "green", True),
])  # fmt: skip
def test_the_weak_hide_from_a_single_enemy(players: tuple[str, ...], out: str, hiding: bool) -> None:
    state = campaign(dict.fromkeys(players, "none"))
    if out:
        state.players[out].eliminated = True
    ground = ground_of(state)
    assert (replace(ground, hides=True).hiding, ground.hiding) == (hiding, False)


@pytest.mark.parametrize(("weak", "planned"), [(False, True), (True, False)])
def test_an_attack_is_planned_only_if_its_target_is_unlikely_to_attack_first(weak: bool, planned: bool) -> None:
    """Seen to fail when only the attacker's own strength is asked, and the target attacks a patrol beside it (D-51)."""
    state = campaign(phase=BATTLE_MOVEMENT)
    detachment(state, "red", "host", "0505", *squads(9, "h", flags=("scout",)))
    detachment(state, "blue", "foe", "0605", *squads(3, "f"))
    if weak:
        detachment(state, "red", "patrol", "0705", unit("p"))
    ground = ground_of(state)
    found = best_attack(Field.of(ground, hex_at(state.board, "0605")), ground.mine(), NORMAL)
    assert found is not None
    assert found.planned is planned


@pytest.mark.parametrize(("faction", "order"), [("orks", "defend"), ("dark_eldar", "guard")])
def test_who_gains_nothing_by_defending_guards(faction: str, order: str) -> None:
    """Seen to fail when everyone defends."""
    state = campaign({"red": faction, "blue": "none"}, phase=BATTLE_MOVEMENT)
    town(state, "red", "0505", "metropol", capital=True)
    fort(state, "red", "0505", "fortress")
    detachment(state, "red", "r", "0505", *squads(3, "r", slot="elite", flags=("scout",)))
    detachment(state, "blue", "b", "0605", *squads(5, "b"))
    assert [each["type"] for each in assault.plan(ground_of(state), NORMAL, {}).orders] == [order]


def rehearsed(state: State, order: dict[str, Any]) -> float:
    """Return what a veteran thinks an order brings."""
    state.phase = MOVEMENT
    return Rehearsal.of(ground_of(state), NORMAL, figures(), None, LEVELS[VETERAN]).value([order])


def test_who_tries_marches_knows_that_a_host_in_the_capital_is_in_the_way() -> None:
    """Seen to fail without it: a marshal stood in its capital for turns, and 5,000 BP were of no use."""
    state = home(2000)
    own_around(state, "red", "0505", 3)
    garrison(state, "red", "g", "0505")
    detachment(state, "red", "r", "0505", *squads(5, "r"))
    stays = rehearsed(state, {"type": "guard", "detachment": "r"})
    assert rehearsed(state, {"type": "path", "detachment": "r", "path": ["0605"]}) > stays + MARGIN


def test_who_tries_marches_goes_where_an_enemy_in_the_capital_can_be_driven_out() -> None:
    """Seen to fail without it: an enemy sat in a marshal's capital for four turns, and its hosts fought elsewhere."""
    state = home(2000)
    own_around(state, "red", "0505", 4)
    detachment(state, "blue", "b", "0505", *squads(5, "b"))
    detachment(state, "red", "r", "0705", *squads(3, "r", flags=("scout",)))
    stays = rehearsed(state, {"type": "guard", "detachment": "r"})
    assert rehearsed(state, {"type": "path", "detachment": "r", "path": ["0605"]}) > stays + MARGIN
