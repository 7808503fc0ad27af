"""The words of the rules that a page explains where they stand: the glossary, and what a ruleset names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from server.rulebook.armies import traits
from server.rulebook.book import Book, headings, source
from server.rulebook.economy import defence_notes, effects
from server.rulebook.markdown import TableTranslations, slug
from server.rulebook.movement import peculiarities
from server.rulebook.rewriting import rewrite
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset

_ROW = re.compile(r"^\| (.+) \|$", re.MULTILINE)
_MARK = re.compile(r"<!-- .*? -->|[`*]")
_NUMBER = re.compile(r"\((\d(?:\.\d)*)")
_HOMES = {
    "1D6": "ground-rules", "Battle order": "4", "BP": "1.1", "BS": "1.4.2",
    "Capital": "starting-conditions",
    "Control": "3.6", "Convoy": "1.1", "Detachment": "1.2", "Final": "ground-rules", "Force": "ground-rules",
    "Garrison": "1.3", "Initiative": "3.1", "Model": "1.2", "Muster": "starting-conditions", "MV": "3.2",
    "Orbit": "1.2.3",
    "Phase": "phases", "Planned": "4.1.2", "Primary": "4", "Raid": "4.1.3", "Resource hex": "1.1", "Scout": "3.5",
    "Slot": "1.2.1", "Stockpile": "1.1", "Strategy": "8", "Stronghold": "1.4", "Turn": "the-game-on-one-page",
    "Settlement": "1.5", "VP": "victory", "Zone of control": "3.1",
}  # fmt: skip
"""Where the rules tell more of a word whose meaning names no section."""
_FLAGS = {
    "vehicle": "Vehicle", "light_vehicle": "Light vehicle", "scout": "Scouts", "infiltrate": "Infiltrators",
    "fast": "Fast", "artillery": "Artillery", "aa": "Anti-aircraft", "deep_strike": "Deep strike",
    "character": "Special character", "comms": "Comms", "bike": "Bikes",
}  # fmt: skip
"""What pages call the flags of units."""
_QUIET = frozenset(("standard", "fast"))
"""Ids of things whose names are words of everyday language, too: no page makes help of them."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the rules and what it means."""

    key: str
    """``word.bp``, ``building.barracks``."""
    kind: str
    """What it is, in the reader's language."""
    title: str
    words: tuple[str, ...]
    """How pages write it; empty where pages do not look for it."""
    meaning: str
    facts: tuple[tuple[str, str], ...]
    """The ruleset's facts about it: label and value."""
    anchor: str
    """The section that tells more."""


@lru_cache(maxsize=16)
def terms(book: Book) -> tuple[Term, ...]:
    """Return every word of a book, in alphabetical order of the titles."""
    t = TableTranslations(book.language)
    found = [*_glossary(book, t), *_ground(book, t), *_works(book, t), *_forces(book, t)]
    return tuple(sorted(found, key=lambda term: term.title.casefold()))


def glossary(language: str) -> list[tuple[str, str]]:
    """Return words and meanings of the rulebook's glossary as the file has them."""
    return _rows(source(language), language)


def _rows(text: str, language: str) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in _table(text, "Glossary", language)]


def _table(text: str, heading: str, language: str) -> list[list[str]]:
    """Return the rows of the table under a heading, which is named in English."""
    titles = dict(zip((name for _, name in headings(source("en"))), headings(source(language)), strict=False))
    level, title = titles[heading]
    part = text.split(f"\n{'#' * level} {title}\n")[-1].split("\n#")[0]
    rows = [found.split(" | ") for found in _ROW.findall(part)]
    return [row for row in rows if not set(row[0]) <= {"-"}][1:]


def _glossary(book: Book, t: TableTranslations) -> Iterator[Term]:
    rows = _rows(rewrite(source(book.language), book.ruleset), book.language)
    for (english, told), (name, meaning) in zip(glossary("en"), rows, strict=True):
        first = english.split(", ")[0]
        number = _NUMBER.search(told)
        home = number[1] if number else _HOMES[first]
        yield Term(
            f"word.{slug(first)}",
            t("Word of the rules"),
            name,
            tuple(name.split(", ")),
            _MARK.sub("", meaning),
            (),
            _anchor(book, home),
        )


def _anchor(book: Book, home: str) -> str:
    section = book.numbered(home)
    return section.anchor if section else home


