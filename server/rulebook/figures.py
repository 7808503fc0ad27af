"""The tables of single figures and of the words that orders and files use; figures and names within the prose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from server.rulebook.armies import PLAIN
from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import TableTranslations, signed, table
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Building, Ruleset


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


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_FRACTIONS = {1: "all", 2: "half", 3: "a third", 4: "a quarter"}


def values(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    """Return everything the prose may take from a ruleset, by name."""
    return _figures(rs) | _fractions(rs, t) | _names(rs, t) | _places(rs, t) | _armies(rs, t) | _roads(rs, t)


def _figures(rs: Ruleset) -> dict[str, str]:
    numbers: dict[str, int] = {
        "start_bp": rs.start_bp,
        "start_urban": rs.start_urban_count,
        "start_resources": rs.start_resource_count,
        "urban_distance": rs.urban_capital_distance,
        "resource_capital_distance": rs.resource_capital_distance,
        "space_income": rs.space_income,
        "hex_income": rs.hex_income,
        "resource_distance": rs.resource_distance,
        "convoy_least": rs.convoy_least,
        "most_points": rs.ranks[0][2],
        "road_cost": rs.road_cost,
        "reserve_mv": rs.reserve_mv,
        "reserve_distance": rs.reserve_distance,
        "capital_sight": rs.capital_sight,
        "most_sight": rs.most_sight,
        "capital_vp": rs.capital_vp,
        "discovery_on": rs.discovery_on,
        "cache_bp": rs.cache_bp,
        "battle_dxp": rs.battle_dxp,
        "second_chance_on": rs.second_chance_on,
        "least_detachment": rs.least_detachment,
    }
    return {name: str(number) for name, number in numbers.items()}


def _least_points(rs: Ruleset, t: TableTranslations) -> str:
    """Return the least points of a model by mobility (D-35f)."""
    return t.listed(f"{points} ({t(kind)})" for kind, points in rs.least_points.items()) or "0"


def _fractions(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    return {
        "refund": t(_FRACTIONS[100 // rs.refund_percent]) if 100 % rs.refund_percent == 0 and rs.refund_percent >= 25
        else f"{rs.refund_percent} %",
        "least_points": _least_points(rs, t),
        "repair_part": part(rs.repair_divisor, t),
        "garrison_part": part(rs.garrison_divisor, t),
        "claim_part": part(rs.claim_divisor, t),
        "road_part": part(rs.road_divisor, t),
        "pick_part": part(rs.quick_battle.pick_share, t),
    }  # fmt: skip


def part(divisor: int, t: TableTranslations) -> str:
    """Return one part of so many in words: half, a quarter."""
    return t(_FRACTIONS[divisor]) if divisor in _FRACTIONS else t("1 part of {n}", n=divisor)


def _names(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    size = next(t.inside(size.name) for size in rs.urban if size.id == rs.capital_size)
    inside = t.listed(a(t.inside(rs.buildings[building].name), t) for building in rs.capital_buildings)
    around = a(stronghold_name(rs, rs.capital_stronghold, t), t)
    bases = [rs.defences[defence.converts].name for defence in rs.defences.values() if defence.converts]
    turned = [t.inside(defence.name) for defence in rs.defences.values() if defence.converts]
    return {
        "capital": t("{size} with {buildings} in it and {stronghold} around it", size=a(size, t), buildings=inside,
                     stronghold=around),
        "smallest_town": t.inside(rs.urban[0].name),
        "smallest_stronghold": t.inside(rs.strongholds[0].name),
        "strongholds": t.listed(t.inside(stronghold.name) for stronghold in rs.strongholds),
        "capital_stronghold": stronghold_name(rs, rs.capital_stronghold, t),
        "urban_sizes": t.listed(t.inside(size.name) for size in rs.urban),
        "sight_works": _called((defence for defence in rs.defences.values() if defence.sight), t),
        "turned_works": t.listed(turned) if turned else t("nothing"),
        "base_works": t.listed(dict.fromkeys(t.inside(base) for base in bases)) if bases else t("nothing"),
        "wall_works": _called((defence for defence in rs.defences.values() if "walls" in defence.counts_as), t),
    }  # fmt: skip


def _places(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    """What buildings are for: raising, recovering, taxing."""
    built = list(rs.buildings.values())
    office = [building for building in built if building.income_percent and not building.foreign_only]
    foreign = [building for building in built if building.foreign_only]
    return {
        "hq": _called((building for building in built if building.detachments), t),
        "medic": _called((building for building in built if building.heals == "wounded"), t),
        "mender": _called((building for building in built if building.heals == "damaged"), t),
        "where_units": "; ".join(_allows(building, t) for building in built if building.allows),
        "orbit_ports": "; ".join(_allows(port, t) for port in _ports(rs)) or t("nothing"),
        "office": _called(office, t),
        "office_percent": ", ".join(f"+{building.income_percent} %" for building in office),
        "foreign": _called(foreign, t),
        "foreign_percent": ", ".join(f"+{building.income_percent} %" for building in foreign),
    }


def _ports(rs: Ruleset) -> list[Building]:
    """Return the buildings that forces in orbit are raised at."""
    return [building for building in rs.buildings.values() if building.space_port]


def _allows(building: Building, t: TableTranslations) -> str:
    kinds = t.listed(t(allow.replace("_", " ")) for allow in building.allows)
    return t("{building} for {units}", building=t.inside(building.name), units=kinds)


def _armies(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    armies = list(rs.factions.values())
    kept: dict[int, list[str]] = {}
    for army in armies:
        if army.blockaded_space_percent:
            kept.setdefault(army.blockaded_space_percent, []).append(t.called(army.name))
    return {
        "corruptors": _called([army for army in armies if army.corrupts], t, names=True),
        "infesters": _called([army for army in armies if army.infests], t, names=True),
        "blockade": "; ".join(t("{armies} still get {n} %", armies=t.listed(names), n=n) for n, names in kept.items())
        or t("nobody gets any of it"),
        "wet": _called((terrain for terrain in rs.terrain.values() if not terrain.land), t),
    }


def _roads(rs: Ruleset, t: TableTranslations) -> dict[str, str]:
    """How well roads succeed in each terrain (1.6)."""
    by_face: dict[int, list[str]] = {}
    for terrain in rs.terrain.values():
        by_face.setdefault(terrain.road, []).append(t.inside(terrain.name))
    said = [
        t("{terrain}: always", terrain=t.listed(by_face[1])) if 1 in by_face else "",
        *(
            t("{terrain}: on {n}+", terrain=t.listed(names), n=face)
            for face, names in sorted(by_face.items())
            if face > 1
        ),
        t("{terrain}: never", terrain=t.listed(by_face[0])) if 0 in by_face else "",
    ]
    return {
        "road_size": t.inside(rs.urban[rs.road_level - 1].name),
        "road_terrain": "; ".join(sentence for sentence in said if sentence),
    }


def a(name: str, t: TableTranslations) -> str:
    """Return a name with its indefinite article in English; German names stand without one."""
    if t.language != "en":
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _called(things: Iterable[_Named], t: TableTranslations, *, names: bool = False) -> str:
    found = [t.called(thing.name) if names else t.inside(thing.name) for thing in things]
    return t.listed(found) if found else t("nothing")
