"""The army's target: the enemy capital that everyone gathers against."""

from __future__ import annotations

from collections.abc import Mapping

from server.bots.ground import FAR, Ground
from server.rules.board import Hex


def choose_target(ground: Ground, grudges: Mapping[str, int], grudge: int) -> Hex | None:
    """Return the enemy capital to go for: the nearest; of those about as near the weakest's, in a keyed order.

    *grudges* says how often others have attacked, *grudge* how many hexes of their land one attack weighs.
    """
    state = ground.state
    home = state.capital(ground.me)
    capitals = ground.capitals()
    if home is None or not capitals:
        return capitals[0] if capitals else None
    ways = ground.steps_to(home)
    nearest = min(ways.get(at, FAR) for at in capitals)
    near = [at for at in capitals if ways.get(at, FAR) <= nearest * 1.25 + 2]
    held = dict.fromkeys(state.players, 0)
    for owner in state.owner:
        if owner:
            held[owner] += 1
    return min(
        near,
        key=lambda at: (
            held[state.urban[at].capital] - grudge * grudges.get(state.urban[at].capital, 0),
            ground.lot.rank(at),
        ),
    )
