"""What building orders ask of the place they are for, and how they pay (1.1, D-22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from server.core.errors import Problem
from server.core.fields import shown
from server.core.sentences import called, say, small
from server.rules.board import ORBIT, Hex
from server.rules.orders.base import Found
from server.rules.orders.context import OrderContext
from server.rules.ruleset import StrongholdType
from server.rules.state import SETUP, Convoy, Detachment, Unit
from server.rules.structure import has_headquarters
from server.rules.treasury import spend, spend_convoy

Asked = Callable[[OrderContext], Problem | None]


def first(context: OrderContext, *asked: Asked) -> Found:
    """Yield the first problem found: what is asked later makes sense only when all before is well."""
    for ask in asked:
        problem = ask(context)
        if problem is not None:
            yield problem
            return


def found(problem: Problem | None) -> Found:
    """Yield the problem, if there is one."""
    if problem is not None:
        yield problem


def not_controlled(context: OrderContext, at: Hex, field: str = "at", rule: str = "1") -> Problem | None:
    """Refuse a hex that is not the player's, and one in which an enemy stands."""
    if context.state.owner[at] == context.player:
        return enemy_present(context, at, field)
    label = context.label(at)
    return Problem("not_controlled", say("You do not control {hex}.", hex=label), field, label, rule)


def enemy_present(context: OrderContext, at: Hex, field: str = "at") -> Problem | None:
    """D-20b: refuse a hex in which an enemy force stands: nothing is built, bought, loaded or disbanded there."""
    if not context.state.readings.enemies_stop_works or not context.enemy_in(at):
        return None
    label = context.label(at)
    message = say("An enemy stands in {hex}: you can build, buy, load and disband nothing there.", hex=label)
    return Problem("enemy_present", message, field, label, "D-20b")


def not_land(context: OrderContext, at: Hex, rule: str = "3.6") -> Problem | None:
    """Refuse a hex that nobody can ever control."""
    terrain = context.state.ruleset.terrain[context.state.board.terrain[at]]
    if terrain.land:
        return None
    label = context.label(at)
    return Problem(
        "terrain",
        say("{hex} is {terrain}: nothing can be built there.", hex=label, terrain=small(terrain.name)),
        "at",
        label,
        rule,
    )


def not_urban(context: OrderContext, at: Hex, field: str = "at", rule: str = "1.5") -> Problem | None:
    """Refuse a hex without an urban hex of the player's."""
    problem = not_controlled(context, at, field, rule)
    if problem is not None or at in context.state.urban:
        return problem
    label = context.label(at)
    return Problem("size_too_small", say("There is no urban hex in {hex}.", hex=label), field, label, rule)


def stronghold_type(context: OrderContext, at: Hex) -> StrongholdType | None:
    """Return the type of the stronghold in a hex, or None."""
    here = context.state.stronghold.get(at)
    if here is None:
        return None
    return context.state.ruleset.strongholds[context.state.ruleset.stronghold_level(here.type) - 1]


def no_stronghold(context: OrderContext, at: Hex, rule: str) -> Problem | None:
    """Refuse a hex without a stronghold of the player's."""
    problem = not_controlled(context, at, rule=rule)
    if problem is not None or at in context.state.stronghold:
        return problem
    label = context.label(at)
    return Problem("needs_stronghold", say("There is no stronghold in {hex}.", hex=label), "at", label, rule)


def no_headquarters(context: OrderContext, at: Hex) -> Problem | None:
    """Refuse an urban hex where detachments can be neither created nor changed (1.5.1, D-32)."""
    if has_headquarters(context.state, at):
        return None
    label = context.label(at)
    return Problem(
        "needs_building", say("{hex} has no Strategic HQ and is not your capital.", hex=label), "at", label, "D-32"
    )


def not_raised_here(context: OrderContext, at: Hex, field: str) -> Problem | None:
    """D-35e: refuse new units and models where the army list may raise none (D-71, D-71b)."""
    state, faction = context.state, context.state.faction(context.player)
    if not state.readings.lists_say_where or state.capital(context.player) == at:
        return None
    message = ""
    if faction.detachments_only_in_capital:
        message = say("Your army list ({faction}) raises units only in the capital.", faction=called(faction.name))
    elif faction.detachments_need_space_port and not space_port(context, at):
        message = say(
            "Your army list ({faction}) raises units only in the capital and in settlements with a space port.",
            faction=called(faction.name),
        )
    return Problem("needs_building", message, field, state.board.label(at), "D-35e") if message else None


def space_port(context: OrderContext, at: Hex) -> bool:
    """Say whether a space port stands in a hex (D-72)."""
    urban = context.state.urban.get(at)
    return urban is not None and any(context.state.ruleset.buildings[id_].space_port for id_ in urban.buildings)


