"""Every sentence of the tables has its translation, with the same places."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.render.translations import FALLBACK, LANGUAGES
from server.rulebook.markdown import sentences
from server.rules.ruleset import MOBILITIES, SLOTS
from server.rulesets import load, names

FOLDER = Path(__file__).parents[2] / "server" / "rulebook"
OTHERS = [language for language in LANGUAGES if language != FALLBACK]


def asked() -> set[str]:
    """Return every sentence that the code looks up, and every text of rulesets that tables show."""
    found = {text for path in FOLDER.glob("*.py") for text in _in(path)}
    found |= {*SLOTS, *MOBILITIES, "and", "vehicle", "light vehicle", "wounded", "damaged"}
    for rules in map(load, names()):
        found |= {weapon.notes for weapon in rules.weapons.values() if weapon.notes}
        found |= {faction.aa_weapon for faction in rules.factions.values() if faction.aa_weapon}
        found |= {limit for defence in rules.defences.values() for limit in defence.counts_as}
    return found


def _in(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        called = node.func if isinstance(node, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        if isinstance(node, ast.Call) and name == "t" and node.args:
            yield from _texts(node.args[0])
        named = (
            [target.id for target in node.targets if isinstance(target, ast.Name)]
            if isinstance(node, ast.Assign)
            else []
        )
        if isinstance(node, ast.Assign) and {*named} & {"_FRACTIONS", "_WHEN", "_ROLES", "_FLAGS", "_DEMANDS"}:
            assert isinstance(node.value, ast.Dict)
            yield from (str(each.value) for each in node.value.values if isinstance(each, ast.Constant))


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def places(text: str) -> set[str]:
    """Return the names of what is filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated(language: str) -> None:
    known = sentences(language)
    assert sorted(asked() - known.keys()) == []
    assert sorted(known.keys() - asked()) == []
    assert [each for each, text in known.items() if places(each) != places(text)] == []
