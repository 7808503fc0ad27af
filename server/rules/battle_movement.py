"""Battle movement orders carried out (4, 5): who attacks whom, who helps, who gets away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from server.core import hexes
from server.rules.board import ORBIT, Hex
from server.rules.initiative import initiative
from server.rules.movement import destroy, mover
from server.rules.orders.battle_movement.assault import Assault, may_attack_into
from server.rules.orders.battle_movement.guard import Guard
from server.rules.orders.battle_movement.order import BattleOrder
from server.rules.orders.battle_movement.support import Support
from server.rules.orders.battle_movement.withdraw import Withdraw
from server.rules.orders.sets import OrderBook
from server.rules.plunder import capture_convoys, haul, plunder
from server.rules.scene import Scene
from server.rules.sight import Seen, sight, witnesses
from server.rules.state import Battle, Detachment, Force, Id, PlayerId, State


@dataclass(slots=True)
class Field:
    """The phase as it unfolds."""

    scene: Scene
    orders: dict[Id, BattleOrder]
    """By detachment, players in seat order, each player's as he listed them."""
    eyes: dict[PlayerId, Seen]
    """What each player sees as the phase begins."""
    carried_out: dict[Id, int] = field(default_factory=dict)
    """Detachments whose orders can no longer be cancelled by an attack, numbered as they were carried out."""
    standing_by: dict[Id, Guard | Support] = field(default_factory=dict)
    """Carried-out ``guard`` and ``support`` orders whose battle has not come yet."""
    committed: dict[Id, Hex] = field(default_factory=dict)
    """Forces that have opened or joined a battle, and its hex (D-51)."""
    opened: dict[Hex, int] = field(default_factory=dict)
    """The battles' hexes, numbered as they were opened."""
    raided: dict[Hex, None] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The state that changes."""
        return self.scene.state


def play_battle_movement(scene: Scene, book: OrderBook) -> None:
    """Phases 4 and 5: carry out all battle orders; the battles that result stand in ``state.battles``."""
    field_ = Field(scene, _given(scene.state, book), sight(scene.state))
    mine: dict[PlayerId, list[BattleOrder]] = {id_: [] for id_ in scene.state.players}
    for order in field_.orders.values():
        mine[scene.state.detachments[order.detachment].owner].append(order)
    ranking = initiative(scene, "battle-initiative")
    turns = {player: _early_and_late(scene.state, mine[player]) for player in ranking}
    for late in (0, 1):
        for player in ranking:
            for order in turns[player][late]:
                _carry_out(field_, order)


def _given(state: State, book: OrderBook) -> dict[Id, BattleOrder]:
    """Put every detachment under its battle order and return the orders, player by player as listed."""
    orders: dict[Id, BattleOrder] = {}
    for player in state.players:
        for order in book.of(player):
            if isinstance(order, BattleOrder) and order.detachment in state.detachments:
                orders[order.detachment] = order
                state.detachments[order.detachment].battle_order = order.TYPE
    for detachment in state.detachments.values():
        if detachment.id in orders or detachment.ready_in:
            continue
        if detachment.battle_order == Guard.TYPE:
            orders[detachment.id] = Guard(detachment=detachment.id)
        elif detachment.battle_order == Withdraw.TYPE:
            orders[detachment.id] = Withdraw(detachment=detachment.id)
        elif not detachment.battle_order:
            detachment.battle_order = "inactive"
    return orders


def _early_and_late(state: State, orders: list[BattleOrder]) -> tuple[list[BattleOrder], list[BattleOrder]]:
    """Return a player's orders in the order they are carried out; planned assaults lose initiative (4.1.2, 4.1.4).

    Of several assaults on one target the primary comes first, and the others right after it (D-51).
    """
    primaries: dict[Hex, Assault] = {}
    for order in orders:
        if isinstance(order, Assault) and order.primary:
            primaries.setdefault(order.target.where(state), order)
    groups: dict[Id, list[BattleOrder]] = {}
    for order in orders:
        leader = primaries.get(order.target.where(state), order) if isinstance(order, Assault) else order
        groups.setdefault(leader.detachment, [leader])
        if order is not leader:
            groups[leader.detachment].append(order)
    early: list[BattleOrder] = []
    late: list[BattleOrder] = []
    for leader, *others in groups.values():
        planned = isinstance(leader, Assault) and leader.planned
        (late if planned else early).append(leader)
        for order in others:
            (late if planned or (isinstance(order, Assault) and order.planned) else early).append(order)
    return early, late


def _carry_out(field_: Field, order: BattleOrder) -> None:
    detachment = field_.state.detachments.get(order.detachment)
    if detachment is None or detachment.battle_order != order.TYPE or detachment.id in field_.carried_out:
        return
    field_.carried_out[detachment.id] = len(field_.carried_out)
    if isinstance(order, Assault):
        if detachment.id not in field_.committed:
            _assault(field_, detachment, order)
    elif isinstance(order, Guard | Support):
        field_.standing_by[detachment.id] = order
        if detachment.at != ORBIT:
            for battle in _battles_around(field_, detachment.at):
                _join_if_wanted(field_, battle, detachment, order)


# --- attacks and raids ---


def _assault(field_: Field, attacker: Detachment, order: Assault) -> None:
    reason = _strike(field_, attacker, order)
    if reason == "withdrawn":  # D-52: an attack on a hex is on what is left there, one on a unit follows it
        reason = _strike(field_, attacker, order)
    if reason:
        _fail(field_, attacker, reason)


def _fail(field_: Field, attacker: Detachment, reason: str) -> None:
    field_.scene.tell("attack_failed", (attacker.owner,), force=attacker.id, reason=reason)


def _strike(field_: Field, attacker: Detachment, order: Assault) -> str:
    """Carry out an assault; return why it fails, ``withdrawn`` when its target has just given way."""
    state = field_.state
    at = order.target.where(state)
    if at == ORBIT or (order.target.force and state.force(order.target.force) is None):
        return "target_gone"
    if attacker.at != ORBIT and at not in state.board.adjacent[attacker.at]:
        return "out_of_reach"
    if not may_attack_into(state, attacker, at):
        return "terrain"
    enemies = [each for each in state.forces_at(at) if not state.friendly(attacker.owner, each.owner)]
    if order.target.force and all(each.id != order.target.force for each in enemies):
        return "target_gone"
    if at in state.battles:
        return _reinforce(field_, attacker, order, state.battles[at])
    if not enemies:
        return _enter(field_, attacker, at) if order.TYPE == "attack" else _loot(field_, attacker, at)
    if all(each.id in field_.committed for each in enemies):
        return "contested"
    if order.TYPE == "raid" and at in field_.raided:
        return "contested"
    defenders = [each for each in enemies if each.id not in field_.committed]
    if _gives_way(field_, defenders[0], attacker):
        return "withdrawn"
    _open(field_, attacker, defenders, order, at)
    return ""


def _enter(field_: Field, attacker: Detachment, at: Hex) -> str:
    """D-50: an attack on a hex without an enemy force simply enters it."""
    scene = field_.scene
    if at in field_.state.detachment_at:
        return "occupied"
    start = attacker.at
    field_.state.move(attacker, at)
    path = [scene.label(at)]
    scene.tell("moved", (attacker.owner,), force=attacker.id, start=scene.label(start), path=path, stop="")
    capture_convoys(scene, at, attacker.owner)
    return ""


def _loot(field_: Field, raider: Detachment, at: Hex) -> str:
    """D-50: a raid on a hex without an enemy force takes what there is, once a turn."""
    if at in field_.raided:
        return "contested"
    bp, convoys = plunder(field_.scene, at, raider.owner, raider.at)
    if not bp and not convoys:
        return "nothing_to_take"
    field_.raided[at] = None
    haul(field_.scene, raider.owner, raider.at, bp)
    return ""


def _reinforce(field_: Field, attacker: Detachment, order: Assault, battle: Battle) -> str:
    """D-51: later attackers of the same side support the battle, all others fail."""
    state = field_.state
    if not state.friendly(attacker.owner, battle.attacking) or order.TYPE == "raid":
        return "contested"
    _join(field_, battle, attacker, _facing(state, battle, attacker))
    return ""


def _gives_way(field_: Field, defender: Force, attacker: Detachment) -> bool:
    """Cancel the defender's order, or let it withdraw if it acts before its attacker (4.1, 5.1, D-53)."""
    if not isinstance(defender, Detachment):
        return False
    answer = field_.orders.get(defender.id)
    if defender.id in field_.carried_out:
        if isinstance(answer, Withdraw) and defender.battle_order == Withdraw.TYPE:
            _withdraw(field_, defender, answer, attacker)
            return True
        return False
    if answer is not None and defender.battle_order not in ("defend", ""):
        field_.scene.tell("order_cancelled", (defender.owner,), force=defender.id, order=defender.battle_order)
        defender.battle_order = ""
    return False