def not_in_town(context: OrderContext, force: Detachment, name: str) -> Problem | None:
    """Refuse a detachment that is not ready in one of its owner's settlements; *name* is the order's field for it."""
    if force.ready_in:
        message = say("{detachment} is still under construction.", detachment=force.name)
        return Problem("under_construction", message, "detachment", name, "D-35")
    if force.at == ORBIT:
        return Problem(
            "orbit_only", say("{detachment} is in orbit.", detachment=force.name), "detachment", name, "D-72"
        )
    return not_urban(context, force.at, "detachment", "D-35")


def not_at_headquarters(context: OrderContext, force: Detachment, name: str) -> Problem | None:
    """Refuse a detachment that is not ready in its owner's capital or at their Strategic HQ (D-35)."""
    on_open_land = not force.ready_in and force.at != ORBIT and force.at not in context.state.urban
    not_here = None if on_open_land else not_in_town(context, force, name)
    return not_here or no_headquarters(context, force.at)


def in_enemy_zoc(context: OrderContext, at: Hex, field: str = "at", rule: str = "1.5") -> Problem | None:
    """Refuse a hex in enemy ZOC, or with an enemy force in it, as far as the player can see (D-07)."""
    if not context.enemy_zoc(at) and not context.state.enemy_at(at, context.player):
        return None
    label = context.label(at)
    return Problem("in_enemy_zoc", say("{hex} lies in an enemy zone of control.", hex=label), field, label, rule)


# --- paying ---


def cannot_pay(context: OrderContext, at: Hex, cost: int, field: str = "at", rule: str = "1.1") -> Problem | None:
    """Refuse what the store of a hex cannot pay."""
    have = context.state.store.get(at, 0)
    if have >= cost:
        return None
    message = say(
        "That costs {cost} BP, and there are {have} BP in {hex}.",
        cost=cost,
        have=have,
        hex=context.label(at),
    )
    return Problem("not_enough_bp", message, field, cost, rule)


def convoy_cannot_pay(context: OrderContext, name: str, at: Hex, cost: int) -> Problem | None:
    """Refuse a convoy that is not the player's, is elsewhere, or carries too little."""
    convoy = context.mine(name)
    if not isinstance(convoy, Convoy):
        return Problem("unknown_id", say("You have no convoy {name}.", name=shown(name)), "convoy", shown(name), "D-23")
    label = context.label
    if convoy.at != at:
        message = say("The convoy is in {hex}; to pay, it must be in {other}.", hex=label(convoy.at), other=label(at))
        return Problem("not_allowed", message, "convoy", name, "D-23")
    if convoy.bp < cost:
        message = say("That costs {cost} BP, and the convoy carries {have} BP.", cost=cost, have=convoy.bp)
        return Problem("not_enough_bp", message, "convoy", cost, "D-23")
    return None


def pay(context: OrderContext, at: Hex, cost: int, convoy: str = "") -> None:
    """Pay from the named convoy, else from the stockpile of the hex."""
    if convoy:
        spend_convoy(context.state, context.convoy(convoy), cost)
    else:
        spend(context.state, at, cost)


def bill(context: OrderContext, at: Hex, cost: int, convoy: str = "", **more: Any) -> dict[str, Any]:
    """Return what a preview says about paying: the price, and what the payer has before and after."""
    before = context.convoy(convoy).bp if convoy else context.state.store.get(at, 0)
    payer = {"convoy": convoy} if convoy else {"hex": context.label(at)}
    return {"cost": cost, "paid_by": {**payer, "before": before, "after": before - cost}} | more


# --- forces ---


def muster_problem(context: OrderContext, at: Hex) -> Problem | None:
    """D-33: mustering must be allowed, and paid from a capital that stands; the hex must be the player's."""
    if not context.state.settings.muster:
        return Problem("not_allowed", "This campaign begins without mustered forces.", "", None, "D-33")
    if context.state.capital(context.player) is None:
        message = "Place your capital before you muster: it pays."
        return Problem("not_controlled", message, "at", context.label(at), "D-33")
    return not_controlled(context, at, rule="D-33")


def payer(context: OrderContext, at: Hex) -> Hex:
    """Return the hex whose store pays for forces raised in a hex: the capital's in Setup (D-33)."""
    capital = context.state.capital(context.player) if context.state.phase == SETUP else at
    return at if capital is None else capital


def enlist(context: OrderContext, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return new units under ids of the game's own; later orders of the set may use the writer's (D-06)."""
    enlisted = []
    for unit in units:
        new = replace(unit, id=context.state.new_id(context.player, unit.id))
        if unit.id:
            context.aliases.setdefault(unit.id, new.id)
        enlisted.append(new)
    return tuple(enlisted)


def price_list(units: Iterable[Unit]) -> list[dict[str, Any]]:
    """Return what each unit costs, for a preview."""
    return [{"what": unit.name, "bp": unit.points} for unit in units]
