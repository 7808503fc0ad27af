"""The private calendar: deadlines and battles of who made its address, and nothing else with it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar

from server.play.accounts import accounts
from server.play.context import AppContext
from server.play.game_masters import game_master
from tests.web.battlefield import Battlefield, begin
from tests.web.visitor import Visitor


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    found: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    return found


@pytest.fixture
def field(ctx: AppContext) -> Battlefield:
    """A campaign with a deadline and a battle of Ann's."""
    made = begin(ctx, until="battle")
    game_master.set_due(ctx, made.gm, made.id, ctx.now() + timedelta(days=2))
    return made


def address(visitor: Visitor) -> str:
    """Make a calendar's address; its path."""
    page = visitor.post("/settings/calendar", 200)
    found = re.search(r'value="[^"]*(/calendar/sot_[\w-]+\.ics)"', page)
    assert found
    return found[1]


def test_it_has_deadlines_and_battles(client: TestClient, field: Battlefield) -> None:
    path = address(field.visitor(client, "Ann"))
    answer = client.get(path)
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["summary"] == "The Long March: Turn 2 · Battles, orders due".replace(
        "Turn 2", f"Turn {field.info().turn}"
    )
    assert event["dtstart"].dt == field.info().deadline.replace(microsecond=0)  # type: ignore[union-attr]
    for hex_ in field.battles():
        assert f"Your battle in {hex_} is open." in str(event["description"])
    assert event.decoded("dtend") > event.decoded("dtstart")  # RFC 5545, 3.8.2.2
    assert str(event["url"]).endswith(f"{field.path}/table")
    assert len(list(event.walk("VALARM"))) == 1


def test_programs_may_ask_after_it_first(client: TestClient, field: Battlefield) -> None:
    path = address(field.visitor(client, "Ann"))
    asked, read = client.head(path), client.get(path)
    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["content-type"] == read.headers["content-type"]
    assert client.head("/calendar/sot_wrong.ics").status_code == 404


def test_it_reads_nothing_else(client: TestClient, field: Battlefield) -> None:
    secret = address(field.visitor(client, "Ann")).removeprefix("/calendar/").removesuffix(".ics")
    headers = {"Authorization": f"Bearer {secret}"}
    for path in ("/me", f"/campaigns/{field.id}/view", f"/campaigns/{field.id}/orders"):
        assert client.get(f"/api/v1{path}", headers=headers).status_code == 403, path


def test_other_secrets_show_no_calendar(client: TestClient, field: Battlefield) -> None:
    for secret in ("sot_wrong", field.secrets["Ann"], "x"):
        assert client.get(f"/calendar/{secret}.ics").status_code == 404


def test_a_new_address_ends_the_one_before(client: TestClient, field: Battlefield) -> None:
    visitor = field.visitor(client, "Ann")
    first, second = address(visitor), address(visitor)
    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 200


def test_it_speaks_its_owners_language(client: TestClient, ctx: AppContext, field: Battlefield) -> None:
    accounts.change_profile(ctx, field.players["p1"], locale="de")
    visitor = field.visitor(client, "Ann")
    path = address(visitor)
    answer = client.get(path)
    assert "Deine Schlacht um" in str(Calendar.from_ical(answer.content).walk("VEVENT")[0]["description"])


def test_programs_create_the_address_too(client: TestClient, field: Battlefield) -> None:
    """With a session and not with a token; the address before shows nothing any more."""
    ann = field.visitor(client, "Ann")
    before = address(ann)
    made = ann.api("POST", "/me/calendar")
    assert made.status_code == 200
    path = made.json()["url"].removeprefix("http://127.0.0.1:8000")
    assert list(Calendar.from_ical(client.get(path).content).walk("VEVENT"))
    assert client.get(before).status_code == 404
    secret = path.removeprefix("/calendar/").removesuffix(".ics")
    refused = client.post("/api/v1/me/calendar", headers={"Authorization": f"Bearer {secret}"})
    assert refused.status_code == 403
    assert client.post("/api/v1/me/calendar").json()["code"] == "not_signed_in"
