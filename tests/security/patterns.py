"""Every regular expression of the server, found by itself, and texts that are made to keep it busy."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import server

ROOT = Path(server.__file__).parent
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
_OF_TEXTS = ("split",)
"""Methods that texts have, too: they say nothing of how a module uses its patterns."""
_OURS = frozenset(
    {"cases", "commands", "rulebook", "tournament", "training", "store.backup", "store.migrate", "render.drawing",
     "render.sheets", "render.table.card", "settings", "api.description"}
)  # fmt: skip
"""Packages whose patterns read what we or the operator wrote: files of the program, settings, the command line."""
_MOST_CHARACTERS, _MOST_TEXTS = 12, 60


@dataclass(frozen=True)
class Found:
    """A pattern and how it is used."""

    place: str
    pattern: re.Pattern[str]
    method: str


@cache
def patterns() -> list[Found]:
    """Return the patterns that read what strangers and players write, each once for each way of using it."""
    found: dict[tuple[str, int, str], Found] = {}
    for name in _modules():
        module, tree = importlib.import_module(name), ast.parse(_file(name).read_text("utf-8"))
        for place, pattern in [*_kept(module), *_inline(name, tree)]:
            own = _methods_of(name, place.rsplit(".", 1)[-1]) or {"match", "search"}
            for method in sorted({_kind(method) for method in own}) if ":" not in place else [place.split(":")[1]]:
                key = (pattern.pattern, pattern.flags, method)
                found.setdefault(key, Found(place.split(":")[0], pattern, method))
    return list(found.values())


def unreadable() -> list[str]:
    """Return the calls of ``re`` in functions whose pattern is no literal: they are found nowhere."""
    return [
        f"{name}:{node.lineno}"
        for name in _modules()
        for inside in ast.walk(ast.parse(_file(name).read_text("utf-8")))
        if isinstance(inside, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in _calls(inside)
        if node.func.attr != "compile" and not isinstance(node.args[0], ast.Constant)
    ]


def hostile(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts of about *length* characters: what leads up to each repetition, a long run, and an end that fails."""
    tree = _tree(pattern)
    characters = list(islice(dict.fromkeys([*_characters(tree), *" a1(-"]), _MOST_CHARACTERS))
    beginnings = list(dict.fromkeys(["", *_beginnings(tree)]))
    runs = list(dict.fromkeys([*characters, *_bodies(tree), *(character + " " for character in characters)]))
    made = ((begin, run) for run in runs for begin in (beginnings if len(run) == 1 else beginnings[:3]))
    for begin, run in islice(made, _MOST_TEXTS):
        yield begin + run * (length // len(run)) + "\x00"


# --- where they are ---


@cache
def _modules() -> list[str]:
    names = (module.name for module in pkgutil.walk_packages([str(ROOT)], "server."))
    inside = (name for name in names if not any(f"{name}.".startswith(f"server.{ours}.") for ours in _OURS))
    return [name for name in inside if "re." in _file(name).read_text("utf-8")]


def _file(name: str) -> Path:
    path = ROOT.parent.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _kept(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, value in vars(module).items():
        for field, pattern in _inside(name, value, 4):
            yield f"{module.__name__}.{field}", pattern


def _inside(name: str, value: Any, depth: int) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield name, value
    elif depth and isinstance(value, dict):
        for inner in value.values():
            yield from _inside(name, inner, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for inner in value:
            yield from _inside(name, inner, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _inside(f"{name}.{field.name}", getattr(value, field.name, None), depth - 1)


def _inline(name: str, tree: ast.Module) -> Iterator[tuple[str, re.Pattern[str]]]:
    for node in _calls(tree):
        if isinstance(node.args[0], ast.Constant) and node.func.attr != "compile":
            flags = [eval(ast.unparse(flag), {"re": re}) for flag in _flags(node)]
            method = _kind(node.func.attr)
            yield f"{name}.{node.lineno}:{method}", re.compile(str(node.args[0].value), *flags)


def _flags(call: ast.Call) -> list[ast.expr]:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    return given or [value for value in call.args[1:] if ast.unparse(value).startswith("re.")]


def _calls(tree: ast.AST) -> Iterator[Any]:
    return filter(_of_re, ast.walk(tree))


def _of_re(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in (*METHODS, "compile")
    )


@cache
def _uses() -> dict[tuple[str, str], set[str]]:
    used: dict[tuple[str, str], set[str]] = {}
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value
                name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
                if name != "re":
                    used.setdefault((str(file), name), set()).add(node.attr)
                    used.setdefault(("", name), set()).add(node.attr)
    return used


def _methods_of(module: str, name: str) -> set[str]:
    """Return how a pattern is used; where it is kept among others, how its module uses any."""
    own = str(_file(module)) if name.startswith("_") else ""
    found = _uses().get((own, name), set())
    inside = {method for (file, _), used in _uses().items() if file == str(_file(module)) for method in used}
    return found or inside - {*_OF_TEXTS}


def _kind(method: str) -> str:
    """Return which of three ways a method looks: the others look like ``search``."""
    return method if method in ("match", "fullmatch") else "search"


# --- texts for them ---

_CATEGORIES = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_NOT_DIGIT": "a",
               "CATEGORY_NOT_SPACE": "a", "CATEGORY_NOT_WORD": "-"}  # fmt: skip
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


def _tree(pattern: re.Pattern[str]) -> Any:
    parser: Any = vars(re)["_parser"]
    return parser.parse(pattern.pattern, pattern.flags)


def _characters(tree: Any) -> Iterator[str]:
    for operation, value in tree:
        yield from _own(str(operation), value)
        for child in _children(str(operation), value):
            yield from _characters(child)


def _own(operation: str, value: Any) -> Iterator[str]:
    if operation == "LITERAL":
        yield chr(value)
    elif operation == "IN":
        for inner, what in value:
            if str(inner) == "LITERAL":
                yield chr(what)
            elif str(inner) == "RANGE":
                yield chr(what[0])
            elif str(inner) == "CATEGORY":
                yield _CATEGORIES.get(str(what), "a")


def _children(operation: str, value: Any) -> list[Any]:
    if operation in _REPEATS:
        return [value[2]]
    if operation == "SUBPATTERN":
        return [value[3]]
    if operation == "BRANCH":
        return list(value[1])
    if operation in ("ASSERT", "ASSERT_NOT"):
        return [value[1]]
    return [value] if operation == "ATOMIC_GROUP" else []


def _sample(tree: Any) -> str:
    """Return a short text that the tree takes, as far as one can say without trying."""
    text = ""
    for operation, value in tree:
        name = str(operation)
        if name == "LITERAL":
            text += chr(value)
        elif name == "NOT_LITERAL":
            text += "a" if value != ord("a") else "b"
        elif name == "ANY":
            text += "a"
        elif name == "IN":
            text += _one_of(value)
        elif name in _REPEATS:
            text += _sample(value[2]) * min(value[0], 50)
        elif name == "BRANCH":
            text += _sample(value[1][0])
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            text += _sample(_children(name, value)[0])
    return text


def _one_of(items: Any) -> str:
    if str(items[0][0]) == "NEGATE":
        return next((sign for sign in "a1 -.(" if not any(_holds(item, sign) for item in items[1:])), "~")
    return next(_own("IN", items), "a")


def _holds(item: Any, sign: str) -> bool:
    operation, value = str(item[0]), item[1]
    if operation == "LITERAL":
        return bool(chr(value) == sign)
    if operation == "RANGE":
        return bool(value[0] <= ord(sign) <= value[1])
    return {"CATEGORY_DIGIT": sign.isdigit(), "CATEGORY_SPACE": sign.isspace(),
            "CATEGORY_WORD": sign.isalnum()}.get(str(value), False)  # fmt: skip


def _beginnings(tree: Any, before: str = "") -> Iterator[str]:
    """Yield texts that lead up to each repetition in a tree."""
    for operation, value in tree:
        if str(operation) in _REPEATS:
            yield before
        for child in _children(str(operation), value):
            yield from _beginnings(child, before)
        before += _sample([(operation, value)])


def _bodies(tree: Any) -> Iterator[str]:
    """Yield what each repetition repeats."""
    for operation, value in tree:
        if str(operation) in _REPEATS:
            yield _sample(value[2]) or "a"
        for child in _children(str(operation), value):
            yield from _bodies(child)
