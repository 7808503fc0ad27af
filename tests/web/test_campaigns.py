"""Home, the list, creating, joining, the overview."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.accounts import accounts
from server.play.campaigns import campaigns, practice
from server.play.campaigns.campaigns import NewCampaign
from server.play.campaigns.practice import Opponents
from server.play.context import Actor
from server.play.operating import user_admin
from server.play.orders import orders
from server.store.errors import Busy, Full, StorageError, Unreachable
from tests.api.club import found
from tests.web import battlefield
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

NEW: dict[str, Any] = {"name": "The Long March", "scenario": "the-pass", "listed": "1", "deadlines__kind": "rolling",
       "deadlines__hours": "48", "deadlines__time_zone": "UTC", "options__stand_in": "defaults",
       "options__stand_in_after": "1", "options__warn_hours": "24 3", "options__spectators": "1",
       "rules__battles": "choice", "rules__turn_limit": "12", "rules__muster": "1"}  # fmt: skip


def _create(gm: Visitor, **more: Any) -> str:
    return gm.post("/campaigns/new", **(NEW | more))


def test_create_join_start(visitor: Visits) -> None:
    gm, ann, ben = visitor("Gwen"), visitor("Ann"), visitor("Ben")
    form = gm.get("/campaigns/new?scenario=four-corners")
    assert re.search(r'value="the-pass" data-players="2"', form)
    proposed = json.loads(re.search(r'id="proposals">(.*?)</script>', form)[1])  # type: ignore[index]
    assert proposed["2"] == {"victory_points": 50, "territory": 0, "turn_limit": 20, "truce": 0}
    assert proposed["4"] == {"victory_points": 100, "territory": 60, "turn_limit": 20, "truce": 3}
    for name, value in proposed["4"].items():
        assert f'name="rules.{name}" value="{value}"' in form
    assert "land alone does not win" in form
    path = _create(gm)
    page = gm.get(path)
    how = "which is when turn 12 is over or a capital is captured. Land alone does not win."
    assert how in page
    assert how in gm.get(f"{path}/rules")
    assert "48 hours for each phase." in page
    assert "Ends after turn 12." in page
    assert "This map needs 2 players; 0 have joined." in page
    link = re.search(r'value="http://[^"]+(/join/[^"]+)" readonly', gm.post(f"{path}/gm/code", 200))
    assert link
    assert link[1] not in gm.get(path)
    # who has no account yet is shown what they are invited to, and comes back from the door
    stranger = visitor().get(link[1])
    assert "The Long March" in stranger
    assert f'href="/sign-up?next={link[1]}%23join"' in stranger
    assert f'href="/sign-up?next={link[1]}"' in visitor().get(f"/sign-in?next={link[1]}")
    assert "Strategy 2" in ann.get(link[1])
    assert ann.post(link[1], faction="orks") == path
    assert "The ruleset has no such faction." in ben.post(f"{path}/join", 422, faction="<b>")
    ben.post(f"{path}/join", faction="eldar", name="The Tall Ones")
    assert "The Tall Ones" in ann.get(path)
    ann.post(f"{path}/faction", faction="chaos")
    assert "Players: Ann, The Tall Ones." in gm.get(f"{path}/gm/start")
    gm.post(f"{path}/gm/start")
    page = ann.get(path)
    assert ">Setup</span>" in page
    assert "Turn 0" not in page
    assert "Setup: no orders yet." in ann.get("/")
    assert "You are the game master: 0 of 2 are final." in gm.get("/")


def test_alone_against_computer_players(visitor: Visits) -> None:
    """One press, and one stands at the map; what is wrong is said beside its field, and nothing is made."""
    gwen = visitor("Gwen")
    page = gwen.get("/campaigns/new")
    assert "You alone, against computer players" in page
    alone = NEW | {"who": "alone", "level": "recruit", "faction": "orks", "give_up": "1"}
    page = gwen.post("/campaigns/new", 422, **(alone | {"level": "genius", "faction": "eldar"}))
    assert 'id="problem-level"' in page
    assert '<option value="eldar" selected>' in page
    assert 'value="alone" checked' in page
    assert 'id="problem-faction"' in gwen.post("/campaigns/new", 422, **(alone | {"faction": "<b>"}))
    path = gwen.post("/campaigns/new", **alone)
    assert path.endswith("/table")
    page = gwen.get(path.removesuffix("/table"))
    assert "A practice: one player against computer players." in page
    assert "They give up when they were hopeless two turns in a row." in page
    assert page.count("The Long March") >= 1
    assert "The Long March" not in visitor().get("/campaigns")
    visitor("Ann").get(path, 404)


def test_the_reports_at_the_end_name_the_reasons_of_computer_players(client: TestClient, visitor: Visits) -> None:
    ctx, ann = client.app.state.server.ctx, visitor("Ann")  # type: ignore[attr-defined]
    account = next(user for user in user_admin.users(ctx) if user.name == "Ann")
    actor = Actor(account.id, account.name, session=True)
    made = practice.begin(ctx, actor, NewCampaign("Letters", "four-corners"), "orks", Opponents("recruit"))
    for given in ([], [{"type": "declare_alliance", "with": "p2"}]):
        orders.replace(ctx, actor, made.id, given, final=True)
    while (campaigns.get(ctx, actor, made.id).turn or 0) < 3:
        orders.replace(ctx, actor, made.id, [], final=True)
    reports = f"/campaigns/{made.id}/reports"
    assert "How the computer players felt" not in ann.get(reports)
    campaigns.finish(ctx, actor, made.id)
    campaigns.archive(ctx, actor, made.id)
    page = ann.get(reports)
    assert "How the computer players felt" in page
    assert re.search(r"(accepted the|declined an) alliance with Ann: ", page)


def test_every_problem_beside_its_field(visitor: Visits) -> None:
    page = visitor("Gwen").post(
        "/campaigns/new",
        422,
        **(
            NEW
            | {
                "name": "",
                "description": "A <i>war</i>",
                "rules__turn_limit": "many",
                "rules__territory": "101",
                "deadlines__kind": "grid",
                "deadlines__times": "25:00",
                "options__warn_hours": "soon",
            }
        ),
    )
    problems = dict(re.findall(r'<p class="field-problem" id="problem-([^"]+)">(.*?)</p>', page))
    assert problems["name"] == "Must not be empty."
    assert problems["rules.turn_limit"] == "Must be a whole number."
    assert problems["rules.territory"] == "Must be a whole number from 0 to 100."
    assert problems["options.warn_hours"].startswith("Enter at most 5 whole numbers")
    assert problems["options.deadlines.times"].startswith("Enter at most")
    assert "A &lt;i&gt;war&lt;/i&gt;" in page


def test_a_grid_of_deadlines(visitor: Visits) -> None:
    gm = visitor("Gwen")
    path = gm.post(
        "/campaigns/new",
        **(
            NEW
            | {
                "deadlines__kind": "grid",
                "deadlines__days": ["1", "4"],
                "deadlines__times": "20:00, 21:30",
                "deadlines__time_zone": "Europe/Berlin",
            }
        ),
    )
    assert "Tue, Fri at 20:00, 21:30 (Europe/Berlin)." in gm.get(path)


def test_find(visitor: Visits) -> None:
    for number in range(21):
        gm = visitor(("Gwen", "Gus", "Mo")[number // 10])
        _create(gm, name=f"War {number:02}")
    _create(gm, name="Hidden", listed="")
    page = visitor().get("/campaigns")
    assert page.count('<li class="card">') == 20
    more = re.search(r'href="(/campaigns\?[^"]*cursor[^"]*)"', page)
    assert more
    assert visitor().get(more[1].replace("&amp;", "&")).count('<li class="card">') == 1
    assert "War 07" in visitor().get("/campaigns?q=07")
    assert "No campaigns found." in visitor().get("/campaigns?q=Hidden")
    assert "No campaigns found." in visitor().get("/campaigns?q=%3Cb%3E&status=nonsense")


def test_hidden_campaigns_need_the_code(visitor: Visits) -> None:
    gm, ann = visitor("Gwen"), visitor("Ann")
    path = _create(gm, listed="")
    ann.get(path, 404)
    ann.get("/join/nonsense", 404)
    link = re.search(r"(/join/[^\"]+)\" readonly", gm.post(f"{path}/gm/code", 200))
    assert link
    assert "The Long March" in ann.get(link[1])
    gm.post(f"{path}/gm/code/withdraw")
    ann.get(link[1], 404)


def test_invited_by_name(visitor: Visits) -> None:
    gm, ann = visitor("Gwen"), visitor("Ann")
    path = _create(gm, listed="")
    gm.post(f"{path}/gm/invite", 404, name="Nobody")
    gm.post(f"{path}/gm/invite", name="Ann")
    assert "You are invited" in ann.get("/")
    ann.post(f"/invitations/{path.rpartition('/')[2]}/decline")
    assert "You are invited" not in ann.get("/")


def test_options_are_changed(visitor: Visits) -> None:
    gm = visitor("Gwen")
    path = _create(gm)
    revision = re.search(r'name="revision" value="(\d+)"', gm.get(f"{path}/gm/options"))
    assert revision
    changed = NEW | {"name": "The Short March", "deadlines__kind": "none", "revision": revision[1]}
    gm.post(f"{path}/gm/options", **changed)
    page = gm.get(path)
    assert "The Short March" in page
    assert "No clock" in page
    assert "Someone has changed it in the meantime." in gm.post(f"{path}/gm/options", 422, **changed)


def test_away_and_leaving(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    ann, path = visitor("Ann"), f"/campaigns/{club.id}"
    ann.post(f"{path}/holiday", until=f"{datetime.now(UTC) + timedelta(days=100):%Y-%m-%dT%H:%M}")
    assert "away until" in ann.get(path)
    ann.post(f"{path}/holiday", back="1")
    ann.post(f"{path}/stand-in", stand_in="bot")
    assert "There is no account with that name." in ann.post(f"{path}/stand-in", 404, stand_in="user", substitute="X")
    assert "You cannot take the seat back yourself" in ann.get(f"{path}/leave")
    ann.post(f"{path}/leave")
    assert not club.open()["seats"][0]["taken"]


def test_names_do_not_break_out(visitor: Visits) -> None:
    gm = visitor("Gwen")
    path = _create(gm, name="<img src=x onerror=alert(1)>")
    for page in (gm.get(path), gm.get("/"), gm.get("/campaigns"), gm.get(f"{path}/gm")):
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page


def test_pictures(visitor: Visits) -> None:
    stranger = visitor()
    assert stranger.get("/scenarios/the-pass/picture.svg").startswith("<svg")
    stranger.get("/scenarios/nowhere/picture.svg", 404)
    assert stranger.get(f"{_create(visitor('Gwen'))}/scenario.svg").startswith("<svg")


def test_a_pause_is_told_with_its_reason(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    club.gm.post(f"{club.path}/pause", {"why": "Snow on all roads."}, status=204)
    path = f"/campaigns/{club.id}"
    page = visitor("Ann").get(path)
    assert "The clock is stopped, and nobody can give orders" in page
    assert page.count("Snow on all roads.") == 2  # beside the notice and in the log, which everybody may read
    now = visitor("Ann").get(f"{path}/now")
    assert "Paused" in now
    assert "data-left" not in now
    club.gm.post(f"{club.path}/resume", {}, status=204)
    page = visitor("Ann").get(path)
    assert "The clock is stopped" not in page
    assert "data-left" in page or not club.open()["deadline"]


def test_everybody_is_told_what_he_may_do_here(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    path = f"/campaigns/{club.id}"
    assert "You are a spectator" in visitor("Eve").get(path)
    ann = visitor("Ann")
    assert "You are a spectator" not in ann.get(path)
    assert "You are the stand-in" not in ann.get(path)
    ann.post(f"{path}/stand-in", stand_in="user", substitute="Eve")
    page = visitor("Eve").get(path)
    assert "You are the stand-in" in page
    assert "Go to the map" in page
    club.gm.post(f"{club.path}/finish", {}, status=204)
    page = ann.get(path)
    assert f'href="{path}/reports/history">Watch the replay' in page
    club.gm.ask("DELETE", club.path, status=200)
    assert "Restore" in visitor("Gus").get(path)


def test_every_link_a_spectator_is_shown_can_be_followed(client: TestClient) -> None:
    """The overview promises a map, reports and a replay: each link there, and each link of those pages, is tried."""
    field = battlefield.begin(client.app.state.server.ctx)  # type: ignore[attr-defined]
    stranger = field.visitor(client)

    def links(page: str) -> set[str]:
        found = {unescape(each) for each in re.findall(r'(?:href|src|hx-get)="(/[^"#]*)', page)}
        return {each for each in found if field.id in each}

    promised = links(stranger.get(field.path))
    assert {field.path + each for each in ("/table", "/reports", "/reports/history", "/battles")} <= promised
    beyond = set[str]().union(*(links(stranger.get(each)) for each in sorted(promised)))
    for each in sorted(beyond - promised):
        stranger.get(each)


def test_without_spectators_a_stranger_is_told_so(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2, options={"spectators": False})
    path, eve = f"/campaigns/{club.id}", visitor("Eve")
    page = eve.get(path)
    assert "This campaign has no spectators" in page
    assert "You are watching this campaign" not in page
    assert "data-campaign" not in page
    for each in ("table", "battles", "reports", "reports/history", "reports/charts", "reports/dice", "reports/0"):
        assert f"{path}/{each}" not in page
        assert "has no spectators" in eve.get(f"{path}/{each}", 403), each
        assert visitor().get(f"{path}/{each}", 303) == "", each
        visitor("Ann").get(f"{path}/{each}")
    club.gm.post(f"{club.path}/finish", {}, status=204)
    assert f"{path}/table" in eve.get(path)
    eve.get(f"{path}/table")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(Full, 507, "out of disk space"), (Busy, 503, "busy"), (Unreachable, 503, "database is not responding")],
)
def test_a_database_that_fails_is_told_as_a_page(
    visitor: Visits, monkeypatch: pytest.MonkeyPatch, error: type[StorageError], status: int, said: str
) -> None:
    """Even where it fails while one's session is looked up."""
    gwen = visitor("Gwen")

    def fails(*_: object) -> None:
        raise error("broken")

    monkeypatch.setattr(accounts, "me", fails)
    page = gwen.get("/", status)
    assert said in page.partition("<h1>")[2]
    assert "Home" in page


def test_a_refusal_shows_the_way_on(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    path = f"/campaigns/{club.id}"
    assert f'href="{path}">Back to the campaign' in visitor("Ann").get(f"{path}/gm", 403)
    assert 'href="/sign-in?next=/nowhere">Sign in' in visitor().get("/nowhere", 404)
    assert "Sign in" not in visitor("Ann").get("/nowhere", 404)
    assert "This invitation is not valid, or no longer" in visitor("Ann").get("/join/nonsense", 404)
    assert 'href="/mail-link">Email me a link' in visitor().get("/link?token=nonsense", 401)
