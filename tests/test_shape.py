"""Code that can be read in one sitting: files of at most 500 lines, functions of at most 60, no circles between files.

A loop variable or a parameter is named for its thing: ``each`` says nothing.

Seen to fail with a function of 61 lines, with a file of 501, with an import back, with a loop over ``each``, and with a
lambda of ``each``.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_FILE = 500
MAX_FUNCTION = 60
REFEREE = {f"server.referee.{name}" for name in ("act", "battle", "beginning", "clock", "game", "mission", "rule")}
"""A table game consists of its rules and acts, and they act upon the game: their types know each other."""
FILES = sorted(file for folder in ("server", "client", "tests", "bench") for file in (ROOT / folder).rglob("*.py"))


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def test_files_are_short() -> None:
    lengths = {str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines()) for file in FILES}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE} == {}


def test_functions_are_short() -> None:
    long = [
        f"{file.relative_to(ROOT)}: {node.name}"
        for file in FILES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MAX_FUNCTION
    ]
    assert long == []


def test_no_circles_between_files() -> None:
    """Imports that are there for types alone count too."""
    modules = {_module(file): file for file in FILES if file.is_relative_to(ROOT / "server")}
    graph = {name: _imports(name, file, modules) for name, file in modules.items()}
    assert [circle for circle in _circles(graph) if circle != sorted(REFEREE)] == []


def test_loop_variables_and_parameters_are_named_for_their_things() -> None:
    found: Counter[str] = Counter()
    for file in FILES:
        package, *inside = file.relative_to(ROOT).parts
        if package in ("server", "client"):
            found[inside[0] if package == "server" and len(inside) > 1 else package] += _called_each(tree_of(file))
    assert {name: number for name, number in found.items() if number} == {}


def _called_each(tree: ast.Module) -> int:
    """Return how many loops, comprehensions and parameters have a variable called ``each``."""
    targets = [node.target for node in ast.walk(tree) if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension)]
    loops = sum(any(isinstance(node, ast.Name) and node.id == "each" for node in ast.walk(at)) for at in targets)
    return loops + sum(isinstance(node, ast.arg) and node.arg == "each" for node in ast.walk(tree))


def _module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(name: str, file: Path, modules: dict[str, Path]) -> list[str]:
    """Return our modules that a file imports, wherever in it. All imports are absolute."""
    found = []
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [full if full in modules else node.module for full in names]
    return sorted({module for module in found if module in modules and module != name})


def _circles(graph: dict[str, list[str]]) -> list[list[str]]:
    """Return the groups of modules that reach each other."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in reached[name] if name in reached[other])) for name in graph}
    return [list(group) for group in sorted(groups) if len(group) > 1]


def _reached(graph: dict[str, list[str]], start: str) -> set[str]:
    seen, left = {start}, [start]
    while left:
        new = [name for name in graph[left.pop()] if name not in seen]
        seen.update(new)
        left += new
    return seen
