"""A list pasted as text: read by the grammar of the program it is of (``lists.toml``), line by line.

A line of more than :data:`MAX_LINE` letters is reported and not read. Patterns have no repetition without a bound, so
that each takes a time that grows no faster than its line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from server.play.rosters.keywords import TOTAL, slot_of, whole_number
from server.play.rosters.roster import Roster, printable

MAX_LINE = 400
_NUMBER = r"(?<![\w.,+-])(?P<points>(?:\d{1,3}(?:[.,' \u00a0\u202f]\d{3}){1,2}|\d{1,6})(?:[.,]\d{1,2})?)"
_POINTS = r"(?:points?|pts?|punkte|pkt|pnts|p)\.?"
_EXTRA = re.compile(rf"[(](?P<sign>\+?)(?P<points>\d{{1,6}}) ?(?:{_POINTS})?[)]", re.IGNORECASE)
_COUNT = re.compile(r"(?P<count>\d{1,3})\s?[x×]\s{0,3}(?=\S)")
_BULLET = re.compile(r"\s{0,40}(?P<mark>[-•*◦‣▪○·+>]|\.(?= ))\s{0,4}")
_LABEL = re.compile(
    r"(?P<slot>[^\W\d_][^\W\d_ ]{0,20}(?: [^\W\d_]{1,12})?)\s?\d{1,2}\s?:\s?(?:\(\+(?P<more>\d)\) ?)?", re.IGNORECASE
)
_BARE = re.compile(r"(?P<count>\d{1,3}) {1,3}(?=[^\W\d_])")
_MODELS = re.compile(r"\((?P<models>\d{1,3}) (?:models?|modelle?)\)|\[(?P<inside>\d{1,3})\]\s?$", re.IGNORECASE)
_INDENT = re.compile(r"\s{0,60}")
_PRICE = re.compile(rf"[\[(]\d{{1,6}} ?{_POINTS}[\])]\s?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Program:
    """How a program writes lists."""

    id: str
    signs: tuple[re.Pattern[str], ...]
    unit: tuple[re.Pattern[str], ...]
    counts: str
    """What a number before the name counts: ``models`` or ``copies``."""
    bare: bool = False
    """That number has no x after it, and a unit without one is one model."""
    name_after: bool = False
    """Points stand before the name."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """All programs, the surest sign first, and lines that all of them have."""

    programs: tuple[Program, ...]
    total: tuple[re.Pattern[str], ...]
    no_unit: tuple[re.Pattern[str], ...]
    remark: tuple[re.Pattern[str], ...]
    of_unit: tuple[re.Pattern[str], ...]
    heading: tuple[re.Pattern[str], ...]
    rank: re.Pattern[str]


@cache
def grammar() -> Grammar:
    """Return the grammar of ``lists.toml``."""
    with (Path(__file__).parent / "lists.toml").open("rb") as file:
        data = tomllib.load(file)
    programs = tuple(
        Program(
            entry["id"],
            _compiled(entry["signs"]),
            _compiled(entry["unit"]),
            entry["counts"],
            entry.get("bare", False),
            entry.get("name") == "after",
        )
        for entry in data["program"]
    )
    lines = data["lines"]
    rank = re.compile(r"\b(?:" + "|".join(lines["rank"]) + ")", re.IGNORECASE)
    kinds = ("total", "no_unit", "remark", "of_unit", "heading")
    total, no_unit, remark, of_unit, heading = (_compiled(lines[kind]) for kind in kinds)
    return Grammar(programs, total, no_unit, remark, of_unit, heading, rank)


def _compiled(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern.replace("NUMBER", _NUMBER).replace("POINTS", _POINTS), re.IGNORECASE) for pattern in patterns
    )


@dataclass(slots=True)
class _Unit:
    line: int
    name: str
    points: int
    models: int | None
    copies: int
    slot: str | None
    gear: str
    parts: list[tuple[int, int | None, str]] = field(default_factory=list)
    """Indentation, count and text of each line below it."""
    extra: int = 0
    """Points of the lines below it: a program counts them in the unit's own, or beside them."""


def is_list(lines: Sequence[str]) -> bool:
    """Say whether lines are a pasted list: some name a unit with its points, none is a row of a spreadsheet."""
    if any("\t" in line.strip() or line.count(";") > 1 for line in lines if not _BULLET.match(line)):
        return False
    program = _program(lines)
    return any(_match(program, line.strip()) for line in lines if len(line) <= MAX_LINE)


def add_units(roster: Roster, lines: Sequence[str]) -> None:
    """Take over the units; the roll says of each line what it was taken for."""
    _Reader(roster, _program(lines)).read(lines)


def _program(lines: Sequence[str]) -> Program:
    short = [line.strip() for line in lines if len(line) <= MAX_LINE]
    programs = grammar().programs
    return next((program for program in programs if _is_of(program, short)), programs[-1])


