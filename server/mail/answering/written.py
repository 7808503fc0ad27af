"""Orders as people write them: one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from server.rules.orders.fields import HALF
from server.rules.orders.text.names import Names
from server.rules.orders.text.words import without_bullet
from server.rules.sight import View
from server.rules.state import Detachment, Force
from server.rules.text import ReadText, created, read_orders, write_orders

_NARROWEST, _WIDEST = 68, 80
"""Letters after which mail programs wrap lines."""


@dataclass(frozen=True, slots=True)
class NotRead:
    """A line that is not an order."""

    line: int
    """From 1."""
    text: str
    message: str
    unknown: bool
    """It does not even begin like an order: it may be a greeting."""
    near: str = ""
    """The nearest word that would be understood."""


@dataclass(frozen=True, slots=True)
class ReadOrders:
    """The orders of a mail."""

    orders: tuple[dict[str, Any], ...]
    lines: tuple[int, ...]
    """The line of each order."""
    problems: tuple[NotRead, ...]
    final: bool | None = None
    repeats: Mapping[int, bool] = field(default_factory=dict)
    """Whether the order of a line is repeated from now on, or no longer."""


def read(text: str, view: View, players: Mapping[str, str]) -> ReadOrders:
    """Read the orders of a text, lines as JSON among them; raises nothing, whatever it is. *players*: names by id."""
    given: list[tuple[int, dict[str, Any]]] = []
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if (order := _as_json(line)) is not None:
            given.append((place + 1, order))
            lines[place] = ""
    found = _unwrapped(lines, Names.of(view, players))
    given += zip(found.lines, found.orders, strict=True)
    given.sort(key=lambda one: one[0])
    problems = tuple(
        NotRead(problem.line, problem.text, str(problem.message), problem.code == "unknown_order", problem.nearest)
        for problem in found.problems
    )
    return ReadOrders(
        tuple(order for _, order in given), tuple(line for line, _ in given), problems, found.final,
        {found.lines[place]: repeated for place, repeated in found.repeats.items()},
    )  # fmt: skip


def _unwrapped(lines: list[str], names: Names) -> ReadText:
    """Read lines that a mail program may have wrapped: a line continues the one above it where only that is an order.

    That is so where it begins like no order, its first word had no room above it, and both together are an order.
    """
    found = read_orders("\n".join(lines), names)
    unknown = {problem.line - 1 for problem in found.problems if problem.code == "unknown_order"}
    begins: dict[int, list[int]] = {}
    for place in sorted(unknown):
        above = place - 1
        if above >= 0 and _full(lines[above], lines[place]):
            begin = next((begin for begin, more in begins.items() if more[-1] == above), above)
            begins.setdefault(begin, []).append(place)
    if not begins:
        return found
    for _ in range(2):  # all that may be, then those that proved to be
        joined = list(lines)
        for begin, more in begins.items():
            joined[begin] = " ".join(lines[place].strip() for place in (begin, *more))
            for place in more:
                joined[place] = ""
        again = read_orders("\n".join(joined), names)
        begins = {begin: more for begin, more in begins.items() if begin + 1 in again.lines}
    return again


def _full(above: str, line: str) -> bool:
    """Say whether the first word of a line would have made the line above too long for a mail."""
    return len(above) <= _WIDEST and without_bullet(line) == line.lstrip() and (
        len(above) + 1 + len(line.split(maxsplit=1)[0]) > _NARROWEST
    )  # fmt: skip


def write(orders: Sequence[Any], view: View, players: Mapping[str, str], repeated: Sequence[Any] = ()) -> str:
    """Write orders, one a line, that read back to the same; ids in them are named in comments below their line.

    Lines of *repeated* orders say so.
    """
    names = Names.of(view, players)
    called = _called(view)
    lines = []
    for order in orders:
        text = write_orders([order], names, repeated)
        lines.append(text)
        lines += [f"# {id_}: {called[id_]}\n" for id_ in _ids(order) if id_ in called and id_ in text]
        if isinstance(order, Mapping) and isinstance(order.get("as"), str):
            names = names.with_more(order["as"], created(order))
    return "".join(lines)


def _called(view: View) -> dict[str, str]:
    """Return what units and forces are called, by id; a unit with its force."""
    state = view.state
    found: dict[str, str] = {}
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        name = force.name if isinstance(force, Detachment) else state.board.label(force.at)
        found[force.id] = name
        found |= {unit.id: f"{unit.name} ({name})" for unit in force.units}
    return found


def _ids(value: object) -> Iterator[str]:
    """Yield every id in an order, as far as it is one, each once."""
    texts: list[str] = []
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            waiting += reversed([*here.keys(), *here.values()])
        elif isinstance(here, list):
            waiting += reversed(here)
        elif isinstance(here, str):
            texts.append(here.removesuffix(HALF))
    yield from dict.fromkeys(texts)


def _as_json(line: str) -> dict[str, Any] | None:
    line = without_bullet(line)
    if not line.startswith("{"):
        return None
    try:
        order = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return order if isinstance(order, dict) else None
