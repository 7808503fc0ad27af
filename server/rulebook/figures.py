"""The tables of single figures, and of the words that orders and files use."""

from __future__ import annotations

from collections.abc import Iterable

from server.rulebook.armies import PLAIN
from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import signed, table
from server.rulebook.words import Words
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset


def figures(rs: Ruleset, w: Words) -> str:
    """Single figures, with the section that uses each."""
    start = [w.inside(rs.buildings[building].name) for building in rs.capital_buildings]
    size = next(w.inside(size.name) for size in rs.urban if size.id == rs.capital_size)
    rows: list[tuple[str, str, object]] = [
        (w("Start"), w("BP in each capital"), rs.start_bp),
        (w("Start"), w("the capital"), f"{size}, {stronghold_name(rs, rs.capital_stronghold, w)}, {w.listed(start)}"),
        (w("Start"), w("further urban hexes"), rs.start_urban_count),
        (w("Start"), w("resource hexes"), rs.start_resource_count),
        (w("Start"), w("hexes from the capital to further urban hexes, at least"), rs.urban_capital_distance),
        (w("Start"), w("hexes from the capital to resource hexes, at least"), rs.resource_capital_distance),
        (w("Start"), w("hexes between two resource hexes, at least"), rs.resource_distance),
        ("1.1", w("BP from space each turn"), rs.space_income),
        ("1.1", w("BP each turn for each hex controlled"), rs.hex_income),
        ("1.1", w("BP in a new convoy, at least"), rs.convoy_least),
        ("1.2", w("repair of a vehicle: its points divided by"), rs.repair_divisor),
        ("1.3", w("garrisons cost their points divided by"), rs.garrison_divisor),
        ("1.5.1", w("paid back for a disbanded building"), f"{rs.refund_percent} %"),
        ("1.6", w("BP for an attempt at a road"), rs.road_cost),
        ("1.6", w("smallest size that builds roads"), w.inside(rs.urban[rs.road_level - 1].name)),
        ("2.1.4", w("MV on move and claim, divided by"), rs.claim_divisor),
        ("2.1.6", w("MV on reserve movement"), signed(rs.reserve_mv)),
        ("2.1.6", w("hexes to keep clear of enemies on reserve movement"), rs.reserve_distance),
        ("3.3", w("MV cost over a road, divided by"), rs.road_divisor),
        ("3.4", w("sight with scouts"), rs.scout_sight),
        ("3.4", w("sight of a capital"), rs.capital_sight),
        ("3.4", w("sight of a capital at most"), rs.most_sight),
        ("3.6", w("VP for a capital"), rs.capital_vp),
        ("3.6.1", w("an undiscovered hex holds something on"), f"{rs.discovery_on}+"),
        ("6.1", w("part of the casualties that may be picked: 1 of"), rs.quick_battle.pick_share),
        ("6.2.3.4", w("pillage, of the value destroyed"), f"{PLAIN.pillage_percent} %"),
        ("6.2.3.6", w("a special character's second chance"), f"{rs.second_chance_on}+"),
        ("6.2.3.7", w("DXP for each battle"), rs.battle_dxp),
    ]
    return table((w("Section"), w("What"), w("Figure")), rows)


def identifiers(rs: Ruleset, w: Words) -> str:
    """The words of the data, as orders and files write them."""
    kinds: dict[str, Iterable[str]] = {
        w("army lists"): rs.factions,
        w("detachment types"): rs.detachment_types,
        w("slots"): SLOTS,
        w("mobilities"): MOBILITIES,
        w("flags of units"): FLAGS,
        w("sizes of urban hexes"): (size.id for size in rs.urban),
        w("sizes of resource hexes"): (resource.id for resource in rs.resources),
        w("buildings"): rs.buildings,
        w("strongholds"): (stronghold.id for stronghold in rs.strongholds),
        w("defences"): rs.defences,
        w("turret weapons"): rs.weapons,
        w("terrain"): rs.terrain,
    }
    return table(
        (w("What"), w("Identifiers")), [(kind, " ".join(f"`{id_}`" for id_ in ids)) for kind, ids in kinds.items()]
    )
