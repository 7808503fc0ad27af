"""What a player may order now: templates for people, pages and bots to fill in.

Each kind of order offers itself (:data:`server.rules.orders.base.Option`); here it is asked about everything it may
concern. All is computed from the player's view, and each order an option stands for is accepted by
:func:`server.rules.orders.sets.check`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from server.rules.board import Hex
from server.rules.orders.base import Option, Order
from server.rules.orders.build.refit import own_forces
from server.rules.orders.desk import Desk
from server.rules.orders.registry import KINDS
from server.rules.sight import View
from server.rules.state import BUILD, OVER


def legal_orders(view: View) -> list[Option]:
    """Return everything the viewer may order in the phase the campaign stands at."""
    return options_at(Desk(view.state, view.viewer))


def options_at(desk: Desk) -> list[Option]:
    """Return everything that may be ordered at a desk: after the orders that have been done on it."""
    state, player = desk.state, desk.player
    if state.phase == OVER or player not in state.players or state.players[player].eliminated:
        return []
    return list(_offers(desk))


def _offers(desk: Desk) -> Iterator[Option]:
    state, kinds = desk.state, [kind for kind in KINDS if desk.state.phase in kind.PHASE]
    for kind in kinds:
        yield from kind.offered(desk)
    for at in _own_places(desk):
        for kind in kinds:
            yield from kind.offered_in(desk, at)
    if state.phase == BUILD:
        yield from _to_convoys(desk, kinds)
    for force in own_forces(desk):
        for kind in kinds:
            yield from kind.offered_to_force(desk, force)
    if state.phase != BUILD:
        yield from _to_convoys(desk, kinds)
    for battle in state.battles.values():
        if not battle.winner and desk.player in (battle.attacking, battle.defended_by):
            for kind in kinds:
                yield from kind.offered_in_battle(desk, battle)
    for other in state.living():
        for kind in kinds:
            yield from kind.offered_about(desk, other)


def _own_places(desk: Desk) -> Iterator[Hex]:
    state = desk.state
    for at, owner in enumerate(state.owner):
        if owner == desk.player and (at in state.urban or at in state.stronghold):
            yield at


def _to_convoys(desk: Desk, kinds: list[type[Order]]) -> Iterator[Option]:
    for convoy in sorted(desk.state.convoys.values(), key=lambda each: each.id):
        if convoy.owner == desk.player:
            for kind in kinds:
                yield from kind.offered_to_convoy(desk, convoy)


def instances(option: Option) -> Iterator[dict[str, Any]]:
    """Yield every order an option stands for; none where units are still to be filled in (``needs``)."""
    if "needs" in option:
        return
    choices = option.get("choices", {})
    for values in product(*choices.values()):
        yield option["order"] | dict(zip(choices, values, strict=True))
