"""A baseline: an agent of random legal actions against contestants of tournaments, on a map, over some campaigns.

``python -m server.training.baseline --games 10 --opponent regular``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from server.training.encoding import Observation
from server.training.environment import FINAL, parallel_env

Policy = Callable[[Observation], int]


def random_policy(seed: int, *, ends: float = 0.05) -> Policy:
    """Return an agent of random legal actions, which finalises its orders with a chance of *ends*."""
    random = np.random.default_rng(seed)

    def choose(seen: Observation) -> int:
        legal = np.flatnonzero(seen["action_mask"])[1:]
        return FINAL if not len(legal) or random.random() < ends else int(random.choice(legal))

    return choose


def idle(seen: Observation) -> int:  # noqa: ARG001 - a policy like any other
    """Order nothing."""
    return FINAL


def play(policy: Policy, opponent: str, seed: int, *, scenario: str = "the-pass", turns: int = 12) -> dict[str, float]:
    """Play a campaign of one agent at the first seat; returns the sum of its rewards, its VP and the best other's."""
    env = parallel_env(scenario, opponents=_others(scenario, opponent), turns=turns)
    seen, _ = env.reset(seed=seed)
    agent, total = env.agents[0], 0.0
    while env.agents:
        seen, rewards, *_ = env.step({agent: policy(seen[agent])})
        total += rewards[agent]
    vp = env.points()
    return {"reward": total, "vp": vp.pop(agent), "best": max(vp.values())}


def _others(scenario: str, opponent: str) -> dict[str, str]:
    return dict.fromkeys(parallel_env(scenario).possible_agents[1:], opponent)


def main() -> None:
    """Print the baseline's table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--opponent", default="regular")
    parser.add_argument("--scenario", default="the-pass")
    parser.add_argument("--turns", type=int, default=12)
    given = parser.parse_args()
    for name, policy in (("idle", idle), ("random", random_policy(1))):
        seeds = range(given.games)
        found = [play(policy, given.opponent, seed, scenario=given.scenario, turns=given.turns) for seed in seeds]
        means = {key: sum(game[key] for game in found) / len(found) for key in found[0]}
        wins = sum(game["vp"] > game["best"] for game in found)
        print(
            f"{name:8} against {given.opponent}: reward {means['reward']:6.2f}, VP {means['vp']:5.1f} to "
            f"{means['best']:5.1f}, ahead in {wins} of {len(found)}"
        )


if __name__ == "__main__":
    main()
