"""A roster made elsewhere, as read: units, and points for its owner to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.play.errors import PlayError
from server.rules.orders.fields import MAX_MODELS, MAX_POINTS, MAX_TEXT_LENGTH, MAX_UNITS

KINDS = ("unit", "part", "heading", "title", "total", "remark", "unread")
"""What a line of a pasted list may be."""
MAX_CARRIED = 300
FORMATS = ("battlescribe", "new_recruit", "table")
NOTES: Mapping[str, str] = {
    "no_points": "No points found: set to 1",
    "no_models": "Model count unclear: set to 1",
    "no_slot": "Slot unclear: set to Troops",
    "no_mobility": "Mobility guessed",
    "skipped": "Not a unit, left out",
    "bad_line": "Line not recognised",
    "bad_number": "Number not recognised, ignored",
    "rounded": "Points rounded up to a whole number",
    "name_cut": "Name shortened",
    "too_many": "Only the first 100 units were taken",
    "too_high": "Number out of range: set to the limit",
    "long_line": "Line of more than 400 characters, not read",
    "surcharge": "Surcharge that is in no unit's points",
    "total_differs": "The units do not add up to the list's own total",
}
"""What there is to say of a roster; pages have it as ``table.roster.note.<code>``, in their reader's language."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a roster that its owner should look at."""

    code: str
    """One of :data:`NOTES`."""
    what: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of a pasted list was taken for."""

    number: int
    """From 1."""
    text: str
    kind: str
    """One of :data:`KINDS`."""
    unit: int | None = None
    """Of the list's units, from 0; None where it belongs to none."""


@dataclass(slots=True)
class Roster:
    """A roster as read."""

    format: str
    name: str = ""
    units: list[dict[str, Any]] = field(default_factory=list)
    """As in a ``build_detachment`` order (D-30)."""
    carried: list[str] = field(default_factory=list)
    """What each of the units carries, as the roster says; empty where it does not."""
    notes: list[Note] = field(default_factory=list)
    total: int | None = None
    """Points that the roster itself says it has; None where it says nothing."""
    lines: list[Line] = field(default_factory=list)
    """Of a pasted list, what each was taken for."""

    beside: int = 0
    """Points of the army that belong to no unit; what they are for is noted."""
    sum: int = 0
    """Points of the units together, as the roster has them."""

    def take_line(self, number: int, text: str, kind: str, unit: int | None = None) -> None:
        """Note what a line was taken for."""
        self.lines.append(Line(number, printable(text), kind, unit))

    def compare(self) -> None:
        """Say where the units do not add up to the roster's own total."""
        if self.total is not None and self.total != self.sum + self.beside:
            self.notes.insert(0, Note("total_differs", f"{self.sum + self.beside} / {self.total}"))

    def note(self, code: str, what: str = "") -> None:
        """Note something, once."""
        note = Note(code, printable(what))
        if note not in self.notes and len(self.notes) < MAX_UNITS:
            self.notes.append(note)

    def add(
        self, name: str, *, slot: str | None, models: int | None, points: int | None, mobility: str | None,
        flags: tuple[str, ...] = (), carried: str = "",
    ) -> None:  # fmt: skip
        """Take over a unit; what is missing or out of bounds is put right and noted."""
        self.sum += points or 0
        if len(self.units) >= MAX_UNITS:
            self.note("too_many")
            return
        whole = printable(name).strip()
        title = whole[:MAX_TEXT_LENGTH].strip() or "Unit"
        if title != whole and whole:
            self.note("name_cut", title)
        if slot is None:
            self.note("no_slot", title)
        if mobility is None:
            self.note("no_mobility", title)
        unit: dict[str, Any] = {
            "name": title,
            "slot": slot or "troops",
            "models": self._number(models, MAX_MODELS, "no_models", title),
            "points": self._number(points, MAX_POINTS, "no_points", title),
            "mobility": mobility or "infantry",
        }
        if flags:
            unit["flags"] = list(flags)
        self.units.append(unit)
        self.carried.append(printable(carried).strip()[:MAX_CARRIED])

    def _number(self, value: int | None, maximum: int, missing: str, title: str) -> int:
        if value is None or value < 1:
            self.note(missing, title)
            return 1
        if value > maximum:
            self.note("too_high", title)
        return min(value, maximum)


def printable(text: str) -> str:
    """Return a text fit for a name: without controls and direction marks, of readable length."""
    return "".join(character if character.isprintable() else " " for character in text[:200]).strip()


def bad_roster(message: str) -> PlayError:
    """Refuse a file that is not a roster at all."""
    return PlayError("invalid_request", message, field="roster")


def decoded(content: bytes) -> str:
    """Return a text file's text: UTF-8, else UTF-16 with a mark, else what spreadsheets write on Windows."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
