"""Code that can be read in one sitting: files of at most 500 lines, functions of at most 60.

Seen to fail with a function of 61 lines and with a file of 501.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAX_FILE = 500
MAX_FUNCTION = 60
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
