"""Nights, holidays and set starts on the pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.web.conftest import Visits
from tests.web.test_campaigns import NEW
from tests.web.test_takeover import two_play


def test_a_night_and_a_start_are_chosen(visitor: Visits) -> None:
    gm = visitor("Gwen")
    starts = f"{datetime.now(UTC) + timedelta(days=3):%Y-%m-%dT20:00}"
    chosen = {"deadlines__rest_from": "22:00", "deadlines__rest_to": "08:00", "options__starts_at": starts}
    path = gm.post("/campaigns/new", **(NEW | chosen))
    page = gm.get(path)
    assert "Deadlines rest at night, 22:00 to 08:00 (UTC)." in page
    assert "if enough players have joined." in page
    assert f'value="{starts}"' in gm.get(f"{path}/gm/options")
    refused = gm.post("/campaigns/new", 422, **(NEW | chosen | {"deadlines__rest_to": "x"}))
    assert "Enter a time such as 22:00" in refused


def test_holidays_are_counted(visitor: Visits) -> None:
    gm, ann, ben = (visitor(name) for name in ("Gwen", "Ann", "Ben"))
    path = two_play(gm, ann, ben, options__holiday_days="10")
    assert "Holiday left this year: 10 days." in ann.get(path)
    ann.post(f"{path}/holiday", until=f"{datetime.now(UTC) + timedelta(days=100):%Y-%m-%dT%H:%M}")
    page = ann.get(path)
    assert "away until" in page
    assert "Each player can be on holiday for 10 days a year." in page
