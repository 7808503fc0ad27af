"""Deadlines: some hours after a phase opened, or at fixed times of the week in the campaign's time zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from server.core.sentences import say
from server.play import text_input
from server.play.errors import check_integer, invalid

NONE, ROLLING, GRID = "none", "rolling", "grid"
KINDS = (NONE, ROLLING, GRID)
MAX_HOURS = 24 * 90
MAX_TIMES = 24
MAX_NIGHT = 16
PHASES = ("setup", "build", "movement", "battle_movement", "battles", "reports")
"""The kinds of phases that may have hours of their own."""
_FIELDS = frozenset(
    {"kind", "hours", "hours_by_phase", "days", "times", "time_zone", "least_hours", "rest_from", "rest_to"}
)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How a campaign sets its deadlines."""

    kind: str = NONE
    """``none`` (phases wait without end), ``rolling`` or ``grid``."""
    hours: int = 0
    """Hours from a phase's opening, with ``rolling``."""
    days: tuple[int, ...] = ()
    """Weekdays, Monday 0 to Sunday 6, with ``grid``."""
    times: tuple[str, ...] = ()
    """Times of the day, ``HH:MM``, with ``grid``."""
    time_zone: str = "UTC"
    """IANA name."""
    least_hours: int = 1
    """With ``grid``: a phase is open at least so long, else the time after is taken."""
    hours_by_phase: Mapping[str, int] = field(default_factory=dict)
    """With ``rolling``: hours of the kinds of phases (:data:`PHASES`) that have others than ``hours``."""

    rest_from: str = ""
    """With ``rolling``: when the night begins in which deadlines rest, ``HH:MM``; empty: there is none."""
    rest_to: str = ""
    """When it ends."""

    def due(self, opened: datetime, phase: str) -> datetime | None:
        """Return when a phase of that kind that opened then is due, None without deadlines."""
        if self.kind == ROLLING:
            return self.rested(opened, opened + timedelta(hours=self.hours_by_phase.get(phase, self.hours)))
        return self._on_grid(opened + timedelta(hours=self.least_hours)) if self.kind == GRID else None

    def rested(self, since: datetime, due: datetime) -> datetime:
        """Return a deadline behind the night that it falls into, by as much as it lies within.

        *since*: when its time began to run. What of that lies in the same night does not count.
        """
        while self.rest_from and (night := self._night(due)) is not None:
            due, since = night[1] + (due - max(since, night[0])), night[1]
        return due

    def _night(self, instant: datetime) -> tuple[datetime, datetime] | None:
        """Return the night within which an instant lies."""
        zone = ZoneInfo(self.time_zone)
        begins, ends = time.fromisoformat(self.rest_from), time.fromisoformat(self.rest_to)
        today = instant.astimezone(zone).date()
        for day in (today - timedelta(days=1), today):
            begin = datetime.combine(day, begins, zone).astimezone(UTC)
            last = day if ends > begins else day + timedelta(days=1)
            end = datetime.combine(last, ends, zone).astimezone(UTC)
            if begin < instant < end:
                return begin, end
        return None

    def _on_grid(self, earliest: datetime) -> datetime:
        """Return the first time of the grid not before an instant.

        A time the clocks skip is as long after midnight as it would have been; of one that comes twice the first
        counts, and the second never, else the phase that opens at the first would be over an hour later.
        """
        zone = ZoneInfo(self.time_zone)
        day = earliest.astimezone(zone).date() - timedelta(days=1)
        for _ in range(10):
            if day.weekday() in self.days:
                local = [datetime.combine(day, time.fromisoformat(wanted), zone) for wanted in self.times]
                good = sorted(instant for local_time in local if (instant := local_time.astimezone(UTC)) >= earliest)
                if good:
                    return good[0]
            day += timedelta(days=1)
        raise ValueError("a grid without days or times")


