"""What the prose of the rulebook takes from a ruleset: figures, and names of sizes, buildings and armies, by name.

The Markdown has them as ``<!-- = NAME -->text<!-- / -->``, so that the same prose is right for every ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from server.rulebook.economy import stronghold_name
from server.rulebook.words import Words
from server.rules.ruleset import Building, Ruleset


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_FRACTIONS = {1: "all", 2: "half", 3: "a third", 4: "a quarter"}


def values(rs: Ruleset, w: Words) -> dict[str, str]:
    """Return everything the prose may take from a ruleset, by name."""
    return _figures(rs) | _fractions(rs, w) | _names(rs, w) | _places(rs, w) | _armies(rs, w) | _roads(rs, w)


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
    }
    return {name: str(number) for name, number in numbers.items()}


def _fractions(rs: Ruleset, w: Words) -> dict[str, str]:
    return {
        "refund": w(_FRACTIONS[100 // rs.refund_percent]) if 100 % rs.refund_percent == 0 and rs.refund_percent >= 25
        else f"{rs.refund_percent} %",
        "repair_part": part(rs.repair_divisor, w),
        "garrison_part": part(rs.garrison_divisor, w),
        "claim_part": part(rs.claim_divisor, w),
        "road_part": part(rs.road_divisor, w),
        "pick_part": part(rs.quick_battle.pick_share, w),
    }  # fmt: skip


def part(divisor: int, w: Words) -> str:
    """Return one part of so many in words: half, a quarter."""
    return w(_FRACTIONS[divisor]) if divisor in _FRACTIONS else w("1 part of {n}", n=divisor)


def _names(rs: Ruleset, w: Words) -> dict[str, str]:
    size = next(w.inside(size.name) for size in rs.urban if size.id == rs.capital_size)
    inside = w.listed(a(w.inside(rs.buildings[building].name), w) for building in rs.capital_buildings)
    around = a(stronghold_name(rs, rs.capital_stronghold, w), w)
    bases = [rs.defences[defence.converts].name for defence in rs.defences.values() if defence.converts]
    turned = [w.inside(defence.name) for defence in rs.defences.values() if defence.converts]
    return {
        "capital": w("{size} with {buildings} in it and {stronghold} around it", size=a(size, w), buildings=inside,
                     stronghold=around),
        "smallest_town": w.inside(rs.urban[0].name),
        "smallest_stronghold": w.inside(rs.strongholds[0].name),
        "strongholds": w.listed(w.inside(stronghold.name) for stronghold in rs.strongholds),
        "capital_stronghold": stronghold_name(rs, rs.capital_stronghold, w),
        "urban_sizes": w.listed(w.inside(size.name) for size in rs.urban),
        "sight_works": _called((defence for defence in rs.defences.values() if defence.sight), w),
        "turned_works": w.listed(turned) if turned else w("nothing"),
        "base_works": w.listed(dict.fromkeys(w.inside(base) for base in bases)) if bases else w("nothing"),
        "wall_works": _called((defence for defence in rs.defences.values() if "walls" in defence.counts_as), w),
    }  # fmt: skip


def _places(rs: Ruleset, w: Words) -> dict[str, str]:
    """What buildings are for: raising, recovering, taxing."""
    built = list(rs.buildings.values())
    office = [building for building in built if building.income_percent and not building.foreign_only]
    foreign = [building for building in built if building.foreign_only]
    return {
        "hq": _called((building for building in built if building.detachments), w),
        "medic": _called((building for building in built if building.heals == "wounded"), w),
        "mender": _called((building for building in built if building.heals == "damaged"), w),
        "where_units": "; ".join(_allows(building, w) for building in built if building.allows),
        "orbit_ports": "; ".join(_allows(port, w) for port in _ports(rs)) or w("nothing"),
        "office": _called(office, w),
        "office_percent": ", ".join(f"+{building.income_percent} %" for building in office),
        "foreign": _called(foreign, w),
        "foreign_percent": ", ".join(f"+{building.income_percent} %" for building in foreign),
    }


def _ports(rs: Ruleset) -> list[Building]:
    """Return the buildings that forces in orbit are raised at."""
    return [building for building in rs.buildings.values() if building.space_port]


def _allows(building: Building, w: Words) -> str:
    kinds = w.listed(w(allow.replace("_", " ")) for allow in building.allows)
    return w("{building} for {units}", building=w.inside(building.name), units=kinds)


def _armies(rs: Ruleset, w: Words) -> dict[str, str]:
    armies = list(rs.factions.values())
    kept: dict[int, list[str]] = {}
    for army in armies:
        if army.blockaded_space_percent:
            kept.setdefault(army.blockaded_space_percent, []).append(w.name(army.name))
    return {
        "corruptors": _called([army for army in armies if army.corrupts], w, names=True),
        "infesters": _called([army for army in armies if army.infests], w, names=True),
        "blockade": "; ".join(w("{armies} still get {n} %", armies=w.listed(names), n=n) for n, names in kept.items())
        or w("nobody gets any of it"),
        "wet": _called((terrain for terrain in rs.terrain.values() if not terrain.land), w),
    }


def _roads(rs: Ruleset, w: Words) -> dict[str, str]:
    """How well roads succeed in each terrain (1.6)."""
    by_face: dict[int, list[str]] = {}
    for terrain in rs.terrain.values():
        by_face.setdefault(terrain.road, []).append(w.inside(terrain.name))
    said = [
        w("{terrain}: always", terrain=w.listed(by_face[1])) if 1 in by_face else "",
        *(
            w("{terrain}: on {n}+", terrain=w.listed(names), n=face)
            for face, names in sorted(by_face.items())
            if face > 1
        ),
        w("{terrain}: never", terrain=w.listed(by_face[0])) if 0 in by_face else "",
    ]
    return {
        "road_size": w.inside(rs.urban[rs.road_level - 1].name),
        "road_terrain": "; ".join(sentence for sentence in said if sentence),
    }


def a(name: str, w: Words) -> str:
    """Return a name with its indefinite article in English; German names stand without one."""
    if w.language != "en":
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _called(things: Iterable[_Named], w: Words, *, names: bool = False) -> str:
    found = [w.name(thing.name) if names else w.inside(thing.name) for thing in things]
    return w.listed(found) if found else w("nothing")