def _ground(book: Book, t: TableTranslations) -> Iterator[Term]:
    rs = book.ruleset
    for terrain in rs.terrain.values():
        may = (
            t.listed(t(mobility) for mobility in MOBILITIES if mobility in terrain.enter)
            if terrain.enter
            else t("nobody")
        )
        facts = [(t("MV cost"), str(terrain.cost)), (t("Who may enter"), may)]
        yield _thing(book, "terrain", terrain.id, t("Terrain"), terrain.name, facts, "3.3")
    for level, size in enumerate(rs.urban, 1):
        cost = str(size.cost) if level == 1 else f"+{size.cost}"
        facts = [(t("BP to build or upgrade"), cost), (t("BP each turn"), str(size.income))]
        yield _thing(book, "urban", size.id, t("Size of settlements"), size.name, facts, "1.5")
    for resource in rs.resources:
        facts = [(t("BP each turn"), str(resource.income))]
        yield _thing(
            book, "resource", resource.id, t("Size of resource hexes"), resource.name, facts, "1.1", seen=False
        )
    for level, type_ in enumerate(rs.strongholds, 1):
        facts = [
            (t("BP to build or upgrade"), str(type_.cost) if level == 1 else f"+{type_.cost}"),
            (t("Garrison: most points"), str(type_.garrison)),
            (t("Its price in BP"), str(-(-type_.garrison // rs.garrison_divisor))),
        ]
        yield _thing(book, "stronghold", type_.id, t("Stronghold"), type_.name, facts, "1.4")


def _works(book: Book, t: TableTranslations) -> Iterator[Term]:
    rs = book.ruleset
    for building in rs.buildings.values():
        facts = [
            (t("Smallest size"), t.called(rs.urban[building.min_level - 1].name)),
            (t("BP"), f"+{building.cost}" if building.upgrades else str(building.cost)),
            (t("Maintenance"), t("{n} BP each turn", n=building.maintenance)),
            (t("What it does"), "; ".join(effects(rs, building, t))),
        ]
        others = [
            army.building_names[building.id] for army in rs.factions.values() if building.id in army.building_names
        ]
        yield _thing(book, "building", building.id, t("Building"), building.name, facts, "1.5.1", others)
    for work in rs.defences.values():
        limits = t.listed(t(limit) for limit in work.counts_as)
        facts = [(t("BP"), str(work.cost)), (t("Counts against"), limits)]
        facts += [(t("Notes"), "; ".join(notes))] if (notes := list(defence_notes(rs, work, t))) else []
        yield _thing(book, "defence", work.id, t("Defence"), work.name, facts, "1.4.1")
    for weapon in rs.weapons.values():
        facts = [(t("BP where an army prefers it"), str(weapon.preferred_cost)), (t("BP"), str(weapon.cost))]
        facts += [(t("Notes"), t(weapon.notes))] if weapon.notes else []
        yield _thing(book, "weapon", weapon.id, t("Turret weapon"), weapon.name, facts, "1.4.2")


def _forces(book: Book, t: TableTranslations) -> Iterator[Term]:
    rs = book.ruleset
    for type_ in rs.detachment_types.values():
        facts = [(t("Limit"), t("1 of each {n}", n=type_.share))] if type_.share else []
        special = "; ".join(peculiarities(rs, type_, t)) if type_.share else ""
        facts += [(t("Special rules"), special)] if special else []
        yield _thing(book, "type", type_.id, t("Type of detachment"), type_.name, facts, "1.2.3")
    for army in rs.factions.values():
        facts = [(t("Strategy"), str(army.strategy)), (t("Traits"), "; ".join(traits(rs, army, t)) or t("none"))]
        yield _thing(book, "faction", army.id, t("Army list"), army.name, facts, "8")
    slots = rs.detachment_types["standard"].slots
    for slot in SLOTS:
        minimum, maximum = slots.get(slot, (0, 0))
        facts = [(t("At least"), str(minimum)), (t("At most"), str(maximum))]
        yield _thing(book, "slot", slot, t("Slot"), t(slot), facts, "1.2.1", seen=slot not in _QUIET)
    for mobility in MOBILITIES:
        facts = [(t("MV"), str(rs.mv[mobility])), (t("Where it goes"), _enters(rs, mobility, t))]
        yield _thing(book, "mobility", mobility, t("Mobility"), t(mobility), facts, "3.2")
    effects_of = {row[0].strip("`"): row[1:] for row in _table(source(book.language), "Flags of units", book.language)}
    for flag in FLAGS:
        where = zip((t("In the campaign"), t("On the table")), effects_of.get(flag, ()), strict=False)
        yield _thing(book, "flag", flag, t("Flag of units"), t(_FLAGS[flag]), list(where), "flags-of-units")


def _enters(rs: Ruleset, mobility: str, t: TableTranslations) -> str:
    return t.listed(t.inside(terrain.name) for terrain in rs.terrain.values() if mobility in terrain.enter)


def _thing(
    book: Book, table: str, id_: str, kind: str, name: str, facts: Iterable[tuple[str, str]], home: str,
    others: Iterable[str] = (), *, seen: bool = True,
) -> Term:  # fmt: skip
    title = TableTranslations(book.language).called(name)
    title = title[:1].upper() + title[1:]
    words = (title, *dict.fromkeys(others)) if seen and id_ not in _QUIET else ()
    plain = tuple((label, _MARK.sub("", value)) for label, value in facts)
    return Term(f"{table}.{id_}", kind, title, words, "", plain, _anchor(book, home))
