"""Several changes of a detachment together, as a program chooses them from what is offered (``restructure``, D-35c)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

FIELDS = ("drop", "to_garrison", "from_garrison", "detachment_type", "mounted")
LISTS = FIELDS[:3]
TRIES = 200


def keeps_to(changes: Mapping[str, Any], order: Mapping[str, Any]) -> bool:
    """Say whether an order keeps to what is offered; it asks nothing but the offer."""
    given = {name: order[name] for name in FIELDS if name in order}
    named = [id_ for name in LISTS for id_ in given.get(name, ())]
    known = all(id_ in changes[name] for name in LISTS for id_ in given.get(name, ()))
    if not given or not known or len(named) != len(dict.fromkeys(named)):
        return False
    type_ = changes["types"].get(given.get("detachment_type", changes["type"]))
    if type_ is None or given.get("mounted", True) not in changes["mounted"]:
        return False
    leaving = (*given.get("drop", ()), *given.get("to_garrison", ()))
    staying = [id_ for id_ in changes["drop"] if id_ not in leaving]
    units = [changes["units"][id_] for id_ in (*staying, *given.get("from_garrison", ()))]
    slots = [unit["slot"] for unit in units]
    return (
        all(minimum <= slots.count(slot) <= maximum for slot, (minimum, maximum) in type_["slots"].items())
        and all(unit["kind"] in type_["kinds"] for unit in units)
        and sum(unit["points"] for unit in units) <= changes["most_points"]
        and _has_room(changes, given)
        and _is_paid(changes, given)
    )


def _is_paid(changes: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Say whether the hex pays the half that those who leave the garrison saved (D-35d)."""
    if changes["most_bp"] is None:
        return True
    coming = [changes["units"][id_] for id_ in given.get("from_garrison", ())]
    living = sum((Fraction(unit["points"] * unit["living"], unit["models"]) for unit in coming), Fraction(0))
    return bool(living / 2 <= changes["most_bp"])


def _has_room(changes: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """Say whether the garrison can take those who join it; nobody asks where nobody does."""
    if not given.get("to_garrison"):
        return True
    points = {name: sum(changes["units"][id_]["points"] for id_ in given.get(name, ())) for name in LISTS}
    there = changes["garrison"]["points"] - points["from_garrison"] + points["to_garrison"]
    return bool(there <= changes["garrison"]["most_points"])


def some_of(own: Sequence[str], inside: Sequence[str], types: Sequence[str], random: Random) -> dict[str, Any]:
    """Return fields of an order with some of the units and types, whether it may be given or not."""
    left = random.sample(own, len(own))
    made: dict[str, Any] = {}
    for name in LISTS:
        if random.random() < 0.5:
            pool = list(inside) if name == "from_garrison" else left
            made[name] = [pool.pop(random.randrange(len(pool))) for _ in range(min(len(pool), random.randint(0, 2)))]
    if types and random.random() < 0.4:
        made["detachment_type"] = random.choice(types)
    if random.random() < 0.3:
        made["mounted"] = random.random() < 0.5
    return made


def some_changes(changes: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """Return changes that keep to what is offered: some tried in turn, at last the least of the first type."""
    for _ in range(TRIES):
        made = some_of(changes["drop"], changes["from_garrison"], list(changes["types"]), random)
        if keeps_to(changes, made):
            return made
    least = least_of(changes)
    return least if keeps_to(changes, least) else {"drop": []}


def least_of(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes that make the cheapest detachment of the first type: every type offered can be reached."""
    type_, found = next(iter(changes["types"].items()))
    kept: list[str] = []
    for slot, (minimum, _) in found["slots"].items():
        fit = [id_ for id_, unit in changes["units"].items() if unit["slot"] == slot and unit["kind"] in found["kinds"]]
        kept += sorted(fit, key=lambda id_: int(changes["units"][id_]["points"]))[:minimum]
    own = changes["drop"]
    return {
        "drop": [id_ for id_ in own if id_ not in kept],
        "from_garrison": [id_ for id_ in kept if id_ not in own],
        "detachment_type": type_,
    }
