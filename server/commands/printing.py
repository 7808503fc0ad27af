"""How commands print what people read: tables, phases, deadlines, sizes."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.table import Table

ID = "Id"
"""The column whose entries are never broken: they are there to be copied."""


def table(*titles: str) -> Table:
    """Return an empty table with these columns, without lines around it."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        made.add_column(title, overflow="fold", no_wrap=title == ID)
    return made


def until(deadline: datetime | None) -> str:
    """Return a deadline in the time of this machine, and how far it is off."""
    if deadline is None:
        return "no deadline"
    left = (deadline - datetime.now(UTC)).total_seconds()
    if left <= 0:
        return f"{deadline.astimezone():%a %d %b %H:%M}, now"
    days, hours, minutes = int(left // 86400), int(left % 86400 // 3600), int(left % 3600 // 60)
    off = f"{days} d {hours} h" if days else f"{hours} h {minutes} min" if hours else f"{max(1, minutes)} min"
    return f"{deadline.astimezone():%a %d %b %H:%M}, in {off}"


def phase_name(phase: str | None) -> str:
    """Return a phase's name for people."""
    return (phase or "").replace("_", " ")


def moment(turn: int | None, phase: str | None) -> str:
    """Return a phase with its turn, to stand in a sentence: ``turn 3, movement``; Setup comes before any turn."""
    return f"turn {turn}, {phase_name(phase)}" if turn else phase_name(phase)


def headline(turn: int | None, phase: str | None) -> str:
    """Return a phase with its turn, to begin a line: ``Turn 3, movement``."""
    told = moment(turn, phase)
    return told[:1].upper() + told[1:]


def file_size(count: int) -> str:
    """Return how much so many bytes are."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"
