"""Phases 2 and 3: all movement orders carried out by initiative, then all claims decided (3.1, 3.6)."""

from __future__ import annotations

from server.rules.claims import settle_claims
from server.rules.elimination import check_victory
from server.rules.initiative import initiative
from server.rules.orders.movement_order import MovementOrder, MovementPhase
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene


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
