"""Where scenarios are: the ones that come with the server, and folders of your own."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from server.scenarios.problems import MapError, MapProblem, Notebook, Unreadable
from server.scenarios.reader import read
from server.scenarios.scenario import Scenario
from server.scenarios.writer import FILE

MAX_BYTES = 8_000_000
_PACKAGE = Path(__file__).resolve().parent.parent


def home() -> Path:
    """Return the folder of the scenarios that come with the server, in a wheel or a checkout."""
    packed = _PACKAGE / "_maps"
    return packed if packed.is_dir() else _PACKAGE.parent / "maps"


@cache
def names() -> tuple[str, ...]:
    """Return the ids of the scenarios that come with the server, sorted."""
    return tuple(sorted(file.parent.name for file in home().glob(f"*/{FILE}")))


@cache
def load(id: str) -> Scenario:
    """Return the scenario of that id that comes with the server."""
    if id not in names():
        raise Unreadable(f"there is no scenario {id!r}; there are: {', '.join(names())}", code="unknown_scenario")
    return load_folder(home() / id)


def load_folder(path: str | Path, notes: Notebook | None = None) -> Scenario:
    """Return the scenario in a folder (or in its ``scenario.json``), or raise with all that is wrong with it."""
    path = Path(path)
    file = path / FILE if path.is_dir() else path
    folder = file.resolve().parent
    try:
        return read(parse(read_bytes(file), str(file)), folder.name, notes, folder)
    except MapError as error:
        error.source = error.source if isinstance(error, Unreadable) else str(file)
        raise


def is_there(path: str) -> bool:
    """Say whether there is a file or folder of that name, so that it is not taken for an id."""
    return Path(path).exists()


def read_bytes(file: Path, maximum: int = MAX_BYTES) -> bytes:
    """Return a file's contents. Refuse a file that is not plain or is too large before reading it."""
    try:
        if not file.is_file():
            raise Unreadable("there is no such file" if not file.exists() else "is no plain file", str(file))
        with file.open("rb") as stream:
            data = stream.read(maximum + 1)
    except OSError as error:
        raise Unreadable(error.strerror or "cannot be read", str(file)) from error
    if len(data) > maximum:
        raise Unreadable(f"is larger than {maximum // 1_000_000} MB", str(file), "too_large")
    return data


def parse(data: bytes, source: str) -> Any:
    """Return what a JSON text holds. Keys that come twice and numbers that are none are refused."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_table, parse_constant=_no_number)
    except MapError as error:
        raise Unreadable(error.problems[0].message, source) from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"line {error.lineno}, column {error.colno}: {error.msg}", source) from error
    except UnicodeDecodeError as error:
        raise Unreadable("is not UTF-8 text", source) from error
    except (RecursionError, ValueError) as error:
        raise Unreadable("is nested too deeply or holds a number that is too long", source) from error


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise MapError([MapProblem("duplicate", twice, f"the key {twice!r} comes twice")])
    return table


def _no_number(word: str) -> NoReturn:
    raise MapError([MapProblem("bad_value", "", f"{word} is no number")])
