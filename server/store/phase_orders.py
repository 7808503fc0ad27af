"""The orders of finished phases, each kept once.

What a player handed in stays in their order set. ``Phase.orders`` says None for those whose orders were resolved as
they are there. It holds whatever else was resolved: orders of stand-ins, orders behind settled results, the start.
Earlier versions kept all orders in it; those stay as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.store.tables import OrderSet, Phase

Orders = Mapping[str, Any]
"""Per player, and the game master; of phase 0 who began and how."""


def column_of(orders: Orders, as_handed_in: Collection[str]) -> dict[str, Any]:
    """Return orders as ``Phase.orders`` has them."""
    return {player: None if player in as_handed_in else given for player, given in orders.items()}


def orders_of(session: Session, phase: Phase) -> dict[str, Any]:
    """Return the orders with which a finished phase was resolved."""
    kept = phase.orders or {}
    if None not in kept.values():
        return kept
    mine = (OrderSet.campaign_id == phase.campaign_id, OrderSet.branch == phase.branch)
    query = select(OrderSet.player_id, OrderSet.orders).where(*mine, OrderSet.phase_number == phase.number)
    return resolved(kept, dict(session.execute(query).all()))


def resolved(kept: Orders, handed_in: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the orders that ``Phase.orders`` and the order sets of the phase say together."""
    return {player: handed_in[player] if given is None else given for player, given in kept.items()}
