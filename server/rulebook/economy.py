"""Tables of the start and of chapter 1: towns, resources, buildings, strongholds and their defences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from server.rulebook.markdown import TableTranslations, faces, signed, table
from server.rules.ruleset import Building, Defence, Ruleset


def start_sizes(rs: Ruleset, t: TableTranslations) -> str:
    """Sizes of the first urban and resource hexes, by 1D6 (0, D-12)."""
    urban = {size.id: t.called(size.name) for size in rs.urban}
    resource = {resource.id: t.called(resource.name) for resource in rs.resources}
    pairs = zip(rs.start_urban, rs.start_resource, strict=True)
    rows = [(face, urban[a], resource[b]) for face, (a, b) in enumerate(pairs, 1)]
    return table((t("1D6"), t("Settlement"), t("Resource hex")), rows)


def urban(rs: Ruleset, t: TableTranslations) -> str:
    """Sizes of settlements, cost and income in BP (1.5)."""
    rows = [
        (level, t.called(size.name), size.cost if level == 1 else f"+{size.cost}", size.income)
        for level, size in enumerate(rs.urban, 1)
    ]
    return table((t("Level"), t("Size"), t("BP to build or upgrade"), t("BP each turn")), rows)


def resources(rs: Ruleset, t: TableTranslations) -> str:
    """Sizes of resource hexes, income in BP (1.1)."""
    return table(
        (t("Size"), t("BP each turn")), [(t.called(resource.name), resource.income) for resource in rs.resources]
    )


def buildings(rs: Ruleset, t: TableTranslations) -> str:
    """Buildings, cost and maintenance in BP (1.5.1)."""
    rows = [
        (
            t.called(building.name),
            t.called(rs.urban[building.min_level - 1].name),
            f"+{building.cost}" if building.upgrades else building.cost,
            building.maintenance,
            "; ".join(effects(rs, building, t)),
        )
        for building in rs.buildings.values()
    ]
    return table((t("Building"), t("Smallest size"), t("BP"), t("Maintenance"), t("What it does")), rows)


def effects(rs: Ruleset, building: Building, t: TableTranslations) -> Iterator[str]:
    """Yield what a building does, in sentences without a full stop."""
    if building.upgrades:
        yield t("upgrade of the {building}", building=t.inside(rs.buildings[building.upgrades].name))
    if building.allows:
        yield t("builds {units}", units=t.listed(t(allow.replace("_", " ")) for allow in building.allows))
    if building.detachments:
        yield t("detachments are created and changed here")
    if building.space_port:
        yield t("forces that wait in orbit are raised here")
    if building.heals == "wounded":
        yield t("all wounded who recover here are well at once")
    if building.heals == "damaged":
        yield t("all damaged that recover here are repaired at once")
    if building.income_percent:
        income = t("+{n} % of the hex's own income", n=building.income_percent)
        if building.income_needs:
            income += t(
                ", with a manned {stronghold} or better", stronghold=stronghold_name(rs, building.income_needs, t)
            )
        yield income
    if building.foreign_only:
        yield t("only where another race founded the settlement")
    if building.shrinks_on:
        yield t("each turn in use, on {faces} the settlement shrinks by one size", faces=faces(1, building.shrinks_on))
    if not building.does_something:
        yield t("nothing in these rules")


def stronghold_name(rs: Ruleset, id_: str, t: TableTranslations) -> str:
    """Return a type of stronghold as a sentence names it."""
    return next(t.inside(stronghold.name) for stronghold in rs.strongholds if stronghold.id == id_)


def building_names(rs: Ruleset, t: TableTranslations) -> str:
    """What armies call their buildings (1.5.1)."""
    armies = [faction for faction in rs.factions.values() if faction.building_names]
    rows = [
        (t.called(building.name), *(army.building_names.get(building.id, "") for army in armies))
        for building in rs.buildings.values()
        if any(building.id in army.building_names for army in armies)
    ]
    return table((t("Building"), *(t.called(army.name) for army in armies)), rows)


def strongholds(rs: Ruleset, t: TableTranslations) -> str:
    """Types of stronghold, cost in BP (1.4, 1.3)."""
    rows = [
        (
            t.called(stronghold.name),
            stronghold.cost if level == 1 else f"+{stronghold.cost}",
            stronghold.garrison,
            -(-stronghold.garrison // rs.garrison_divisor),
        )
        for level, stronghold in enumerate(rs.strongholds, 1)
    ]
    return table((t("Type"), t("BP to build or upgrade"), t("Garrison: most points"), t("Its price in BP")), rows)


def defence_limits(rs: Ruleset, t: TableTranslations) -> str:
    """Most defences of each kind in a stronghold (1.4.1)."""
    rows = [
        (
            t.called(stronghold.name),
            stronghold.turrets,
            stronghold.towers,
            stronghold.walls,
            stronghold.bunkers,
            stronghold.other,
        )
        for stronghold in rs.strongholds
    ]
    return table((t("Most"), t("Turrets"), t("Towers"), t("Walls"), t("Bunkers"), t("Other (BP)")), rows)


def defences(rs: Ruleset, t: TableTranslations) -> str:
    """Defences, cost in BP (1.4.2 to 1.4.5)."""
    rows = [
        (
            t.called(defence.name),
            defence.cost,
            t.listed(t(limit) for limit in defence.counts_as),
            "; ".join(defence_notes(rs, defence, t)),
        )
        for defence in rs.defences.values()
    ]
    return table((t("Defence"), t("BP"), t("Counts against"), t("Notes")), rows)


def defence_notes(rs: Ruleset, defence: Defence, t: TableTranslations) -> Iterator[str]:
    """Yield what is special about a defence, in sentences without a full stop."""
    if defence.converts:
        base = rs.defences[defence.converts]
        yield t("turns a {base} into this, else its {bp} BP come on top", base=t.inside(base.name), bp=base.cost)
    if defence.armed:
        yield t("plus the price of its turret weapon")
    if defence.sight:
        yield t("sight of the stronghold {n}", n=signed(defence.sight))
    if defence.forbidden:
        yield t(
            "not for {armies}", armies=t.listed(t.called(rs.factions[faction].name) for faction in defence.forbidden)
        )


def weapons(rs: Ruleset, t: TableTranslations) -> str:
    """Turret weapons, their two prices in BP and who may have them (1.4.2)."""

    def names(ids: Sequence[str]) -> str:
        return ", ".join(t.called(rs.factions[faction].name) for faction in rs.factions if faction in ids)

    rows = [
        (
            t.called(weapon.name),
            weapon.preferred_cost,
            names(weapon.preferred),
            weapon.cost,
            names(weapon.allowed),
            t(weapon.notes),
        )
        for weapon in rs.weapons.values()
    ]
    return table((t("Turret weapon"), t("BP"), t("preferred by"), t("BP"), t("allowed to"), t("Notes")), rows)


def aa_weapons(rs: Ruleset, t: TableTranslations) -> str:
    """What armies arm anti-air towers with (1.4.3)."""
    armies = [faction for faction in rs.factions.values() if faction.aa_weapon]
    weapons = dict.fromkeys(army.aa_weapon for army in armies)
    return table(
        (t("Armament of an anti-air tower"), t("Armies")),
        [
            (t(weapon), ", ".join(t.called(army.name) for army in armies if army.aa_weapon == weapon))
            for weapon in weapons
        ],
    )
