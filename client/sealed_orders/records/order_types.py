"""Orders as ``TypedDict``, so that type checkers know the fields of each type.

Written from the API's description by ``python -m tests.client.order_types``. Do not change it by hand.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from sealed_orders.records.order_parts import UnitLoss, UnitMade

PlaceOrder = TypedDict(
    "PlaceOrder",
    {
        "type": Literal["place"],
        "what": Literal["capital", "urban", "resource"],
        "at": str,
        "size": NotRequired[str],
        "as": NotRequired[str],
    },
)
"""D-11: place the capital, an urban hex or a resource hex. Phases: ``setup``."""

UpgradeUrbanOrder = TypedDict(
    "UpgradeUrbanOrder",
    {
        "type": Literal["upgrade_urban"],
        "at": str,
        "as": NotRequired[str],
    },
)
"""1.5: make an urban hex one size larger. Phases: ``build``."""

BuildBuildingOrder = TypedDict(
    "BuildBuildingOrder",
    {
        "type": Literal["build_building"],
        "at": str,
        "building": str,
        "as": NotRequired[str],
    },
)
"""1.5.1: put up a building, or upgrade one. Phases: ``build``."""

DisbandBuildingOrder = TypedDict(
    "DisbandBuildingOrder",
    {
        "type": Literal["disband_building"],
        "at": str,
        "building": str,
        "as": NotRequired[str],
    },
)
"""1.5.1: dismantle a building for half of its price, one in each settlement and turn (D-20a). Phases:
``build``."""

UnloadConvoyOrder = TypedDict(
    "UnloadConvoyOrder",
    {
        "type": Literal["unload_convoy"],
        "convoy": str,
        "as": NotRequired[str],
    },
)
"""D-22: unload a convoy into the friendly urban hex or stronghold where it stands. Phases: ``build``."""

BuildVillageOrder = TypedDict(
    "BuildVillageOrder",
    {
        "type": Literal["build_village"],
        "at": str,
        "convoy": str,
        "as": NotRequired[str],
    },
)
"""1.5: found a village, paid by a convoy in the hex (D-23). Phases: ``build``."""

BuildCampOrder = TypedDict(
    "BuildCampOrder",
    {
        "type": Literal["build_camp"],
        "at": str,
        "convoy": NotRequired[str],
        "as": NotRequired[str],
    },
)
"""1.4, D-24: build a new stronghold, paid by a convoy or, in an urban hex, by that (D-23). Phases:
``build``."""

BuildRoadOrder = TypedDict(
    "BuildRoadOrder",
    {
        "type": Literal["build_road"],
        "urban": str,
        "from": str,
        "to": str,
        "as": NotRequired[str],
    },
)
"""1.6: an urban hex attempts to build a road between two adjacent hexes. Phases: ``build``."""

CreateConvoyOrder = TypedDict(
    "CreateConvoyOrder",
    {
        "type": Literal["create_convoy"],
        "at": str,
        "bp": int,
        "as": NotRequired[str],
    },
)
"""1.1: load BP of an urban hex into a new convoy. Phases: ``build``."""

BuildDetachmentOrder = TypedDict(
    "BuildDetachmentOrder",
    {
        "type": Literal["build_detachment"],
        "at": str,
        "name": NotRequired[str],
        "detachment_type": NotRequired[str],
        "units": list[UnitMade],
        "mounted": NotRequired[bool],
        "as": NotRequired[str],
    },
)
"""1.2.1: build a detachment; in Setup, muster one (D-33). Phases: ``setup``, ``build``."""

UpgradeStrongholdOrder = TypedDict(
    "UpgradeStrongholdOrder",
    {
        "type": Literal["upgrade_stronghold"],
        "at": str,
        "as": NotRequired[str],
    },
)
"""1.4: make a stronghold one type stronger. "Capital fortification" is a fortress in the capital (D-24).
Phases: ``build``."""

BuildDefenceOrder = TypedDict(
    "BuildDefenceOrder",
    {
        "type": Literal["build_defence"],
        "at": str,
        "defence": str,
        "weapon": NotRequired[str],
        "as": NotRequired[str],
    },
)
"""1.4.1: build a defence in a stronghold. Phases: ``build``."""

BuildGarrisonOrder = TypedDict(
    "BuildGarrisonOrder",
    {
        "type": Literal["build_garrison"],
        "at": str,
        "units": list[UnitMade],
        "as": NotRequired[str],
    },
)
"""1.3: put a garrison into a stronghold; in Setup, muster one (D-33). Phases: ``setup``, ``build``."""

TransferModelsOrder = TypedDict(
    "TransferModelsOrder",
    {
        "type": Literal["transfer_models"],
        "from_unit": str,
        "to_unit": str,
        "models": int,
        "as": NotRequired[str],
    },
)
"""6.2.1.3.1, D-35b: ready models replace dead or wounded ones in a unit of their kind. Phases: ``build``."""

BuyModelsOrder = TypedDict(
    "BuyModelsOrder",
    {
        "type": Literal["buy_models"],
        "detachment": NotRequired[str],
        "at": NotRequired[str],
        "unit": str,
        "models": int,
        "as": NotRequired[str],
    },
)
"""1.2, D-35a: new models take the places of a unit's dead ones. Phases: ``build``."""

