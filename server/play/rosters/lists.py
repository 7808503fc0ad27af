"""A list pasted as text: a unit a line with its points at the end, models below it, headings between."""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.play.rosters.keywords import slot_of
from server.play.rosters.numbers import TOTAL, whole_number
from server.play.rosters.roster import Roster, printable

UNIT = re.compile(
    r"^\s*(?:(?P<models>\d{1,3})\s*[x×]\s+)?(?P<name>\D.*?)\s*[\[(:–-]+\s*(?P<points>[+-]?\d[\d.,' ]*)\s*"
    r"(?:pts?|points?|punkte|pkt)\b\.?\s*[\])]?\s*$",
    re.IGNORECASE,
)
PART = re.compile(r"^\s*[-•*◦+]?\s*(?P<models>\d{1,3})\s*[x×]\s+\S")


def is_list(lines: Sequence[str]) -> bool:
    """Say whether lines are a pasted list: some name a unit with its points, none is a row of a spreadsheet."""
    return not any("\t" in line or ";" in line for line in lines) and any(map(UNIT.match, lines))


def add_units(roster: Roster, lines: Sequence[str]) -> None:
    """Take over the units; lines that say nothing of a unit's models, points or place are noted."""
    slot: str | None = None
    title = _title(lines)
    if title:
        roster.name = printable(title["name"])
    for place, line in enumerate(lines):
        if title and line == title.string:
            continue
        found = UNIT.match(line)
        if found is None:
            heading = slot_of([line.strip(" :+-=#*").rstrip("s")]) or slot_of([line.strip(" :+-=#*")])
            slot = heading or slot
            if heading is None and not PART.match(line):
                roster.note("bad_line", line)
            continue
        name, points = printable(found["name"]).strip(" -•*+"), whole_number(found["points"])
        if not name or points is None or TOTAL.match(name):
            roster.note("bad_line", line)
            continue
        models = int(found["models"] or 0) or _below(lines[place + 1 :]) or None
        roster.add(name, slot=slot, models=models, points=points, mobility="infantry")


def _title(lines: Sequence[str]) -> re.Match[str] | None:
    """Return the first line where it is the army's: it costs what all the others do, or more."""
    first, *others = [found for found in map(UNIT.match, lines) if found and not TOTAL.match(found["name"])]
    cost = whole_number(first["points"]) or 0
    return first if others and cost >= sum(whole_number(found["points"]) or 0 for found in others) else None


def _below(lines: Sequence[str]) -> int:
    """Return the models that the lines below a unit count."""
    total = 0
    for line in lines:
        found = PART.match(line) if not UNIT.match(line) else None
        if found is None:
            break
        total += int(found["models"])
    return total
