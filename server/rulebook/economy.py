"""Tables of the start and of chapter 1: towns, resources, buildings, strongholds and their defences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.rulebook.markdown import faces, signed, table
from server.rulebook.words import Words
from server.rules.ruleset import Building, Defence, Ruleset


def start_sizes(rs: Ruleset, w: Words) -> str:
    """Sizes of the first urban and resource hexes, by 1D6 (0, D-12)."""
    urban = {size.id: w.name(size.name) for size in rs.urban}
    resource = {resource.id: w.name(resource.name) for resource in rs.resources}
    pairs = zip(rs.start_urban, rs.start_resource, strict=True)
    rows = [(face, urban[a], resource[b]) for face, (a, b) in enumerate(pairs, 1)]
    return table((w("1D6"), w("Urban hex"), w("Resource hex")), rows)


def urban(rs: Ruleset, w: Words) -> str:
    """Sizes of urban hexes, cost and income in BP (1.5)."""
    rows = [
        (level, w.name(size.name), size.cost if level == 1 else f"+{size.cost}", size.income)
        for level, size in enumerate(rs.urban, 1)
    ]
    return table((w("Level"), w("Size"), w("BP to build or upgrade"), w("BP each turn")), rows)


def resources(rs: Ruleset, w: Words) -> str:
    """Sizes of resource hexes, income in BP (1.1)."""
    return table(
        (w("Size"), w("BP each turn")), [(w.name(resource.name), resource.income) for resource in rs.resources]
    )


def buildings(rs: Ruleset, w: Words) -> str:
    """Buildings, cost and maintenance in BP (1.5.1)."""
    rows = [
        (
            w.name(building.name),
            w.name(rs.urban[building.min_level - 1].name),
            f"+{building.cost}" if building.upgrades else building.cost,
            building.maintenance,
            "; ".join(effects(rs, building, w)) or w("nothing in these rules"),
        )
        for building in rs.buildings.values()
    ]
    return table((w("Building"), w("Smallest size"), w("BP"), w("Maintenance"), w("What it does")), rows)


def effects(rs: Ruleset, building: Building, w: Words) -> Iterator[str]:
    """Yield what a building does, in sentences without a full stop."""
    if building.upgrades:
        yield w("upgrade of the {building}", building=w.inside(rs.buildings[building.upgrades].name))
    if building.allows:
        yield w("builds {units}", units=w.listed(w(allow.replace("_", " ")) for allow in building.allows))
    if building.detachments:
        yield w("detachments are created and changed here")
    if building.heals:
        yield w("the order `recover` cures all {hurt} at once", hurt=w(building.heals))
    if building.income_percent:
        income = w("+{n} % of the hex's own income", n=building.income_percent)
        if building.income_needs:
            income += w(
                ", with a manned {stronghold} or better", stronghold=stronghold_name(rs, building.income_needs, w)
            )
        yield income
    if building.foreign_only:
        yield w("only where another race founded the town")
    if building.shrinks_on:
        yield w("each turn in use, on {faces} the town shrinks by one size", faces=faces(1, building.shrinks_on))


def stronghold_name(rs: Ruleset, id_: str, w: Words) -> str:
    """Return a type of stronghold as a sentence names it."""
    return next(w.inside(stronghold.name) for stronghold in rs.strongholds if stronghold.id == id_)


def building_names(rs: Ruleset, w: Words) -> str:
    """What armies call their buildings (1.5.1)."""
    armies = [faction for faction in rs.factions.values() if faction.building_names]
    rows = [
        (w.name(building.name), *(army.building_names.get(building.id, "") for army in armies))
        for building in rs.buildings.values()
        if any(building.id in army.building_names for army in armies)
    ]
    return table((w("Building"), *(w.name(army.name) for army in armies)), rows)


def strongholds(rs: Ruleset, w: Words) -> str:
    """Types of stronghold, cost in BP (1.4, 1.3)."""
    rows = [
        (
            w.name(stronghold.name),
            stronghold.cost if level == 1 else f"+{stronghold.cost}",
            stronghold.garrison,
            -(-stronghold.garrison // rs.garrison_divisor),
        )
        for level, stronghold in enumerate(rs.strongholds, 1)
    ]
    return table((w("Type"), w("BP to build or upgrade"), w("Garrison: most points"), w("Its price in BP")), rows)


def defence_limits(rs: Ruleset, w: Words) -> str:
    """Most defences of each kind in a stronghold (1.4.1)."""
    rows = [
        (
            w.name(stronghold.name),
            stronghold.turrets,
            stronghold.towers,
            stronghold.walls,
            stronghold.bunkers,
            stronghold.other,
        )
        for stronghold in rs.strongholds
    ]
    return table((w("Most"), w("Turrets"), w("Towers"), w("Walls"), w("Bunkers"), w("Other (BP)")), rows)


def defences(rs: Ruleset, w: Words) -> str:
    """Defences, cost in BP (1.4.2 to 1.4.5)."""
    rows = [
        (
            w.name(defence.name),
            defence.cost,
            w.listed(w(limit) for limit in defence.counts_as),
            "; ".join(defence_notes(rs, defence, w)),
        )
        for defence in rs.defences.values()
    ]
    return table((w("Defence"), w("BP"), w("Counts against"), w("Notes")), rows)


def defence_notes(rs: Ruleset, defence: Defence, w: Words) -> Iterator[str]:
    """Yield what is special about a defence, in sentences without a full stop."""
    if defence.converts:
        base = rs.defences[defence.converts]
        yield w("turns a {base} into this, else its {bp} BP come on top", base=w.inside(base.name), bp=base.cost)
    if defence.armed:
        yield w("plus the price of its turret weapon")
    if defence.sight:
        yield w("sight of the stronghold {n}", n=signed(defence.sight))
    if defence.forbidden:
        yield w("not for {armies}", armies=w.listed(w.name(rs.factions[faction].name) for faction in defence.forbidden))


def weapons(rs: Ruleset, w: Words) -> str:
    """Turret weapons, their two prices in BP and who may have them (1.4.2)."""

    def names(ids: Sequence[str]) -> str:
        return ", ".join(w.name(rs.factions[faction].name) for faction in rs.factions if faction in ids)

    rows = [
        (
            w.name(weapon.name),
            weapon.preferred_cost,
            names(weapon.preferred),
            weapon.cost,
            names(weapon.allowed),
            w(weapon.notes),
        )
        for weapon in rs.weapons.values()
    ]
    return table((w("Turret weapon"), w("BP"), w("preferred by"), w("BP"), w("allowed to"), w("Notes")), rows)


def aa_weapons(rs: Ruleset, w: Words) -> str:
    """What armies arm anti-air towers with (1.4.3)."""
    armies = [faction for faction in rs.factions.values() if faction.aa_weapon]
    weapons = dict.fromkeys(army.aa_weapon for army in armies)
    return table(
        (w("Armament of an anti-air tower"), w("Armies")),
        [
            (w(weapon), ", ".join(w.name(army.name) for army in armies if army.aa_weapon == weapon))
            for weapon in weapons
        ],
    )
