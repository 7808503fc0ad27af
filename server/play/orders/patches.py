"""Changing single orders of a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from server.core.sentences import say
from server.play.errors import invalid

MAX_CHANGES = 500
_FIELDS = {"add": {"order", "at"}, "replace": {"order", "at"}, "remove": {"at"}, "move": {"at", "to"}}


def patched(orders: list[Any], changes: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the set after changes, one after the other.

    ``{"op": "add", "order": ..., "at": 0}`` (without ``at``: at the end), ``{"op": "replace", "at": 0, "order": ...}``,
    ``{"op": "remove", "at": 0}``, ``{"op": "move", "at": 0, "to": 2}``; places count from 0.
    """
    if not isinstance(changes, list | tuple) or len(changes) > MAX_CHANGES:
        raise invalid("changes", say("A list of at most {most} changes.", most=MAX_CHANGES))
    done = list(orders)
    for number, change in enumerate(changes):
        _apply(done, change, f"changes.{number}")
    return done


def _apply(orders: list[Any], change: object, field: str) -> None:
    op = change.get("op") if isinstance(change, Mapping) else None
    if not isinstance(change, Mapping) or not isinstance(op, str) or op not in _FIELDS:
        raise invalid(f"{field}.op", say("One of: {words}.", words=", ".join(_FIELDS)), op)
    for name in change:
        if name != "op" and name not in _FIELDS[op]:
            raise invalid(f"{field}.{name}", say("{op} has no such field.", op=op), name)
    if op in ("add", "replace") and "order" not in change:
        raise invalid(f"{field}.order", "The order is missing.")
    last = len(orders) - 1
    if op == "add":
        place = _place(change.get("at", len(orders)), f"{field}.at", last + 1)
        orders.insert(place, change["order"])
        return
    place = _place(change.get("at"), f"{field}.at", last)
    if op == "replace":
        orders[place] = change["order"]
    elif op == "remove":
        del orders[place]
    else:
        to = _place(change.get("to"), f"{field}.to", last)
        orders.insert(to, orders.pop(place))


def _place(value: object, field: str, maximum: int) -> int:
    if type(value) is not int or not 0 <= value <= maximum:
        raise invalid(
            field, say("A place from 0 to {most}.", most=maximum) if maximum >= 0 else "There are no orders.", value
        )
    return value
