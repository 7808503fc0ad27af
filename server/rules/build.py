"""1. Build phase: orders that are done at once, one after the other (D-27)."""

from __future__ import annotations

from collections.abc import Mapping

from server.rules.board import Hex
from server.rules.orders.base import ImmediateOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import OrderBook
from server.rules.scene import Scene
from server.rules.state import Force, Id, PlayerId, State


def play_build(scene: Scene, book: OrderBook) -> None:
    """Carry out the orders of the Build phase (1)."""
    carry_out_immediate(scene, book)


def carry_out_immediate(scene: Scene, book: OrderBook) -> None:
    """Carry out all orders of a book that are done at once: players in seat order, each player's in order (D-27).

    In phases other than Setup and Build these are the alliances (D-04).
    """
    given = [
        (player, order)
        for player in scene.state.players
        for order in book.of(player)
        if isinstance(order, ImmediateOrder)
    ]
    contexts = true_contexts(scene.state) if given else {}
    for player, order in given:
        attempt(scene, contexts[player], order)


def true_contexts(state: State) -> Mapping[PlayerId, OrderContext]:
    """Return a context for each player, in which their orders are carried out on the true state.

    What came and went in this phase is common to them all, so that seat order does not matter.
    """
    fresh: dict[Id, None] = {}
    gone: dict[Id, Force] = {}
    placed: dict[Hex, PlayerId] = {}
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    fit = {force.id: state.fit(force) for force in forces}
    return {player: OrderContext(state, player, {}, fresh, gone, fit, placed) for player in state.players}


def attempt(scene: Scene, context: OrderContext, order: ImmediateOrder) -> None:
    """Carry out one order, unless something its player could not know forbids it.

    Then it fails, and nothing is spent (D-07).
    """
    if next(iter(order.check(context)), None) is not None:
        scene.emit("no_effect", [context.player], order=order.index, order_type=order.TYPE)
    else:
        order.carry_out(scene, context)
