"""The parts of orders as ``TypedDict``: units to raise, losses, results of battles.

Written from the API's description by ``python -m tests.client.order_types``. Do not change it by hand.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class UnitMade(TypedDict):
    """A unit to be raised (D-30)."""

    id: NotRequired[str]
    name: NotRequired[str]
    slot: Literal["hq", "troops", "elite", "fast", "heavy"]
    models: int
    points: int
    mobility: NotRequired[Literal["infantry", "tracked", "wheeled", "skimmer"]]
    flags: NotRequired[
        list[
            Literal[
                "scout",
                "infiltrate",
                "fast",
                "vehicle",
                "light_vehicle",
                "artillery",
                "aa",
                "deep_strike",
                "character",
                "comms",
                "bike",
            ]
        ]
    ]
    bombardment: NotRequired[int]


class UnitLoss(TypedDict):
    """What a unit lost in a battle on the table."""

    lost: NotRequired[int]
    destroyed: NotRequired[bool]
    damaged: NotRequired[bool]
    immobilised: NotRequired[bool]
    broken: NotRequired[bool]
    returned: NotRequired[bool]


class BattleResult(TypedDict):
    """The result of a battle on the table."""

    winner: str
    retreated: NotRequired[str]
    losses: NotRequired[dict[str, UnitLoss]]
    took_part: NotRequired[list[str]]
    withheld: NotRequired[list[str]]
    bombarded: NotRequired[list[str]]
    works: NotRequired[dict[str, int]]