def _is_of(program: Program, lines: Sequence[str]) -> bool:
    """Say whether a program has written a list: some line has its sign; where points stand first, more than do not."""
    if not any(sign.search(line) for sign in program.signs for line in lines):
        return False
    if not program.name_after:
        return True
    read = {one.id: sum(_match(one, line) is not None for line in lines) for one in grammar().programs}
    return read.pop(program.id) > max(1, *read.values())


def _match(program: Program, line: str) -> re.Match[str] | None:
    if any(pattern.search(line) for pattern in grammar().no_unit):
        return None
    return next(
        (
            found
            for pattern in program.unit
            if (found := pattern.search(line)) and (found.start() or program.name_after)
        ),
        None,
    )


@dataclass(slots=True)
class _Reader:
    roster: Roster
    program: Program
    units: list[_Unit] = field(default_factory=list)
    slot: str | None = None
    beside: int = 0
    surcharge: int = 0
    plain_units: bool = True
    """Units stand in lines without a dot: what has one is a part, whatever it costs."""

    def read(self, lines: Sequence[str]) -> None:
        short = [line for line in lines if len(line) <= MAX_LINE]
        self.plain_units = any(_match(self.program, line.strip()) and not _dotted(line) for line in short)
        title = self._title(lines)
        for number, line in enumerate(lines, start=1):
            self._line(number, line, title=number == title)
        self._add_extra()
        for unit in self.units:
            models = self._models(unit)
            for _ in range(min(unit.copies, 100)):
                self.roster.add(unit.name, slot=unit.slot, models=models, points=unit.points, mobility="infantry")

    def _add_extra(self) -> None:
        """Count points in lines other than units' as the list does, so that the sum is its own total.

        Points of gear belong to the unit, or are in it already; those of lores, and surcharges, belong to no unit.
        """
        own, gear = sum(unit.points * unit.copies for unit in self.units), sum(unit.extra for unit in self.units)
        ways = [
            (more, lores, surcharge)
            for surcharge in (0, self.surcharge)
            for lores in (self.beside, 0)
            for more in (0, gear)
        ]
        fitting = next((way for way in ways if self.roster.total == own + sum(way)), None)
        more, *beside = fitting or (0, 0, 0)
        if self.surcharge and (fitting is None or fitting[2]):
            self.roster.note("surcharge", f"+{self.surcharge}")
        self.roster.beside = sum(beside)
        if more:
            for unit in self.units:
                unit.points += unit.extra

    def _title(self, lines: Sequence[str]) -> int:
        """Return the number of the army's own line: the first with points, if it costs what the others do or more."""
        costs = [
            (number, whole_number(found["points"]) or 0) for number, line in enumerate(lines, start=1)
            if len(line) <= MAX_LINE and not (self.plain_units and _dotted(line)) and not TOTAL.match(line.strip())
            if (found := self._price(line.strip()))
        ]  # fmt: skip
        if len(costs) < 2 or any(line.strip() for line in lines[: costs[0][0] - 1]):
            return 0
        return costs[0][0] if costs[0][1] >= sum(cost for _, cost in costs[1:]) else 0

    def _price(self, line: str) -> re.Match[str] | None:
        """Return the points of a unit or of the whole army, which may stand last where those of units stand first."""
        return _match(self.program, line) or (_match(grammar().programs[-1], line) if self.program.name_after else None)

    def _line(self, number: int, line: str, *, title: bool) -> None:
        text = line.strip()
        if not text:
            return
        if len(line) > MAX_LINE:
            self.roster.note("long_line", f"{number}: {text[:60]}")
            self.roster.take_line(number, text, "unread")
            return
        own = next((found for pattern in grammar().total if (found := pattern.search(text))), None)
        unit = self._price(text) if title else None if own is not None else _match(self.program, text)
        if title and unit is not None:
            self.roster.name, self.roster.total = printable(text[: unit.start()]), whole_number(unit["points"])
            self.roster.take_line(number, text, "title")
        elif unit is not None and not (self.plain_units and _dotted(line)):
            self._unit(number, text, unit)
        elif own is not None:
            self.roster.total = whole_number(own["points"]) or self.roster.total
            if number == 1:
                self.roster.name = printable(text[: own.start("points")]).strip(" -[(+")
            self.roster.take_line(number, text, "total")
            if TOTAL.match(text):
                self.roster.note("bad_line", line)
        else:
            self._other(number, line, text)

    def _unit(self, number: int, text: str, found: re.Match[str]) -> None:
        before, gear = text[: found.start()], text[found.end() :]
        if self.program.name_after:
            before, _, gear = gear.partition(":")
        bullet = _BULLET.match(before)
        name = before[bullet.end() :] if bullet else before
        label = _LABEL.match(name)
        name = name[label.end() :] if label else name
        count = _COUNT.match(name) or (_BARE.match(name) if self.program.bare else None)
        amount = int(count["count"]) if count else 0
        name = printable(name[count.end() :] if count else name).strip(" -–•*+:[(|,")
        points = whole_number(found["points"])
        if not name or points is None or TOTAL.match(name):
            self.roster.note("bad_line", text)
            self.roster.take_line(number, text, "unread")
            return
        inside = _MODELS.search(name)
        given = found.groupdict().get("models") or (inside and (inside["models"] or inside["inside"]))
        copies = amount if self.program.counts == "copies" and amount else 1
        models = int(given) if given else amount if amount and self.program.counts == "models" else None
        if self.program.bare:
            models = (models or 1) + int((label and label["more"]) or 0)
        # what stands before a unit and its number: ``Char1:``, ``QG 1 :``
        slot = (slot_of([label["slot"].casefold().rstrip("s")]) or slot_of([label["slot"]])) if label else None
        self.units.append(_Unit(number, name, points, models, copies, slot or self.slot, gear.strip(" :")))
        self.roster.take_line(number, text, "unit", len(self.units) - 1)

    def _other(self, number: int, line: str, text: str) -> None:
        bullet = _BULLET.match(line)
        marked = bullet is not None and not text.endswith("+")
        if self.units and any(
            pattern.search(line[bullet.end() :] if bullet else text) for pattern in grammar().of_unit
        ):
            self.roster.take_line(number, text, "part", len(self.units) - 1)
            return
        if (self.units and bullet and marked) or (self.units and self.units[-1].parts and line[:1].isspace()):
            rest = line[bullet.end() :] if bullet else text
            count = _COUNT.match(rest)
            depth = (bullet.start("mark") if bullet else len(_INDENT.match(line)[0])) + (  # type: ignore[index]
                100 if bullet and bullet["mark"] in "◦○" else 0
            )
            amount = int(count["count"]) if count else None
            self.units[-1].extra += _cost(rest)
            self.units[-1].parts.append((depth, amount, rest[count.end() :] if count else rest))
            self.roster.take_line(number, text, "part", len(self.units) - 1)
            return
        bare = _PRICE.sub("", text).strip(" :+-=#*") if text.startswith("#") else text.strip(" :+-=#*")
        heading = slot_of([bare.rstrip("s")]) or slot_of([bare])
        if (
            heading is not None
            or any(pattern.search(text) for pattern in grammar().heading)
            or (bare.isupper() and not any(sign.isdigit() for sign in bare))
        ):
            self.slot = heading
            self.roster.take_line(number, text, "heading")
        elif any(pattern.search(text) for pattern in grammar().remark) or (self.program.bare and self._is_head(text)):
            self.roster.take_line(number, text, "remark")
        elif any(pattern.search(text) for pattern in grammar().no_unit):
            self.roster.take_line(number, text, "remark")
            self.beside, self.surcharge = self.beside + _cost(text), self.surcharge + _cost(text, "+")
            if _cost(text):
                self.roster.note("skipped", text)
        elif _COUNT.match(text) and self.units:
            found = _COUNT.match(text)
            assert found is not None
            self.units[-1].parts.append((len(line) - len(line.lstrip()), int(found["count"]), text[found.end() :]))
            self.roster.take_line(number, text, "part", len(self.units) - 1)
        else:
            self.roster.note("bad_line", line)
            self.roster.take_line(number, text, "unread")

    def _is_head(self, text: str) -> bool:
        """Say whether a line says something of the army before its units, as a form does: ``Player : Ann``."""
        return not self.units and ":" in text

    def _models(self, unit: _Unit) -> int | None:
        """Return how many models a unit has; None where that is not clear."""
        if unit.models:
            return unit.models
        gear = [(0, int(found["count"]), piece[found.end() :]) for piece in map(str.strip, unit.gear.split(","))
                if (found := _COUNT.match(piece))]  # fmt: skip
        top = min((depth for depth, _, _ in unit.parts), default=0)
        first = [(place, count, text) for place, (depth, count, text) in enumerate(unit.parts) if depth == top]
        inner = [
            (count or 1) for place, count, text in first
            if (place + 1 < len(unit.parts) and unit.parts[place + 1][0] > top) or ":" in text
        ]  # fmt: skip
        if inner and any(count for _, count, _ in first):
            return sum(inner)
        alike = [count for _, count, text in (*first, *gear) if count and self._is_model(unit.name, text)]
        if alike:
            return sum(alike)
        return 1 if unit.slot == "hq" else None

    def _is_model(self, unit: str, text: str) -> bool:
        words = {word[:5] for word in re.findall(r"[^\W\d_]{4,30}", unit.casefold())}
        own = {word[:5] for word in re.findall(r"[^\W\d_]{4,30}", text.casefold())}
        return bool(words & own) or grammar().rank.search(text) is not None


def _cost(text: str, sign: str = "") -> int:
    """Return the points in brackets in a line other than a unit's, or those with a plus; 0 if it has none."""
    return sum(whole_number(found["points"]) or 0 for found in _EXTRA.finditer(text) if found["sign"] == sign)


def _dotted(line: str) -> bool:
    bullet = _BULLET.match(line)
    return bullet is not None and bullet["mark"] in "•*◦‣▪○·."
