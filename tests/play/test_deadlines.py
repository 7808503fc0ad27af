from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from server.play.errors import PlayError
from server.play.rhythm import rhythm_from, rhythm_to

GRID = {"kind": "grid", "days": [0, 3], "times": ["20:00"], "time_zone": "Europe/Berlin", "least_hours": 1}


def due(data: dict[str, Any], opened: str, phase: str = "build") -> str | None:
    found = rhythm_from(data).due(datetime.fromisoformat(opened).replace(tzinfo=UTC), phase)
    return None if found is None else found.strftime("%a %m-%d %H:%M")


@pytest.mark.parametrize(
    ("opened", "expected"),
    [
        ("2031-05-12T10:00", "Mon 05-12 18:00"),
        ("2031-05-12T17:00", "Mon 05-12 18:00"),
        ("2031-05-12T17:01", "Thu 05-15 18:00"),
        ("2031-05-15T18:00", "Mon 05-19 18:00"),
        ("2031-01-06T00:00", "Mon 01-06 19:00"),
        ("2031-03-28T00:00", "Mon 03-31 18:00"),
    ],
)
def test_the_grid_is_local_time_all_year(opened: str, expected: str) -> None:
    assert due(GRID, opened) == expected


def test_a_time_the_clocks_skip_or_repeat() -> None:
    night = GRID | {"days": [6], "times": ["02:30"]}
    assert due(night, "2031-03-29T00:00") == "Sun 03-30 01:30"
    assert due(night, "2031-10-25T00:00") == "Sun 10-26 00:30"
    assert due(night | {"least_hours": 0}, "2031-10-26T00:30:05") == "Sun 11-02 01:30"


def test_the_grid_does_not_drift_with_late_resolutions() -> None:
    assert due(GRID, "2031-05-12T18:00:37") == due(GRID, "2031-05-13T09:12") == "Thu 05-15 18:00"


def test_rolling_and_none() -> None:
    assert due({"kind": "rolling", "hours": 48}, "2031-03-29T12:00") == "Mon 03-31 12:00"
    assert due({}, "2031-03-29T12:00") is None


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "deadlines"),
        ({"kind": "sometimes"}, "deadlines.kind"),
        ({"kind": "rolling"}, "deadlines.hours"),
        ({"kind": "rolling", "hours": True}, "deadlines.hours"),
        ({"kind": "grid", "days": [0]}, "deadlines.times"),
        ({"kind": "grid", "times": ["20:00"]}, "deadlines.days"),
        ({"times": ["24:00"]}, "deadlines.times"),
        ({"times": ["٢٠:٠٠"]}, "deadlines.times"),
        ({"days": [7]}, "deadlines.days"),
        ({"time_zone": "Mars/Olympus"}, "deadlines.time_zone"),
        ({"time_zone": "../etc/passwd"}, "deadlines.time_zone"),
        ({"time_zone": "Europe"}, "deadlines.time_zone"),
        ({"hours": 10**9}, "deadlines.hours"),
        ({"minutes": 3}, "deadlines.minutes"),
    ],
)
def test_what_is_wrong_is_named(data: Any, field: str) -> None:
    with pytest.raises(PlayError) as error:
        rhythm_from(data)
    assert error.value.field == field


def test_a_rhythm_is_kept_as_it_is() -> None:
    rhythm = rhythm_from(GRID)
    assert rhythm_from(rhythm_to(rhythm)) == rhythm


def test_kinds_of_phases_may_have_their_own_hours() -> None:
    rhythm = {"kind": "rolling", "hours": 72, "hours_by_phase": {"setup": 120, "battles": 24}}
    assert due(rhythm, "2031-05-12T10:00", "setup") == "Sat 05-17 10:00"
    assert due(rhythm, "2031-05-12T10:00", "battles") == "Tue 05-13 10:00"
    assert due(rhythm, "2031-05-12T10:00", "build") == "Thu 05-15 10:00"
    assert rhythm_to(rhythm_from(rhythm))["hours_by_phase"] == {"setup": 120, "battles": 24}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "rolling", "hours": 24, "hours_by_phase": {"lunch": 1}}, "deadlines.hours_by_phase.lunch"),
        ({"kind": "rolling", "hours": 24, "hours_by_phase": {"build": 0}}, "deadlines.hours_by_phase.build"),
        ({"kind": "rolling", "hours": 24, "hours_by_phase": [48]}, "deadlines.hours_by_phase"),
        (GRID | {"hours_by_phase": {"build": 24}}, "deadlines.hours_by_phase"),
    ],
)
def test_hours_by_phase_that_are_none(given: dict[str, Any], field: str) -> None:
    with pytest.raises(PlayError) as refused:
        rhythm_from(given)
    assert refused.value.field == field
