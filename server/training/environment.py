"""The campaign as a PettingZoo parallel environment; all that reaches an agent comes from ``view_for``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from server import rulesets
from server.core.dice import SeededDice
from server.rules.orders.context import OrderContext
from server.rules.orders.sets import SetReader
from server.rules.phases import begin, resolve
from server.rules.sight import View, views_for
from server.rules.state import OVER, PlayerId, State
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.tournament import contestants
from server.tournament.game import settings
from server.training.encoding import MAX_ACTIONS, Observation, Order, candidates, observe, shapes

Infos = dict[PlayerId, dict[str, Any]]
MAX_ORDERS = 60
"""Orders an agent gives in a phase at most; then they are final."""
FINAL = 0
"""The action that finalises the agent's orders."""


def parallel_env(
    scenario: str = "the-pass", factions: Sequence[str] = (), *, opponents: Mapping[PlayerId, str] | None = None,
    turns: int = 12,
) -> CampaignEnv:  # fmt: skip
    """Return an environment on a map of this server.

    *factions* are by seat; those left out are the ruleset's first. *opponents* are seats that play on their own:
    contestants of tournaments (``{"p2": "regular"}``). The campaign ends after so many *turns*. Raises MapError and
    :class:`server.tournament.contestants.UnknownContestant`.
    """
    return CampaignEnv(scenario, factions, opponents or {}, turns)


@dataclass(slots=True)
class _Draft:
    """An agent's orders of the open phase."""

    view: View
    reader: SetReader
    given: list[Order] = field(default_factory=list)
    """All that were tried, also those that were refused: nothing is tried twice."""
    accepted: list[Order] = field(default_factory=list)
    offered: list[Order] = field(default_factory=list)
    final: bool = False

    @classmethod
    def of(cls, view: View) -> _Draft:
        """Return an empty draft."""
        made = cls(view, SetReader(OrderContext(view.state, view.viewer), view.state.phase))
        made.offer()
        return made

    def offer(self) -> None:
        """Find what may be ordered now."""
        done = self.final or len(self.accepted) >= MAX_ORDERS
        self.offered = [] if done else candidates(self.view, self.reader.context, self.given)
        self.final = self.final or not self.offered

    def take(self, action: int) -> None:
        """Add the order of an action; one that is refused does nothing."""
        if self.final:
            return
        if not FINAL < action <= len(self.offered):
            self.final = True
        else:
            order = self.offered[action - 1]
            before = len(self.reader.problems)
            self.reader.add(order)
            self.given.append(order)
            if len(self.reader.problems) == before:
                self.accepted.append(order)
        self.offer()


