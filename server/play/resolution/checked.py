"""Order sets that this process has checked: who hands them in does, and the resolution need not do it once more.

The rules are pure: the same set against the same position is the same orders. The key names both, by their hashes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from server.core.errors import Problem
from server.play.context import AppContext
from server.play.dice import receipts
from server.rules.orders import sets
from server.rules.orders.sets import Accepted
from server.rules.sight import View


def key_of(campaign_id: str, state_hash: str, player_id: str, orders: Sequence[Any]) -> Hashable:
    """Return what names a player's order set, and the position that it is checked against."""
    return campaign_id, state_hash, player_id, receipts.digest(orders)


def check(ctx: AppContext, campaign_id: str, state_hash: str, view: View, orders: Any) -> Sequence[Problem]:
    """Return all problems of a set for the open phase, and cache the result of one without problems."""
    found = sets.read_set(view.state, view.viewer, view.state.phase, orders)
    if found.accepted and not found.problems:
        ctx.caches.checked.put(key_of(campaign_id, state_hash, view.viewer, orders), found.accepted)
    return found.problems


def checked_before(ctx: AppContext, campaign_id: str, state_hash: str, orders: Mapping[str, Sequence[Any]]) -> Accepted:
    """Return the orders of those sets that have been checked here, by player."""
    known = {
        player: ctx.caches.checked.known(key_of(campaign_id, state_hash, player, given))
        for player, given in orders.items()
    }
    return {player: accepted for player, accepted in known.items() if accepted is not None}
