"""Orders as sentences, for a game master who may read them: the same that a player's list at the table has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from server.core.fields import shown
from server.rules.orders.registry import BY_TYPE
from server.rules.state import State
from server.web.translations import Translations

_MUCH, _LONG = 10**12, 200
"""Numbers and texts of refused orders that are not said in full."""


def sentence(t: Translations, order: Mapping[str, Any], state: State, names: Mapping[str, str]) -> str:
    """Return what an order says. *names* are those of players, forces, units and convoys, by id."""
    type_ = order.get("type")
    kinds = BY_TYPE.get(type_, ()) if isinstance(type_, str) else ()
    if not kinds or not t.has(f"table.order.{kinds[0].sentence(order)}"):
        return t.name("order", _text(type_ or ""))
    filled = dict.fromkeys(("from", "to"), "") | dict(_filled(t, order, state, names))
    said = t(f"table.order.{kinds[0].sentence(order)}", **filled)
    more = ", ".join(t(f"table.{key}") for key in kinds[0].flags_told(order))
    return f"{said} ({more})" if more else said


def _filled(
    t: Translations, order: Mapping[str, Any], state: State, names: Mapping[str, str]
) -> Iterator[tuple[str, Any]]:
    def named(*fields: str) -> str:
        return next((names.get(_text(order[field]), _text(order[field])) for field in fields if order.get(field)), "?")

    path, units = order.get("path"), order.get("units")
    yield "who", named("detachment", "convoy")
    yield "convoy", named("convoy")
    yield "target", _target(order.get("target"), state, names)
    yield "goal", _text(path[-1]) if isinstance(path, list) and path else "?"
    for field in ("at", "from", "to", "battle"):
        found = order.get(field)
        yield field, " → ".join(map(_text, found)) if isinstance(found, list) else "" if found is None else _text(found)
    yield "bp", _number(order.get("bp"))
    yield "n", _number(order.get("models"))
    yield "unit", named("unit", "from_unit")
    yield "other", named("to_unit")
    yield "player", named("with")
    yield "name", _text(order.get("name") or t("table.unnamed"))
    yield "units", len(units) if isinstance(units, list) else 0
    yield "points", _points(units)
    yield "what", t.name("table.what", _text(order.get("what", "")))
    yield "mode", t.name("table.mode", _text(order.get("mode") or "quick"))
    sizes = "resources" if order.get("what") == "resource" else "urban"
    yield "size", _beside(ruled(t, state, sizes, order.get("size")))
    yield "building", ruled(t, state, "buildings", order.get("building"))
    yield "defence", ruled(t, state, "defences", order.get("defence"))
    yield "changes", ", ".join(_changes(t, order, state, names))
    yield "weapon", _beside(ruled(t, state, "weapons", order.get("weapon")))


def _changes(t: Translations, order: Mapping[str, Any], state: State, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what a detachment becomes (``restructure``)."""
    for field, key in (("drop", "leaves"), ("to_garrison", "to_garrison"), ("from_garrison", "from_garrison")):
        units = order.get(field)
        for id_ in units if isinstance(units, list) else ():
            yield t(f"table.{key}", unit=names.get(_text(id_), _text(id_)))
    if order.get("detachment_type"):
        yield t("table.becomes", type=ruled(t, state, "detachment_types", order["detachment_type"]))
    if isinstance(order.get("mounted"), bool):
        yield t("table.mounts" if order["mounted"] else "table.dismounts")


def ruled(t: Translations, state: State, table: str, id_: Any) -> str:
    """Return what a thing of the ruleset is called, in the reader's language where we have it; empty for none."""
    if not isinstance(id_, str) or not id_:
        return ""
    things = getattr(state.ruleset, table)
    each = things.get(id_) if isinstance(things, Mapping) else next((one for one in things if one.id == id_), None)
    return t.called(id_.replace("_", " ").capitalize() if each is None else each.name)


def _target(target: Any, state: State, names: Mapping[str, str]) -> str:
    if not isinstance(target, str):
        return "?"
    force = state.force(target)
    if force is None or force.at < 0:
        return names.get(target, target)
    return f"{names.get(target, target)} ({state.board.label(force.at)})"


def _points(units: Any) -> int:
    if not isinstance(units, Sequence) or isinstance(units, str):
        return 0
    points = (_number(unit.get("points")) for unit in units if isinstance(unit, Mapping))
    return sum(number for number in points if isinstance(number, int))


def _number(value: Any) -> int | str:
    """Return a number of an order that may have been refused: what is none, or far too large, is a question mark."""
    return value if isinstance(value, int) and abs(value) < _MUCH else "?"


def _text(value: Any) -> str:
    """Return any value of an order as a short text."""
    said = value if isinstance(value, str) else shown(value)
    return str(said)[:_LONG]


def _beside(said: str) -> str:
    return f" ({said})" if said else ""
