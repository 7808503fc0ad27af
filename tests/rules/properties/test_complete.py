"""What may be ordered is complete and enough: nothing that the rules accept is missing, nothing offered is refused.

Orders are made up field by field and held against what is offered; and campaigns are played by what is offered alone.
Seen to fail: with roads far from every urban hex not offered; with a second ``restructure`` of a detachment offered;
with hexes left out that the player's own detachments hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from server.rules.drafting import draft, preview
from server.rules.options import legal_orders
from server.rules.orders.base import Option, Order
from server.rules.orders.build.restructure import Restructure
from server.rules.orders.fields import FormField
from server.rules.orders.registry import KINDS
from server.rules.orders.sets import check
from server.rules.phases import resolve
from server.rules.sight import View, views_for
from server.rules.state import BATTLE_MOVEMENT, BUILD, MOVEMENT, OVER, REPORTS, SETUP, Detachment, Force
from tests.rules.properties.campaigns import LONG, plans, play
from tests.rules.properties.changes import keeps_to, some_of
from tests.rules.properties.players import company, new_unit, some_instance
from tests.rules.properties.worlds import Plan, dice_of, new_campaign

Made = dict[str, Any]

PLANS = plans(60 if LONG else 8, turns=4, seed=300)
TRIES = 60
FREE = ("as", "name", "casualties", "picks", "losses", "took_part", "withheld", "bombarded", "works", "retreated")
"""Fields that explain an order and never decide whether something of its kind may be ordered."""


class Maker:
    """Makes up orders of things that a player knows of, whether they may be given or not."""

    def __init__(self, view: View, random: Random) -> None:
        self.view = view
        self.random = random
        state, me = view.state, view.viewer
        forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
        label = state.board.label
        self.units = [unit.id for force in forces if force.owner == me for unit in force.units]
        own = [at for at, owner in enumerate(state.owner) if owner == me]
        places = [at for at in own if at in state.urban or at in state.stronghold]
        places += [convoy.at for convoy in state.convoys.values() if convoy.owner == me]
        self.places = [label(at) for at in (*places * 3, *own, *range(0, state.board.size, 7))] or [label(0)]
        near = [
            next_ for force in forces if force.owner == me and force.at >= 0 for next_ in state.board.adjacent[force.at]
        ]
        self.near = [label(at) for at in near] or self.places
        self.values: Mapping[str, Sequence[Any]] = {
            "detachment": [detachment.id for detachment in state.detachments.values() if detachment.owner == me],
            "convoy": [convoy.id for convoy in state.convoys.values() if convoy.owner == me],
            "unit": self.units,
            "place": self.places,
            "enemy": [*self.near, *(each.id for each in forces if each.owner != me)],
            "friend": [*self.near, *(each.id for each in forces)],
            "seen_detachment": list(state.detachments),
            "battle": [label(at) for at in state.battles],
            "player": list(state.players),
            "buildings": list(state.ruleset.buildings),
            "defences": list(state.ruleset.defences),
            "weapons": list(state.ruleset.weapons),
            "detachment_types": list(state.ruleset.detachment_types),
            "size": [
                *(each.id for each in state.ruleset.urban),
                *(resource.id for resource in state.ruleset.resources),
            ],
            "number": [1, 2, 50, 100, 300],
            "flag": [True, False],
        }

    def order(self, kind: type[Order]) -> Made | None:
        """Return an order of a kind with its needed fields, and sometimes others."""
        made: Made = {"type": kind.TYPE}
        if kind is Restructure:
            return self._restructured(made)
        for field in kind.FIELDS:
            if field.name not in FREE and (field.needed or self.random.random() < 0.5):
                value = self._value(kind, field, made)
                if value is not None:
                    made[field.name] = value
                elif field.needed:
                    return None
        return made

    def _restructured(self, made: Made) -> Made | None:
        """Return some changes of a detachment; the units are mostly its own and its garrison's."""
        state, random = self.view.state, self.random
        if not self.values["detachment"]:
            return None
        force = state.detachments[random.choice(self.values["detachment"])]
        inside = state.garrison_at.get(force.at)
        made["detachment"] = force.id
        own, theirs = [unit.id for unit in force.units], [unit.id for unit in inside.units] if inside else []
        if random.random() < 0.1:
            own = theirs = self.units
        return made | some_of(own, theirs, self.values["detachment_types"], random)

    def _value(self, kind: type[Order], field: FormField, made: Made) -> Any:
        if field.kind == "choice":
            return self.random.choice(field.choices)
        if field.kind == "path":
            return self._path(made)
        if field.kind == "hexes":
            return [self.random.choice(self.near)]
        if field.kind == "own_units":
            return [self.random.choice(self.units)] if self.units else None
        if field.kind == "new_units":
            return self._units(kind)
        if kind.TYPE == "report" and field.name == "winner":
            return self.random.choice(list(self.view.state.players))
        values = self.values[field.kind]
        return self.random.choice(values) if values else None

    def _path(self, made: Made) -> list[str]:
        state = self.view.state
        id_ = made.get("convoy") or made.get("detachment") or ""
        thing = state.convoys.get(id_) or state.detachments.get(id_)
        if thing is None or thing.at < 0:
            return [self.random.choice(self.near)]
        return [state.board.label(self.random.choice(state.board.adjacent[thing.at]))]

    def _units(self, kind: type[Order]) -> list[Made]:
        if kind.TYPE == "build_detachment":
            slots = self.random.choice(list(self.view.state.ruleset.detachment_types.values())).slots
            return company(slots, None, 1500, self.random) or [new_unit("hq", "hq", 40, self.random)]
        return [new_unit("troops", "troops", 20, self.random) | {"mobility": "infantry", "flags": []}]


