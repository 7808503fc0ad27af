"""The agreed date of a campaign's battle as a file for calendar programs (RFC 5545)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar

from tests.api.test_table_battles import Fight


def test_calendar_programs_ask_after_a_date_and_read_it(client: TestClient) -> None:
    """``HEAD`` is answered as ``GET`` is, without a body. Seen to fail with 405."""
    fight = Fight(client)
    at = (fight.field.ctx.now() + timedelta(days=1)).replace(microsecond=0)
    made = fight.red.post(f"{fight.path}/dates", {"at": at.isoformat(), "place": "Club room, table 3"})
    number = made["battle"]["proposals"][-1]["number"]
    address = f"{fight.path}/meeting.ics"
    assert fight.red.ask("HEAD", address).status_code == 404
    fight.blue.post(f"{fight.path}/proposals/{number}", {"agree": True}, status=200)
    asked, read = fight.red.ask("HEAD", address, status=200), fight.red.ask("GET", address, status=200)
    assert (asked.content, asked.headers["content-type"]) == (b"", read.headers["content-type"])
    (event,) = Calendar.from_ical(read.content).walk("VEVENT")
    assert event.decoded("dtstart") == at < event.decoded("dtend")
    assert str(event["location"]) == "Club room, table 3"
    assert client.head(f"/api/v1{address}").status_code == 401


@pytest.mark.parametrize("at", ["2040-03-01T19:00:00", 12, "soon", None, "9999-12-31T23:59:59-14:00", 1e300, True])
def test_a_date_that_is_none_is_refused(client: TestClient, at: object) -> None:
    fight = Fight(client)
    refused = fight.red.ask("POST", f"{fight.path}/dates", {"at": at})
    assert refused.status_code == 422
    assert refused.json()["code"] in ("invalid_request", "too_far_away")
