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
from server.rules.orders.build.models import own_forces
from server.rules.orders.context import OrderContext
from server.rules.orders.registry import KINDS
from server.rules.sight import View
from server.rules.state import BUILD, OVER, Battle


def legal_orders(view: View) -> list[Option]:
    """Return everything the viewer may order in the phase the campaign stands at."""
    return options_at(OrderContext(view.state, view.viewer))


def options_at(context: OrderContext) -> list[Option]:
    """Return everything that may be ordered in a context: after the orders that it has carried out."""
    state, player = context.state, context.player
    if state.phase == OVER or player not in state.players or state.players[player].eliminated:
        return []
    return list(_offers(context))


def _offers(context: OrderContext) -> Iterator[Option]:
    state, kinds = context.state, [kind for kind in KINDS if context.state.phase in kind.PHASE]
    for kind in kinds:
        yield from kind.offered(context)
    for at in _own_places(context):
        for kind in kinds:
            yield from kind.offered_in(context, at)
    if state.phase == BUILD:
        yield from _to_convoys(context, kinds)
    for force in own_forces(context):
        for kind in kinds:
            yield from kind.offered_to_force(context, force)
    if state.phase != BUILD:
        yield from _to_convoys(context, kinds)
    for battle in _open_battles(context):
        for kind in kinds:
            yield from kind.offered_in_battle(context, battle)
    for other in state.living():
        for kind in kinds:
            yield from kind.offered_about(context, other)


def _own_places(context: OrderContext) -> Iterator[Hex]:
    state = context.state
    for at, owner in enumerate(state.owner):
        if owner == context.player and (at in state.urban or at in state.stronghold):
            yield at


def _open_battles(context: OrderContext) -> Iterator[Battle]:
    for battle in context.state.battles.values():
        if not battle.winner and context.player in (battle.attacking, battle.defended_by):
            yield battle


def _to_convoys(context: OrderContext, kinds: list[type[Order]]) -> Iterator[Option]:
    for convoy in sorted(context.state.convoys.values(), key=lambda convoy: convoy.id):
        if convoy.owner == context.player:
            for kind in kinds:
                yield from kind.offered_to_convoy(context, convoy)


def instances(option: Option) -> Iterator[dict[str, Any]]:
    """Yield every order an option stands for; none where units are still to be filled in (``needs``)."""
    if "needs" in option:
        return
    choices = option.get("choices", {})
    for values in product(*choices.values()):
        yield option["order"] | dict(zip(choices, values, strict=True))
