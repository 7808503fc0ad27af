"""What an order would do, as far as its owner can know (2 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from server.core.errors import Problem
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import SetReader, closed
from server.rules.sight import View


def preview(view: View, order: object, before: Sequence[object] = ()) -> tuple[dict[str, Any], list[Problem]]:
    """Return what *order* would do and what is wrong with it; the first is empty when anything is.

    *before* are the orders that stand ahead of it in the set: they may have spent the BP it needs.
    """
    refusal = closed(view.state, view.viewer)
    if refusal is not None:
        return {}, [refusal]
    reader = SetReader(OrderContext(view.state, view.viewer), view.state.phase)
    for change in before:
        reader.add(change, lambda order: order.foresee(reader.context, order.preview(reader.context)))
    reader.problems.clear()
    said: dict[str, Any] = {}
    reader.add(order, lambda accepted: said.update(accepted.preview(reader.context)))
    return said, [replace(problem, order=0) for problem in reader.problems]
