"""Checks the words in a case's expectations: one that fits nothing would be met by nothing, or by anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from server.cases.model import Case, CaseError
from server.cases.table import key_path, listed
from server.rules.state import State

NOBODY = ""
"""Also "none there", for sizes and types."""


def check_names(case: Case, state: State) -> None:
    """Raise :class:`CaseError` for expectations about hexes, players, forces or words that do not exist."""
    problems = [*_hexes(case, state), *_players(case), *_things(case), *_words(case, state), *_orders(case)]
    if problems:
        raise CaseError(problems)


def _unknown(where: str, name: str, known: Iterable[str], what: str) -> list[str]:
    names = list(dict.fromkeys(known))
    return [] if name in names else [f"{where}: no such {what} {name!r} ({listed(filter(None, names)) or 'none'})"]


def _hexes(case: Case, state: State) -> list[str]:
    expect = case.expect
    places = [(key_path("expect.hexes", label), label) for label in expect.hexes]
    places += [(key_path("expect.battles", label), label) for label in expect.battles]
    for label, fields in expect.hexes.items():
        path = key_path("expect.hexes", label)
        places += [(f"{path}.roads", road) for road in fields.get("roads", ())]
    for id_, fields in expect.players.items():
        places += [(f"{key_path('expect.players', id_)}.sees", seen) for seen in fields.get("sees", ())]
    for name in ("detachments", "garrisons", "convoys"):
        for id_, fields in getattr(expect, name).items():
            if fields.get("at", "orbit") != "orbit":
                places.append((f"{key_path(f'expect.{name}', id_)}.at", fields["at"]))
    return [
        f"{where}: no such hex {label!r}, the map has {state.board.columns} columns and {state.board.rows} rows"
        for where, label in places
        if state.board.find(label) is None
    ]


def _players(case: Case) -> list[str]:
    expect, players = case.expect, list(case.players)
    problems = [
        told for id_ in expect.players for told in _unknown(key_path("expect.players", id_), id_, players, "player")
    ]
    for place, order in enumerate(case.orders):
        problems += _unknown(f"orders[{place}].player", order.player, players, "player")
    for place, event in enumerate(expect.events):
        for id_ in event.get("to", ()):
            problems += _unknown(f"expect.events[{place}].to", id_, players, "player")
    for where, fields in _all_fields(case):
        for name in ("owner", "winner", "infested"):
            if name in fields:
                problems += _unknown(f"{where}.{name}", fields[name], [NOBODY, *players], "player")
        for id_ in fields.get("convoys", ()):
            problems += _unknown(f"{where}.convoys", id_, players, "player")
    return problems


def _all_fields(case: Case) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for name in ("detachments", "garrisons", "convoys", "hexes", "battles"):
        for key, fields in getattr(case.expect, name).items():
            yield key_path(f"expect.{name}", key), fields
    yield "expect.campaign", case.expect.campaign


def _things(case: Case) -> list[str]:
    """Things are in the position or come into being by an order that names them."""
    made = [value for order in case.orders if isinstance(value := order.content.get("as"), str)]
    units = [unit.id for detachment in case.detachments.values() for unit in detachment.units]
    units += [unit.id for garrison in case.garrisons.values() for unit in garrison.units]
    units += [id_ for order in case.orders for id_ in _unit_ids(order.content.get("units"))]
    problems: list[str] = []
    for name in ("detachments", "garrisons", "convoys"):
        for id_, fields in getattr(case.expect, name).items():
            where = key_path(f"expect.{name}", id_)
            problems += _unknown(where, id_, [*getattr(case, name), *made], name.removesuffix("s"))
            for unit in fields.get("units", ()):
                problems += _unknown(key_path(f"{where}.units", unit), unit, units, "unit")
    return problems


def _unit_ids(units: object) -> list[str]:
    rows = units if isinstance(units, list) else []
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def _words(case: Case, state: State) -> list[str]:
    ruleset = state.ruleset
    known = {
        "urban": [NOBODY, *(size.id for size in ruleset.urban)],
        "stronghold": [NOBODY, *(stronghold.id for stronghold in ruleset.strongholds)],
        "resource": [NOBODY, *(resource.id for resource in ruleset.resources)],
    }
    problems: list[str] = []
    for label, fields in case.expect.hexes.items():
        where = key_path("expect.hexes", label)
        for name, words in known.items():
            if name in fields:
                what = "stronghold" if name == "stronghold" else "size"
                problems += _unknown(f"{where}.{name}", fields[name], words, what)
        for building in fields.get("buildings", ()):
            problems += _unknown(f"{where}.buildings", building, ruleset.buildings, "building")
        for defence in fields.get("defences", ()):
            problems += _unknown(f"{where}.defences", defence, ruleset.defences, "defence")
    return problems


def _orders(case: Case) -> list[str]:
    count = len(case.orders)
    missing = [place for place in case.expect.rejected if place >= count]
    return [f"expect.rejected: there is no order {place}, the case has {count}, counted from 0" for place in missing]
