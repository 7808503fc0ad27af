"""Whole campaigns of random legal orders never fail, and what must always hold holds after every phase.

Seen to fail, each by one line of the engine broken on purpose in a copy. The books: one too many in ``haul``, one short
in ``spend``, pillage lost on the way, the convoys of the eliminated not told. Income: the factions' flat change
left out, infested hexes yielding. Places: steps onto others not taken back, retreats onto enemies, any one mobility
enough to enter, nobody sunk at sea, the old hex left in its table by ``State.move``. Ids: serial numbers that begin
again. Options: ``recover`` offered in enemy ZOC, room offered in full slots. And ``resolve`` on the state itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from server.core.errors import RulesError
from server.core.events import Event
from server.rules.drafting import preview
from server.rules.options import instances, legal_orders
from server.rules.orders.base import Option
from server.rules.orders.sets import check
from server.rules.phases import resolve
from server.rules.state import ORDER_PHASES, OVER, State
from tests.rules import builders
from tests.rules.properties.campaigns import LONG, Phase, plans, play
from tests.rules.properties.invariants import Witness
from tests.rules.properties.players import Order, some_instance
from tests.rules.properties.worlds import MAPS, Plan, dice_of, new_campaign

SHORT = plans(600 if LONG else 36, turns=8 if LONG else 4)
FULL = plans(40 if LONG else 3, turns=30, seed=5002)
OPTIONS = plans(100 if LONG else 6, turns=3, seed=700)


def watched(plan: Plan) -> list[Phase]:
    """Play a campaign under the eyes of a witness and return its phases."""
    witness = Witness()
    phases = []
    for phase in play(plan):
        witness.watch(phase)
        phases.append(phase)
    return phases


@pytest.mark.parametrize("plan", SHORT, ids=str)
def test_every_phase_of_a_campaign_keeps_the_invariants(plan: Plan) -> None:
    """On every kind of map, with both rulesets, 2 to 6 players and any settings."""
    phases = watched(plan)
    assert phases[-1].after.phase == OVER or phases[-1].after.turn == plan.turns + 1


@pytest.mark.parametrize("plan", FULL, ids=str)
def test_thirty_turns(plan: Plan) -> None:
    """The same for campaigns as long as a club's."""
    watched(plan)


def test_much_happens_in_these_campaigns() -> None:
    """Invariants of campaigns in which nothing happens would show nothing."""
    told: Counter[str] = Counter()
    for plan in SHORT[:20]:
        for phase in play(plan):
            told.update(event.type for event in phase.resolution.events)
    often = ("battle_fought", "moved", "stopped_in_zoc", "blocked", "claimed", "convoy_captured", "retreated")
    seldom = ("destroyed", "raided", "withdrew", "discovered", "urban_built", "allied", "garrison_built", "supports")
    assert all(told[each] >= 10 for each in often), told
    assert all(told[each] >= 1 for each in seldom), told


@pytest.mark.parametrize("plan", OPTIONS, ids=str)
def test_whatever_is_offered_is_accepted(plan: Plan) -> None:
    """Every order that legal_orders offers passes check, alone or after those it names, and has a preview."""
    for phase in play(plan):
        for player, view in phase.views.items():
            random = Random(f"{plan}/{player}/{phase.before.turn}")
            options = legal_orders(view)
            for option in options:
                order = some_instance(option, random)
                if order.get("units") == []:
                    continue  # nothing that fits could be thought of
                before = named_before(option, order, options, random)
                assert check(view, [*before, order]) == [], (str(plan), player, before, order)
                assert preview(view, order, before)[1] == []


def named_before(option: Option, order: Order, options: Sequence[Option], random: Random) -> list[Order]:
    """Return the orders an option names as those that stand before it, each drawn from what is offered itself."""
    found: list[Order] = []
    for wanted in option.get("after", []):
        offered = next(other for other in options if wanted.items() <= other["order"].items())
        before = some_instance(offered, random)
        if order["type"] == "build_garrison":
            assert order["at"] in offered["choices"]["at"]
            before["at"] = order["at"]  # the garrison of the capital's own fortress
        found.append(before)
    return found


def test_the_instances_of_an_option_are_what_it_offers() -> None:
    """Each value of each choice is in some order, and each order is accepted."""
    phase = next(each for each in play(Plan(3)) if each.before.turn == 2 and each.before.phase == "movement")
    for view in phase.views.values():
        for option in legal_orders(view):
            orders = list(instances(option))
            for name, values in option.get("choices", {}).items():
                assert all(any(order[name] == value for order in orders) for value in values)
            assert all(check(view, [order]) == [] for order in orders)


def test_silence_is_always_legal() -> None:
    """Without any orders a campaign goes its way (D-10)."""
    for kind in MAPS:
        plan = Plan(11, kind, 2, settings={"capital_eliminates": True, "last_standing": False})
        state = new_campaign(plan)
        for _ in range(40):
            assert state.phase in ORDER_PHASES
            resolution = resolve(state, {}, dice_of(plan, state))
            assert resolution.problems == {}
            state = resolution.state
        assert state.turn > 8


def test_a_campaign_that_is_over_stays_over() -> None:
    """There is nothing more to resolve."""
    state = builders.campaign(phase=OVER)
    with pytest.raises(RulesError, match="nothing is to be resolved"):
        resolve(state, {}, builders.FixedDice())


def test_resolving_leaves_the_state_as_it_was() -> None:
    """The state that goes in can be kept: it is compared with itself as it was, deep down."""
    for phase in play(Plan(8, "pass", 5, turns=3)):
        copy: State = phase.before.copy()
        resolve(phase.before, phase.orders, dice_of(phase.plan, phase.before))
        assert phase.before == copy


def test_the_convoys_of_who_is_put_out_are_booked() -> None:
    """D-14: what he has is removed, and he alone is told how many BP that were."""
    state = builders.campaign(phase="movement", capital_eliminates=True)
    builders.town(state, "blue", "0505", "village", capital=True)
    builders.convoy(state, "blue", "c", "0901", 70)
    builders.convoy(state, "blue", "d", "0902", 30)
    builders.detachment(state, "red", "r", "0505")
    found = resolve(state, {"red": [{"type": "claim_area", "detachment": "r"}]}, builders.FixedDice(default=3))
    lost: list[Event] = [event for event in found.events if event.type == "convoys_lost"]
    assert [(each.to, each.fields["bp"], each.fields["convoys"]) for each in lost] == [(("blue",), 100, 2)]
