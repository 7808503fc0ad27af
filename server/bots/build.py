"""The Build phase: losses made up, what pays itself back, forces, watches; and what is saved for (1.1 to 1.6)."""

from __future__ import annotations

from typing import Any

from server.bots import care, economy, seats, surplus
from server.bots.army import SQUAD, bill, host, patrol, price, scout_slot, specials, units_for
from server.bots.budget import Budget, Goal
from server.bots.ground import Ground
from server.bots.posture import Posture
from server.bots.setup import raise_order
from server.rules.board import Hex
from server.rules.ruleset import DetachmentType
from server.rules.state import Detachment
from server.rules.structure import allowed_kinds, has_headquarters

Order = dict[str, Any]

MIN_HOST = 380
"""A host is not raised for less, as long as there are patrols enough."""
MAX_HOST = 1490


def plan(ground: Ground, posture: Posture, *, thrift: bool = True, hosts: int = MAX_HOST) -> Budget:
    """Return the orders of the phase and what is saved for; *hosts*: points of a host at most."""
    state = ground.state
    free = [at for at, owner in enumerate(state.owner) if owner == ground.me and not state.enemy_at(at, ground.me)]
    made = Budget(ground, posture, thrift, purse={at: bp for at, bp in state.store.items() if at in free})
    made.buildings = {at: urban.buildings for at, urban in state.urban.items() if at in free}
    home = state.capital(ground.me)
    if home is not None and home not in free:  # where an enemy stands nothing is done (D-20b)
        home = None
    made.seats = seats.seats(ground)
    _unload(made, home)
    made.orders += care.orders(ground, made.purse)
    if home is not None:
        if thrift:
            economy.improve_capital(made, home)
        _watch(made, home)
    if home is not None and (ground.invests or seats.is_rich(ground)):
        seats.train(made, home)
    seats.settle_in(made)
    for at in sorted(made.buildings, key=lambda at: (at != home, ground.lot.rank(at))):
        if has_headquarters(state, at) or seats.has_seat(made, at):
            _raise(made, at, hosts)
    if home is not None:
        seats.supply(made, home)
    if thrift and home is not None:
        economy.develop(made, home)
    surplus.spend(made)
    _save(made, home)
    return made


def _unload(made: Budget, home: Hex | None) -> None:
    """Unload convoys at home, and wherever an enemy is near."""
    ground, state = made.ground, made.ground.state
    for convoy in sorted(state.convoys.values(), key=lambda convoy: convoy.id):
        if convoy.owner != ground.me or state.owner[convoy.at] != ground.me:
            continue
        store = convoy.at in state.urban or convoy.at in state.stronghold
        if store and (convoy.at in (home, *made.seats) or home is None or ground.strength_near(convoy.at, 2)):
            made.orders.append({"type": "unload_convoy", "convoy": convoy.id})
            made.purse[convoy.at] = made.purse.get(convoy.at, 0) + convoy.bp


def _watch(made: Budget, home: Hex) -> None:
    """Keep the capital's garrison at what the posture gives for garrisons and defences (P-35)."""
    ground, state = made.ground, made.ground.state
    maximum = economy.max_garrison(state, home)
    garrison = state.garrison_at.get(home)
    have = 0 if garrison is None else garrison.points
    share = max(0, made.purse.get(home, 0)) * (100 - made.posture.field) // 100
    threatened = ground.strength_near(home, 5) > 0
    points = min(maximum - have, (made.purse.get(home, 0) if threatened else max(share, 100)) * 2)
    squads = max(0, points) // SQUAD["points"]
    cost = -(-squads * SQUAD["points"] // state.ruleset.garrison_divisor)
    if not squads or not made.has(home, cost):
        return
    label = state.board.label(home)
    if garrison is not None:
        made.pay(home, cost, {"type": "add_units", "at": label, "units": units_for(bill(squads))})
    elif economy.can_have_garrison(ground, home):
        made.pay(home, cost, {"type": "build_garrison", "at": label, "units": units_for(bill(squads))})


# --- field forces ---


def _raise(made: Budget, at: Hex, most: int) -> None:
    """Raise the best detachment the place can pay, where nobody stands in the way (D-32)."""
    ground, state = made.ground, made.ground.state
    standing, given_up = state.detachment_at.get(at), _given_up(made)
    if (standing is not None and standing.id not in given_up) or at in state.raising_at:
        return
    own = [force for force in state.detachments.values() if force.owner == ground.me and force.id not in given_up]
    scouts = scout_slot(state.faction(ground.me))
    patrols = sum(force.points <= 2 * price(patrol()) for force in own)
    bp = made.purse.get(at, 0)
    kinds = tuple(dict.fromkeys(kind for id_ in made.buildings[at] for kind in state.ruleset.buildings[id_].allows))
    short = patrols <= len(own) - patrols
    units = host(min(bp, most), kinds=kinds, scouts=scouts)
    if units and (bp < MIN_HOST or (short and bp < price(host(most, kinds=kinds, scouts=scouts)) * 2 // 3)):
        small = patrol(scouts, kinds)
        units = small if bp >= price(small) else patrol()
    if not units:
        return
    type_ = _type(made, own, units, at)
    made.raised.append(type_)
    made.pay(at, price(units), raise_order(state.board.label(at), units, type_))


def _given_up(made: Budget) -> list[str]:
    return [order["detachment"] for order in made.orders if order["type"] == "disband_detachment"]


def _type(made: Budget, own: list[Detachment], units: tuple[dict[str, Any], ...], at: Hex) -> str:
    """Return the type of detachment to raise: one of the list's special ones where that is allowed and better."""
    ground, state = made.ground, made.ground.state
    have = [force.type for force in own] + made.raised
    standard = sum(not state.ruleset.detachment_types[id_].share for id_ in have)
    for type_ in sorted(specials(state, ground.me), key=lambda special: ground.lot.rank(special.id)):
        if type_.asks or (type_.orbit and not _port(made, at, units)):
            continue  # its units go on foot: what asks for vehicles is not theirs (D-35f)
        if room_for(type_, have, standard):
            return type_.id
    return "standard"


def room_for(type_: DetachmentType, have: list[str], standard: int) -> bool:
    """Say whether one more detachment of a special type is allowed beside those there are (D-31)."""
    same, special = have.count(type_.id) + 1, len(have) - standard + 1
    return same * type_.share <= len(have) + 1 and special < standard


def _port(made: Budget, at: Hex, units: tuple[dict[str, Any], ...]) -> bool:
    kinds = allowed_kinds(made.ground.state, at, orbit=True)
    ports = [id_ for id_ in made.buildings[at] if made.ground.state.ruleset.buildings[id_].space_port]
    return bool(ports) and all(unit["slot"] in kinds for unit in units)


# --- what is saved for ---


def _save(made: Budget, home: Hex | None) -> None:
    """Name the purpose of the remaining BP."""
    state = made.ground.state
    for at, bp in sorted(made.purse.items()):
        if bp <= 0 or at not in made.buildings:
            continue
        if at == home or has_headquarters(state, at) or seats.has_seat(made, at):
            made.goals.append(Goal(at, "host", MAX_HOST, waits=bp >= MAX_HOST))
        elif at in made.seats or home is None:
            made.goals.append(Goal(at, "seat", seats.OWN_MEANS))
        elif bp < economy.LOAD:
            made.goals.append(Goal(at, "convoy", economy.LOAD))
        else:
            made.goals.append(Goal(at, "growth", economy.growth(made, at)))