DisbandDetachmentOrder = TypedDict(
    "DisbandDetachmentOrder",
    {
        "type": Literal["disband_detachment"],
        "detachment": str,
        "as": NotRequired[str],
    },
)
"""D-20a: give up a detachment, ready or not; nothing is paid back. Phases: ``build``."""

RepairOrder = TypedDict(
    "RepairOrder",
    {
        "type": Literal["repair"],
        "detachment": str,
        "unit": str,
        "as": NotRequired[str],
    },
)
"""1.1, D-36: BP repair a damaged vehicle in an urban hex that could build it. Phases: ``build``."""

RestructureOrder = TypedDict(
    "RestructureOrder",
    {
        "type": Literal["restructure"],
        "detachment": str,
        "drop": NotRequired[list[str]],
        "detachment_type": NotRequired[str],
        "mounted": NotRequired[bool],
        "to_garrison": NotRequired[list[str]],
        "from_garrison": NotRequired[list[str]],
        "as": NotRequired[str],
    },
)
"""D-35c: units leave or change places with the garrison, the type changes; legal as if built now. Phases:
``build``."""

AddUnitsOrder = TypedDict(
    "AddUnitsOrder",
    {
        "type": Literal["add_units"],
        "detachment": NotRequired[str],
        "at": NotRequired[str],
        "units": list[UnitMade],
        "as": NotRequired[str],
    },
)
"""1.2, D-35, D-37: new units for a standing detachment or garrison. Phases: ``build``."""

GuardOrder = TypedDict(
    "GuardOrder",
    {
        "type": Literal["guard"],
        "detachment": NotRequired[str],
        "convoy": NotRequired[str],
        "as": NotRequired[str],
    },
)
"""2.1.7: do nothing. Phases: ``movement``, ``battle_movement``."""

PathOrder = TypedDict(
    "PathOrder",
    {
        "type": Literal["path"],
        "detachment": NotRequired[str],
        "convoy": NotRequired[str],
        "path": list[str],
        "unload": NotRequired[bool],
        "as": NotRequired[str],
    },
)
"""2.1.1: move along a path. The one order, other than Guard, that convoys take. Phases: ``movement``."""

MoveAndClaimOrder = TypedDict(
    "MoveAndClaimOrder",
    {
        "type": Literal["move_and_claim"],
        "detachment": str,
        "path": list[str],
        "as": NotRequired[str],
    },
)
"""2.1.4: move at half MV and claim every hex on the way (D-48). Phases: ``movement``."""

ReserveOrder = TypedDict(
    "ReserveOrder",
    {
        "type": Literal["reserve"],
        "detachment": str,
        "path": list[str],
        "as": NotRequired[str],
    },
)
"""2.1.6: move fast behind the lines (D-47). Phases: ``movement``."""

ClaimAreaOrder = TypedDict(
    "ClaimAreaOrder",
    {
        "type": Literal["claim_area"],
        "detachment": str,
        "as": NotRequired[str],
    },
)
"""2.1.5: stay, and claim the hex and all around it. Phases: ``movement``."""

RecoverOrder = TypedDict(
    "RecoverOrder",
    {
        "type": Literal["recover"],
        "detachment": str,
        "as": NotRequired[str],
    },
)
"""2.1.3: stay, and look after the wounded and damaged. Phases: ``movement``."""

FollowOrder = TypedDict(
    "FollowOrder",
    {
        "type": Literal["follow"],
        "detachment": str,
        "target": str,
        "as": NotRequired[str],
    },
)
"""2.1.2: wait until all others have moved, then move next to another detachment (D-46). Phases:
``movement``."""

InactiveOrder = TypedDict(
    "InactiveOrder",
    {
        "type": Literal["inactive"],
        "detachment": str,
        "as": NotRequired[str],
    },
)
"""4.1.8: do nothing. Phases: ``battle_movement``."""