def covers(option: Option, order: Made) -> bool:
    """Say whether an order is one of those that an option stands for."""
    fixed, choices, needs = option["order"], option.get("choices", {}), option.get("needs", {})
    if "changes" in needs:
        return keeps_to(needs["changes"], order) and order["detachment"] == fixed["detachment"]
    filled = ("units", "mounted", "detachment_type") if needs else ()
    for name in (each for each in order if each not in (*FREE, *filled)):
        if name in fixed:
            good = fixed[name] == order[name]
        elif name == "bp":
            good = option["least"] <= order[name] <= option["most"]
        elif name == "path":
            good = any(way[-1] == order[name][-1] for way in choices.get(name, ()))
        else:
            good = order[name] in choices.get(name, (False,))
        if not good:
            return False
    return True


def either_way(order: Made) -> list[Made]:
    """Return an order as it stands and, of a road, from its other end."""
    return [order, order | {"from": order["to"], "to": order["from"]}] if "from" in order else [order]


def leaves(view: View, order: Made) -> bool:
    """Say whether a detachment of one's own stands where a march ends, and can go to another hex than the mover's."""
    state = view.state
    start = state.board.label(state.detachments[order["detachment"]].at)
    at = state.board.find(order["path"][-1])
    there = None if at is None else state.detachment_at.get(at)
    ways = [
        way
        for option in legal_orders(view)
        if there is not None and option["order"] == {"type": "path", "detachment": there.id}
        for way in option["choices"]["path"]
    ]
    return any(way[-1] != start for way in ways)


