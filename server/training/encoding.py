"""What an agent sees and may do, as arrays of fixed shape: made of its view and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from server.bots.chance import filled
from server.bots.lot import SeededTiebreak
from server.rules.board import ORBIT, Hex
from server.rules.options import instances, options_at
from server.rules.orders.context import OrderContext
from server.rules.orders.registry import KINDS
from server.rules.sight import View
from server.rules.state import ORDER_PHASES, Force, State

Order = dict[str, Any]
Observation = dict[str, NDArray[Any]]

MAX_ACTIONS = 512
"""Actions an agent chooses from; action 0 finalises its orders."""
CHANNELS = (
    "terrain", "mine", "foreign", "free", "in_sight", "urban", "my_capital", "foreign_capital", "resource",
    "stronghold", "my_points", "foreign_points", "my_store", "battle",
)  # fmt: skip
"""The features of a hex."""
FEATURES = ("type", "column", "row", "to_column", "to_row", "own_points")
"""The features of an action."""
OVERALL = ("turn", *ORDER_PHASES, "vp", "hexes", "bp", "orders_given")
"""The features of the campaign; then follow the other seats' VP, in order from the agent's own seat."""
POINTS, BP, VP = 1000.0, 5000.0, 50.0
"""What counts as one: ready points, BP and VP are divided by them."""
TYPES = {kind.TYPE: place for place, kind in enumerate(KINDS, 1)}
_GOALS = ("to", "at", "target", "goal", "hex", "into")
_LEFT_OUT = ("declare_alliance", "end_alliance")
"""Alliances are not part of the training."""


def candidates(view: View, context: OrderContext, given: Sequence[Order]) -> list[Order]:
    """Return the orders an agent may add to those *given*, at most :data:`MAX_ACTIONS` less one.

    If there are more, a draw that favours no hex chooses among them. *context* has carried out the given orders.
    """
    taken = [_subject(order) for order in given]
    found = [order for order in _offered(context) if order not in given and (_subject(order) or order) not in taken]
    if len(found) < MAX_ACTIONS:
        return found
    lot = SeededTiebreak.of(b"training", view.viewer, view.state.turn)
    kept = sorted(range(len(found)), key=lambda place: lot.rank(repr(found[place])))[: MAX_ACTIONS - 1]
    return [found[place] for place in sorted(kept)]


def observe(view: View, actions: Sequence[Order], given: int, turn_limit: int) -> Observation:
    """Return what an agent sees: ``hexes``, ``overall``, ``actions`` and ``action_mask`` (``docs/training.md``)."""
    mask = np.zeros(MAX_ACTIONS, np.int8)
    mask[: len(actions) + 1] = 1
    told = np.zeros((MAX_ACTIONS, len(FEATURES)), np.float32)
    for place, order in enumerate(actions, 1):
        told[place] = _features(view.state, order)
    return {
        "hexes": _hexes(view), "overall": _overall(view, given, turn_limit), "actions": told, "action_mask": mask,
    }  # fmt: skip


def shapes(size: int, players: int) -> dict[str, tuple[int, ...]]:
    """Return the shapes of an observation, for a number of hexes and players."""
    return {
        "hexes": (size, len(CHANNELS)), "overall": (len(OVERALL) + players - 1,),
        "actions": (MAX_ACTIONS, len(FEATURES)), "action_mask": (MAX_ACTIONS,),
    }  # fmt: skip


# --- inside ---


def _offered(context: OrderContext) -> Iterator[Order]:
    for option in options_at(context):
        if option["order"]["type"] in _LEFT_OUT:
            continue
        if "needs" in option:
            order = dict(option["order"]) | {name: values[0] for name, values in option.get("choices", {}).items()}
            yield order | filled(order)
        else:
            yield from instances(option)


def _subject(order: Mapping[str, Any]) -> str:
    """Return the force or convoy that has this order and can have no other one."""
    return str(order.get("detachment") or order.get("convoy") or "")


def _features(state: State, order: Mapping[str, Any]) -> tuple[float, ...]:
    force = state.force(_subject(order))
    start = force.at if force is not None and force.at != ORBIT else None
    goal = next((at for name in _GOALS if (at := _hex(state, order.get(name))) is not None), None)
    path = order.get("path")
    if goal is None and isinstance(path, list | tuple) and path:
        goal = _hex(state, path[-1])
    own = 0.0 if force is None else state.ready_points(force) / POINTS
    return (TYPES[order["type"]] / len(TYPES), *_place(state, start if start is not None else goal),
            *_place(state, goal), own)  # fmt: skip


def _hex(state: State, label: object) -> Hex | None:
    return state.board.find(label) if isinstance(label, str) else None


def _place(state: State, at: Hex | None) -> tuple[float, float]:
    if at is None:
        return -1.0, -1.0
    row, column = divmod(at, state.board.columns)
    return column / state.board.columns, row / state.board.rows


def _hexes(view: View) -> NDArray[np.float32]:
    state, me = view.state, view.viewer
    found = np.zeros((state.board.size, len(CHANNELS)), np.float32)
    channel = {name: place for place, name in enumerate(CHANNELS)}
    terrains = {name: place for place, name in enumerate(state.ruleset.terrain, 1)}
    sizes = {str(size.id): place for place, size in enumerate(state.ruleset.urban, 1)}
    for at, owner in enumerate(state.owner):
        found[at, channel["terrain"]] = terrains[state.board.terrain[at]] / len(terrains)
        found[at, channel["mine" if owner == me else "foreign" if owner else "free"]] = 1
    found[list(view.sees), channel["in_sight"]] = 1
    for at, urban in state.urban.items():
        found[at, channel["urban"]] = sizes.get(urban.size, 0) / len(sizes)
        if urban.capital:
            found[at, channel["my_capital" if urban.capital == me else "foreign_capital"]] = 1
    found[list(state.resource), channel["resource"]] = 1
    found[list(state.stronghold), channel["stronghold"]] = 1
    found[list(state.battles), channel["battle"]] = 1
    for at, stored in state.store.items():
        if state.owner[at] == me:
            found[at, channel["my_store"]] = stored / BP
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        if force.at != ORBIT:
            side = "my_points" if force.owner == me else "foreign_points"
            found[force.at, channel[side]] += state.ready_points(force) / POINTS
    return found


def _overall(view: View, given: int, turn_limit: int) -> NDArray[np.float32]:
    state, me = view.state, view.viewer
    order = list(state.players)
    seats = order[order.index(me) :] + order[: order.index(me)]
    own = [at for at, owner in enumerate(state.owner) if owner == me]
    values = {
        "turn": state.turn / turn_limit,
        **{phase: float(phase == state.phase) for phase in ORDER_PHASES},
        "vp": state.players[me].vp / VP,
        "hexes": len(own) / state.board.size,
        "bp": sum(state.store.get(at, 0) for at in own) / BP,
        "orders_given": given / MAX_ACTIONS,
    }
    others = [state.players[other].vp / VP for other in seats[1:]]
    return np.array([*(values[name] for name in OVERALL), *others], np.float32)
