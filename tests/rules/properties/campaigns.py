"""Random campaigns, phase by phase."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from server.rules.phases import Resolution, resolve
from server.rules.sight import View, views_for
from server.rules.state import OVER, PlayerId, State
from tests.rules.properties.players import Order, orders_of
from tests.rules.properties.worlds import MAPS, RULESETS, Plan, dice_of, new_campaign

LONG = bool(os.environ.get("SEALED_ORDERS_LONG"))
"""Set ``SEALED_ORDERS_LONG=1`` for many more and longer campaigns."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a random campaign."""

    plan: Plan
    before: State
    views: dict[PlayerId, View]
    """Every player's, before the phase."""
    orders: dict[PlayerId, list[Order]]
    resolution: Resolution

    @property
    def after(self) -> State:
        """The state at the next phase that needs people."""
        return self.resolution.state


def play(plan: Plan, state: State | None = None) -> Iterator[Phase]:
    """Play a campaign of random legal orders, or play on from a state of it."""
    state = new_campaign(plan) if state is None else state
    while state.phase != OVER and state.turn <= plan.turns:
        views = views_for(state, ())
        orders = {player: orders_of(view, chooser(plan, state, player)) for player, view in views.items()}
        resolution = resolve(state, orders, dice_of(plan, state))
        yield Phase(plan, state, views, orders, resolution)
        state = resolution.state


def chooser(plan: Plan, state: State, player: PlayerId) -> Random:
    """Return the chance by which a player chooses in a phase."""
    return Random(f"{plan}/{state.turn}/{state.phase}/{player}")


def plans(count: int, turns: int, seed: int = 0) -> list[Plan]:
    """Return plans that go through all maps, both rulesets and 2 to 6 players."""
    maps = list(MAPS)
    made = []
    for number in range(seed, seed + count):
        kind = maps[number % len(maps)]
        players = 2 if kind == "tiny" else 2 + number * 7 // 3 % 5
        made.append(Plan(number, kind, players, RULESETS[number // 2 % 2], turns))
    return made
