"""Edits of forces, units and convoys; and of battles: there are some between battle movement and the end of turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from server.core.sentences import say
from server.play.edits.edit_fields import EditFields
from server.rules.board import NOWHERE, ORBIT, Hex
from server.rules.force_names import name_for
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS
from server.rules.state import BATTLES, REPORTS, Battle, Convoy, Detachment, Force, Garrison, Id, State, Unit

BATTLE_ORDERS = ("", "inactive", "defend")
BATTLE_KINDS = ("attack", "planned_attack", "raid", "planned_raid")
SIDES = ("front", "flank", "rear", "defender")


def _add_detachment(fields: EditFields) -> None:
    state = fields.state
    standard = next(id_ for id_, type_ in state.ruleset.detachment_types.items() if not type_.share)
    owner, at = fields.player("owner"), fields.hex("hex", orbit=True)
    name = fields.text("name") if fields.has("name") else None
    type_ = fields.one_of("type", list(state.ruleset.detachment_types), default=standard)
    dxp, mounted = fields.integer("dxp", default=0), fields.boolean("mounted")
    ready_in = fields.integer("ready_in", 0, 20, 0)
    _check_room(fields, at, ready_in)
    units = fields.units("units", owner)
    if not fields.problems:
        id_ = state.new_id(owner)
        named = name_for(state, owner, id_, "") if name is None else name
        state.add_detachment(
            Detachment(id_, owner, named, type_, at, units, dxp=dxp, mounted=mounted, ready_in=ready_in)
        )


def _set_detachment(fields: EditFields) -> None:
    state, force = fields.state, fields.force()
    if isinstance(force, Garrison):
        fields.refuse("not_allowed", "That is a garrison.", "id", force.id)
    if not isinstance(force, Detachment):
        return
    at = fields.hex("hex", orbit=True) if fields.has("hex") else force.at
    name, dxp = fields.text("name", default=force.name), fields.integer("dxp", default=force.dxp)
    mounted = fields.boolean("mounted", force.mounted)
    battle_order = fields.one_of("battle_order", (*BATTLE_ORDERS, force.battle_order), default=force.battle_order)
    ready_in = fields.integer("ready_in", 0, 20, force.ready_in)
    owner = fields.player("owner") if fields.has("owner") else force.owner
    type_ = fields.one_of("type", list(state.ruleset.detachment_types), default=force.type)
    pinned = fields.boolean("pinned", force.pinned)
    if (at, ready_in, owner) != (force.at, force.ready_in, force.owner):
        _check_free(fields, force)
    if (at, ready_in) != (force.at, force.ready_in):
        _check_room(fields, at, ready_in)
    if fields.problems:
        return
    state.remove_force(force)
    force.at, force.name, force.dxp, force.mounted = at, name, dxp, mounted
    force.battle_order, force.ready_in = battle_order, ready_in
    force.owner, force.type, force.pinned = owner, type_, pinned
    state.add_detachment(force)


def _add_garrison(fields: EditFields) -> None:
    state = fields.state
    owner, at = fields.player("owner"), fields.hex("hex")
    if at != NOWHERE and at not in state.stronghold:
        fields.refuse("needs_stronghold", "Garrisons hold strongholds.", "hex")
    if at in state.garrison_at:
        fields.refuse("occupied", "There is a garrison.", "hex")
    units = fields.units("units", owner)
    if not fields.problems:
        state.add_garrison(Garrison(state.new_id(owner), owner, at, units))


def _set_garrison(fields: EditFields) -> None:
    force = fields.force()
    if isinstance(force, Detachment):
        fields.refuse("unknown_id", "That is no garrison.", "id", force.id)
    owner = fields.player("owner")
    if force is not None:
        _check_free(fields, force)
        if not fields.problems:
            force.owner = owner


def _remove_force(kind: type[Detachment] | type[Garrison]) -> Callable[[EditFields], None]:
    def remove(fields: EditFields) -> None:
        force = fields.force()
        if force is not None and not isinstance(force, kind):
            fields.refuse(
                "unknown_id", "That is no garrison." if kind is Garrison else "That is no detachment.", "id", force.id
            )
        elif force is not None:
            _check_free(fields, force)
            if not fields.problems:
                fields.state.remove_force(force)

    return remove


def _add_unit(fields: EditFields) -> None:
    force = fields.force("force")
    if force is None:
        return
    unit = fields.one_unit("unit", force.owner, fields.take("unit"))
    if not fields.problems:
        force.units = (*force.units, unit)


def _set_unit(fields: EditFields) -> None:
    force, unit = _unit(fields)
    if force is None or unit is None:
        return
    models = fields.integer("models", 1, 1000, unit.models)
    changed = replace(
        unit,
        name=fields.text("name", default=unit.name),
        slot=fields.one_of("slot", SLOTS, default=unit.slot),
        models=models,
        points=fields.integer("points", 1, 100_000, unit.points),
        mobility=fields.one_of("mobility", MOBILITIES, default=unit.mobility),
        flags=fields.words("flags", FLAGS, unit.flags),
        bombardment=fields.integer("bombardment", 0, 2, unit.bombardment),
        ready=fields.integer("ready", 0, models, min(unit.ready, models)),
        wounded=fields.integer("wounded", 0, models, min(unit.wounded, models)),
        damaged=fields.boolean("damaged", unit.damaged),
    )
    if changed.ready + changed.wounded > models:
        fields.refuse("bad_value", "More models than the unit has.", "wounded", changed.wounded)
    if changed.damaged and not changed.vehicle:
        fields.refuse("not_allowed", "Only vehicles are damaged.", "damaged", True)
    if not fields.problems:
        force.units = tuple(changed if other is unit else other for other in force.units)


def _remove_unit(fields: EditFields) -> None:
    force, unit = _unit(fields)
    if force is None or unit is None:
        return
    if len(force.units) == 1:
        fields.refuse("not_allowed", "It is the last one: remove the force.", "id", unit.id)
        return
    force.units = tuple(other for other in force.units if other is not unit)


def _unit(fields: EditFields) -> tuple[Force | None, Unit | None]:
    wanted = fields.text("id")
    forces: list[Force] = [*fields.state.detachments.values(), *fields.state.garrisons.values()]
    for force in forces:
        for unit in force.units:
            if unit.id == wanted:
                return force, unit
    fields.refuse("unknown_id", "There is no such unit.", "id", wanted)
    return None, None


def _add_convoy(fields: EditFields) -> None:
    owner, at, bp = fields.player("owner"), fields.land("hex"), fields.integer("bp", minimum=1)
    if not fields.problems:
        fields.state.add_convoy(Convoy(fields.state.new_id(owner), owner, at, bp))


def _set_convoy(fields: EditFields) -> None:
    convoy = _convoy(fields)
    if convoy is None:
        return
    at = fields.land("hex") if fields.has("hex") else convoy.at
    bp = fields.integer("bp", 1, default=convoy.bp)
    owner = fields.player("owner") if fields.has("owner") else convoy.owner
    if not fields.problems:
        fields.state.move_convoy(convoy, at)
        convoy.bp, convoy.owner = bp, owner


def _remove_convoy(fields: EditFields) -> None:
    convoy = _convoy(fields)
    if convoy is not None:
        fields.state.remove_convoy(convoy)


def _convoy(fields: EditFields) -> Convoy | None:
    wanted = fields.text("id")
    found = fields.state.convoys.get(wanted)
    if found is None:
        fields.refuse("unknown_id", "There is no such convoy.", "id", wanted)
    return found


def _check_room(fields: EditFields, at: Hex, ready_in: int) -> None:
    table = fields.state.raising_at if ready_in else fields.state.detachment_at
    if at != ORBIT and at in table:
        fields.refuse("occupied", "There is a detachment.", "hex", fields.given.get("hex"))
    elif at != ORBIT and not fields.state.ruleset.terrain[fields.state.board.terrain[at]].land:
        fields.refuse("terrain", "That is no land.", "hex", fields.given.get("hex"))


def _check_free(fields: EditFields, force: Force) -> None:
    if fights(fields.state, force):
        fields.refuse("not_allowed", "It takes part in a battle; remove that first.", "id", force.id)


FORCES: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("add", "detachment"): _add_detachment,
    ("set", "detachment"): _set_detachment,
    ("remove", "detachment"): _remove_force(Detachment),
    ("add", "garrison"): _add_garrison,
    ("set", "garrison"): _set_garrison,
    ("remove", "garrison"): _remove_force(Garrison),
    ("add", "unit"): _add_unit,
    ("set", "unit"): _set_unit,
    ("remove", "unit"): _remove_unit,
    ("add", "convoy"): _add_convoy,
    ("set", "convoy"): _set_convoy,
    ("remove", "convoy"): _remove_convoy,
}


def fights(state: State, force: Force) -> bool:
    """Say whether a force takes part in a battle; then it stays as and where it is."""
    return any(force.id in (battle.attacker, battle.defender, *battle.supporters) for battle in state.battles.values())


def _add_battle(fields: EditFields) -> None:
    state = fields.state
    if state.phase not in (BATTLES, REPORTS):
        fields.refuse("wrong_phase", "Battles are opened by battle movement; until then change the forces.")
    at, attacker = fields.hex("hex"), fields.force("attacker")
    kind, tabletop = fields.one_of("kind", BATTLE_KINDS, default="attack"), fields.boolean("tabletop")
    if at in state.battles:
        fields.refuse("occupied", "There is a battle.", "hex", fields.given.get("hex"))
    defender = next(iter(state.forces_at(at)), None) if at != NOWHERE else None
    on_guard = isinstance(defender, Detachment) and defender.battle_order == "defend"
    defending = fields.boolean("defending", on_guard)
    fields.has("supporters")
    if at != NOWHERE and defender is None:
        fields.refuse("not_allowed", "Nobody is there to be attacked.", "hex", fields.given.get("hex"))
    if attacker is not None:
        _check_fighter(fields, attacker, "attacker", near=at)
    if defender is not None and attacker is not None and state.friendly(attacker.owner, defender.owner):
        fields.refuse("not_allowed", "They are not enemies.", "attacker", attacker.id)
    if fields.problems or attacker is None or defender is None:
        return
    battle = Battle(
        at,
        attacker.id,
        defender.id,
        kind,
        attacker.owner,
        defender.owner,
        attacker.at,
        defending=defending,
        tabletop=tabletop,
    )
    battle.supporters = _supporters(fields, battle)
    if not fields.problems:
        state.battles[at] = battle


def _set_battle(fields: EditFields) -> None:
    battle = _battle(fields)
    if battle is None:
        return
    if battle.winner:
        fields.refuse("not_allowed", "It is fought; to change what came of it, roll back.", "hex")
    kind = fields.one_of("kind", BATTLE_KINDS, default=battle.kind)
    defending, tabletop = fields.boolean("defending", battle.defending), fields.boolean("tabletop", battle.tabletop)
    supporters = _supporters(fields, battle)
    if not fields.problems:
        battle.kind, battle.defending, battle.tabletop, battle.supporters = kind, defending, tabletop, supporters


def _remove_battle(fields: EditFields) -> None:
    battle = _battle(fields)
    if battle is not None:
        del fields.state.battles[battle.hex]


def _battle(fields: EditFields) -> Battle | None:
    at = fields.hex("hex")
    if at != NOWHERE and at not in fields.state.battles:
        fields.refuse("unknown_id", "There is no battle.", "hex", fields.given.get("hex"))
    return fields.state.battles.get(at)


def _supporters(fields: EditFields, battle: Battle) -> dict[Id, str]:
    if not fields.has("supporters"):
        return dict(battle.supporters)
    given = fields.given["supporters"]
    if not isinstance(given, Mapping) or not all(isinstance(value, str) for value in given.values()):
        fields.refuse(
            "bad_value",
            say("An object of detachments and one of {words} for each.", words=", ".join(SIDES)),
            "supporters",
        )
        return {}
    state, found = fields.state, {}
    for id_, side in given.items():
        force = state.force(id_)
        where = f"supporters.{str(id_)[:40]}"
        if force is None:
            fields.refuse("unknown_id", "There is no such force.", where, None)
            continue
        if id_ not in battle.supporters:
            _check_fighter(fields, force, where, near=battle.hex)
        if side not in SIDES:
            fields.refuse("bad_value", say("One of {words}.", words=", ".join(SIDES)), where, side)
        elif not state.friendly(force.owner, battle.defended_by if side == "defender" else battle.attacking):
            fields.refuse("not_allowed", "It is no friend of that side.", where, side)
        elif id_ in (battle.attacker, battle.defender):
            fields.refuse("not_allowed", "It leads that side.", where, id_)
        found[id_] = side
    return dict(sorted(found.items()))


def _check_fighter(fields: EditFields, force: Force, name: str, *, near: int) -> None:
    state = fields.state
    if not isinstance(force, Detachment) or force.ready_in:
        fields.refuse("not_allowed", "Only a detachment that is ready does that.", name, force.id)
    elif fights(state, force):
        fields.refuse("not_allowed", "It takes part in another battle.", name, force.id)
    elif near != NOWHERE and force.at != ORBIT and force.at not in state.board.adjacent[near]:
        fields.refuse("not_adjacent", "It does not stand next to that hex.", name, force.id)


BATTLE_EDITS: Mapping[tuple[str, str], Callable[[EditFields], None]] = {
    ("add", "battle"): _add_battle,
    ("set", "battle"): _set_battle,
    ("remove", "battle"): _remove_battle,
}
