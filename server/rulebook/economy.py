"""Tables of the start and of chapter 1: towns, resources, buildings, strongholds and their defences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.rulebook.markdown import faces, listed, signed, table
from server.rules.ruleset import Building, Defence, Ruleset


def start_sizes(rs: Ruleset) -> str:
    """Sizes of the first urban and resource hexes, by 1D6 (0, D-12)."""
    urban = {each.id: each.name for each in rs.urban}
    resource = {each.id: each.name for each in rs.resources}
    pairs = zip(rs.start_urban, rs.start_resource, strict=True)
    rows = [(face, urban[a], resource[b]) for face, (a, b) in enumerate(pairs, 1)]
    return table(("1D6", "Urban hex", "Resource hex"), rows)


def urban(rs: Ruleset) -> str:
    """Sizes of urban hexes, cost and income in BP (1.5)."""
    rows = [
        (level, each.name, each.cost if level == 1 else f"+{each.cost}", each.income)
        for level, each in enumerate(rs.urban, 1)
    ]
    return table(("Level", "Size", "BP to build or upgrade", "BP each turn"), rows)


def resources(rs: Ruleset) -> str:
    """Sizes of resource hexes, income in BP (1.1)."""
    return table(("Size", "BP each turn"), [(each.name, each.income) for each in rs.resources])


def buildings(rs: Ruleset) -> str:
    """Buildings, cost and maintenance in BP (1.5.1)."""
    rows = [
        (
            each.name,
            rs.urban[each.min_level - 1].name,
            f"+{each.cost}" if each.upgrades else each.cost,
            each.maintenance,
            "; ".join(_effects(rs, each)) or "nothing in these rules",
        )
        for each in rs.buildings.values()
    ]
    return table(("Building", "Smallest size", "BP", "Maintenance", "What it does"), rows)


def _effects(rs: Ruleset, building: Building) -> Iterator[str]:
    if building.upgrades:
        yield f"upgrade of the {rs.buildings[building.upgrades].name.lower()}"
    if building.allows:
        yield f"builds {listed(each.replace('_', ' ') for each in building.allows)}"
    if building.detachments:
        yield "detachments are created and changed here"
    if building.heals:
        yield f"the order `recover` cures all {building.heals} at once"
    if building.income_percent:
        need = (
            f", with a manned {stronghold_name(rs, building.income_needs)} or better" if building.income_needs else ""
        )
        yield f"+{building.income_percent} % of the hex's own income{need}"
    if building.foreign_only:
        yield "only where another race founded the town"
    if building.shrinks_on:
        yield f"each turn in use, on {faces(1, building.shrinks_on)} the town shrinks by one size"


def stronghold_name(rs: Ruleset, id_: str) -> str:
    """Return a type of stronghold as a sentence names it."""
    return next(each.name.lower() for each in rs.strongholds if each.id == id_)


def building_names(rs: Ruleset) -> str:
    """What armies call their buildings (1.5.1)."""
    armies = [each for each in rs.factions.values() if each.building_names]
    rows = [
        (each.name, *(army.building_names.get(each.id, "") for army in armies))
        for each in rs.buildings.values()
        if any(each.id in army.building_names for army in armies)
    ]
    return table(("Building", *(army.name for army in armies)), rows)


def strongholds(rs: Ruleset) -> str:
    """Types of stronghold, cost in BP (1.4, 1.3)."""
    rows = [
        (
            each.name,
            each.cost if level == 1 else f"+{each.cost}",
            each.garrison,
            -(-each.garrison // rs.garrison_divisor),
        )
        for level, each in enumerate(rs.strongholds, 1)
    ]
    return table(("Type", "BP to build or upgrade", "Garrison: most points", "Its price in BP"), rows)


def defence_limits(rs: Ruleset) -> str:
    """Most defences of each kind in a stronghold (1.4.1)."""
    rows = [(each.name, each.turrets, each.towers, each.walls, each.bunkers, each.other) for each in rs.strongholds]
    return table(("Most", "Turrets", "Towers", "Walls", "Bunkers", "Other (BP)"), rows)


def defences(rs: Ruleset) -> str:
    """Defences, cost in BP (1.4.2 to 1.4.5)."""
    rows = [
        (each.name, each.cost, listed(each.counts_as), "; ".join(_defence_notes(rs, each)))
        for each in rs.defences.values()
    ]
    return table(("Defence", "BP", "Counts against", "Notes"), rows)


def _defence_notes(rs: Ruleset, defence: Defence) -> Iterator[str]:
    if defence.converts:
        base = rs.defences[defence.converts]
        yield f"turns a {base.name.lower()} into this, else its {base.cost} BP come on top"
    if defence.armed:
        yield "plus the price of its turret weapon"
    if defence.sight:
        yield f"sight of the stronghold {signed(defence.sight)}"
    if defence.forbidden:
        yield f"not for {listed(rs.factions[each].name for each in defence.forbidden)}"


def weapons(rs: Ruleset) -> str:
    """Turret weapons, their two prices in BP and who may have them (1.4.2)."""

    def names(ids: Sequence[str]) -> str:
        return ", ".join(rs.factions[each].name for each in rs.factions if each in ids)

    rows = [
        (each.name, each.preferred_cost, names(each.preferred), each.cost, names(each.allowed), each.notes)
        for each in rs.weapons.values()
    ]
    return table(("Turret weapon", "BP", "preferred by", "BP", "allowed to", "Notes"), rows)


def aa_weapons(rs: Ruleset) -> str:
    """What armies arm anti-air towers with (1.4.3)."""
    armies = [each for each in rs.factions.values() if each.aa_weapon]
    weapons = dict.fromkeys(each.aa_weapon for each in armies)
    return table(
        ("Armament of an anti-air tower", "Armies"),
        [(weapon, ", ".join(each.name for each in armies if each.aa_weapon == weapon)) for weapon in weapons],
    )
