"""What somebody may want to order besides what they have written: suggestions for people, by the computer player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from server.bots.commander import choose
from server.bots.lot import SeededTiebreak
from server.bots.setup import worth_of
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
    for order in choose(view):
        if order["type"] == "place" or _subject(order) in taken:
            continue
        found = len(check(view, [*written, *added, order]))
        if found <= problems:
            added.append(order)
    return added


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
