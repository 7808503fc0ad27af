"""Edits of the ground: control, stores, towns, strongholds, roads, resources, and what befell a hex."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from server.core.fields import MISSING
from server.core.sentences import say, word
from server.play.edits.edit_fields import EditFields
from server.rules.board import NOWHERE, Hex
from server.rules.state import Stronghold, Urban


def _set_owner(fields: EditFields) -> None:
    at, owner = fields.land("hex"), fields.player("owner", nobody=True)
    if not fields.problems:
        fields.state.owner[at] = owner
        if owner:
            fields.state.discovered[at] = 1


def _set_store(fields: EditFields) -> None:
    at, bp = fields.hex("hex"), fields.integer("bp")
    state = fields.state
    if at != NOWHERE and bp and at not in state.urban and at not in state.stronghold:
        fields.refuse("needs_stronghold", "BP lie in an urban hex or a stronghold.", "hex")
    if not fields.problems:
        state.pay(at, bp - state.store.get(at, 0))


def _set_discovered(fields: EditFields) -> None:
    at, discovered = fields.land("hex"), fields.boolean("discovered", MISSING)
    if not fields.problems:
        fields.state.discovered[at] = int(discovered)


def _set_harvest(fields: EditFields) -> None:
    at, bp = _there(fields, fields.state.resource, "resource"), fields.integer("bp")
    if at is not None and not fields.problems:
        fields.state.harvest.pop(at, None)
        if bp:
            fields.state.harvest[at] = bp


def _set_taint(table: str) -> Callable[[EditFields], None]:
    def change(fields: EditFields) -> None:
        at, by = fields.land("hex"), fields.player("by", nobody=True)
        if not fields.problems:
            tainted: dict[Hex, str] = getattr(fields.state, table)
            tainted.pop(at, None)
            if by:
                tainted[at] = by

    return change


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
    size = fields.one_of("size", [size.id for size in fields.state.ruleset.resources])
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
    if at in state.resource:
        fields.refuse("occupied", "There is a resource; remove that first.", "hex", fields.given.get("hex"))
    size = fields.one_of("size", [size.id for size in state.ruleset.urban], default=before.size or MISSING)
    buildings = fields.words("buildings", list(state.ruleset.buildings), before.buildings)
    race = fields.one_of("race", [*state.ruleset.factions, "none"], default=before.race)
    capital = fields.one_of("capital", [*state.players, ""], default=before.capital)
    seat = state.capital(capital) if capital and not fields.problems else None
    if seat is not None and seat != at:
        fields.refuse(
            "already_built",
            say("The capital lies in {hex}; move it away first.", hex=state.board.label(seat)),
            "capital",
        )
    if len(set(buildings)) < len(buildings):
        fields.refuse("already_built", "Each building once.", "buildings")
    changed, road, disbanded = (
        fields.integer(name, -1, state.turn, getattr(before, name)) for name in ("changed", "road", "disbanded")
    )
    if not fields.problems:
        state.urban[at] = Urban(size, buildings, race, capital, changed, road, disbanded)


def _add_building(fields: EditFields) -> None:
    at = _there(fields, fields.state.urban, "urban hex")
    building = fields.one_of("building", list(fields.state.ruleset.buildings))
    if at is None or fields.problems:
        return
    town = fields.state.urban[at]
    if building in town.buildings:
        fields.refuse("already_built", "It is there.", "building", building)
    else:
        town.buildings = tuple(sorted([*town.buildings, building]))


def _remove_building(fields: EditFields) -> None:
    at = _there(fields, fields.state.urban, "urban hex")
    building = fields.text("building")
    if at is None or fields.problems:
        return
    town = fields.state.urban[at]
    if building not in town.buildings:
        fields.refuse("unknown_id", "There is no such building.", "building", building)
    else:
        town.buildings = tuple(other for other in town.buildings if other != building)


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
    type_ = fields.one_of("type", [type_.id for type_ in state.ruleset.strongholds], default=before.type or MISSING)
    weapons = fields.words("weapons", list(state.ruleset.weapons), before.weapons)
    defences = dict(before.defences)
    if fields.has("defences"):
        defences = _defences(fields)
    changed = fields.integer("changed", -1, state.turn, before.changed)
    if not fields.problems:
        state.stronghold[at] = Stronghold(type_, defences, weapons, changed)


def _set_defence(fields: EditFields) -> None:
    at = _there(fields, fields.state.stronghold, "stronghold")
    defence = fields.one_of("defence", list(fields.state.ruleset.defences))
    count = fields.integer("count", maximum=100)
    if at is not None and not fields.problems:
        rest = {name: level for name, level in fields.state.stronghold[at].defences.items() if name != defence}
        fields.state.stronghold[at].defences = dict(sorted((rest | ({defence: count} if count else {})).items()))


def _defences(fields: EditFields) -> dict[str, int]:
    given = fields.mapping("defences", "An object of defences and how many.")
    inner, found = EditFields(fields.state, given, fields.path, fields.problems), {}
    for name in given:
        if name not in fields.state.ruleset.defences:
            fields.refuse("bad_value", "There is no such defence.", "defences", str(name)[:40])
        else:
            found[name] = inner.integer(name, maximum=100)
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
        fields.refuse(
            "unknown_id",
            say("There is no {noun}.", noun=word("kind", noun.replace(" ", "_"))),
            "hex",
            fields.given.get("hex"),
        )
    return None if fields.problems else at


GROUND: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("set", "owner"): _set_owner,
    ("set", "discovered"): _set_discovered,
    ("set", "corruption"): _set_taint("corrupted"),
    ("set", "infestation"): _set_taint("infested"),
    ("set", "store"): _set_store,
    ("set", "harvest"): _set_harvest,
    ("add", "road"): _add_road,
    ("remove", "road"): _remove_road,
    ("set", "resource"): _set_resource,
    ("remove", "resource"): _remove_resource,
    ("set", "urban"): _set_urban,
    ("remove", "urban"): _remove_urban,
    ("add", "building"): _add_building,
    ("remove", "building"): _remove_building,
    ("set", "stronghold"): _set_stronghold,
    ("remove", "stronghold"): _remove_stronghold,
    ("set", "defence"): _set_defence,
}
