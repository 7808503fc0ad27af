"""What must hold between the values of a ruleset, beyond each being well formed.

A value that could not be read has a stand-in here. So a conflict between two values is reported for their
common parent, and a known problem is not reported again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from server.rules.ruleset.nouns import Ruleset

Say = Callable[[tuple[str | int, ...], str], None]
"""Notes a problem: where, and what is wrong."""


def check(rs: Ruleset, say: Say) -> None:
    """Say everything that does not fit together."""
    for rule in _CHECKS:
        rule(rs, say)


def _ids(rs: Ruleset, say: Say) -> None:
    parts = {
        "urban": [size.id for size in rs.urban],
        "resources": [resource.id for resource in rs.resources],
        "strongholds": [stronghold.id for stronghold in rs.strongholds],
    }
    for part, ids in parts.items():
        for n, id_ in enumerate(ids):
            if id_ in ids[:n]:
                say((part, n, "id"), f"{id_!r} is given twice")


def _terrain(rs: Ruleset, say: Say) -> None:
    for terrain in rs.terrain.values():
        for mobility in terrain.destroys:
            if mobility not in terrain.enter:
                say(("terrain", terrain.id, "destroys"), f"{mobility!r} may not enter")
        if terrain.road and not terrain.land:
            say(("terrain", terrain.id, "road"), "a hex that is no land can have no road")
    if not any(terrain.land for terrain in rs.terrain.values()):
        say(("terrain",), "none of them is land")


def _buildings(rs: Ruleset, say: Say) -> None:
    for building in rs.buildings.values():
        if building.min_level > len(rs.urban) > 0:
            say(("buildings", building.id, "min_level"), f"there are only {len(rs.urban)} urban sizes")
    if rs.road_level > len(rs.urban) > 0:
        say(("economy", "road_level"), f"there are only {len(rs.urban)} urban sizes")
    _no_circles("buildings", "upgrades", {building.id: building.upgrades for building in rs.buildings.values()}, say)
    _no_circles("defences", "converts", {defence.id: defence.converts for defence in rs.defences.values()}, say)


def _no_circles(part: str, field: str, base: Mapping[str, str], say: Say) -> None:
    told: set[str] = set()
    for id_ in base:
        seen, at = {id_}, base[id_]
        while at and at not in seen:
            seen.add(at)
            at = base.get(at, "")
        if at == id_ and id_ not in told:
            say((part, id_, field), "goes round in a circle")
            told |= seen


def _weapons(rs: Ruleset, say: Say) -> None:
    borrowing = {faction.id for faction in rs.factions.values() if faction.weapons_as}
    for weapon in rs.weapons.values():
        if weapon.preferred_cost > weapon.cost:
            say(("weapons", weapon.id), f"preferred_cost, {weapon.preferred_cost}, is more than cost, {weapon.cost}")
        for faction in weapon.preferred:
            if faction in weapon.allowed:
                say(("weapons", weapon.id, "preferred"), f"{faction!r} is allowed too: one price only")
        for faction in sorted(borrowing.intersection(weapon.allowed + weapon.preferred)):
            say(("factions", faction, "weapons_as"), f"the faction has weapons of its own: {weapon.id}")


def _detachment_types(rs: Ruleset, say: Say) -> None:
    standard = rs.detachment_types.get("standard")
    if not standard:
        say(("detachment_types", "standard"), "is missing")
    elif not standard.slots:
        say(("detachment_types", "standard", "slots"), "is missing")
    for type_ in rs.detachment_types.values():
        at = ("detachment_types", type_.id)
        if type_.id == "standard" and type_.share:
            say((*at, "share"), "the standard type has no limit")
        if type_.id != "standard" and not type_.share:
            say((*at, "share"), "a special type needs one")
        own = {} if standard and type_ is not standard and type_.slots is standard.slots else type_.slots
        for slot, (minimum, maximum) in own.items():
            if minimum > maximum:
                say((*at, "slots", slot), f"at least {minimum}, but at most {maximum}")
        if type_.orbit and rs.buildings and not any(building.space_port for building in rs.buildings.values()):
            say((*at, "orbit"), "there is no space port to build it at")


def _strengths(rs: Ruleset, say: Say) -> None:
    for strength in rs.strengths.values():
        at = ("strengths", strength.id)
        if not strength.bonus:
            say((*at, "bonus"), "is 0: it would do nothing")
        if "from_orbit" in strength.when:
            types = [rs.detachment_types[id_] for id_ in strength.detachment_types if id_ in rs.detachment_types]
            if types and not any(type_.orbit for type_ in types):
                say((*at, "when"), "none of its detachments comes from orbit")


def _ranks(rs: Ruleset, say: Say) -> None:
    if rs.ranks and rs.ranks[0][0] != 0:
        say(("ranks", 0, 0), "the first rank is for 0 DXP")
    for n, (before, rank) in enumerate(pairwise(rs.ranks), 1):
        if rank[0] <= before[0]:
            say(("ranks", n, 0), "is not more than the rank before needs")
        if rank[1] in {rank[1] for rank in rs.ranks[:n]}:
            say(("ranks", n, 1), f"{rank[1]!r} is given twice")
        if rank[2] < before[2]:
            say(("ranks", n, 2), "is less than the rank before may have")


def _factions(rs: Ruleset, say: Say) -> None:
    income = {size.id: size.income for size in rs.urban}
    for faction in rs.factions.values():
        at = ("factions", faction.id)
        if "standard" in faction.detachment_types:
            say((*at, "detachment_types"), "the standard type is for everybody, and no special one")
        lender = rs.factions.get(faction.weapons_as)
        if lender and lender.weapons_as:
            say((*at, "weapons_as"), f"{lender.id!r} itself uses another's weapons")
        if faction.weapons_as and faction.all_weapons:
            say((*at, "weapons_as"), "the faction has all weapons")
        if faction.detachments_only_in_capital and faction.detachments_need_space_port:
            say((*at, "detachments_need_space_port"), "the faction builds them only in the capital")
        if faction.always_scouts and faction.never_scouts:
            say((*at, "never_scouts"), "the faction always has scouts")
        for size, change in faction.urban_income.items():
            if size in income and income[size] + change < 0:
                say((*at, "urban_income", size), f"{change} makes the income of {income[size]} less than 0")


def _start(rs: Ruleset, say: Say) -> None:
    level, names = rs.urban_level(rs.capital_size), rs.capital_buildings
    for n, building in enumerate(rs.buildings[name] for name in names if name in rs.buildings):
        at = ("start", "capital_buildings", n)
        if building.min_level > level > 0:
            say(at, f"{building.id!r} needs a larger capital")
        if building.upgrades in names:
            say(at, f"{building.id!r} stands in the place of {building.upgrades!r}")


def _discovery(rs: Ruleset, say: Say) -> None:
    sizes = {
        "resource": {resource.id for resource in rs.resources},
        "urban": {size.id for size in rs.urban},
        "stronghold": {stronghold.id for stronghold in rs.strongholds},
    }
    for n, find in enumerate(rs.discovery):
        what, colon, which = find.partition(":")
        known = sizes.get(what)
        if find in ("resource", "cache") or (known is not None and (which in known or not known)):
            continue
        if what != "vp" or not colon or not (which.isascii() and which.isdigit() and len(which) < 5):
            say(("claims", "discovery", n), f"{find!r} is nothing that can be found")


def _tables(rs: Ruleset, say: Say) -> None:
    damage, vp = rs.quick_battle.damage, rs.vp
    for at, rows in ((("quick_battle", "damage"), damage), (("battles", "vp"), vp)):
        for before, row in pairwise(rows):
            if row[0] >= before[0]:
                say(at, f"the row from {row[0]} comes after the one from {before[0]}")
    _steady(("quick_battle", "damage"), [row[1] for row in reversed(damage)], say)
    _steady(("battles", "vp"), [row[1] for row in vp], say)


def _steady(at: tuple[str, str], values: Sequence[int], say: Say) -> None:
    """6.1: a better roll never does less damage; 6.2.3.5: a harder victory never brings fewer VP."""
    if min(values) < 0:
        say(at, "a value is less than 0")
    if any(before > value for before, value in pairwise(values)):
        say(at, "the values go up and down")


def _battles(rs: Ruleset, say: Say) -> None:
    if rs.win_wounded < rs.win_dead:
        say(("battles", "win_wounded"), f"{rs.win_wounded} is less than win_dead, {rs.win_dead}")
    if max(rs.scout_sight, rs.capital_sight) > rs.most_sight:
        say(("sight",), f"most_sight, {rs.most_sight}, is less than the others")


_CHECKS = (
    _ids,
    _terrain,
    _buildings,
    _weapons,
    _detachment_types,
    _strengths,
    _ranks,
    _factions,
    _start,
    _discovery,
    _tables,
    _battles,
)
