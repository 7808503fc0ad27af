"""What a player may build, place or muster now (0, 1): templates, as :mod:`server.rules.options` describes them.

Where units are to be filled in, ``needs`` says what they may be: no list could hold every army.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from server.rules.board import ORBIT, Hex
from server.rules.orders.base import ImmediateOrder
from server.rules.orders.build.build_building import BuildBuilding
from server.rules.orders.build.build_camp import BuildCamp
from server.rules.orders.build.build_defence import BuildDefence
from server.rules.orders.build.build_detachment import BuildDetachment
from server.rules.orders.build.build_road import BuildRoad
from server.rules.orders.build.build_village import BuildVillage
from server.rules.orders.build.defences import weapon_price
from server.rules.orders.build.disband_building import DisbandBuilding
from server.rules.orders.build.garrisons import garrison_room
from server.rules.orders.build.refit import own_forces
from server.rules.orders.build.repair import Repair
from server.rules.orders.build.transfer_models import TransferModels
from server.rules.orders.build.unload_convoy import UnloadConvoy
from server.rules.orders.build.upgrade_stronghold import UpgradeStronghold
from server.rules.orders.build.upgrade_urban import UpgradeUrban
from server.rules.orders.desk import Desk
from server.rules.orders.diplomacy.declare_alliance import DeclareAlliance
from server.rules.orders.diplomacy.end_alliance import EndAlliance
from server.rules.orders.setup.placement import ANY, CAPITAL, RESOURCE, URBAN, restrictions
from server.rules.orders.sites import no_headquarters, not_in_town, payer
from server.rules.state import SETUP, Convoy, Detachment, Force
from server.rules.structure import allowed_kinds, most_points, special_problems

Option = dict[str, Any]
ROAD_REACH = 1
"""Roads are offered from hexes so near to the urban hex that builds them; orders may name any."""


def build_options(desk: Desk) -> list[Option]:
    """Return what the player may order in the Setup or the Build phase."""
    if desk.state.phase == SETUP:
        return [*_placements(desk), *_musters(desk)]
    own = [at for at, owner in enumerate(desk.state.owner) if owner == desk.player]
    options: list[Option] = []
    for at in own:
        if at in desk.state.urban:
            options += _in_urban(desk, at)
        if at in desk.state.stronghold:
            options += _in_stronghold(desk, at)
    for convoy in sorted(desk.state.convoys.values(), key=lambda each: each.id):
        if convoy.owner == desk.player:
            options += _of_convoy(desk, convoy)
    for force in own_forces(desk):
        options += _of_force(desk, force)
    return options


def diplomacy_options(desk: Desk) -> list[Option]:
    """Return the alliances the player may declare or end, in any phase (D-04)."""
    options: list[Option] = []
    declared = desk.state.players[desk.player].declared
    for other in desk.state.living():
        order = (EndAlliance if other.id in declared else DeclareAlliance)(other=other.id)
        options += _offer(desk, order, **{"with": other.id})
    return options


def _offer(desk: Desk, order: ImmediateOrder, **fields: Any) -> Iterator[Option]:
    """Yield the order with its cost, if nothing speaks against it."""
    if next(iter(order.check(desk)), None) is None:
        yield {"order": {"type": order.TYPE, **fields}, "cost": order.preview(desk)["cost"]}


# --- Setup ---


def _placements(desk: Desk) -> Iterator[Option]:
    state, me = desk.state, desk.state.players[desk.player]
    own = [at for at, owner in enumerate(state.owner) if owner == desk.player]
    ruleset = state.ruleset
    wanted: list[tuple[str, Sequence[str], Sequence[str]]] = [
        (URBAN, me.start_urban, [each.id for each in ruleset.urban]),
        (RESOURCE, me.start_resource, [each.id for each in ruleset.resources]),
    ]
    if state.capital(desk.player) is None:
        yield from _placement(desk, CAPITAL, own, {})
    for what, left, known in wanted:
        sizes = list(known) if ANY in left else list(dict.fromkeys(left))
        if sizes:
            yield from _placement(desk, what, own, {"size": sizes})


def _placement(desk: Desk, what: str, own: Sequence[Hex], choices: dict[str, list[str]]) -> Iterator[Option]:
    legal = [desk.state.board.label(at) for at in own if next(restrictions(desk, what, at), None) is None]
    if legal:
        yield {"order": {"type": "place", "what": what}, "choices": {**choices, "at": legal}, "cost": 0}


def _musters(desk: Desk) -> Iterator[Option]:
    """D-33: one detachment in each hex, a garrison in each stronghold, paid by the capital."""
    state = desk.state
    capital = state.capital(desk.player)
    if capital is None or not state.settings.muster:
        return
    own = [at for at, owner in enumerate(state.owner) if owner == desk.player]
    free = [state.board.label(at) for at in own if at not in state.detachment_at]
    units = _detachment_needs(desk, capital, muster=True)
    if free and units["types"]:
        yield {"order": {"type": "build_detachment"}, "choices": {"at": free}, "needs": {"units": units}}
    for at in own:
        if at in state.stronghold:
            yield from _garrison(desk, at)


# --- urban hexes ---


def _in_urban(desk: Desk, at: Hex) -> Iterator[Option]:
    state, label = desk.state, desk.state.board.label(at)
    yield from _offer(desk, UpgradeUrban(at=at), at=label)
    for id_ in state.ruleset.buildings:
        yield from _offer(desk, BuildBuilding(at=at, building=id_), at=label, building=id_)
    for id_ in state.urban[at].buildings:
        yield from _offer(desk, DisbandBuilding(at=at, building=id_), at=label, building=id_)
    yield from _offer(desk, BuildCamp(at=at), at=label)
    yield from _roads(desk, at)
    store, least = state.store.get(at, 0), state.ruleset.convoy_least
    if store >= least:
        amounts = sorted({least: None, store: None})
        yield {
            "order": {"type": "create_convoy", "at": label},
            "choices": {"bp": amounts},
            "least": least,
            "most": store,
        }
    if _raising_allowed(desk, at):
        units = _detachment_needs(desk, at)
        if units["types"]:
            yield {"order": {"type": "build_detachment", "at": label}, "needs": {"units": units}}


def _roads(desk: Desk, at: Hex) -> Iterator[Option]:
    board = desk.state.board
    for start in board.within(at, ROAD_REACH):
        ends = [each for each in board.adjacent[start] if start < each or board.distance(at, each) > ROAD_REACH]
        orders = {board.label(end): BuildRoad(urban=at, start=start, end=end) for end in ends}
        good = [end for end, order in orders.items() if next(iter(order.check(desk)), None) is None]
        if good:
            order = {"type": "build_road", "urban": board.label(at), "from": board.label(start)}
            needs_face = {end: orders[end].preview(desk)["needs"] for end in good}
            yield {"order": order, "choices": {"to": good}, "cost": desk.state.ruleset.road_cost, "faces": needs_face}


def _raising_allowed(desk: Desk, at: Hex) -> bool:
    standard = next(id_ for id_, each in desk.state.ruleset.detachment_types.items() if not each.share)
    return BuildDetachment(at=at, name="", detachment_type=standard, units=()).place_problem(desk) is None


def _detachment_needs(desk: Desk, at: Hex, *, muster: bool = False) -> dict[str, Any]:
    """Return what the units of a new detachment may be, per type the player may build here."""
    types = {}
    for id_, type_ in desk.state.ruleset.detachment_types.items():
        kinds = allowed_kinds(desk.state, at, orbit=type_.orbit)
        if (kinds or muster) and next(special_problems(desk.state, desk.player, type_), None) is None:
            slots = {slot: list(span) for slot, span in type_.slots.items()}
            types[id_] = {"slots": slots} if muster else {"slots": slots, "kinds": list(kinds)}
    store = desk.state.store.get(payer(desk, at), 0)
    return {"types": types, "most_points": min(most_points(desk.state), store)}


# --- strongholds ---


def _in_stronghold(desk: Desk, at: Hex) -> Iterator[Option]:
    state, label = desk.state, desk.state.board.label(at)
    faction = state.faction(desk.player)
    yield from _offer(desk, UpgradeStronghold(at=at), at=label)
    weapons = [id_ for id_, each in state.ruleset.weapons.items() if weapon_price(faction, each) is not None]
    for id_, defence in state.ruleset.defences.items():
        if not defence.armed:
            yield from _offer(desk, BuildDefence(at=at, defence=id_), at=label, defence=id_)
            continue
        for weapon in weapons:
            order = BuildDefence(at=at, defence=id_, weapon=weapon)
            yield from _offer(desk, order, at=label, defence=id_, weapon=weapon)
    yield from _garrison(desk, at)


def _garrison(desk: Desk, at: Hex) -> Iterator[Option]:
    """Offer a new garrison, or new units for the one there is."""
    here = desk.state.garrison_at.get(at)
    if here is not None and (here.owner != desk.player or desk.state.phase == SETUP):
        return
    if here is None and desk.state.enemy_at(at, desk.player):
        return
    most = garrison_room(desk, at)
    if most > 0:
        type_ = "build_garrison" if here is None else "add_units"
        yield {"order": {"type": type_, "at": desk.state.board.label(at)}, "needs": {"units": {"most_points": most}}}


# --- convoys and forces ---


def _of_convoy(desk: Desk, convoy: Convoy) -> Iterator[Option]:
    label = desk.state.board.label(convoy.at)
    yield from _offer(desk, UnloadConvoy(convoy=convoy.id), convoy=convoy.id)
    yield from _offer(desk, BuildVillage(at=convoy.at, convoy=convoy.id), at=label, convoy=convoy.id)
    yield from _offer(desk, BuildCamp(at=convoy.at, convoy=convoy.id), at=label, convoy=convoy.id)


def _of_force(desk: Desk, force: Force) -> Iterator[Option]:
    yield from _transfers(desk, force)
    if not isinstance(force, Detachment):
        return
    yield {"order": {"type": "disband_detachment", "detachment": force.id}, "cost": 0}
    for unit in force.units:
        if unit.damaged:
            order = Repair(detachment=force.id, unit=unit.id)
            yield from _offer(desk, order, detachment=force.id, unit=unit.id)
    if force.at == ORBIT or not_in_town(desk, force, force.id) or no_headquarters(desk, force.at):
        return
    kinds = allowed_kinds(desk.state, force.at)
    store = desk.state.store.get(force.at, 0)
    most = min(most_points(desk.state, force.dxp) - force.points, store)
    if kinds and most > 0:
        slots = desk.state.ruleset.detachment_types[force.type].slots
        have = [unit.slot for unit in force.units]
        room = {slot: max(0, span[1] - have.count(slot)) for slot, span in slots.items()}
        needs = {"units": {"most_of_slot": room, "kinds": list(kinds), "most_points": most}}
        yield {"order": {"type": "add_units", "detachment": force.id}, "needs": needs}


def _transfers(desk: Desk, force: Force) -> Iterator[Option]:
    """Offer as many models as fit, for each two units of one name."""
    short = [unit for unit in force.units if unit.ready + unit.wounded < unit.models]
    for target in short:
        for source in force.units:
            models = min(source.ready, target.models - target.ready - target.wounded)
            if models and source is not target and source.name == target.name:
                order = TransferModels(from_unit=source.id, to_unit=target.id, models=models)
                yield from _offer(desk, order, from_unit=source.id, to_unit=target.id, models=models)