def _open(field_: Field, attacker: Detachment, defenders: list[Force], order: Assault, at: Hex) -> None:
    scene, state, primary = field_.scene, field_.state, defenders[0]
    defending = isinstance(primary, Detachment) and primary.battle_order == "defend"
    battle = Battle(
        at, attacker.id, primary.id, order.kind, attacker.owner, primary.owner, attacker.at, defending=defending
    )  # fmt: skip
    state.battles[at] = battle
    field_.opened[at] = len(field_.opened)
    if battle.raid:
        field_.raided[at] = None
    for force in (attacker, *defenders):
        field_.committed[force.id] = at
    to = [*(each.owner for each in (attacker, *defenders)), *witnesses(state, at, field_.eyes)]
    scene.tell("battle", to, hex=scene.label(at), attacker=attacker.id, defender=primary.id, kind=battle.kind)
    for supporter in _standing_around(field_, at):
        _join_if_wanted(field_, battle, supporter, field_.standing_by[supporter.id])


# --- support ---


def _battles_around(field_: Field, at: Hex) -> list[Battle]:
    """Return the battles in adjacent hexes in the order in which they were opened."""
    battles = field_.state.battles
    near = [battles[hex_] for hex_ in field_.state.board.adjacent[at] if hex_ in battles]
    return sorted(near, key=lambda each: field_.opened[each.hex])


