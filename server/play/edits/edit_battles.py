"""Edits of battles: there are some between battle movement and the end of the turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from server.core.sentences import say
from server.play.edits.edit_fields import EditFields
from server.rules.board import NOWHERE, ORBIT
from server.rules.state import BATTLES, REPORTS, Battle, Detachment, Force, Id, State

KINDS = ("attack", "planned_attack", "raid", "planned_raid")
SIDES = ("front", "flank", "rear", "defender")


def fights(state: State, force: Force) -> bool:
    """Say whether a force takes part in a battle; then it stays as and where it is."""
    return any(force.id in (battle.attacker, battle.defender, *battle.supporters) for battle in state.battles.values())


def _add_battle(fields: EditFields) -> None:
    state = fields.state
    if state.phase not in (BATTLES, REPORTS):
        fields.refuse("wrong_phase", "Battles are opened by battle movement; until then change the forces.")
    at, attacker = fields.hex("hex"), fields.force("attacker")
    kind, tabletop = fields.one_of("kind", KINDS, default="attack"), fields.boolean("tabletop")
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
    kind = fields.one_of("kind", KINDS, default=battle.kind)
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