def idle(view: View, order: Made) -> bool:
    """Say whether an order is accepted, but does nothing as far as its player can know, or nothing more than another.

    Such orders are not offered: a march that ends where it begins, an alliance that is declared already, a target that
    is not on the map, a way to fight that the campaign's settings do not have.
    """
    state, me, type_ = view.state, view.state.players[view.viewer], order["type"]
    detachment = state.detachments.get(order.get("detachment", ""))
    if "path" in order:
        said = preview(view, order)[0]
        return bool(said["ends_at"] != order["path"][-1]) and not (said["stop"] == "occupied" and leaves(view, order))
    if type_ in ("declare_alliance", "end_alliance"):
        return bool((order["with"] in me.declared) == (type_ == "declare_alliance"))
    if type_ == "report":  # it counts in the phase of the reports, from those who have fought
        battle = next(each for at, each in state.battles.items() if state.board.label(at) == order["battle"])
        return state.phase != REPORTS or bool(battle.winner)
    if type_ == "guard":  # nothing that is being built can do anything else
        return detachment is not None and detachment.ready_in > 0
    if type_ == "support":
        force = state.force(order["target"])
        return force is not None and (force.at < 0 or (isinstance(force, Detachment) and force.ready_in > 0))
    if type_ in ("attack", "raid"):  # from orbit nobody else may be the primary one
        return detachment is not None and detachment.at < 0 and "primary" in order
    if type_ == "fight":
        return state.settings.battles not in ("choice", order.get("mode", "quick"))
    return type_ == "place" and order["what"] == "capital" and "size" in order


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_whatever_is_accepted_is_offered(plan: Plan) -> None:
    tried: Counter[str] = Counter()
    for phase in play(plan):
        for player, view in phase.views.items():
            random = Random(f"{plan}/{player}/{phase.before.turn}/{phase.before.phase}")
            options, maker = legal_orders(view), Maker(view, random)
            for kind in (each for each in KINDS if view.state.phase in each.PHASE):
                offered = [option for option in options if option["order"]["type"] == kind.TYPE]
                for order in (maker.order(kind) for _ in range(TRIES)):
                    if order is None or check(view, [order]):
                        continue
                    tried[kind.TYPE] += 1
                    found = any(covers(each, one) for each in offered for one in either_way(order))
                    assert found or idle(view, order), (player, order)
    assert len(tried) > 15, tried


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_orders_drawn_from_what_is_offered_are_never_refused(plan: Plan) -> None:
    """Whole sets, one order after the other, from legal orders alone: nothing else is looked at."""
    state = new_campaign(plan)
    given: Counter[tuple[str, str]] = Counter()
    while state.phase != OVER and state.turn <= plan.turns:
        orders = {}
        for player, view in views_for(state, ()).items():
            orders[player] = drawn(view, Random(f"drawn/{plan}/{player}/{state.turn}/{state.phase}"))
            assert draft(view, orders[player]).problems == ()
            given.update((state.phase, each["type"]) for each in orders[player])
        resolution = resolve(state, orders, dice_of(plan, state))
        assert resolution.problems == {}
        state = resolution.state
    assert {phase for phase, _ in given} >= {SETUP, BUILD, MOVEMENT, BATTLE_MOVEMENT}
    assert len(given) > 15, given


def drawn(view: View, random: Random) -> list[Made]:
    """Return a set: first a type of order, then one of its options, then a value for each choice, again and again."""
    orders: list[Made] = []
    taken: set[str] = set()
    for _ in range(random.randint(4, 14)):
        by_type: dict[str, list[Option]] = {}
        for option in draft(view, orders).options:
            by_type.setdefault(option["order"]["type"], []).append(option)
        if not by_type:
            break
        order = some_instance(random.choice(by_type[random.choice(list(by_type))]), random)
        once = {subject_of(order)} - {""} if view.state.phase != BUILD else set[str]()
        if order.get("units") != [] and not taken & once:
            orders.append(order)
            taken |= once
    return orders


def subject_of(order: Made) -> str:
    """Return what can have only one order: a detachment or a convoy."""
    found: str = order.get("detachment") or order.get("convoy") or ""
    return found


@pytest.mark.parametrize(
    ("phase", "settings", "forbidden"),
    [
        (SETUP, {"muster": False}, ("build_detachment", "build_garrison")),
        (SETUP, {"alliances": False}, ("declare_alliance", "end_alliance")),
        (BUILD, {"alliances": False}, ("declare_alliance", "end_alliance")),
    ],
)
def test_what_the_settings_forbid_is_left_out(phase: str, settings: dict[str, Any], forbidden: tuple[str, ...]) -> None:
    for wanted in (True, False):
        plan = Plan(1, "open", 3, settings={"alliances": True, "muster": True} | ({} if wanted else settings))
        views = next(each.views for each in play(plan) if each.before.phase == phase)
        types = {option["order"]["type"] for view in views.values() for option in legal_orders(view)}
        assert bool(types.intersection(forbidden)) == wanted
