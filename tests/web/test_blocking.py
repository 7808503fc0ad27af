"""Blocking and reporting somebody, and one's own data, on the pages."""

from __future__ import annotations

import json
import re

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from server.play.context import AppContext
from server.play.messages import messages
from server.play.operating import user_admin
from server.store.tables import PersonReport
from tests.api.club import play_of
from tests.play.campaigns import Club, club
from tests.web.conftest import Visits


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


@pytest.fixture
def made(ctx: AppContext) -> Club:
    return club(ctx)


def test_letters_of_somebody_blocked_are_hidden_until_that_is_taken_back(
    ctx: AppContext, made: Club, visitor: Visits
) -> None:
    bob = visitor("Bob")
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "You are a fool.")
    people = f"/campaigns/{made.id}/people"
    assert "You are a fool." in bob.get(people)
    bob.get(f"{people}/p1")
    bob.post(f"{people}/p1/block")
    assert "You are a fool." not in bob.get(people)
    settings = bob.get("/settings")
    assert "Ada" in settings
    found = settings.partition('action="/settings/blocks/')[2].partition("/remove")[0]
    visitor("Cyd").post(f"/settings/blocks/{found}/remove", status=404)
    bob.post(f"/settings/blocks/{found}/remove")
    assert "You are a fool." in bob.get(people)


def test_a_report_needs_words_and_reaches_admins_alone(ctx: AppContext, made: Club, visitor: Visits) -> None:
    """Its sender sees that it was seen to, not what was done. Seen to fail when the page showed them nothing of it."""
    bob, people = visitor("Bob"), f"/campaigns/{made.id}/people"
    bob.get(f"{people}/p1")
    bob.post(f"{people}/p1/report", status=422, why="")
    bob.post(f"{people}/p1/report", why="They threaten me.")
    with ctx.database.read() as session:
        assert session.scalars(select(PersonReport.why)).all() == ["They threaten me."]
    bob.get("/admin/reports", status=403)
    gwen = visitor("Gwen")
    gwen.get("/admin/reports", status=403)
    user_admin.set_admin(ctx, None, "Gwen", True)
    page = gwen.get("/admin/reports")
    assert "They threaten me." in page
    assert "With the operators" in bob.get("/settings")
    (report,) = re.findall(r'action="(/admin/reports/\w+)"', page)
    gwen.post(report, note="Ann was warned.")
    page = bob.get("/settings")
    assert "Dealt with on" in page
    assert "With the operators" not in page
    assert "Ann was warned." not in page
    assert "They threaten me." not in visitor("Ann").get("/settings")


def test_own_data_hold_letters_and_nobody_elses(ctx: AppContext, made: Club, visitor: Visits) -> None:
    messages.send(ctx, made.players["p1"], made.id, ["p2"], "To Bob alone.")
    messages.send(ctx, made.players["p3"], made.id, ["p4"], "Not for Bob.")
    text = visitor("Bob").get("/settings/data.json")
    assert json.loads(text)
    assert "To Bob alone." in text
    assert "Not for Bob." not in text
    visitor().get("/settings/data.json", status=303)