def _standing_around(field_: Field, at: Hex) -> list[Detachment]:
    """Return the detachments that stand by in adjacent hexes, in the order in which they were told to."""
    bodies = (field_.state.detachment_at.get(near) for near in field_.state.board.adjacent[at])
    ready = [each for each in bodies if each is not None and each.id in field_.standing_by]
    return sorted(ready, key=lambda each: field_.carried_out[each.id])


def _join_if_wanted(field_: Field, battle: Battle, supporter: Detachment, wish: Guard | Support) -> None:
    state = field_.state
    if supporter.id in field_.committed or supporter.at not in state.board.adjacent[battle.hex]:
        return
    side = (
        _side_by_target(state, battle, wish) if isinstance(wish, Support) else _side_by_owner(state, battle, supporter)
    )
    principal = {"attacker": battle.attacking, "defender": battle.defended_by}.get(side, "")
    if not principal or not state.friendly(supporter.owner, principal):
        return
    _join(field_, battle, supporter, "defender" if side == "defender" else _facing(state, battle, supporter))


def _side_by_owner(state: State, battle: Battle, supporter: Detachment) -> str:
    if state.friendly(supporter.owner, battle.attacking):
        return "attacker"
    return "defender" if state.friendly(supporter.owner, battle.defended_by) else ""


def _side_by_target(state: State, battle: Battle, wish: Support) -> str:
    """4.1.7: a named hex is the battle's, a named force takes part in it."""
    supporter = state.detachments[wish.detachment]
    id_ = wish.target.force
    if not id_:
        return _side_by_owner(state, battle, supporter) if wish.target.hex == battle.hex else ""
    if id_ == battle.attacker:
        return "attacker"
    if id_ in battle.supporters:
        return "defender" if battle.supporters[id_] == "defender" else "attacker"
    return "defender" if any(force.id == id_ for force in state.forces_at(battle.hex)) else ""


def _facing(state: State, battle: Battle, supporter: Detachment) -> str:
    """Return where an attacker's supporter stands (6.1); from or to orbit all is front (D-56)."""
    if battle.origin == ORBIT or supporter.at == ORBIT:
        return "front"
    front = state.board.direction(battle.hex, battle.origin)
    here = state.board.direction(battle.hex, supporter.at)
    return "front" if front is None or here is None else hexes.facing(front, here)


def _join(field_: Field, battle: Battle, supporter: Detachment, side: str) -> None:
    battle.supporters[supporter.id] = side
    field_.committed[supporter.id] = battle.hex
    hex_ = field_.scene.label(battle.hex)
    to = (battle.attacking, battle.defended_by, supporter.owner)
    field_.scene.tell("supports", to, force=supporter.id, hex=hex_, side=side)


# --- withdrawal before the battle ---


def _withdraw(field_: Field, detachment: Detachment, order: Withdraw, attacker: Detachment) -> None:
    scene, state = field_.scene, field_.state
    start = detachment.at
    free = free_hexes(state, detachment, start)
    safe = [each for each in free if not state.enemy_zoc(each, detachment.owner)]
    choice = choose_withdrawal(state, detachment, start, safe or free, order.to)
    if choice is None:
        destroy(scene, detachment, "no_way_to_withdraw", attacker.owner)
        return
    detachment.battle_order = ""
    state.move(detachment, choice)
    capture_convoys(scene, choice, detachment.owner)
    to = (detachment.owner, attacker.owner)
    scene.tell("withdrew", to, force=detachment.id, start=scene.label(start), hex=scene.label(choice))


def free_hexes(state: State, detachment: Detachment, start: Hex) -> list[Hex]:
    """Return the adjacent hexes a detachment may give way into, by direction: passable land, empty of others."""
    who = mover(state, detachment)
    return [
        each
        for each in state.board.adjacent[start]
        if state.ruleset.terrain[state.board.terrain[each]].land
        and who.cost(state, start, each) > 0
        and each not in state.detachment_at
        and not state.enemy_at(each, detachment.owner)
    ]


def choose_withdrawal(
    state: State, detachment: Detachment, start: Hex, legal: list[Hex], wanted: Iterable[Hex]
) -> Hex | None:
    """Return the first legal hex wanted, else the best: own territory, cheapest, lowest direction (D-53)."""
    for each in wanted:
        if each in legal:
            return each
    who = mover(state, detachment)
    own = detachment.owner
    return min(legal, key=lambda each: (state.owner[each] != own, who.cost(state, start, each)), default=None)
