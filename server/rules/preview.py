"""What an order would do, as far as its owner can know (2 to 6)."""

from __future__ import annotations

from typing import Any

from server.rules.errors import Problem
from server.rules.orders.base import Desk, ImmediateOrder
from server.rules.orders.sets import HopefulDice, read_order, read_set
from server.rules.scene import Scene
from server.rules.sight import View


def preview(view: View, order: object, before: object = ()) -> tuple[dict[str, Any], list[Problem]]:
    """Return what *order* would do and what is wrong with it; the first is empty when anything is.

    *before* are the orders that stand ahead of it in the set: they may have spent the BP it needs.
    """
    state, player = view.state, view.viewer
    ahead = read_set(state, player, state.phase, before).accepted if before else ()
    desk = Desk(state.copy() if ahead else state, player)
    for each in ahead:
        if isinstance(each, ImmediateOrder):
            each.carry_out(Scene(desk.state, HopefulDice()), desk)
    problems = list(read_set(desk.state, player, state.phase, [order]).problems)
    if problems:
        return {}, problems
    read, _ = read_order(desk, state.phase, 0, order)
    return ({} if read is None else read.preview(desk)), []
