"""Finds, in the code, every sentence that rules, use cases and pages say to people when they refuse something."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import server

PACKAGE = Path(server.__file__).parent
LAYERS = ("core", "rules", "referee", "play", "http", "api", "web")
MESSAGES = {
    "Problem": 1, "refuse": 1, "refused": 1, "problem": 2, "PlayError": 1, "invalid": 1, "_bad": 1, "Refused": 1,
    "bad_roster": 0, "not_yours": 0, "wrong": 1, "items": 1, "mapping": 1, "require_status": 0, "_release": 5,
}  # fmt: skip
"""Calls that refuse something, and which of their arguments is the sentence."""
OWN = ("field", "value", "rule")
"""Arguments of such calls that fill no place of the sentence."""
FOR_OPERATORS = {
    PACKAGE / name
    for name in (
        "play/archive/record_import.py",
        "play/operating/campaign_overview.py",
        "play/archive/record_files.py",
        "play/archive/replay.py",
        "play/archive/verification.py",
        "rules/ruleset/checks.py",
        "rules/ruleset/reader.py",
        "referee/beginning.py",
        "referee/reader.py",
    )
}
"""What these refuse is read by operators and writers of rulesets and missions, in English like the command line."""


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence in the code."""

    template: str
    """Empty: it is put together there, and cannot be translated."""
    where: str
    code: str
    given: tuple[str, ...] = ()
    """What it is filled with."""


@cache
def everything() -> tuple[SourceSentence, ...]:
    """Return all that is said where something is refused, and all that is filled in."""
    files = [file for room in LAYERS for file in sorted((PACKAGE / room).rglob("*.py"))]
    return tuple(each for file in files if file not in FOR_OPERATORS for each in _in(file))


def _in(file: Path) -> Iterator[SourceSentence]:
    tree = ast.parse(file.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) == "say":
            yield from _of(node, file)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _refused(function, file)


def _refused(function: ast.FunctionDef | ast.AsyncFunctionDef, file: Path) -> Iterator[SourceSentence]:
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    for node in ast.walk(function):
        if function.name.startswith("_must_be_") and isinstance(node, ast.Return) and node.value is not None:
            yield from _of(node.value, file)
        place = MESSAGES.get(_name(node))
        if not isinstance(node, ast.Call) or place is None or len(node.args) <= place:
            continue
        message = node.args[place]
        filled = tuple(keyword.arg or "**" for keyword in node.keywords if keyword.arg not in OWN)
        if isinstance(message, ast.Constant) and message.value and "{" in str(message.value):
            about = ("unit",) if _name(node) == "refused" and "{unit}" in str(message.value) else ()
            where = f"{file.relative_to(PACKAGE)}"
            yield SourceSentence(str(message.value), where, ast.unparse(node), (*about, *filled))
        elif not isinstance(message, ast.Name):
            yield from _of(message, file)
        elif message.id not in given:  # what a function was given is looked at where it is called
            for each in ast.walk(function):
                if isinstance(each, ast.Assign) and any(ast.unparse(to) == message.id for to in each.targets):
                    yield from _of(each.value, file)


def _of(node: ast.expr, file: Path) -> Iterator[SourceSentence]:
    where, code = f"{file.relative_to(PACKAGE)}", ast.unparse(node)
    if isinstance(node, ast.IfExp):
        yield from _of(node.body, file)
        yield from _of(node.orelse, file)
    elif isinstance(node, ast.Constant):
        if node.value:
            yield SourceSentence(str(node.value), where, code)
    elif isinstance(node, ast.Call) and _name(node) == "say":
        template = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
        yield SourceSentence(str(template), where, code, tuple(keyword.arg or "**" for keyword in node.keywords))
    elif not (_name(node).startswith("_must_be_") or (isinstance(node, ast.Attribute) and node.attr == "message")):
        # those are said elsewhere
        yield SourceSentence("", where, code)


def _name(node: ast.AST) -> str:
    called = node.func if isinstance(node, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
