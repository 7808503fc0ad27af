"""Tables of what moves and where: detachments (1.2), MV and terrain (3), what is found (3.6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from server.rulebook.economy import stronghold_name
from server.rulebook.markdown import faces, listed, table
from server.rules.ruleset import MOBILITIES, SLOTS, DetachmentType, Ruleset


def detachment_slots(rs: Ruleset) -> str:
    """Fewest and most units of each slot (1.2.1)."""
    slots = rs.detachment_types["standard"].slots
    return table(
        ("Slot", "At least", "At most"), [(slot, *slots[slot]) for slot in SLOTS if slots.get(slot, (0, 0))[1]]
    )


def detachment_types(rs: Ruleset) -> str:
    """Special types of detachment (1.2.3)."""
    rows = [
        (
            each.name,
            ", ".join(army.name for army in rs.factions.values() if each.id in army.detachment_types),
            f"1 of each {each.share}",
            "; ".join(_peculiarities(rs, each)) or "name and structure only",
        )
        for each in rs.detachment_types.values()
        if each.share
    ]
    return table(("Type", "Armies", "Limit", "What is special"), rows)


def _peculiarities(rs: Ruleset, type_: DetachmentType) -> Iterator[str]:
    if type_.orbit:
        yield "waits in orbit and drops"
    if type_.mobility:
        yield f"moves as {type_.mobility}"
    if type_.mv:
        yield f"MV {type_.mv}"
    if type_.scouts:
        yield "counts as having scouts"
    if type_.seen_from:
        yield f"others see it only from {type_.seen_from} hex{'es' if type_.seen_from > 1 else ''} away or nearer"
    if type_.support_range > 1:
        yield f"`support` reaches {type_.support_range} hexes, from beyond the next one as front"
    if type_.fewer_dead:
        yield f"its lost models are dead on {type_.fewer_dead} face{'s' if type_.fewer_dead > 1 else ''} fewer"
    yield from (each.name for each in rs.strengths.values() if type_.id in each.detachment_types)
    if type_.slots != rs.detachment_types["standard"].slots:
        yield ", ".join(f"{faces(*type_.slots[slot])} {slot}" for slot in SLOTS if type_.slots.get(slot, (0, 0))[1])


def ranks(rs: Ruleset) -> str:
    """Ranks by DXP, and the points they allow (6.2.3.7)."""
    return table(("DXP from", "Rank", "Most points"), rs.ranks)


def mv(rs: Ruleset) -> str:
    """Hexes' worth of movement of each mobility (3.2)."""
    rows = [(each.capitalize(), rs.mv[each]) for each in MOBILITIES]
    fast = sorted({each.mv for each in rs.detachment_types.values() if each.mv})
    rows.append((f"Convoy (moves as {rs.convoy_mobility})", rs.convoy_mv))
    return table(
        ("Mover", "MV"),
        [*rows, *((f"Detachments of the types {_types_with(rs, mv)}", mv) for mv in fast)],
    )


def _types_with(rs: Ruleset, mv: int) -> str:
    return listed(each.name.lower() for each in rs.detachment_types.values() if each.mv == mv)


def terrain(rs: Ruleset) -> str:
    """Terrain: cost in MV, who may enter, where roads succeed (3.3, D-39)."""
    rows = []
    for each in rs.terrain.values():
        may = ["yes" if kind in each.enter else "" for kind in MOBILITIES]
        may = [
            "yes, but not stay" if kind in each.destroys else word for kind, word in zip(MOBILITIES, may, strict=True)
        ]
        by_road = -(-each.cost // rs.road_divisor) if each.road else "–"
        road = "never" if not each.road else "always" if each.road == 1 else f"{each.road}+"
        rows.append((each.name, each.cost, by_road, *may, road))
    head = ("Terrain", "MV cost", "by road", *(each.capitalize() for each in MOBILITIES), "A road succeeds on")
    return table(head, rows)


def discovery(rs: Ruleset) -> str:
    """What an undiscovered hex holds, by 1D6 (3.6.1)."""
    return table(("1D6", "Find"), [(face, _find(rs, each)) for face, each in enumerate(rs.discovery, 1)])


def _find(rs: Ruleset, find: str) -> str:
    what, _, value = find.partition(":")
    if what == "resource":
        names = {each.id: each.name.lower() for each in rs.resources}
        return f"a {names[value]} resource hex" if value else "a resource hex, its size by the start table"
    if what == "urban":
        return f"a settlement ({next(each.name.lower() for each in rs.urban if each.id == value)})"
    if what == "stronghold":
        return f"an abandoned {stronghold_name(rs, value)}"
    return f"relics: {value} VP" if what == "vp" else f"a cache: a convoy with 1D6 × {rs.cache_bp} BP"
