"""Battle movement orders carried out (4, 5): who acts when, and under which order everyone stands."""

from __future__ import annotations

from server.rules.battle_field import Field
from server.rules.board import Hex
from server.rules.initiative import initiative
from server.rules.orders.battle_movement import BattleOrder
from server.rules.orders.registry import KINDS
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene
from server.rules.sight import sight
from server.rules.state import Id, PlayerId, State

STANDING = tuple(kind for kind in KINDS if issubclass(kind, BattleOrder) and kind.STANDS)
"""Orders that last until a detachment gets another."""


def play_battle_movement(scene: Scene, book: OrderBook) -> None:
    """Phases 4 and 5: carry out all battle orders; the battles that result stand in ``state.battles``."""
    orders = _given(scene.state, book)
    field_ = Field(scene, orders, sight(scene.state) if scene.seen_before is None else scene.seen_before)
    mine: dict[PlayerId, list[BattleOrder]] = {id_: [] for id_ in scene.state.players}
    for order in orders.values():
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
        standing = next((kind for kind in STANDING if detachment.battle_order == kind.TYPE), None)
        if standing is not None:
            orders[detachment.id] = standing(detachment=detachment.id)
        elif not detachment.battle_order:
            detachment.battle_order = "inactive"
    return orders


def _early_and_late(state: State, orders: list[BattleOrder]) -> tuple[list[BattleOrder], list[BattleOrder]]:
    """Return a player's orders in the order they are carried out; planned assaults lose initiative (4.1.2, 4.1.4).

    Of several assaults on one target the primary comes first, and the others right after it (D-51).
    """
    primaries: dict[Hex, BattleOrder] = {}
    for order in orders:
        target = order.strikes(state)
        if target is not None and order.leads:
            primaries.setdefault(target, order)
    groups: dict[Id, list[BattleOrder]] = {}
    for order in orders:
        target = order.strikes(state)
        leader = order if target is None else primaries.get(target, order)
        groups.setdefault(leader.detachment, [leader])
        if order is not leader:
            groups[leader.detachment].append(order)
    early: list[BattleOrder] = []
    late: list[BattleOrder] = []
    for leader, *others in groups.values():
        (late if leader.late else early).append(leader)
        for order in others:
            (late if leader.late or order.late else early).append(order)
    return early, late


def _carry_out(field_: Field, order: BattleOrder) -> None:
    detachment = field_.state.detachments.get(order.detachment)
    if detachment is None or detachment.battle_order != order.TYPE or detachment.id in field_.carried_out:
        return
    field_.carried_out[detachment.id] = len(field_.carried_out)
    order.play(field_, detachment)
