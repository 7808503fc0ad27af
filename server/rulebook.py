"""The tables of the rulebook, written from ruleset data so that text and data cannot drift apart.

``python -m server.rulebook FILE...`` rewrites in place what stands in a Markdown file between
``<!-- table: NAME -->`` and ``<!-- /table -->``. The file names its ruleset in ``<!-- ruleset: ID -->``.
Besides the tables of a ruleset there are two of the text itself: its contents and an index of the
decisions (D-nn, R-nn) it mentions.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from server.rules.errors import RulesError
from server.rules.ruleset import (
    FLAGS,
    LOWEST,
    MOBILITIES,
    SLOTS,
    Building,
    Defence,
    DetachmentType,
    Faction,
    Ruleset,
)
from server.rulesets import load

_RULESET = re.compile(r"<!-- ruleset: (\S+) -->")
_MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)
_HEADING = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_DECISION = re.compile(r"\b[DR]-\d\d[a-z]?\b")
_PLAIN = Faction("", "")
"""What an army list without traits has."""
_WIDEST = 40
"""Columns are padded up to this width."""


def tables(ruleset: Ruleset) -> dict[str, str]:
    """Return the Markdown tables of a ruleset by name."""
    return {
        "start_sizes": _start_sizes(ruleset),
        "urban": _urban(ruleset),
        "resources": _resources(ruleset),
        "buildings": _buildings(ruleset),
        "building_names": _building_names(ruleset),
        "strongholds": _strongholds(ruleset),
        "defence_limits": _defence_limits(ruleset),
        "defences": _defences(ruleset),
        "weapons": _weapons(ruleset),
        "aa_weapons": _aa_weapons(ruleset),
        "detachment_slots": _detachment_slots(ruleset),
        "detachment_types": _detachment_types(ruleset),
        "ranks": _ranks(ruleset),
        "mv": _mv(ruleset),
        "terrain": _terrain(ruleset),
        "discovery": _discovery(ruleset),
        "quick_damage": _quick_damage(ruleset),
        "quick_modifiers": _quick_modifiers(ruleset),
        "vp": _vp(ruleset),
        "casualties": _casualties(ruleset),
        "recovery": _recovery(ruleset),
        "factions": _factions(ruleset),
        "figures": _figures(ruleset),
        "identifiers": _identifiers(ruleset),
    }


def rewrite(text: str) -> str:
    """Return a Markdown text with every marked table as the data have it now."""
    named = _RULESET.search(text)
    if named is None:
        raise RulesError("the text names no ruleset: <!-- ruleset: ID --> is missing")
    known = tables(load(named[1])) | {"contents": _contents(text), "decisions": _decisions(text)}
    unknown = [name for _, name, _ in _MARKED.findall(text) if name not in known]
    if unknown:
        raise RulesError(f"there is no table {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return _MARKED.sub(lambda found: f"{found[1]}\n{known[found[2]]}\n\n{found[3]}", text)


def main(paths: Sequence[str]) -> None:
    """Rewrite the tables of the files in place."""
    for path in map(Path, paths):
        path.write_text(rewrite(path.read_text(encoding="utf-8")), encoding="utf-8")


# --- writing tables ---


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table, numbers to the right."""
    cells = [[str(each).replace("|", r"\|") for each in row] for row in rows]
    widths = [min(_WIDEST, max(3, *(len(row[n]) for row in [list(head), *cells]))) for n in range(len(head))]
    right = [all(re.fullmatch(r"[+−]?\d*( %)?", row[n]) for row in cells) for n in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (
            each.rjust(width) if flush else each.ljust(width)
            for each, width, flush in zip(row, widths, right, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (width - 1) + ":" if flush else "-" * width for width, flush in zip(widths, right, strict=True)]
    return "\n".join([line(head), f"| {' | '.join(rule)} |", *(line(row) for row in cells)])


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def _and(words: Iterable[str]) -> str:
    *most, last = list(words)
    return f"{', '.join(most)} and {last}" if most else last


def _faces(least: int, most: int) -> str:
    return f"{least}-{most}" if least < most else str(least) if least == most else "–"


# --- the start ---


def _start_sizes(rs: Ruleset) -> str:
    urban = {each.id: each.name for each in rs.urban}
    resource = {each.id: each.name for each in rs.resources}
    pairs = zip(rs.start_urban, rs.start_resource, strict=True)
    rows = [(face, urban[a], resource[b]) for face, (a, b) in enumerate(pairs, 1)]
    return _table(("1D6", "Urban hex", "Resource hex"), rows)


# --- 1: economy ---


def _urban(rs: Ruleset) -> str:
    rows = [
        (level, each.name, each.cost if level == 1 else f"+{each.cost}", each.income)
        for level, each in enumerate(rs.urban, 1)
    ]
    return _table(("Level", "Size", "BP to build or upgrade", "BP each turn"), rows)


def _resources(rs: Ruleset) -> str:
    return _table(("Size", "BP each turn"), [(each.name, each.income) for each in rs.resources])


def _buildings(rs: Ruleset) -> str:
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
    return _table(("Building", "Smallest size", "BP", "Maintenance", "What it does"), rows)


def _effects(rs: Ruleset, building: Building) -> Iterator[str]:
    if building.upgrades:
        yield f"upgrade of the {rs.buildings[building.upgrades].name.lower()}"
    if building.allows:
        yield f"builds {_and(each.replace('_', ' ') for each in building.allows)}"
    if building.detachments:
        yield "detachments are created and changed here"
    if building.heals:
        yield f"the order `recover` cures all {building.heals} at once"
    if building.income_percent:
        need = f", with a manned {_stronghold(rs, building.income_needs)} or better" if building.income_needs else ""
        yield f"+{building.income_percent} % of the hex's own income{need}"
    if building.foreign_only:
        yield "only where another race founded the town"
    if building.shrinks_on:
        yield f"each turn in use, on {_faces(1, building.shrinks_on)} the town shrinks by one size"


def _stronghold(rs: Ruleset, id_: str) -> str:
    return next(each.name.lower() for each in rs.strongholds if each.id == id_)


def _building_names(rs: Ruleset) -> str:
    armies = [each for each in rs.factions.values() if each.building_names]
    rows = [
        (each.name, *(army.building_names.get(each.id, "") for army in armies))
        for each in rs.buildings.values()
        if any(each.id in army.building_names for army in armies)
    ]
    return _table(("Building", *(army.name for army in armies)), rows)


def _strongholds(rs: Ruleset) -> str:
    rows = [
        (
            each.name,
            each.cost if level == 1 else f"+{each.cost}",
            each.garrison,
            -(-each.garrison // rs.garrison_divisor),
        )
        for level, each in enumerate(rs.strongholds, 1)
    ]
    return _table(("Type", "BP to build or upgrade", "Garrison: most points", "Its price in BP"), rows)


def _defence_limits(rs: Ruleset) -> str:
    rows = [(each.name, each.turrets, each.towers, each.walls, each.bunkers, each.other) for each in rs.strongholds]
    return _table(("Most", "Turrets", "Towers", "Walls", "Bunkers", "Other (BP)"), rows)


def _defences(rs: Ruleset) -> str:
    rows = [
        (each.name, each.cost, _and(each.counts_as), "; ".join(_defence_notes(rs, each)))
        for each in rs.defences.values()
    ]
    return _table(("Defence", "BP", "Counts against", "Notes"), rows)


def _defence_notes(rs: Ruleset, defence: Defence) -> Iterator[str]:
    if defence.converts:
        base = rs.defences[defence.converts]
        yield f"turns a {base.name.lower()} into this, else its {base.cost} BP come on top"
    if defence.armed:
        yield "plus the price of its turret weapon"
    if defence.sight:
        yield f"sight of the stronghold {_signed(defence.sight)}"
    if defence.forbidden:
        yield f"not for {_and(rs.factions[each].name for each in defence.forbidden)}"


def _weapons(rs: Ruleset) -> str:
    def names(ids: Sequence[str]) -> str:
        return ", ".join(rs.factions[each].name for each in rs.factions if each in ids)

    rows = [
        (each.name, each.preferred_cost, names(each.preferred), each.cost, names(each.allowed), each.notes)
        for each in rs.weapons.values()
    ]
    return _table(("Turret weapon", "BP", "preferred by", "BP", "allowed to", "Notes"), rows)


def _aa_weapons(rs: Ruleset) -> str:
    armies = [each for each in rs.factions.values() if each.aa_weapon]
    weapons = dict.fromkeys(each.aa_weapon for each in armies)
    return _table(
        ("Armament of an anti-air tower", "Armies"),
        [(weapon, ", ".join(each.name for each in armies if each.aa_weapon == weapon)) for weapon in weapons],
    )


# --- 1.2: detachments ---


def _detachment_slots(rs: Ruleset) -> str:
    slots = rs.detachment_types["standard"].slots
    return _table(
        ("Slot", "At least", "At most"), [(slot, *slots[slot]) for slot in SLOTS if slots.get(slot, (0, 0))[1]]
    )


def _detachment_types(rs: Ruleset) -> str:
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
    return _table(("Type", "Armies", "Limit", "What is special"), rows)


def _peculiarities(rs: Ruleset, type_: DetachmentType) -> Iterator[str]:
    if type_.orbit:
        yield "waits in orbit and drops"
    if type_.mobility:
        yield f"moves as {type_.mobility}"
    if type_.mv:
        yield f"MV {type_.mv}"
    if type_.scouts:
        yield "counts as having scouts"
    if type_.slots != rs.detachment_types["standard"].slots:
        yield ", ".join(f"{_faces(*type_.slots[slot])} {slot}" for slot in SLOTS if type_.slots.get(slot, (0, 0))[1])


def _ranks(rs: Ruleset) -> str:
    return _table(("DXP from", "Rank", "Most points"), rs.ranks)


# --- 3: movement ---


def _mv(rs: Ruleset) -> str:
    rows = [(each.capitalize(), rs.mv[each]) for each in MOBILITIES]
    fast = sorted({each.mv for each in rs.detachment_types.values() if each.mv})
    rows.append((f"Convoy (moves as {rs.convoy_mobility})", rs.convoy_mv))
    return _table(
        ("Mover", "MV"),
        [*rows, *((f"Detachments of the types {_types_with(rs, mv)}", mv) for mv in fast)],
    )


def _types_with(rs: Ruleset, mv: int) -> str:
    return _and(each.name.lower() for each in rs.detachment_types.values() if each.mv == mv)


def _terrain(rs: Ruleset) -> str:
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
    return _table(head, rows)


def _discovery(rs: Ruleset) -> str:
    return _table(("1D6", "Find"), [(face, _find(rs, each)) for face, each in enumerate(rs.discovery, 1)])


def _find(rs: Ruleset, find: str) -> str:
    what, _, value = find.partition(":")
    if what == "resource":
        names = {each.id: each.name.lower() for each in rs.resources}
        return f"a {names[value]} resource hex" if value else "a resource hex, its size by the start table"
    if what == "urban":
        return f"a settlement ({next(each.name.lower() for each in rs.urban if each.id == value)})"
    if what == "stronghold":
        return f"an abandoned {_stronghold(rs, value)}"
    return f"relics: {value} VP" if what == "vp" else f"a cache: a convoy with 1D6 × {rs.cache_bp} BP"


# --- 6, 7: battles and recovery ---


def _spans(rows: Sequence[tuple[int, int]]) -> Iterator[tuple[int | None, int | None, int]]:
    """Yield (least, most, value) of a table given by its least totals, falling; None: open."""
    most: int | None = None
    for least, value in rows:
        yield (None if least == LOWEST else least), most, value
        most = least - 1


def _span(least: int | None, most: int | None) -> str:
    if least is None:
        return f"{_number(most)} or less"
    if most is None:
        return f"{_number(least)} or more"
    return _number(least) if least == most else f"{_number(least)} to {_number(most)}"


def _number(number: int | None) -> str:
    return "" if number is None else f"−{-number}" if number < 0 else str(number)


def _quick_damage(rs: Ruleset) -> str:
    spans = reversed(list(_spans(rs.quick_battle.damage)))
    return _table(
        ("2D6 and modifiers", "Damage in % of own ready points"),
        [(_span(least, most), value) for least, most, value in spans],
    )


def _quick_modifiers(rs: Ruleset) -> str:
    quick = rs.quick_battle
    rows = [
        ("The attack is a raid, planned or not", _signed(quick.raid), _signed(quick.raid)),
        ("The attack or raid is planned", _signed(quick.planned), ""),
        ("The defender is on `defend`", "", _signed(quick.defend)),
        ("Each supporter of the defender", "", _signed(quick.supports_defender)),
        ("Each supporter of the attacker from the front", _signed(quick.front), ""),
        ("Each supporter of the attacker from the flank", _signed(quick.flank), ""),
        ("Each supporter of the attacker from the rear", _signed(quick.rear), ""),
    ]
    need = f"{quick.underdog_on}+" if quick.underdog_on < 6 else str(quick.underdog_on)
    either = f"{_signed(quick.underdog)} for the side with fewer ready points"
    rows.append((f"One die for the underdog shows {need}", either, either))
    return _table(("When", "Attacker", "Defender"), rows)


def _vp(rs: Ruleset) -> str:
    rows = [(_span(least, most), value) for least, most, value in _spans(rs.vp)]
    return _table(("Winner's strength minus loser's", "VP"), rows)


def _casualties(rs: Ruleset) -> str:
    rows = [
        ("lost", _faces(1, rs.lose_dead), _faces(rs.lose_dead + 1, 6), "–"),
        ("won", _faces(1, rs.win_dead), _faces(rs.win_dead + 1, rs.win_wounded), _faces(rs.win_wounded + 1, 6)),
    ]
    return _table(("The battle was", "Dead", "Wounded", "Light injury"), rows)


def _recovery(rs: Ruleset) -> str:
    armies = [each for each in rs.factions.values() if each.recover_on]
    rows = [
        ("A wounded model or damaged vehicle recovers on", f"{rs.recover_on}+"),
        *((f"A wounded model of the {each.name} recovers on", f"{each.recover_on}+") for each in armies),
        ("In its owner's capital", f"{_signed(rs.recover_capital)} to the roll"),
        ("In any other urban hex or stronghold", f"{_signed(rs.recover_place)} to the roll"),
    ]
    return _table(("Recovery", "1D6"), rows)


# --- 8: armies ---


def _factions(rs: Ruleset) -> str:
    rows = [
        (
            f"{each.name} (`{each.id}`)",
            each.strategy,
            ", ".join(rs.detachment_types[id_].name.lower() for id_ in each.detachment_types) or "none",
            "; ".join(_traits(rs, each)) or "none",
        )
        for each in rs.factions.values()
    ]
    return _table(("Army list", "Strategy", "Special detachments", "Traits"), rows)


def _traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    yield from _income_traits(rs, army)
    yield from _movement_traits(rs, army)
    if army.stronghold_percent != _PLAIN.stronghold_percent:
        yield f"strongholds, but not their defences, at {army.stronghold_percent} % of the price, rounded up"
    if army.detachments_only_in_capital:
        yield "builds detachments only in the capital"
    if not army.defend_bonus:
        yield "no quick-battle bonus on `defend`"
    if army.losers_recover_as_winners:
        yield "its lost models are rolled for as a winner's, even after a defeat"
    if army.recover_on:
        yield f"wounded models recover on {army.recover_on}+"
    if army.weapons_as:
        yield f"turret weapons as the {rs.factions[army.weapons_as].name}"
    if army.all_weapons:
        yield "every turret weapon at the dearer price"


def _income_traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    if army.space_income is not None:
        yield f"{army.space_income} BP from space"
    if army.blockaded_space_percent:
        yield f"keeps {army.blockaded_space_percent} % of it while an enemy controls the system"
    names = {each.id: each.name.lower() for each in rs.urban}
    for ids, change in _grouped(army.urban_income):
        yield f"income of each {_and(names[each] for each in ids)} {_signed(change)} BP"
    if army.claim_income:
        yield f"{army.claim_income} BP in the capital for each hex newly claimed"
    if army.enemy_claim_income:
        yield f"{army.enemy_claim_income} BP in the capital for each hex claimed from another player"
    if army.pillage_percent != _PLAIN.pillage_percent:
        yield f"pillage is {army.pillage_percent} % of the value destroyed"
    if army.corrupts:
        yield "corrupts one neighbouring hex at the end of each turn"
    if army.infests:
        yield "infests the hexes it claims from others"


def _movement_traits(rs: Ruleset, army: Faction) -> Iterator[str]:
    if army.mv_bonus:
        yield f"all MV {_signed(army.mv_bonus)}"
    for ids, cost in _grouped(army.terrain_cost):
        yield f"MV cost {cost} in {_and(rs.terrain[each].name.lower() for each in ids)}"
    if army.always_scouts:
        yield "always counts as having scouts"
    if army.never_scouts:
        yield "never has scouts"
    if army.scout_slots:
        yield f"scouts count only in the slot {_and(army.scout_slots)}"


def _grouped(changes: Mapping[str, int]) -> list[tuple[list[str], int]]:
    groups: dict[int, list[str]] = {}
    for id_, change in changes.items():
        groups.setdefault(change, []).append(id_)
    return [(ids, change) for change, ids in groups.items()]


def _figures(rs: Ruleset) -> str:
    start = [rs.buildings[each].name.lower() for each in rs.capital_buildings]
    size = next(each.name.lower() for each in rs.urban if each.id == rs.capital_size)
    rows: list[tuple[str, str, object]] = [
        ("Start", "BP in each capital", rs.start_bp),
        ("Start", "the capital", f"{size}, {_stronghold(rs, rs.capital_stronghold)}, {_and(start)}"),
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
        ("2.1.6", "MV on reserve movement", _signed(rs.reserve_mv)),
        ("2.1.6", "hexes to keep clear of enemies on reserve movement", rs.reserve_distance),
        ("3.3", "MV cost over a road, divided by", rs.road_divisor),
        ("3.4", "sight with scouts", rs.scout_sight),
        ("3.4", "sight of a capital", rs.capital_sight),
        ("3.4", "sight of a capital at most", rs.most_sight),
        ("3.6", "VP for a capital", rs.capital_vp),
        ("3.6.1", "an undiscovered hex holds something on", f"{rs.discovery_on}+"),
        ("6.1", "part of the casualties that may be picked: 1 of", rs.quick_battle.pick_share),
        ("6.2.3.4", "pillage, of the value destroyed", f"{_PLAIN.pillage_percent} %"),
        ("6.2.3.6", "a special character's second chance", f"{rs.second_chance_on}+"),
        ("6.2.3.7", "DXP for each battle", rs.battle_dxp),
    ]
    return _table(("Section", "What", "Figure"), rows)


def _identifiers(rs: Ruleset) -> str:
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
    return _table(("What", "Identifiers"), [(kind, " ".join(f"`{id_}`" for id_ in ids)) for kind, ids in kinds.items()])


# --- the text itself ---


def slug(heading: str) -> str:
    """Return the anchor of a heading as Markdown readers make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _contents(text: str) -> str:
    found = [(len(marks), title) for marks, title in _HEADING.findall(text) if len(marks) < 4 and title != "Contents"]
    return "\n".join(f"{'  ' * (depth - 2)}- [{title}](#{slug(title)})" for depth, title in found)


def _decisions(text: str) -> str:
    """Return the sections that mention each decision, tables left out."""
    places: dict[str, dict[str, None]] = {}
    here = ""
    for line in _MARKED.sub("", text).splitlines():
        heading = _HEADING.fullmatch(line)
        here = heading[2] if heading else here
        for decision in _DECISION.findall(line):
            places.setdefault(decision, {})[here] = None
    rows = [(each, ", ".join(_link(title) for title in places[each] if title)) for each in sorted(places)]
    return _table(("Decision", "Where"), rows)


def _link(title: str) -> str:
    number = title.split(" ")[0]
    return f"[{number if number[0].isdigit() else title}](#{slug(title)})"


if __name__ == "__main__":
    main(sys.argv[1:])