def rhythm_from(data: object, field: str = "deadlines") -> Rhythm:
    """Read a rhythm from JSON, or refuse the field that is wrong."""
    if not isinstance(data, Mapping):
        raise invalid(field, "Deadlines are an object.", data)
    for key in data:
        if key not in _FIELDS:
            raise invalid(f"{field}.{key}", "Deadlines have no such field.", key)
    kind = data.get("kind", NONE)
    if kind not in KINDS:
        raise invalid(f"{field}.kind", say("One of: {words}.", words=", ".join(KINDS)), kind)
    rhythm = Rhythm(
        kind,
        check_integer(f"{field}.hours", data.get("hours", 0), 1 if kind == ROLLING else 0, MAX_HOURS),
        _days(data.get("days", ()), f"{field}.days"),
        _times(data.get("times", ()), f"{field}.times"),
        text_input.time_zone(data.get("time_zone", "UTC"), f"{field}.time_zone").key,
        check_integer(f"{field}.least_hours", data.get("least_hours", 1), 0, MAX_HOURS),
        _by_phase(data.get("hours_by_phase", {}), kind, f"{field}.hours_by_phase"),
        *_rest(data, kind, field),
    )
    if kind == GRID and not (rhythm.days and rhythm.times):
        missing = "times" if rhythm.days else "days"
        raise invalid(f"{field}.{missing}", "A grid needs weekdays and times.")
    return rhythm


def rhythm_to(rhythm: Rhythm) -> dict[str, Any]:
    """Return a rhythm as JSON."""
    return {
        "kind": rhythm.kind,
        "hours": rhythm.hours,
        "days": list(rhythm.days),
        "times": list(rhythm.times),
        "time_zone": rhythm.time_zone,
        "least_hours": rhythm.least_hours,
        "hours_by_phase": dict(rhythm.hours_by_phase),
        "rest_from": rhythm.rest_from,
        "rest_to": rhythm.rest_to,
    }


def _by_phase(given: object, kind: str, name: str) -> dict[str, int]:
    """Return the hours of each kind of phase that has its own, in the order in which phases come."""
    if not isinstance(given, Mapping):
        raise invalid(name, "Hours for each kind of phase that has its own.", given)
    if given and kind != ROLLING:
        raise invalid(name, "Only deadlines of so many hours may differ by kind of phase.", kind)
    for phase in given:
        if phase not in PHASES:
            raise invalid(f"{name}.{phase}", say("One of: {words}.", words=", ".join(PHASES)), phase)
    return {phase: check_integer(f"{name}.{phase}", given[phase], 1, MAX_HOURS) for phase in PHASES if phase in given}


def _rest(data: Mapping[str, Any], kind: str, field: str) -> tuple[str, str]:
    """Return when the night begins and ends in which deadlines rest; both empty: there is none."""
    begin, end = data.get("rest_from", ""), data.get("rest_to", "")
    if begin == end == "":
        return "", ""
    for name, given in (("rest_from", begin), ("rest_to", end)):
        if not _is_time(given):
            raise invalid(f"{field}.{name}", "A time like 22:00, or nothing in both fields.", given)
    if kind != ROLLING:
        raise invalid(f"{field}.rest_from", "Only deadlines with hours per phase can rest at night.", kind)
    minutes = [int(word[:2]) * 60 + int(word[3:]) for word in (begin, end)]
    if not 0 < (minutes[1] - minutes[0]) % (24 * 60) <= MAX_NIGHT * 60:
        raise invalid(f"{field}.rest_to", say("A night has at most {most} hours.", most=MAX_NIGHT), end)
    return begin, end


def _days(given: object, field: str) -> tuple[int, ...]:
    days = given if isinstance(given, list | tuple) else [given]
    wrong = [day for day in days if type(day) is not int or not 0 <= day <= 6]
    if wrong or days is not given:
        raise invalid(field, "A list of weekdays, Monday 0 to Sunday 6.", *wrong[:1])
    return tuple(sorted(dict.fromkeys(days)))


def _times(given: object, field: str) -> tuple[str, ...]:
    times = given if isinstance(given, list | tuple) else [given]
    wrong = [time for time in times if not _is_time(time)]
    if wrong or times is not given or len(times) > MAX_TIMES:
        raise invalid(field, say("A list of at most {most} times like 20:00.", most=MAX_TIMES), *wrong[:1])
    return tuple(sorted(dict.fromkeys(times)))


def _is_time(value: object) -> bool:
    if not isinstance(value, str) or len(value) != 5 or not value.isascii():
        return False
    hour, colon, minute = value[:2], value[2], value[3:]
    return colon == ":" and hour.isdigit() and minute.isdigit() and int(hour) < 24 and int(minute) < 60
