"""What a player may order now: templates for people, pages and bots to fill in.

An option is a plain dict: ``order`` has the fixed fields, ``choices`` the values each remaining field may take
(each of which :func:`server.rules.orders.sets.check` accepts), and further keys explain it (costs, limits).
Everything is computed from the player's view.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from server.rules.assaults import may_attack_into
from server.rules.board import ORBIT, Hex
from server.rules.movement import claiming_mv, mover, reachable
from server.rules.options_build import build_options, diplomacy_options
from server.rules.orders.battles.battle import HALF, battle_units
from server.rules.orders.battles.fight import MODES
from server.rules.orders.desk import Desk
from server.rules.quick_battle import can_be_halved, side_of
from server.rules.sight import View
from server.rules.state import BATTLE_MOVEMENT, BATTLES, BUILD, MOVEMENT, OVER, REPORTS, SETUP, Convoy, Detachment

Option = dict[str, Any]


def legal_orders(view: View) -> list[Option]:
    """Return everything the viewer may order in the phase the campaign stands at."""
    return options_at(Desk(view.state, view.viewer))


def options_at(desk: Desk) -> list[Option]:
    """Return everything that may be ordered at a desk: after the orders that have been done on it."""
    state, player = desk.state, desk.player
    if state.phase == OVER or player not in state.players or state.players[player].eliminated:
        return []
    options: list[Option] = []
    if state.phase in (SETUP, BUILD):
        options = build_options(desk)
    elif state.phase in (MOVEMENT, BATTLE_MOVEMENT):
        options = [option for detachment in _obedient(desk) for option in _detachment_options(desk, detachment)]
        if state.phase == MOVEMENT:
            convoys = [each for each in state.convoys.values() if each.owner == player]
            options += [option for convoy in convoys for option in _convoy_options(desk, convoy)]
    elif state.phase in (BATTLES, REPORTS):
        options = list(_battle_options(desk))
    return options + diplomacy_options(desk)


def instances(option: Option) -> Iterator[dict[str, Any]]:
    """Yield every order an option stands for; none where units are still to be filled in (``needs``)."""
    if "needs" in option:
        return
    choices = option.get("choices", {})
    for values in product(*choices.values()):
        yield option["order"] | dict(zip(choices, values, strict=True))


def _obedient(desk: Desk) -> list[Detachment]:
    return [each for each in desk.state.detachments.values() if each.owner == desk.player and not each.ready_in]


def _detachment_options(desk: Desk, detachment: Detachment) -> Iterator[Option]:
    if desk.state.phase == BATTLE_MOVEMENT:
        yield from _battle_movement_options(desk, detachment)
    else:
        yield from _movement_options(desk, detachment)


def _option(type_: str, subject: Detachment | Convoy, **choices: list[Any]) -> Option:
    name = "convoy" if isinstance(subject, Convoy) else "detachment"
    option: Option = {"order": {"type": type_, name: subject.id}}
    if choices:
        option["choices"] = choices
    return option


# --- movement ---


def _movement_options(desk: Desk, detachment: Detachment) -> Iterator[Option]:
    state = desk.state
    yield _option("guard", detachment)
    if detachment.at == ORBIT or detachment.pinned:
        return
    mv = mover(state, detachment).mv
    for type_, allowance in (
        ("path", mv),
        ("move_and_claim", claiming_mv(mv, state.ruleset)),
        ("reserve", mv + state.ruleset.reserve_mv),
    ):
        reach = _reach(desk, detachment, allowance, reserve=type_ == "reserve")
        if reach:
            yield _option(type_, detachment, path=[each["path"] for each in reach]) | {"reach": reach, "mv": allowance}
    yield _option("claim_area", detachment)
    if not desk.enemy_zoc(detachment.at):
        yield _option("recover", detachment)
    targets = [each.id for each in state.detachment_at.values() if each is not detachment]
    if targets:
        yield _option("follow", detachment, target=sorted(targets))


def _convoy_options(desk: Desk, convoy: Convoy) -> Iterator[Option]:
    yield _option("guard", convoy)
    mv = mover(desk.state, convoy).mv
    reach = _reach(desk, convoy, mv)
    if reach:
        yield _option("path", convoy, path=[each["path"] for each in reach], unload=[False, True]) | {
            "reach": reach,
            "mv": mv,
        }


def _reach(desk: Desk, thing: Detachment | Convoy, mv: int, *, reserve: bool = False) -> list[dict[str, Any]]:
    """Return the hexes in reach with a cheapest path to each, as far as the player can know."""
    state = desk.state
    found = reachable(state, mover(state, thing), thing.at, mv, reserve=reserve)
    reach = []
    for hex_ in sorted(found):
        if isinstance(thing, Detachment) and hex_ in state.detachment_at:
            continue
        path: list[str] = []
        here = hex_
        while here != thing.at:
            path.append(state.board.label(here))
            here = found[here][1]
        spent = found[hex_][0]
        reach.append({"hex": path[0], "cost": spent, "path": path[::-1], "exhausts": spent > mv})
    return reach


# --- battle movement ---


def _battle_movement_options(desk: Desk, detachment: Detachment) -> Iterator[Option]:
    state = desk.state
    yield _option("inactive", detachment)
    if detachment.battle_order == "inactive":
        return
    either = [False, True]
    if detachment.at == ORBIT:
        landing = [hex_ for hex_ in range(state.board.size) if may_attack_into(state, detachment, hex_)]
        targets = _targets(desk, landing)
        if targets:
            yield _option("attack", detachment, target=targets, planned=either)
        return
    targets = _targets(desk, [h for h in state.board.adjacent[detachment.at] if may_attack_into(state, detachment, h)])
    if targets:
        for type_ in ("attack", "raid"):
            yield _option(type_, detachment, target=targets, planned=either, primary=either)
    yield _option("defend", detachment)
    yield _option("guard", detachment)
    around = [state.board.label(each) for each in state.board.adjacent[detachment.at]]
    yield _option("withdraw", detachment, to=[[each] for each in around])
    friends = [
        force.id
        for hex_ in state.board.within(detachment.at, 2)
        for force in state.forces_at(hex_)
        if force is not detachment and state.friendly(desk.player, force.owner)
    ]
    yield _option("support", detachment, target=around + friends)


def _targets(desk: Desk, hexes: list[Hex]) -> list[str]:
    state = desk.state
    labels = [state.board.label(each) for each in hexes]
    forces = [
        force.id for each in hexes for force in state.forces_at(each) if not state.friendly(desk.player, force.owner)
    ]
    return labels + forces


# --- battles ---


def _battle_options(desk: Desk) -> Iterator[Option]:
    state = desk.state
    for battle in state.battles.values():
        if battle.winner or desk.player not in (battle.attacking, battle.defended_by):
            continue
        hex_ = state.board.label(battle.hex)
        attacking = battle.attacking == desk.player
        mine = [unit for force in side_of(state, battle, attacking=attacking) for unit in force.units]
        theirs = [unit for force in side_of(state, battle, attacking=not attacking) for unit in force.units]
        if state.phase == BATTLES:
            yield {
                "order": {"type": "fight", "battle": hex_},
                "choices": {"mode": list(MODES)},
                "casualties": [unit.id for unit in mine] + [unit.id + HALF for unit in mine if can_be_halved(unit)],
                "picks": [unit.id for unit in theirs if can_be_halved(unit)]
                if (battle.planned if attacking else battle.defending)
                else [],
            }
        if state.phase == REPORTS:
            yield {
                "order": {"type": "report", "battle": hex_},
                "choices": {"winner": [battle.attacking, battle.defended_by]},
                "units": sorted(battle_units(desk, battle)),
            }