AttackOrder = TypedDict(
    "AttackOrder",
    {
        "type": Literal["attack"],
        "detachment": str,
        "target": str,
        "planned": NotRequired[bool],
        "primary": NotRequired[bool],
        "as": NotRequired[str],
    },
)
"""4.1.1, 4.1.2: move into the target's hex and take it. Phases: ``battle_movement``."""

RaidOrder = TypedDict(
    "RaidOrder",
    {
        "type": Literal["raid"],
        "detachment": str,
        "target": str,
        "planned": NotRequired[bool],
        "primary": NotRequired[bool],
        "as": NotRequired[str],
    },
)
"""4.1.3, 4.1.4: strike and return. Phases: ``battle_movement``."""

DefendOrder = TypedDict(
    "DefendOrder",
    {
        "type": Literal["defend"],
        "detachment": str,
        "as": NotRequired[str],
    },
)
"""4.1.5: dig in. Phases: ``battle_movement``."""

WithdrawOrder = TypedDict(
    "WithdrawOrder",
    {
        "type": Literal["withdraw"],
        "detachment": str,
        "to": NotRequired[list[str]],
        "as": NotRequired[str],
    },
)
"""4.1: give way when attacked (D-53). Phases: ``battle_movement``."""

SupportOrder = TypedDict(
    "SupportOrder",
    {
        "type": Literal["support"],
        "detachment": str,
        "target": str,
        "as": NotRequired[str],
    },
)
"""4.1.7: help a friendly force, or any friendly force in a hex (D-55). Phases: ``battle_movement``."""

FightOrder = TypedDict(
    "FightOrder",
    {
        "type": Literal["fight"],
        "battle": str,
        "mode": NotRequired[Literal["quick", "tabletop"]],
        "casualties": NotRequired[list[str]],
        "picks": NotRequired[list[str]],
        "as": NotRequired[str],
    },
)
"""Phase 6: how a side wants its battle fought, and who falls first (D-60). Phases: ``battles``."""

ReportOrder = TypedDict(
    "ReportOrder",
    {
        "type": Literal["report"],
        "battle": str,
        "winner": str,
        "retreated": NotRequired[str],
        "losses": NotRequired[dict[str, UnitLoss]],
        "took_part": NotRequired[list[str]],
        "withheld": NotRequired[list[str]],
        "bombarded": NotRequired[list[str]],
        "works": NotRequired[dict[str, int]],
        "as": NotRequired[str],
    },
)
"""Phase 7: the result of a battle fought on the table (6.2.3). Phases: ``battles``, ``reports``."""

DeclareAllianceOrder = TypedDict(
    "DeclareAllianceOrder",
    {
        "type": Literal["declare_alliance"],
        "with": str,
        "as": NotRequired[str],
    },
)
"""D-04: declare an alliance; it needs the other's declaration too. Phases: ``setup``, ``build``,
``movement``, ``battle_movement``, ``battles``, ``reports``."""

EndAllianceOrder = TypedDict(
    "EndAllianceOrder",
    {
        "type": Literal["end_alliance"],
        "with": str,
        "as": NotRequired[str],
    },
)
"""D-04: take a declaration back. Phases: ``setup``, ``build``, ``movement``, ``battle_movement``,
``battles``, ``reports``."""

Order: TypeAlias = (
    PlaceOrder
    | UpgradeUrbanOrder
    | BuildBuildingOrder
    | DisbandBuildingOrder
    | UnloadConvoyOrder
    | BuildVillageOrder
    | BuildCampOrder
    | BuildRoadOrder
    | CreateConvoyOrder
    | BuildDetachmentOrder
    | UpgradeStrongholdOrder
    | BuildDefenceOrder
    | BuildGarrisonOrder
    | TransferModelsOrder
    | BuyModelsOrder
    | DisbandDetachmentOrder
    | RepairOrder
    | RestructureOrder
    | AddUnitsOrder
    | GuardOrder
    | PathOrder
    | MoveAndClaimOrder
    | ReserveOrder
    | ClaimAreaOrder
    | RecoverOrder
    | FollowOrder
    | InactiveOrder
    | AttackOrder
    | RaidOrder
    | DefendOrder
    | WithdrawOrder
    | SupportOrder
    | FightOrder
    | ReportOrder
    | DeclareAllianceOrder
    | EndAllianceOrder
)
"""An order: its ``type`` says which fields it has."""
