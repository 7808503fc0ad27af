"""Edits of the ground: control, stores, towns, strongholds, roads, resources; and of what is the players' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from server.play.edit_fields import EditFields
from server.rules.board import NOWHERE, Hex
from server.rules.state import Stronghold, Urban


def _set_owner(fields: EditFields) -> None:
    at, owner = fields.land("hex"), fields.player("owner", nobody=True)
    if not fields.problems:
        fields.state.owner[at] = owner
        if owner:
            fields.state.discovered[at] = 1


def _set_store(fields: EditFields) -> None:
    at, bp = fields.hex("hex"), fields.whole("bp")
    state = fields.state
    if at != NOWHERE and bp and at not in state.urban and at not in state.stronghold:
        fields.refuse("needs_stronghold", "BP lie in an urban hex or a stronghold.", "hex")
    if not fields.problems:
        state.pay(at, bp - state.store.get(at, 0))


def _set_vp(fields: EditFields) -> None:
    player, vp = fields.player("player"), fields.whole("vp", least=-100_000)
    if not fields.problems:
        fields.state.players[player].vp = vp


def _set_control(fields: EditFields) -> None:
    player = fields.player("player", nobody=True)
    if not fields.problems:
        fields.state.system_control = player


def _set_alliance(fields: EditFields) -> None:
    one, other, allied = fields.player("player"), fields.player("with"), fields.truth("allied")
    if one == other and not fields.problems:
        fields.refuse("not_allowed", "An alliance needs two.", "with", other)
    if fields.problems:
        return
    for me, friend in ((one, other), (other, one)):
        player = fields.state.players[me]
        for name in ("allies", "declared"):
            rest = [each for each in getattr(player, name) if each != friend]
            setattr(player, name, tuple(sorted([*rest, friend] if allied else rest)))
    fields.state.alliances_changed()


def _road(fields: EditFields) -> tuple[Hex, Hex] | None:
    a, b = sorted((fields.land("from"), fields.land("to")))
    if not fields.problems and b not in fields.state.board.adjacent[a]:
        fields.refuse("not_adjacent", "A road joins adjacent hexes.", "to")
    return None if fields.problems else (a, b)


def _add_road(fields: EditFields) -> None:
    edge = _road(fields)
    if edge is not None:
        fields.state.roads[edge] = None


def _remove_road(fields: EditFields) -> None:
    edge = _road(fields)
    if edge is not None and edge not in fields.state.roads:
        fields.refuse("unknown_id", "There is no road.", "from")
    elif edge is not None:
        del fields.state.roads[edge]


def _set_resource(fields: EditFields) -> None:
    at = fields.land("hex")
    size = fields.one_of("size", [each.id for each in fields.state.ruleset.resources])
    if at in fields.state.urban:
        fields.refuse("occupied", "There is an urban hex.", "hex")
    if not fields.problems:
        fields.state.resource[at] = size


def _remove_resource(fields: EditFields) -> None:
    at = _there(fields, fields.state.resource, "resource")
    if at is not None:
        del fields.state.resource[at]
        fields.state.harvest.pop(at, None)


def _set_urban(fields: EditFields) -> None:
    state = fields.state
    at = fields.land("hex")
    before = state.urban.get(at) or Urban("")
    size = fields.one_of("size", [each.id for each in state.ruleset.urban], before.size or None)
    buildings = fields.words("buildings", list(state.ruleset.buildings), before.buildings)
    race = fields.one_of("race", [*state.ruleset.factions, "none"], before.race)
    capital = fields.one_of("capital", [*state.players, ""], before.capital)
    seat = state.capital(capital) if capital and not fields.problems else None
    if seat is not None and seat != at:
        fields.refuse("already_built", f"The capital lies in {state.board.label(seat)}; move it away first.", "capital")
    if len(set(buildings)) < len(buildings):
        fields.refuse("already_built", "Each building once.", "buildings")
    if not fields.problems:
        state.urban[at] = Urban(size, buildings, race, capital, before.changed, before.road, before.disbanded)


def _remove_urban(fields: EditFields) -> None:
    at = _there(fields, fields.state.urban, "urban hex")
    if at is not None:
        del fields.state.urban[at]
        if at not in fields.state.stronghold:
            fields.state.store.pop(at, None)


def _set_stronghold(fields: EditFields) -> None:
    state = fields.state
    at = fields.land("hex")
    before = state.stronghold.get(at) or Stronghold("")
    type_ = fields.one_of("type", [each.id for each in state.ruleset.strongholds], before.type or None)
    weapons = fields.words("weapons", list(state.ruleset.weapons), before.weapons)
    defences = dict(before.defences)
    if fields.has("defences"):
        defences = _defences(fields)
    if not fields.problems:
        state.stronghold[at] = Stronghold(type_, defences, weapons, before.changed)


def _defences(fields: EditFields) -> dict[str, int]:
    given = fields.given["defences"]
    if not isinstance(given, Mapping):
        fields.refuse("bad_value", "An object of defences and how many.", "defences")
        return {}
    inner = EditFields(fields.state, given, fields.number)
    found = {}
    for name in given:
        if name not in fields.state.ruleset.defences:
            fields.refuse("bad_value", "There is no such defence.", "defences", str(name)[:40])
        else:
            found[name] = inner.whole(name, least=0, most=100)
    fields.problems += inner.problems
    return {name: count for name, count in sorted(found.items()) if count}


def _remove_stronghold(fields: EditFields) -> None:
    at = _there(fields, fields.state.stronghold, "stronghold")
    if at is None:
        return
    if at in fields.state.garrison_at:
        fields.refuse("occupied", "There is a garrison; remove that first.", "hex")
        return
    del fields.state.stronghold[at]
    if at not in fields.state.urban:
        fields.state.store.pop(at, None)


def _there(fields: EditFields, table: Mapping[Hex, Any], noun: str) -> Hex | None:
    at = fields.hex("hex")
    if at != NOWHERE and at not in table:
        fields.refuse("unknown_id", f"There is no {noun}.", "hex", fields.given.get("hex"))
    return None if fields.problems else at


GROUND: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("set", "owner"): _set_owner,
    ("set", "store"): _set_store,
    ("set", "vp"): _set_vp,
    ("set", "system_control"): _set_control,
    ("set", "alliance"): _set_alliance,
    ("add", "road"): _add_road,
    ("remove", "road"): _remove_road,
    ("set", "resource"): _set_resource,
    ("remove", "resource"): _remove_resource,
    ("set", "urban"): _set_urban,
    ("remove", "urban"): _remove_urban,
    ("set", "stronghold"): _set_stronghold,
    ("remove", "stronghold"): _remove_stronghold,
}
