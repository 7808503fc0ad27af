"""Players who order at random, within what they may, and with a taste for trouble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from server.rules.board import Hex
from server.rules.options import legal_orders
from server.rules.orders.base import Option
from server.rules.ruleset import MOBILITIES
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, BUILD, MOVEMENT, REPORTS, SETUP, Force, State
from tests.rules.properties.changes import some_changes

Order = dict[str, Any]

BUILD_TASTE: Mapping[str, float] = {
    "build_detachment": 1.0, "build_garrison": 0.7, "add_units": 0.3, "create_convoy": 0.35, "unload_convoy": 0.5,
    "build_village": 0.8, "build_camp": 0.6, "repair": 0.8, "transfer_models": 0.8, "upgrade_urban": 0.3,
    "upgrade_stronghold": 0.4, "build_building": 0.08, "disband_building": 0.05, "build_defence": 0.03,
    "build_road": 0.25, "disband_detachment": 0.02,
    "buy_models": 0.5, "restructure": 0.03, "declare_alliance": 0.1, "end_alliance": 0.15,
}  # fmt: skip
MARCH_TASTE: Mapping[str, float] = {
    "path": 6, "move_and_claim": 3, "claim_area": 1.5, "guard": 0.5, "recover": 1, "reserve": 0.7, "follow": 0.7,
}  # fmt: skip
FIGHT_TASTE: Mapping[str, float] = {
    "attack": 8, "raid": 3, "support": 1.5, "withdraw": 1, "defend": 1, "guard": 1, "inactive": 0.3,
}  # fmt: skip


def orders_of(view: View, random: Random) -> list[Order]:
    """Return a set of orders for the phase, each drawn from what is legal."""
    options = legal_orders(view)
    phase = view.state.phase
    if phase == SETUP:
        return _setup(view.state, options, random)
    if phase == BUILD:
        return _build(options, random)
    orders = [
        _instance(option, random) for option in options if "alliance" in option["order"]["type"] and _rarely(random)
    ]
    if phase in (MOVEMENT, BATTLE_MOVEMENT):
        return [*_by_subject(view, options, random), *orders]
    return [*_battles(view.state, options, random), *orders]


def _rarely(random: Random) -> bool:
    return random.random() < 0.05


def some_instance(option: Option, random: Random) -> Order:
    """Return one order an option stands for, its units filled in where it needs some."""
    order = _instance(option, random)
    if "changes" in option.get("needs", ()):
        return order | some_changes(option["needs"]["changes"], random)
    if "needs" in option:
        _fill_in(order, option["needs"]["units"], random)
    return order


def _instance(option: Option, random: Random) -> Order:
    chosen = {name: random.choice(values) for name, values in option.get("choices", {}).items()}
    return dict(option["order"]) | chosen


# --- armies ---

VEHICLE_POINTS = 80


def new_unit(
    slot: str,
    kind: str,
    points: int,
    random: Random,
    mobilities: Sequence[str] = MOBILITIES,
    least: Mapping[str, int] = {},
) -> Order:
    """Return a unit of a slot as an order writes it; *kind*: vehicle or not, *least*: points of a model at least."""
    vehicle = kind in ("vehicle", "light_vehicle")
    flags = [kind] if vehicle else random.choice(([], [], ["scout"], ["infiltrate"], ["deep_strike"]))
    if slot == "hq" and not vehicle:
        flags = [*flags, "character"]
    if slot == "heavy" and random.random() < 0.3:
        flags = [*flags, "artillery"]
    mobility = random.choice(MOBILITIES[1:]) if vehicle else "skimmer" if random.random() < 0.1 else "infantry"
    if mobility not in mobilities:
        mobility = random.choice(mobilities)
    models = 1 if vehicle or slot == "hq" else random.choice((5, 9, 10))
    models = max(1, min(models, points // least.get(mobility, 1)))
    points = max(points, models * least.get(mobility, 1))
    name = f"{slot.title()} {random.randint(1, 9999 if slot == 'hq' else 3)}"
    return {"name": name, "slot": slot, "models": models, "points": points, "mobility": mobility, "flags": flags}


def company(
    slots: Mapping[str, Sequence[int]],
    kinds: Sequence[str] | None,
    maximum: int,
    random: Random,
    mobilities: Sequence[str] = MOBILITIES,
    needs: Mapping[str, Any] = {},
) -> list[Order]:
    """Return units that fit the slots, the buildings (None: all kinds) and the points; none if that cannot be."""
    units: list[Order] = []
    for slot, (minimum, top) in slots.items():
        more = random.randint(0, 1 if slot == "hq" else 2)
        for number in range(min(top, minimum + more)):
            allowed = [each for each in (slot, "vehicle", "light_vehicle") if kinds is None or each in kinds]
            if not allowed:
                continue
            kind = allowed[0] if number < minimum or random.random() < 0.6 else random.choice(allowed)
            points = random.choice((40, 45, 60, 75)) if slot != "heavy" else VEHICLE_POINTS
            units.append(new_unit(slot, kind, points, random, mobilities, needs.get("least_of_model", {})))
    if units:
        units[0]["points"] += max(0, needs.get("least_points", 0) - sum(unit["points"] for unit in units))
    have = [unit["slot"] for unit in units]
    fits = sum(unit["points"] for unit in units) <= maximum
    return units if fits and all(have.count(slot) >= minimum for slot, (minimum, _) in slots.items()) else []


def _fill_in(order: Order, needs: Mapping[str, Any], random: Random) -> None:
    if "types" in needs:
        type_ = random.choice(list(needs["types"]))
        order["detachment_type"] = type_
        order["name"] = f"Company {random.randint(1, 99)}"
        order["mounted"] = random.random() < 0.3
        found = needs["types"][type_]
        order["units"] = (
            []
            if found.get("asks")
            else company(found["slots"], found.get("kinds"), needs["most_points"], random, found["mobilities"], needs)
        )
    elif "most_of_slot" in needs:
        slots = {slot: (0, room) for slot, room in needs["most_of_slot"].items()}
        order["units"] = company(slots, needs["kinds"], needs["most_points"], random, needs=needs)[:2]
    else:
        points = min(needs["most_points"], random.choice((50, 90, 135)))
        order["units"] = [
            new_unit("troops", "troops", points, random, needs["mobilities"], needs.get("least_of_model", {}))
        ]


# --- phase by phase ---


def _setup(state: State, options: list[Option], random: Random) -> list[Order]:
    """Sometimes leave the placing to the dice; then, or with a capital placed, muster what there is money for."""
    placed = [option for option in options if option["order"]["type"] == "place"]
    capital = [each for each in placed if each["order"]["what"] == "capital"]
    if not capital or random.random() < 0.2:
        return [_instance(each, random) for each in placed if random.random() < 0.8]
    order = _instance(capital[0], random)
    own = [hex_ for hex_, owner in enumerate(state.owner) if owner and state.owner[_hex(state, order["at"])] == owner]
    orders = [order]
    for at in random.sample(own, min(len(own), random.randint(4, 9))):
        types = state.ruleset.detachment_types
        standard = next(id_ for id_, each in types.items() if not each.share)
        special = [*state.ruleset.factions[state.players[state.owner[at]].faction].detachment_types]
        type_ = random.choice(special) if special and len(orders) > 4 and random.random() < 0.4 else standard
        units = company(types[type_].slots, None, 1500, random)
        muster = {"type": "build_detachment", "at": state.board.label(at), "detachment_type": type_, "units": units}
        orders.append(muster | {"name": f"Host {len(orders)}", "mounted": random.random() < 0.3})
    garrison = [new_unit("troops", "troops", 100, random) | {"mobility": "infantry"}]
    return [*orders, {"type": "build_garrison", "at": order["at"], "units": garrison}]


def _hex(state: State, label: str) -> Hex:
    found = state.board.find(label)
    assert found is not None
    return found


def _build(options: list[Option], random: Random) -> list[Order]:
    wanted = [option for option in options if random.random() < _build_taste(option["order"])]
    random.shuffle(wanted)
    filled = [some_instance(each, random) for each in wanted[:12]]
    return [each for each in filled if each.get("units", True)]


def _build_taste(order: Order) -> float:
    """Return how much an order is liked; roads far from all towns are many."""
    return 0.01 if order["type"] == "build_road" and "urban" not in order else BUILD_TASTE.get(order["type"], 1)


def _by_subject(view: View, options: list[Option], random: Random) -> list[Order]:
    """One order for each detachment and convoy."""
    by_subject: dict[str, list[Option]] = {}
    for each in options:
        subject = each["order"].get("detachment") or each["order"].get("convoy")
        if subject:
            by_subject.setdefault(subject, []).append(each)
    taste = MARCH_TASTE if view.state.phase == MOVEMENT else FIGHT_TASTE
    orders = []
    for choices in by_subject.values():
        weights = [taste[choice["order"]["type"]] for choice in choices]
        option = random.choices(choices, weights)[0]
        order = _instance(option, random)
        if option["order"]["type"] in ("path", "move_and_claim") and random.random() < 0.75:
            order["path"] = _towards_trouble(view, option, random)
        if order["type"] in ("attack", "raid") and random.random() < 0.8:
            order["target"] = _occupied(view, option["choices"]["target"], random)
        orders.append(order)
    return orders if random.random() < 0.9 else orders[::2]


def _towards_trouble(view: View, option: Option, random: Random) -> list[str]:
    """Return the path that ends nearest to an enemy: one that is seen, else his nearest town."""
    state = view.state
    seen = [force.at for force in _forces(state) if _hostile(view, force.owner)]
    goals = [at for at in seen if at >= 0] or [at for at in state.urban if _hostile(view, state.owner[at])]
    if not goals:
        return list(random.choice(option["choices"]["path"]))
    goal = random.choice(goals)
    distance = state.board.distance
    best = min(option["reach"], key=lambda place: distance(_hex(state, place["hex"]), goal))
    path = list(best["path"])
    if random.random() < 0.3 and _hex(state, path[-1]) != goal:  # on into the unknown
        path.append(min(state.board.adjacent[_hex(state, path[-1])], key=lambda at: distance(at, goal)))
        path[-1] = state.board.label(path[-1])
    return path


def _forces(state: State) -> list[Force]:
    return [*state.detachments.values(), *state.garrisons.values()]


def _hostile(view: View, owner: str) -> bool:
    return bool(owner) and not view.state.friendly(view.viewer, owner)


def _occupied(view: View, targets: list[str], random: Random) -> str:
    """Return a target that is known to be worth it, if there is one."""
    state = view.state
    good = []
    for target in targets:
        at = state.board.find(target)
        if at is None or state.enemy_at(at, view.viewer) or (at in state.urban and _hostile(view, state.owner[at])):
            good.append(target)
    return random.choice(good or targets)


def _battles(state: State, options: list[Option], random: Random) -> list[Order]:
    orders: list[Order] = []
    for option in options:
        order = _instance(option, random)
        if order["type"] == "fight":
            for name in ("casualties", "picks"):
                listed = option[name]
                order[name] = random.sample(listed, random.randint(0, min(3, len(listed))))
            order["mode"] = random.choice(("quick", "tabletop", "tabletop"))
            orders.append(order)
        elif order["type"] == "report" and random.random() < (0.9 if state.phase == REPORTS else 0.1):
            order["losses"] = {unit: _loss(state, unit, random) for unit in option["units"] if random.random() < 0.5}
            if random.random() < 0.2:
                order["retreated"] = random.choice(option["choices"]["winner"])
            orders.append(order)
    return orders


def _loss(state: State, id_: str, random: Random) -> dict[str, Any]:
    unit = next(each for force in _forces(state) for each in force.units if each.id == id_)
    if unit.vehicle:
        return {random.choice(("destroyed", "damaged", "immobilised")): True}
    return {"lost": random.randint(0, unit.ready), "broken": random.random() < 0.2}
