"""All kinds of orders there are: a line each.

They stand in the order in which they are offered (:mod:`server.rules.options`): what a force does without an order
(D-10) comes first in its phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from server.rules.orders.base import Order
from server.rules.orders.battle_movement.assault import Attack, Raid
from server.rules.orders.battle_movement.idle import Defend, Inactive
from server.rules.orders.battle_movement.support import Guard as BattleGuard
from server.rules.orders.battle_movement.support import Support
from server.rules.orders.battle_movement.withdraw import Withdraw
from server.rules.orders.battles.fight import Fight
from server.rules.orders.battles.report import Report
from server.rules.orders.build.add_units import AddUnits
from server.rules.orders.build.build_building import BuildBuilding
from server.rules.orders.build.build_camp import BuildCamp
from server.rules.orders.build.build_defence import BuildDefence
from server.rules.orders.build.build_detachment import BuildDetachment
from server.rules.orders.build.build_garrison import BuildGarrison
from server.rules.orders.build.build_road import BuildRoad
from server.rules.orders.build.build_village import BuildVillage
from server.rules.orders.build.buy_models import BuyModels
from server.rules.orders.build.create_convoy import CreateConvoy
from server.rules.orders.build.disband_building import DisbandBuilding
from server.rules.orders.build.disband_detachment import DisbandDetachment
from server.rules.orders.build.repair import Repair
from server.rules.orders.build.restructure import Restructure
from server.rules.orders.build.transfer_models import TransferModels
from server.rules.orders.build.unload_convoy import UnloadConvoy
from server.rules.orders.build.upgrade_stronghold import UpgradeStronghold
from server.rules.orders.build.upgrade_urban import UpgradeUrban
from server.rules.orders.diplomacy.alliance import DeclareAlliance, EndAlliance
from server.rules.orders.form import HALF
from server.rules.orders.movement.claims import ClaimArea, MoveAndClaim
from server.rules.orders.movement.follow import Follow
from server.rules.orders.movement.guard import Guard
from server.rules.orders.movement.path import Path
from server.rules.orders.movement.recover import Recover
from server.rules.orders.movement.reserve import Reserve
from server.rules.orders.setup.place import Place
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
