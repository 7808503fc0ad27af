"""The tables of single figures, and of the words that orders and files use."""

from __future__ import annotations

from collections.abc import Iterable

from server.rulebook.armies import PLAIN
from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import signed, table
from server.rulebook.translations import TableTranslations
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset


def figures(rs: Ruleset, t: TableTranslations) -> str:
    """Single figures, with the section that uses each."""
    start = [t.inside(rs.buildings[building].name) for building in rs.capital_buildings]
    size = next(t.inside(size.name) for size in rs.urban if size.id == rs.capital_size)
    rows: list[tuple[str, str, object]] = [
        (t("Start"), t("BP in each capital"), rs.start_bp),
        (t("Start"), t("the capital"), f"{size}, {stronghold_name(rs, rs.capital_stronghold, t)}, {t.listed(start)}"),
        (t("Start"), t("further settlements"), rs.start_urban_count),
        (t("Start"), t("resource hexes"), rs.start_resource_count),
        (t("Start"), t("hexes from the capital to further settlements, at least"), rs.urban_capital_distance),
        (t("Start"), t("hexes from the capital to resource hexes, at least"), rs.resource_capital_distance),
        (t("Start"), t("hexes between two resource hexes, at least"), rs.resource_distance),
        ("1.1", t("BP from space each turn"), rs.space_income),
        ("1.1", t("BP each turn for each hex controlled"), rs.hex_income),
        ("1.1", t("BP in a new convoy, at least"), rs.convoy_least),
        ("1.2", t("repair of a vehicle: its points divided by"), rs.repair_divisor),
        ("1.3", t("garrisons cost their points divided by"), rs.garrison_divisor),
        ("1.5.1", t("paid back for a disbanded building"), f"{rs.refund_percent} %"),
        ("1.6", t("BP for an attempt at a road"), rs.road_cost),
        ("1.6", t("smallest size that builds roads"), t.inside(rs.urban[rs.road_level - 1].name)),
        ("2.1.4", t("MV on move and claim, divided by"), rs.claim_divisor),
        ("2.1.6", t("MV on reserve movement"), signed(rs.reserve_mv)),
        ("2.1.6", t("hexes to keep clear of enemies on reserve movement"), rs.reserve_distance),
        ("3.3", t("MV cost over a road, divided by"), rs.road_divisor),
        ("3.4", t("sight with scouts"), rs.scout_sight),
        ("3.4", t("sight of a capital"), rs.capital_sight),
        ("3.4", t("sight of a capital at most"), rs.most_sight),
        ("3.6", t("VP for a capital"), rs.capital_vp),
        ("3.6.1", t("an undiscovered hex holds something on"), f"{rs.discovery_on}+"),
        ("6.1", t("part of the casualties that may be picked: 1 of"), rs.quick_battle.pick_share),
        ("6.2.3.4", t("loot, of the value destroyed"), f"{PLAIN.pillage_percent} %"),
        ("6.2.3.6", t("a special character's second chance"), f"{rs.second_chance_on}+"),
        ("6.2.3.7", t("DXP for each battle"), rs.battle_dxp),
    ]
    return table((t("Section"), t("What"), t("Figure")), rows)


def identifiers(rs: Ruleset, t: TableTranslations) -> str:
    """The words of the data, as orders and files write them."""
    kinds: dict[str, Iterable[str]] = {
        t("army lists"): rs.factions,
        t("detachment types"): rs.detachment_types,
        t("slots"): SLOTS,
        t("mobilities"): MOBILITIES,
        t("flags of units"): FLAGS,
        t("sizes of settlements"): (size.id for size in rs.urban),
        t("sizes of resource hexes"): (resource.id for resource in rs.resources),
        t("buildings"): rs.buildings,
        t("strongholds"): (stronghold.id for stronghold in rs.strongholds),
        t("defences"): rs.defences,
        t("turret weapons"): rs.weapons,
        t("terrain"): rs.terrain,
    }
    return table(
        (t("What"), t("Identifiers")), [(kind, " ".join(f"`{id_}`" for id_ in ids)) for kind, ids in kinds.items()]
    )
