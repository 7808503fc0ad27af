"""A truce until a turn (R-39)."""

import pytest

from server.rules.orders.sets import check
from server.rules.sight import view_for
from server.rules.state import BATTLE_MOVEMENT
from tests.rules.builders import campaign, detachment, own, town


@pytest.mark.parametrize(("turn", "codes"), [(3, ["not_allowed"]), (4, [])])
@pytest.mark.parametrize("order", ["attack", "raid"])
def test_settlements_of_others_are_not_attacked_until_the_truce_is_over(
    turn: int, codes: list[str], order: str
) -> None:
    state = campaign(phase=BATTLE_MOVEMENT, turn=turn, truce=3)
    town(state, "blue", "0605")
    detachment(state, "red", "r1", "0505")
    view = view_for(state, (), "red")
    given = [{"type": order, "detachment": "r1", "target": "0605"}]
    assert [problem.code for problem in check(view, given)] == codes


def test_open_land_may_be_attacked() -> None:
    state = campaign(phase=BATTLE_MOVEMENT, turn=1, truce=3)
    own(state, "blue", "0605")
    detachment(state, "red", "r1", "0505")
    assert check(view_for(state, (), "red"), [{"type": "attack", "detachment": "r1", "target": "0605"}]) == []
