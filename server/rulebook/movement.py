"""Tables of what moves and where: detachments (1.2), MV and terrain (3), what is found (3.6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import TableTranslations, faces, table
from server.rules.ruleset import MOBILITIES, SLOTS, DetachmentType, Ruleset


def detachment_slots(rs: Ruleset, t: TableTranslations) -> str:
    """Fewest and most units of each slot (1.2.1)."""
    slots = rs.detachment_types["standard"].slots
    return table(
        (t("Slot"), t("At least"), t("At most")),
        [(t(slot), *slots[slot]) for slot in SLOTS if slots.get(slot, (0, 0))[1]],
    )


def detachment_types(rs: Ruleset, t: TableTranslations) -> str:
    """Special types of detachment (1.2.3)."""
    rows = [
        (
            t.called(type_.name),
            ", ".join(t.called(army.name) for army in rs.factions.values() if type_.id in army.detachment_types),
            t("1 of each {n}", n=type_.share),
            "; ".join(peculiarities(rs, type_, t)) or t("name and structure only"),
        )
        for type_ in rs.detachment_types.values()
        if type_.share
    ]
    return table((t("Type"), t("Armies"), t("Limit"), t("Special rules")), rows)


def peculiarities(rs: Ruleset, type_: DetachmentType, t: TableTranslations) -> Iterator[str]:
    """Yield what sets a type of detachment apart, in sentences without a full stop."""
    if type_.orbit:
        yield t("waits in orbit and drops")
    if type_.mobility:
        yield t("moves as {mobility}", mobility=t(type_.mobility))
    if type_.mv:
        yield t("MV {n}", n=type_.mv)
    if type_.scouts:
        yield t("counts as having scouts")
    if type_.seen_from:
        far = type_.seen_from > 1
        yield t(
            "others see it only from {n} hexes away or nearer"
            if far
            else "others see it only from 1 hex away or nearer",
            n=type_.seen_from,
        )
    if type_.support_range > 1:
        yield t("`support` reaches {n} hexes, from beyond the next one as front", n=type_.support_range)
    yield from (t(_DEMANDS[demand]) for demand in type_.asks)
    if type_.fewer_dead:
        several = type_.fewer_dead > 1
        yield t(
            "its lost models are dead on {n} faces fewer" if several else "its lost models are dead on 1 face fewer",
            n=type_.fewer_dead,
        )
    yield from (t.called(strength.name) for strength in rs.strengths.values() if type_.id in strength.detachment_types)
    if type_.slots != rs.detachment_types["standard"].slots:
        yield ", ".join(f"{faces(*type_.slots[slot])} {t(slot)}" for slot in SLOTS if type_.slots.get(slot, (0, 0))[1])


_DEMANDS = {
    "vehicles": "each unit is a vehicle or is carried by one",
    "mounted": "no units on foot",
    "artillery": "at least half of the units have the flag `artillery`",
    "skimmers": "all units are skimmers",
    "fast": "all units have the flag `fast`",
}


def ranks(rs: Ruleset, t: TableTranslations) -> str:
    """Ranks by DXP, and the points they allow (6.2.3.7)."""
    return table(
        (t("DXP from"), t("Rank"), t("Most points")),
        [(dxp, t.called(rank), maximum) for dxp, rank, maximum in rs.ranks],
    )


def mv(rs: Ruleset, t: TableTranslations) -> str:
    """Hexes' worth of movement of each mobility (3.2)."""
    rows = [(_capital(t(mobility)), rs.mv[mobility]) for mobility in MOBILITIES]
    fast = sorted({type_.mv for type_ in rs.detachment_types.values() if type_.mv})
    rows.append((t("Convoy (moves as {mobility})", mobility=t(rs.convoy_mobility)), rs.convoy_mv))
    return table(
        (t("Mover"), t("MV")),
        [*rows, *((t("Detachments of the types {types}", types=_types_with(rs, mv, t)), mv) for mv in fast)],
    )


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _types_with(rs: Ruleset, mv: int, t: TableTranslations) -> str:
    return t.listed(t.inside(type_.name) for type_ in rs.detachment_types.values() if type_.mv == mv)


def terrain(rs: Ruleset, t: TableTranslations) -> str:
    """Terrain: cost in MV, who may enter, where roads succeed (3.3, D-39)."""
    rows = []
    for ground in rs.terrain.values():
        may = [t("yes") if kind in ground.enter else "" for kind in MOBILITIES]
        may = [
            t("yes, but not stay") if kind in ground.destroys else word
            for kind, word in zip(MOBILITIES, may, strict=True)
        ]
        by_road = -(-ground.cost // rs.road_divisor) if ground.road else "–"
        road = t("never") if not ground.road else t("always") if ground.road == 1 else f"{ground.road}+"
        rows.append((t.called(ground.name), ground.cost, by_road, *may, road))
    mobilities = (_capital(t(mobility)) for mobility in MOBILITIES)
    head = (t("Terrain"), t("MV cost"), t("by road"), *mobilities, t("A road succeeds on"))
    return table(head, rows)


def discovery(rs: Ruleset, t: TableTranslations) -> str:
    """What an undiscovered hex holds, by 1D6 (3.6.1)."""
    return table((t("1D6"), t("Find")), [(face, _find(rs, find, t)) for face, find in enumerate(rs.discovery, 1)])


def _find(rs: Ruleset, find: str, t: TableTranslations) -> str:
    what, _, value = find.partition(":")
    if what == "resource":
        names = {resource.id: t.inside(resource.name) for resource in rs.resources}
        if value:
            return t("a {size} resource hex", size=names[value])
        return t("a resource hex, its size by the start table")
    if what == "urban":
        size = next(t.inside(size.name) for size in rs.urban if size.id == value)
        return t("a settlement ({size})", size=size)
    if what == "stronghold":
        return t("an abandoned {stronghold}", stronghold=stronghold_name(rs, value, t))
    if what == "vp":
        return t("relics: {n} VP", n=value)
    return t("a cache: a convoy with 1D6 × {n} BP", n=rs.cache_bp)
