"""Dates far away are refused, and those that were kept before that spoil nobody's page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from server.store.tables import Campaign, Phase, Seat
from tests.api.club import Club, found, play_of
from tests.web.visitor import Visitor

END_OF_TIME = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 2)


@pytest.mark.parametrize("when", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "in three years"])
def test_dates_far_away_are_refused(club: Club, when: str) -> None:
    far = (datetime.now(UTC) + timedelta(days=3 * 365)).isoformat() if when == "in three years" else when
    ann = club.players[0]
    for person, path, field in ((ann, "seats/mine/holiday", "until"), (club.gm, "gm/deadline", "due")):
        answer = person.ask("PUT", f"{club.path}/{path}", {field: far})
        told = answer.json()
        code = "invalid_request" if field == "due" and far.startswith("0001") else "too_far_away"
        assert (answer.status_code, told["code"], told["field"]) == (422, code, field)
    assert club.open()["deadline"] is None


def test_dates_within_two_years_are_taken(club: Club) -> None:
    near = (datetime.now(UTC) + timedelta(days=700)).isoformat()
    club.players[0].put(f"{club.path}/seats/mine/holiday", {"until": near}, status=204)
    club.gm.put(f"{club.path}/gm/deadline", {"due": near}, status=204)


def test_the_pages_say_it(client: TestClient, club: Club) -> None:
    page = Visitor(client, "Gus").post(f"/campaigns/{club.id}/gm/deadline", 422, due="9999-12-31T23:59")
    assert "Choose a date within the next two years." in page
    club.players[0].ask("PATCH", "/me", {"locale": "de"})
    page = Visitor(client, "Ann", language="de").post(f"/campaigns/{club.id}/holiday", 422, until="9999-12-31T23:59")
    assert "Ein Datum darf höchstens zwei Jahre entfernt sein." in page


def test_a_date_of_old_spoils_nobodys_page(client: TestClient, club: Club) -> None:
    """The game master's page was seen to fail with an OverflowError before the bound."""
    with play_of(client).database.write() as session:
        campaign = session.get_one(Campaign, club.id)
        phase = session.get_one(Phase, (club.id, campaign.branch, campaign.phase_number))
        phase.deadline = campaign.deadline = END_OF_TIME
        session.get_one(Seat, (club.id, "p2")).holiday_until = END_OF_TIME
    club.players[0].ask("PATCH", "/me", {"time_zone": "Asia/Tokyo"})
    club.gm.ask("PATCH", "/me", {"time_zone": "Asia/Tokyo"})
    ann, gm = Visitor(client, "Ann"), Visitor(client, "Gus")
    for path in ("/", "/campaigns", f"/campaigns/{club.id}", f"/campaigns/{club.id}/table"):
        ann.get(path)
    gm.get(f"/campaigns/{club.id}/gm")
    gm.post(f"/campaigns/{club.id}/gm/pause", why="x")
    gm.post(f"/campaigns/{club.id}/gm/resume", why="x")
    assert club.open()["deadline"] < "2100"
