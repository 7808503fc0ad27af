"""All tables by name, and putting them into a Markdown text."""

from __future__ import annotations

import re

from server.core.errors import RulesError
from server.render.translations import FALLBACK
from server.rulebook import armies, battles, economy, figures, missions, movement
from server.rulebook.figures import values
from server.rulebook.markdown import TableTranslations, slug, table
from server.rules.ruleset import Ruleset
from server.rulesets import load

MISSIONS = "<!-- missions -->"
"""Stands in a text whose tables come from the mission files."""
_RULESET = re.compile(r"<!-- ruleset: (\S+) -->")
_LANGUAGE = re.compile(r"<!-- language: (\w+) -->")
VALUE = re.compile(r"(<!-- = (\w+) -->).*?(<!-- / -->)", re.DOTALL)
"""A figure or a name of the ruleset within the prose."""


def tables(ruleset: Ruleset, t: TableTranslations) -> dict[str, str]:
    """Return the Markdown tables of a ruleset by name."""
    return {
        "start_sizes": economy.start_sizes(ruleset, t),
        "urban": economy.urban(ruleset, t),
        "resources": economy.resources(ruleset, t),
        "buildings": economy.buildings(ruleset, t),
        "building_names": economy.building_names(ruleset, t),
        "strongholds": economy.strongholds(ruleset, t),
        "defence_limits": economy.defence_limits(ruleset, t),
        "defences": economy.defences(ruleset, t),
        "weapons": economy.weapons(ruleset, t),
        "aa_weapons": economy.aa_weapons(ruleset, t),
        "detachment_slots": movement.detachment_slots(ruleset, t),
        "detachment_types": movement.detachment_types(ruleset, t),
        "ranks": movement.ranks(ruleset, t),
        "mv": movement.mv(ruleset, t),
        "terrain": movement.terrain(ruleset, t),
        "discovery": movement.discovery(ruleset, t),
        "quick_damage": battles.quick_damage(ruleset, t),
        "quick_modifiers": battles.quick_modifiers(ruleset, t),
        "vp": battles.vp(ruleset, t),
        "casualties": battles.casualties(ruleset, t),
        "recovery": battles.recovery(ruleset, t),
        "factions": armies.factions(ruleset, t),
        "balance": armies.balance(ruleset, t),
        "figures": figures.figures(ruleset, t),
        "identifiers": figures.identifiers(ruleset, t),
    }


def rewrite(text: str, ruleset: Ruleset | None = None) -> str:
    """Return a Markdown text with marked tables and values as the data have them now: of a ruleset, or of the missions.

    Without *ruleset* the text names its own. Raises :class:`RulesError` for a name that nobody knows.
    """
    named, language = _RULESET.search(text), _LANGUAGE.search(text)
    if named is None and MISSIONS not in text:
        raise RulesError("the text names no ruleset: <!-- ruleset: ID --> is missing")
    wanted = [name for _, name, _ in MARKED.findall(text)]
    t = TableTranslations(language[1] if language else FALLBACK)
    if ruleset is None and named is not None:
        ruleset = load(named[1])
    data = _of_missions(wanted) if ruleset is None else tables(ruleset, t)
    known = data | {"contents": contents(text), "decisions": decisions(text, t)}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise RulesError(f"there is no table {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    text = MARKED.sub(lambda found: f"{found[1]}\n{known[found[2]]}\n\n{found[3]}", text)
    return text if ruleset is None else _fill(text, values(ruleset, t))


def _fill(text: str, known: dict[str, str]) -> str:
    """Put the values of a ruleset into the prose."""
    unknown = [name for _, name, _ in VALUE.findall(text) if name not in known]
    if unknown:
        raise RulesError(f"there is no value {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return VALUE.sub(lambda found: f"{found[1]}{known[found[2]]}{found[3]}", text)


def _of_missions(names: list[str]) -> dict[str, str]:
    return {name: missions.TABLES[name]() for name in names if name in missions.TABLES}


MARKED = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- /table -->)", re.DOTALL)
_HEADING = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_CONTENTS = ("Contents", "Inhalt")
_DECISION = re.compile(r"\b[DRTNP]-\d\d[a-z]?\b")


def contents(text: str) -> str:
    """Return the headings of a Markdown text as a list of links."""
    found = [
        (len(marks), title) for marks, title in _HEADING.findall(text) if len(marks) < 4 and title not in _CONTENTS
    ]
    return "\n".join(f"{'  ' * (depth - 2)}- [{title}](#{slug(title)})" for depth, title in found)


def decisions(text: str, t: TableTranslations) -> str:
    """Return the sections that mention each decision, tables left out."""
    places: dict[str, dict[str, None]] = {}
    here = ""
    for line in MARKED.sub("", text).splitlines():
        heading = _HEADING.fullmatch(line)
        here = heading[2] if heading else here
        for decision in _DECISION.findall(line):
            places.setdefault(decision, {})[here] = None
    rows = [(place, ", ".join(_link(title) for title in places[place] if title)) for place in sorted(places)]
    return table((t("Decision"), t("Where")), rows)


def _link(title: str) -> str:
    number = title.split(" ")[0]
    return f"[{number if number[0].isdigit() else title}](#{slug(title)})"
