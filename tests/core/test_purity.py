"""The engines know no clock, chance, file, network or log, and keep nothing to themselves: shown on their source.

Seen to fail, each in a copy: with ``import random`` in ``dice``, ``import time`` inside a function, ``print(`` in
``movement``, ``/`` for ``//`` in ``structure``, a set gone through in ``scene``, a list at module level that is added
to in ``treasury``, ``@cache`` on a function that takes a state, and a rule that is declared inside a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import server

ROOT = Path(server.__file__).parent
ENGINES = ("core", "rules", "referee")
FILES = [file for engine in ENGINES for file in sorted((ROOT / engine).rglob("*.py"))]
ALLOWED = frozenset(
    {
        "__future__",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "fractions",
        "functools",
        "hashlib",
        "heapq",
        "hmac",
        "itertools",
        "math",
        "operator",
        "types",
        "typing",
    }
)
"""Of the standard library. What is not named here was not needed so far, and has to be thought about."""
ONLY_IN = {
    "orjson": ("rules/codec/reading.py", "rules/codec/writing.py"),
    "difflib": ("rules/text.py",),
    "json": ("rules/ruleset/reader.py", "rules/text.py"),
    "re": ("rules/ruleset/limits.py", "rules/ruleset/reader.py", "rules/orders/text/words.py"),
    "struct": ("rules/attrition.py",),
}
"""To write canonical bytes, of a state and for the digest of a ruleset; to read its names;
to take big integers apart; to cut a line of text into words, to find the nearest word, to write what has none."""
FORBIDDEN_CALLS = frozenset(
    {
        "open",
        "print",
        "input",
        "exec",
        "eval",
        "compile",
        "__import__",
        "globals",
        "hash",
        "id",
        "breakpoint",
        "vars",
        "setattr",
    }
)
"""``hash`` and ``id`` differ from run to run."""
DECLARING = frozenset({"act_kind", "rule_kind", "effect_kind"})
"""Decorators that set class variables, and put the class into a table while its file is read."""
ONE_CACHE = frozenset({"cached_property"})
"""On what never changes: the tables of a board."""
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
FLOAT_NAMES = frozenset({"float", "round"})
EXACT = frozenset({"attrition.py", "battles.py", "jump_off_zones.py", "odds.py"})
"""Fractions are divided here, never whole numbers."""
INCHES_IN_JSON = frozenset({"referee/reading.py"})
"""Inches become whole thousandths here, and inches again; nowhere else."""


@pytest.fixture(params=FILES, ids=lambda file: str(file.relative_to(ROOT)))
def file(request: pytest.FixtureRequest) -> Path:
    """Each file of the engines."""
    path: Path = request.param
    return path


def nodes(file: Path) -> Iterator[ast.AST]:
    """Walk a file."""
    return ast.walk(ast.parse(file.read_text(encoding="utf-8")))


def called(node: ast.AST) -> str:
    """Return the bare name a call goes to."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def test_imports(file: Path) -> None:
    """Only what is pure, the engine itself, and what both engines have in common."""
    where = file.relative_to(ROOT).as_posix()
    for node in nodes(file):
        names = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "no relative imports"
            names = [node.module or ""]
        for name in names:
            engine = "server." + where.split("/")[0]
            own = (name + ".").startswith((f"{engine}.", "server.core."))
            assert own or name in ALLOWED or where in ONLY_IN.get(name, ()), f"{where} imports {name}"


def test_calls(file: Path) -> None:
    """Nothing that reads, writes, prints or depends on the run."""
    for node in _but_declaring(ast.parse(file.read_text(encoding="utf-8"))):
        assert called(node) not in FORBIDDEN_CALLS, f"{file.name}:{getattr(node, 'lineno', 0)} calls {called(node)}"


def _but_declaring(tree: ast.Module) -> Iterator[ast.AST]:
    """Walk a file, but for what the decorators of classes do."""
    for node in tree.body:
        if getattr(node, "name", "") not in DECLARING:
            yield from ast.walk(node)


def test_classes_are_declared_while_their_file_is_read(file: Path) -> None:
    """A decorator that fills a table stands on a class of the file itself, so no table changes afterwards."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    on_classes = [id(each) for node in tree.body if isinstance(node, ast.ClassDef) for each in node.decorator_list]
    for node in ast.walk(tree):
        if called(node) in DECLARING:
            assert id(node) in on_classes, f"{file.name}:{getattr(node, 'lineno', 0)}"


def test_numbers_are_whole(file: Path) -> None:
    """All amounts are integers (D-03): no float, no true division but that of fractions."""
    for node in nodes(file):
        line, where = f"{file.name}:{getattr(node, 'lineno', 0)}", file.relative_to(ROOT).as_posix()
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), line
        assert called(node) not in FLOAT_NAMES or where in INCHES_IN_JSON, line
        divides = isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
        assert not divides or file.name in EXACT or where in INCHES_IN_JSON, line


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub | ast.BitXor):
        return _is_set(node.left) or _is_set(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("intersection", "union", "difference", "symmetric_difference")
    return called(node) in ("set", "frozenset")


def test_no_set_is_gone_through(file: Path) -> None:
    """The order of a set differs from run to run; ``sorted`` and ``in`` are fine, and so is a dict."""
    orderly = ("sorted", "len", "any", "all", "min", "max", "sum", "set", "frozenset", "bool")
    for node in nodes(file):
        loops: list[ast.expr] = []
        if isinstance(node, ast.For):
            loops = [node.iter]
        elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.DictComp):
            loops = [generator.iter for generator in node.generators]
        elif isinstance(node, ast.Starred):
            loops = [node.value]
        elif isinstance(node, ast.Call) and called(node) not in orderly:
            loops = (
                [*node.args] if called(node) in ("list", "tuple", "dict", "enumerate", "iter", "next", "zip") else []
            )
        for loop in loops:
            assert not _is_set(loop), f"{file.name}:{getattr(node, 'lineno', 0)} goes through a set"


def test_nothing_is_kept_between_calls(file: Path) -> None:
    """No module-level tables that can be written to, no ``global``, no caches on functions."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Global), file.name
        if isinstance(node, ast.FunctionDef):
            for each in node.decorator_list:
                name = ast.unparse(each).split("(")[0].rpartition(".")[2]
                assert "cache" not in name or name in ONE_CACHE, f"{file.name}: {node.name} keeps what it found"
    constants = {name for node in tree.body for name in _names(node) if isinstance(_value(node), MUTABLE)}
    for node in _but_declaring(tree):
        for name in constants:
            assert not _writes(node, name), f"{file.name}:{getattr(node, 'lineno', 0)} writes to {name}"


def _value(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _names(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


WRITERS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "clear",
        "add",
        "discard",
        "update",
        "setdefault",
        "popitem",
        "sort",
        "reverse",
        "__setitem__",
    }
)


def _writes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITERS:
        return isinstance(node.func.value, ast.Name) and node.func.value.id == name
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return isinstance(node.value, ast.Name) and node.value.id == name
    return False
