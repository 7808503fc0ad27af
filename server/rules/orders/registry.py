"""All kinds of orders there are: a line each.

They stand in the order in which they are offered (:mod:`server.rules.options`): what a force does without an order
(D-10) comes first in its phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.rules.orders.alliances import DeclareAlliance, EndAlliance
from server.rules.orders.base import Order
from server.rules.orders.battle_movement import Attack, Defend, Inactive, Raid, Support, Withdraw
from server.rules.orders.battle_movement import Guard as BattleGuard
from server.rules.orders.battles import Fight, Report
from server.rules.orders.build.convoys import CreateConvoy, UnloadConvoy
from server.rules.orders.build.detachments import AddUnits, BuildDetachment, DisbandDetachment
from server.rules.orders.build.garrisons import BuildGarrison
from server.rules.orders.build.models import BuyModels, Repair, TransferModels
from server.rules.orders.build.restructure import Restructure
from server.rules.orders.build.roads import BuildRoad
from server.rules.orders.build.settlements import BuildBuilding, BuildVillage, DisbandBuilding, UpgradeUrban
from server.rules.orders.build.strongholds import BuildCamp, BuildDefence, UpgradeStronghold
from server.rules.orders.fields import HALF
from server.rules.orders.movement import ClaimArea, Follow, Guard, MoveAndClaim, Path, Recover, Reserve
from server.rules.orders.setup import Place
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS

KINDS: tuple[type[Order], ...] = (
    # Setup and Build
    Place,
    UpgradeUrban,
    BuildBuilding,
    DisbandBuilding,
    UnloadConvoy,
    BuildVillage,
    BuildCamp,
    BuildRoad,
    CreateConvoy,
    BuildDetachment,
    UpgradeStronghold,
    BuildDefence,
    BuildGarrison,
    TransferModels,
    BuyModels,
    DisbandDetachment,
    Repair,
    Restructure,
    AddUnits,
    # Movement
    Guard,
    Path,
    MoveAndClaim,
    Reserve,
    ClaimArea,
    Recover,
    Follow,
    # Battle movement
    Inactive,
    Attack,
    Raid,
    Defend,
    BattleGuard,
    Withdraw,
    Support,
    # Battles
    Fight,
    Report,
    # any phase
    DeclareAlliance,
    EndAlliance,
)

BY_TYPE: Mapping[str, tuple[type[Order], ...]] = {
    kind.TYPE: tuple(other for other in KINDS if other.TYPE == kind.TYPE) for kind in KINDS
}
"""The kinds of each type: some words are orders of more than one phase."""
IN_PHASE: Mapping[str, Mapping[str, type[Order]]] = {
    type_: {phase: kind for kind in kinds for phase in kind.PHASE} for type_, kinds in BY_TYPE.items()
}
"""What each type is an order of, by phase."""


def description() -> dict[str, Any]:
    """Return what pages must know of orders and units: kinds and fields, slots, mobilities, flags.

    In each phase the kinds are as they are offered, what a force does without an order last.
    """
    kinds = sorted(KINDS, key=lambda kind: kind.DEFAULT)
    return {
        "kinds": [kind.description() for kind in kinds],
        "half": HALF,
        "slots": list(SLOTS),
        "mobilities": list(MOBILITIES),
        "flags": list(FLAGS),
    }
