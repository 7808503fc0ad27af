"""Phases 2 to 5: movement and battle movement orders carried out by initiative (3.1, 3.6, 4, 5)."""

from __future__ import annotations

from server.rules.battle_field import Field
from server.rules.board import Hex
from server.rules.claims import settle_claims
from server.rules.elimination import check_victory
from server.rules.orders.battle_movement import BattleOrder
from server.rules.orders.movement_order import MovementOrder, MovementPhase
from server.rules.orders.registry import KINDS
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene
from server.rules.sight import sight
from server.rules.state import Id, PlayerId, State

MAX_TIES = 100
"""Rolls of a tie after which the seats decide; only loaded dice ever come here."""


def initiative(scene: Scene, label: str) -> list[PlayerId]:
    """Roll 1D6 + strategy for every living player and return them, first to act first.

    Tied players, and only they, roll again unmodified on the same label until the tie is broken.
    *label* is ``initiative`` or ``battle-initiative``. Everyone learns the rolls and the order.
    """
    groups: list[list[PlayerId]] = []
    totals: dict[int, list[PlayerId]] = {}
    for player in scene.state.living():
        total = scene.roll_one(f"{label}/{player.id}", None) + player.strategy
        totals.setdefault(total, []).append(player.id)
    for total in sorted(totals, reverse=True):
        groups.extend(_break_tie(scene, label, totals[total], MAX_TIES))
    ranking = [player for group in groups for player in group]
    scene.emit_public("initiative", order=ranking, label=label)
    return ranking


def _break_tie(scene: Scene, label: str, tied: list[PlayerId], tries: int) -> list[list[PlayerId]]:
    if len(tied) == 1 or tries == 0:
        return [tied]
    faces: dict[int, list[PlayerId]] = {}
    for player in tied:
        faces.setdefault(scene.roll_one(f"{label}/{player}", None), []).append(player)
    groups: list[list[PlayerId]] = []
    for face in sorted(faces, reverse=True):
        groups.extend(_break_tie(scene, label, faces[face], tries - 1))
    return groups


def play_movement(scene: Scene, book: OrderBook) -> None:
    """Carry out phase 3; the campaign may be over after it (a capital claimed)."""
    march = MovementPhase(scene)
    orders = {
        player: [order for order in book.of(player) if isinstance(order, MovementOrder)]
        for player in scene.state.players
    }
    for given in orders.values():
        for order in given:
            order.begin(march)
    ranking = initiative(scene, "initiative")
    for player in ranking:
        for order in orders[player]:
            order.move(march, player)
    for player in reversed(ranking):  # who loses initiative moves after everybody, the first last (3.1)
        for order in orders[player]:
            order.move_last(march)
    for player in ranking:
        for order in orders[player]:
            order.claim(march)
    settle_claims(scene, march.claims)
    check_victory(scene, end_of_turn=False)


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
