"""The tables of single figures, and of the words that orders and files use."""

from __future__ import annotations

from collections.abc import Iterable

from server.rulebook.armies import PLAIN
from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import listed, signed, table
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset


def figures(rs: Ruleset) -> str:
    """Single figures, with the section that uses each."""
    start = [rs.buildings[each].name.lower() for each in rs.capital_buildings]
    size = next(each.name.lower() for each in rs.urban if each.id == rs.capital_size)
    rows: list[tuple[str, str, object]] = [
        ("Start", "BP in each capital", rs.start_bp),
        ("Start", "the capital", f"{size}, {stronghold_name(rs, rs.capital_stronghold)}, {listed(start)}"),
        ("Start", "further urban hexes", rs.start_urban_count),
        ("Start", "resource hexes", rs.start_resource_count),
        ("Start", "hexes from the capital to further urban hexes, at least", rs.urban_capital_distance),
        ("Start", "hexes from the capital to resource hexes, at least", rs.resource_capital_distance),
        ("Start", "hexes between two resource hexes, at least", rs.resource_distance),
        ("1.1", "BP from space each turn", rs.space_income),
        ("1.1", "BP each turn for each hex controlled", rs.hex_income),
        ("1.1", "BP in a new convoy, at least", rs.convoy_least),
        ("1.2", "repair of a vehicle: its points divided by", rs.repair_divisor),
        ("1.3", "garrisons cost their points divided by", rs.garrison_divisor),
        ("1.5.1", "paid back for a disbanded building", f"{rs.refund_percent} %"),
        ("1.6", "BP for an attempt at a road", rs.road_cost),
        ("1.6", "smallest size that builds roads", rs.urban[rs.road_level - 1].name.lower()),
        ("2.1.4", "MV on move and claim, divided by", rs.claim_divisor),
        ("2.1.6", "MV on reserve movement", signed(rs.reserve_mv)),
        ("2.1.6", "hexes to keep clear of enemies on reserve movement", rs.reserve_distance),
        ("3.3", "MV cost over a road, divided by", rs.road_divisor),
        ("3.4", "sight with scouts", rs.scout_sight),
        ("3.4", "sight of a capital", rs.capital_sight),
        ("3.4", "sight of a capital at most", rs.most_sight),
        ("3.6", "VP for a capital", rs.capital_vp),
        ("3.6.1", "an undiscovered hex holds something on", f"{rs.discovery_on}+"),
        ("6.1", "part of the casualties that may be picked: 1 of", rs.quick_battle.pick_share),
        ("6.2.3.4", "pillage, of the value destroyed", f"{PLAIN.pillage_percent} %"),
        ("6.2.3.6", "a special character's second chance", f"{rs.second_chance_on}+"),
        ("6.2.3.7", "DXP for each battle", rs.battle_dxp),
    ]
    return table(("Section", "What", "Figure"), rows)


def identifiers(rs: Ruleset) -> str:
    """The words of the data, as orders and files write them."""
    kinds: dict[str, Iterable[str]] = {
        "army lists": rs.factions,
        "detachment types": rs.detachment_types,
        "slots": SLOTS,
        "mobilities": MOBILITIES,
        "flags of units": FLAGS,
        "sizes of urban hexes": (each.id for each in rs.urban),
        "sizes of resource hexes": (each.id for each in rs.resources),
        "buildings": rs.buildings,
        "strongholds": (each.id for each in rs.strongholds),
        "defences": rs.defences,
        "turret weapons": rs.weapons,
        "terrain": rs.terrain,
    }
    return table(("What", "Identifiers"), [(kind, " ".join(f"`{id_}`" for id_ in ids)) for kind, ids in kinds.items()])
