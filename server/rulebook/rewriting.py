"""All tables by name, and putting them into a Markdown text."""

from __future__ import annotations

import re

from server.core.errors import RulesError
from server.rulebook import armies, battles, economy, figures, missions, movement
from server.rulebook.text import MARKED, contents, decisions
from server.rules.ruleset import Ruleset
from server.rulesets import load

MISSIONS = "<!-- missions -->"
"""Stands in a text whose tables come from the mission files."""
_RULESET = re.compile(r"<!-- ruleset: (\S+) -->")


def tables(ruleset: Ruleset) -> dict[str, str]:
    """Return the Markdown tables of a ruleset by name."""
    return {
        "start_sizes": economy.start_sizes(ruleset),
        "urban": economy.urban(ruleset),
        "resources": economy.resources(ruleset),
        "buildings": economy.buildings(ruleset),
        "building_names": economy.building_names(ruleset),
        "strongholds": economy.strongholds(ruleset),
        "defence_limits": economy.defence_limits(ruleset),
        "defences": economy.defences(ruleset),
        "weapons": economy.weapons(ruleset),
        "aa_weapons": economy.aa_weapons(ruleset),
        "detachment_slots": movement.detachment_slots(ruleset),
        "detachment_types": movement.detachment_types(ruleset),
        "ranks": movement.ranks(ruleset),
        "mv": movement.mv(ruleset),
        "terrain": movement.terrain(ruleset),
        "discovery": movement.discovery(ruleset),
        "quick_damage": battles.quick_damage(ruleset),
        "quick_modifiers": battles.quick_modifiers(ruleset),
        "vp": battles.vp(ruleset),
        "casualties": battles.casualties(ruleset),
        "recovery": battles.recovery(ruleset),
        "factions": armies.factions(ruleset),
        "figures": figures.figures(ruleset),
        "identifiers": figures.identifiers(ruleset),
    }


def rewrite(text: str) -> str:
    """Return a Markdown text with every marked table as the data have it now: of a ruleset, or of the missions."""
    named = _RULESET.search(text)
    if named is None and MISSIONS not in text:
        raise RulesError("the text names no ruleset: <!-- ruleset: ID --> is missing")
    wanted = [name for _, name, _ in MARKED.findall(text)]
    data = _of_missions(wanted) if named is None else tables(load(named[1]))
    known = data | {"contents": contents(text), "decisions": decisions(text)}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise RulesError(f"there is no table {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return MARKED.sub(lambda found: f"{found[1]}\n{known[found[2]]}\n\n{found[3]}", text)


def _of_missions(names: list[str]) -> dict[str, str]:
    return {name: missions.TABLES[name]() for name in names if name in missions.TABLES}