class CampaignEnv(ParallelEnv):  # type: ignore[misc]
    """A campaign in which every agent is a player; see ``docs/training.md``.

    A step adds one order of each agent to its orders, or finalises them. When all are final, the phase is
    resolved. Seats of *opponents* are not agents.
    """

    metadata = {"name": "sealed_orders_v1", "render_modes": []}  # noqa: RUF012 - PettingZoo's own interface
    render_mode = None

    def __init__(self, scenario: str, factions: Sequence[str], opponents: Mapping[PlayerId, str], turns: int) -> None:
        self._scenario = library.load(scenario)
        self._ruleset = rulesets.load(self._scenario.ruleset)
        lists = [id_ for id_ in self._ruleset.factions if id_ != "none"]
        count = self._scenario.max_players
        chosen = [*factions, *(lists[place % len(lists)] for place in range(len(factions), count))]
        self._players = [(f"p{place}", faction) for place, faction in enumerate(chosen[:count], 1)]
        self._turns, self._opponents = turns, dict(opponents)
        for id_, name in self._opponents.items():
            contestants.seat(name, id_)
        self.possible_agents = [id_ for id_, _ in self._players if id_ not in self._opponents]
        self.agents: list[PlayerId] = []
        told = shapes(self._scenario.board.size, count)
        self._spaces = {agent: _space(told) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(MAX_ACTIONS) for agent in self.possible_agents}
        self._random = np.random.default_rng(0)
        self._state: State | None = None
        self._seed = 0

    def observation_space(self, agent: PlayerId) -> gymnasium.Space[Any]:
        """Return what an agent's observations are in."""
        return self._spaces[agent]

    def action_space(self, agent: PlayerId) -> gymnasium.Space[Any]:
        """Return what an agent's actions are in."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None  # noqa: ARG002 - PettingZoo's interface
    ) -> tuple[dict[PlayerId, Observation], Infos]:  # fmt: skip
        """Begin a campaign; the same *seed* and the same actions give the same campaign."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._seed = int(self._random.integers(2**31))
        self.agents = list(self.possible_agents)
        rules = settings(self._turns)
        state = initial_state(self._scenario, self._ruleset, rules, self._players, b"training")
        self._state = begin(state, SeededDice(f"{self._seed}/start".encode())).state
        self._bots = {id_: contestants.seat(name, f"{self._seed}/{id_}") for id_, name in self._opponents.items()}
        self._views = views_for(self._state, ())
        self._open()
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def observe(self, agent: PlayerId) -> Observation:
        """Return what an agent sees now: of its own view, and of nothing else."""
        draft = self._drafts[agent]
        return observe(draft.view, draft.offered, len(draft.accepted), self._turns)

    def step(
        self, actions: dict[PlayerId, int]
    ) -> tuple[dict[PlayerId, Observation], dict[PlayerId, float], dict[PlayerId, bool], dict[PlayerId, bool], Infos]:
        """Take an action of each agent; those who are final wait for the others, whatever they choose."""
        asked = list(self.agents)
        for agent in asked:
            self._drafts[agent].take(int(actions.get(agent, FINAL)))
        rewards = dict.fromkeys(asked, 0.0)
        if all(self._drafts[agent].final for agent in asked):
            rewards = self._resolve(asked)
        state = self._now
        over = state.phase == OVER
        ended = {agent: over or state.players[agent].eliminated for agent in asked}
        self.agents = [agent for agent in asked if not ended[agent]]
        infos: Infos = {agent: {"turn": state.turn, "phase": state.phase} for agent in asked}
        return {agent: self.observe(agent) for agent in asked}, rewards, ended, dict.fromkeys(asked, False), infos

    def points(self) -> dict[PlayerId, int]:
        """Return everyone's VP, which are public."""
        return {player.id: player.vp for player in self._now.players.values()}

    def render(self) -> None:
        """Nothing is drawn; ``sealed-orders exhibition`` draws campaigns of computer players."""

    # --- inside ---

    @property
    def _now(self) -> State:
        if self._state is None:
            raise RuntimeError("Call reset() first.")
        return self._state

    def _open(self) -> None:
        self._drafts = {agent: _Draft.of(self._views[agent]) for agent in self.agents}

    def _resolve(self, asked: Sequence[PlayerId]) -> dict[PlayerId, float]:
        """Resolve the phase, and those after it in which no agent has anything to order; returns the rewards."""
        before = {player.id: player.vp for player in self._now.players.values()}
        orders = {agent: list(self._drafts[agent].accepted) for agent in asked}
        while True:
            for id_, bot in self._bots.items():
                if not self._now.players[id_].eliminated:
                    orders[id_] = bot.choose(self._views[id_])
            label = f"{self._seed}/{self._now.turn}/{self._now.phase}"
            made = resolve(self._now, orders, SeededDice(label.encode()))
            self._state, self._views = made.state, views_for(made.state, made.events)
            self._open()
            alive = [agent for agent in asked if not made.state.players[agent].eliminated]
            if made.state.phase == OVER or not alive or not all(self._drafts[agent].final for agent in alive):
                break
            orders = {}
        return {agent: self._reward(agent, before) for agent in asked}

    def _reward(self, agent: PlayerId, before: Mapping[PlayerId, int]) -> float:
        """Return an agent's VP gained, less what the others gained on average, in tens; 1 more for a victory."""
        state = self._now
        gained = {player.id: player.vp - before[player.id] for player in state.players.values()}
        others = [gain for id_, gain in gained.items() if id_ != agent]
        reward = (gained[agent] - sum(others) / max(1, len(others))) / 10
        if state.phase == OVER and agent in state.winners:
            reward += 1 / len(state.winners)
        return reward - (1.0 if state.players[agent].eliminated else 0.0)


def _space(told: Mapping[str, tuple[int, ...]]) -> spaces.Dict:
    boxes: dict[str, gymnasium.Space[Any]] = {
        name: spaces.Box(-1.0, 1e4, shape, np.float32) for name, shape in told.items() if name != "action_mask"
    }
    return spaces.Dict({**boxes, "action_mask": spaces.Box(0, 1, told["action_mask"], np.int8)})
