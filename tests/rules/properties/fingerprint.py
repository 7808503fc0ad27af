"""Prints what comes of a few campaigns, so that runs of the interpreter can be compared.

``python -m tests.rules.properties.fingerprint``
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict

import orjson

from server.rules import codec
from server.rules.options import legal_orders
from server.rules.sight import views_for
from tests.rules.properties.campaigns import play
from tests.rules.properties.worlds import Plan

PLANS = (Plan(21, "pass", 6, turns=3), Plan(22, "open", 4, "frontier", turns=3), Plan(23, "sea", 3, turns=3))


def fingerprint(plan: Plan) -> str:
    """Return a hash over every state, event, refusal, view and legal order of a campaign."""
    found = hashlib.sha256()

    def add(*parts: bytes) -> None:
        for part in parts:
            found.update(part)

    for phase in play(plan):
        resolution = phase.resolution
        add(codec.encode(phase.after), codec.encode_events(resolution.events))
        for player, problems in resolution.problems.items():
            add(player.encode(), orjson.dumps([asdict(problem) for problem in problems]))
        for view in views_for(phase.after, resolution.events).values():
            add(codec.encode(view.state), codec.encode_events(view.events), orjson.dumps(view.sees))
            add(orjson.dumps(legal_orders(view)))
    return found.hexdigest()


def fingerprints(plans: Iterable[Plan] = PLANS) -> list[str]:
    """Return the hash of each campaign."""
    return [fingerprint(plan) for plan in plans]


if __name__ == "__main__":
    print("\n".join(fingerprints()))
