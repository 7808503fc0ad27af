"""Suggestions of further orders for people, by the computer player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.bots.army import units_for
from server.bots.commander import choose
from server.bots.lot import SeededTiebreak
from server.bots.setup import raise_order, worth_of
from server.rules.drafting import draft
from server.rules.orders.sets import check
from server.rules.sight import View
from server.rules.state import SETUP

Order = dict[str, Any]

SUBJECTS = ("detachment", "convoy", "battle")
"""Fields that name what an order is for; each has one order in a phase."""


def suggest(view: View, orders: Sequence[Any]) -> list[Order]:
    """Return orders that complete a set, arbitrary JSON, as a computer player would; with them it stays legal.

    In Setup everything that is left is placed, beside what was placed. In other phases forces and towns that have
    orders keep them. The same view and orders give the same suggestions; nothing is used that the player cannot know.
    """
    written = list(orders)
    added = _placed(view, written) if view.state.phase == SETUP else []
    taken = {_subject(order) for order in written if isinstance(order, dict)}
    problems = len(check(view, [*written, *added]))
    for order in _of_the_list(view, choose(view)):
        if order["type"] == "place" or _subject(order) in taken:
            continue
        found = len(check(view, [*written, *added, order]))
        if found <= problems:
            added.append(order)
    return added


def detachments(view: View, orders: Sequence[Any]) -> list[Order]:
    """Return up to three detachments to choose from, each an order that is legal after those written.

    They are made of the army list's ready units: one that holds, one that sees, one with guns. None where the list has
    none, or nothing can be paid.
    """
    ready, state = _ready_units(view), view.state
    home = state.capital(view.viewer)
    written, found = list(orders), list[Order]()
    at = next(
        (order.get("at") for order in written if isinstance(order, dict) and order.get("what") == "capital"), None
    )
    where = state.board.label(home) if home is not None else at
    if where is None or not ready:
        return []
    problems = len(check(view, written))
    for leaning, troops in LEANINGS:
        units = _composed(ready, leaning, troops)
        order = raise_order(where, tuple(units)) if units else None
        if order and order not in found and len(check(view, [*written, order])) <= problems:
            found.append(order)
    return found


LEANINGS = (("", 3), ("scout", 2), ("heavy", 2))
"""A detachment's unit in addition to a leader (a flag or a slot; empty: nothing), and its number of troops."""


def _of_the_list(view: View, orders: list[Order]) -> list[Order]:
    """Return orders with units of the army list instead of the computer's plain ones; as they are if it has none."""
    ready, raised = _ready_units(view), 0
    squad = next((unit for unit in ready if unit["slot"] == "troops"), None)
    if squad is None:
        return orders
    found = list[Order]()
    for order in orders:
        if order["type"] == "build_detachment":
            leaning, troops = LEANINGS[raised % len(LEANINGS)]
            units = _composed(ready, leaning, troops) or _composed(ready, "", 2)
            raised += 1
            found.append(raise_order(order["at"], tuple(units)))
        elif order["type"] == "build_garrison":
            most = sum(unit["points"] for unit in order["units"]) // squad["points"]
            found += [order | {"units": units_for([squad] * most)}] if most else []
        else:
            found.append(order)
    return found


def _ready_units(view: View) -> list[dict[str, Any]]:
    state = view.state
    units = state.ruleset.factions[state.players[view.viewer].faction].ready_units
    return [
        {"name": unit.name, "slot": unit.slot, "models": unit.models, "points": unit.points, "mobility": unit.mobility}
        | ({"flags": list(unit.flags)} if unit.flags else {})
        | ({"bombardment": unit.bombardment} if unit.bombardment else {})
        for unit in units
    ]


def _composed(ready: list[dict[str, Any]], leaning: str, troops: int) -> list[dict[str, Any]]:
    """Return a leader, troops, and what the leaning asks for; nothing where the list lacks one of them."""
    leader = next((unit for unit in ready if unit["slot"] == "hq"), None)
    squad = next((unit for unit in ready if unit["slot"] == "troops"), None)
    if leader is None or squad is None:
        return []
    wanted = [unit for unit in ready if leaning in unit.get("flags", ()) or unit["slot"] == leaning]
    if leaning and not wanted:
        return []
    return [leader, *[squad] * troops, *wanted[:1]]


def _placed(view: View, written: list[Any]) -> list[Order]:
    """Return the placements that are left, each on the best hex that is open after those before it."""
    lot, added = SeededTiebreak.of(b"", view.viewer, view.state.turn), list[Order]()
    worth = worth_of(view.state, view.viewer, lot.rank)
    while True:
        left = [option for option in draft(view, [*written, *added]).options if option["order"]["type"] == "place"]
        if not left:
            return added
        what, label = left[0]["order"]["what"], view.state.board.find
        best = max(left[0]["choices"]["at"], key=lambda at: worth(what, label(at)))
        added.append({"type": "place", "what": what, "at": best})


def _subject(order: dict[str, Any]) -> tuple[str, object]:
    name = next((name for name in SUBJECTS if name in order), "at")
    kind = "" if name != "at" else str(order.get("type"))
    value = order.get(name)
    return f"{name} {kind}", value if isinstance(value, str) else None
