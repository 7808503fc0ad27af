"""Edits of the ground: control, stores, towns, strongholds, roads, resources, what befell a hex; and of players: VP,
elimination, alliances, characters, control of the system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.core.fields import MISSING
from server.core.sentences import say, word
from server.play.edits.edit_fields import EditFields
from server.rules.board import NOWHERE, Hex
from server.rules.elimination import eliminate
from server.rules.orders.sets import HopefulDice
from server.rules.scene import Scene
from server.rules.state import PlayerId, State, Stronghold, Urban


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


def _set_vp(fields: EditFields) -> None:
    player, vp = fields.player("player"), fields.integer("vp", minimum=-100_000)
    if not fields.problems:
        fields.state.players[player].vp = vp


def _set_player(fields: EditFields) -> None:
    player = fields.state.players.get(fields.player("player"))
    if player is None or fields.problems:
        return
    rules = fields.state.ruleset
    eliminated = fields.boolean("eliminated", player.eliminated)
    strategy = fields.integer("strategy", 0, 10, player.strategy)
    urban = _sizes(fields, "start_urban", player.start_urban, [size.id for size in rules.urban])
    resource = _sizes(fields, "start_resource", player.start_resource, [size.id for size in rules.resources])
    if not fields.problems:
        player.eliminated, player.strategy = eliminated, strategy
        player.start_urban, player.start_resource = urban, resource


def _remove_player(fields: EditFields) -> None:
    player = fields.state.players.get(fields.player("player"))
    if player is not None and player.eliminated:
        fields.refuse("eliminated", "That player is out already.", "player", player.id)
    if player is not None and _in_battle(fields.state, player.id):
        fields.refuse("not_allowed", "The player is in a battle. Remove the battle first.", "player", player.id)
    if player is not None and not fields.problems:
        eliminate(Scene(fields.state, HopefulDice()), player.id, "gave_up")


def _in_battle(state: State, player: PlayerId) -> bool:
    """Say whether a player fights, or lends support, in a battle that is not over."""
    for battle in state.battles.values():
        helping = [force.owner for id_ in battle.supporters if (force := state.force(id_)) is not None]
        if not battle.winner and player in (battle.attacking, battle.defended_by, *helping):
            return True
    return False


def _sizes(fields: EditFields, name: str, default: tuple[str, ...], known: Sequence[str]) -> tuple[str, ...]:
    expected = say("A list of: {words}.", words=", ".join(known))
    value = fields.items(name, expected, 0, 40, default)
    if all(size in known for size in value):
        return tuple(value)
    fields.wrong(name, expected, None)
    return ()


def _set_control(fields: EditFields) -> None:
    player = fields.player("player", nobody=True)
    if not fields.problems:
        fields.state.system_control = player


def _set_alliance(fields: EditFields) -> None:
    one, other, allied = fields.player("player"), fields.player("with"), fields.boolean("allied", MISSING)
    if one == other and not fields.problems:
        fields.refuse("not_allowed", "An alliance needs two.", "with", other)
    if fields.problems:
        return
    for me, friend in ((one, other), (other, one)):
        player = fields.state.players[me]
        for name in ("allies", "declared"):
            rest = [other for other in getattr(player, name) if other != friend]
            setattr(player, name, tuple(sorted([*rest, friend] if allied else rest)))
    fields.state.alliances_changed()


def _add_lost_character(fields: EditFields) -> None:
    key = f"{fields.player('player')}/{fields.text('name')}"
    if not fields.problems:
        fields.state.lost_characters[key] = None


def _remove_lost_character(fields: EditFields) -> None:
    key = f"{fields.player('player')}/{fields.text('name')}"
    if not fields.problems and key not in fields.state.lost_characters:
        fields.refuse("unknown_id", "No such character is lost.", "name", fields.given.get("name"))
    if not fields.problems:
        del fields.state.lost_characters[key]


PLAYERS: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("set", "vp"): _set_vp,
    ("set", "player"): _set_player,
    ("remove", "player"): _remove_player,
    ("set", "system_control"): _set_control,
    ("set", "alliance"): _set_alliance,
    ("add", "lost_character"): _add_lost_character,
    ("remove", "lost_character"): _remove_lost_character,
}
