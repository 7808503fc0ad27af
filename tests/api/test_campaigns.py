from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime, timedelta
from importlib import resources

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server import rulesets
from server.app import create_app
from server.scenarios import library
from server.scenarios.writer import FILE
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.people import sign_up


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, start=False)


def test_making_a_campaign(club: Club) -> None:
    campaign = club.open()
    assert campaign["status"] == "open"
    assert campaign["gm"] == "Gus"
    assert len(campaign["link0"]) == 64
    assert [seat["user"] for seat in campaign["seats"]] == ["Ann", "Ben"]
    assert club.players[0].get(club.path)["your_seats"] == ["p1"]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"scenario": "nowhere"}, "unknown_scenario", "scenario"),
        ({"ruleset": "nothing"}, "unknown_ruleset", "ruleset"),
        ({"name": "a\u0007b"}, "invalid_request", "name"),
        ({"name": ""}, "invalid_request", "name"),
        ({"name": None}, "invalid_request", "name"),
        ({"options": {"deadlines": {"kind": "rolling"}}}, "invalid_request", "options.deadlines.hours"),
        ({"options": {"deadlines": {"kind": "rolling", "hours": False}}}, "invalid_request", "options.deadlines.hours"),
        ({"options": {"deadlines": {"kind": "grid", "days": [7], "times": ["20:00"]}}}, "invalid_request",
         "options.deadlines.days"),
        ({"options": {"anonymous": 1}}, "invalid_request", "options.anonymous"),
        ({"rules": {"turn_limit": True}}, "invalid_request", "rules.turn_limit"),
        ({"rules": {"turn_limit": -1}}, "invalid_request", "rules.turn_limit"),
        ({"rules": {"named_ids": True}}, "invalid_request", "rules.named_ids"),
        ({"listed": "yes"}, "invalid_request", "listed"),
        ({"surprise": 1}, "invalid_request", "surprise"),
        ({"scenario_data": {"format": 1}}, "invalid_request", "scenario"),
    ],
)  # fmt: skip
def test_campaigns_that_cannot_be(client: TestClient, change: dict[str, object], code: str, field: str) -> None:
    gm = sign_up(client, "Gus")
    answer = gm.ask("POST", "/campaigns", {"name": "X", "scenario": "the-pass"} | change, status=422).json()
    assert (answer["code"], answer["field"]) == (code, field)


def test_a_map_and_a_ruleset_of_ones_own_need_no_name(client: TestClient) -> None:
    """Seen to fail while ``scenario`` was required: 422, though the map was there."""
    gm = sign_up(client, "Gus")
    board = json.loads((library.home() / "the-pass" / FILE).read_bytes()) | {"title": "Our Pass"}
    rules = tomllib.loads((resources.files(rulesets) / "frontier.toml").read_text("utf-8"))
    made = gm.post("/campaigns", {"name": "X", "scenario_data": board, "ruleset_data": rules})
    assert (made["scenario_title"], made["ruleset"]) == ("Our Pass", "frontier")
    named = gm.post("/campaigns", {"name": "Y", "scenario": "the-pass", "ruleset_data": rules})
    assert named["ruleset"] == "frontier"


def test_some_map_is_needed(client: TestClient) -> None:
    gm = sign_up(client, "Gus")
    nothings: list[dict[str, object]] = [{}, {"scenario": None}, {"scenario": ""}]
    for nothing in nothings:
        answer = gm.ask("POST", "/campaigns", {"name": "X"} | nothing, status=422).json()
        assert (answer["code"], answer["field"]) == ("invalid_request", "scenario")


def test_joining_when_full(client: TestClient, club: Club) -> None:
    cat = sign_up(client, "Cat")
    answer = cat.ask("POST", f"{club.path}/seats", {"faction": "orks"}, status=409)
    assert answer.json()["code"] == "campaign_full"


def test_joining_twice(club: Club) -> None:
    answer = club.players[0].ask("POST", f"{club.path}/seats", {"faction": "orks"}, status=409)
    assert answer.json()["code"] == "already_joined"


def test_leaving_and_coming_back(club: Club) -> None:
    ann = club.players[0]
    ann.ask("DELETE", f"{club.path}/seats/mine", status=204)
    assert ann.get(club.path)["your_seats"] == []
    bad = ann.ask("POST", f"{club.path}/seats", {"faction": "elves"}, status=422).json()
    assert (bad["code"], bad["value"]) == ("unknown_faction", "elves")
    ann.post(f"{club.path}/seats", {"faction": "chaos", "name": "Red"})
    assert ann.get(club.path)["seats"][0]["name"] == "Red"


def test_starting_needs_players(client: TestClient) -> None:
    gm = sign_up(client, "Gus")
    campaign = gm.post("/campaigns", {"name": "X", "scenario": "the-pass"})
    answer = gm.ask("POST", f"/campaigns/{campaign['id']}/start", status=409)
    assert answer.json()["code"] == "too_few_players"


def test_an_unlisted_campaign_is_found_by_who_is_invited(client: TestClient) -> None:
    club = found(client, start=False, listed=False)
    club.players[1].ask("DELETE", f"{club.path}/seats/mine", status=204)
    cat = sign_up(client, "Cat")
    nothing = cat.ask("GET", "/campaigns/aaaaaaaaaaaaaaaa", status=404, X_Request_Id="1")
    hidden = cat.ask("GET", club.path, status=404, X_Request_Id="1")
    assert hidden.content.replace(club.id.encode(), b"aaaaaaaaaaaaaaaa") == nothing.content
    assert hidden.headers == nothing.headers
    assert cat.get("/campaigns")["items"] == []
    code = club.gm.post(f"{club.path}/invitation-code")["code"]
    assert cat.post("/invitation-codes/look", {"code": code}, status=200)["campaign_id"] == club.id
    cat.post(f"{club.path}/seats", {"faction": "orks", "code": code})
    assert cat.get("/campaigns?mine=true")["items"][0]["id"] == club.id


def test_codes_can_be_withdrawn_and_users_asked(client: TestClient) -> None:
    club = found(client, start=False, listed=False)
    ben = club.players[1]
    ben.ask("DELETE", f"{club.path}/seats/mine", status=204)
    code = club.gm.post(f"{club.path}/invitation-code")["code"]
    club.gm.ask("DELETE", f"{club.path}/invitation-code", status=204)
    ben.ask("POST", f"{club.path}/seats", {"faction": "orks", "code": code}, status=404)
    club.gm.post(f"{club.path}/invitations", {"name": "ben"}, status=204)
    ben.ask("GET", club.path, status=200)
    ben.ask("DELETE", f"{club.path}/invitations/mine", status=204)
    ben.post(f"{club.path}/seats", {"faction": "orks"})


def test_finding_goes_page_by_page(client: TestClient) -> None:
    gm = sign_up(client, "Gus")
    for number in range(5):
        gm.post("/campaigns", {"name": f"Campaign {number}", "scenario": "the-pass"})
    names, cursor = [], ""
    while True:
        page = gm.get(f"/campaigns?limit=2{cursor}")
        names += [each["name"] for each in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert names == [f"Campaign {number}" for number in (4, 3, 2, 1, 0)]
    assert [each["name"] for each in gm.get("/campaigns?text=paign+3")["items"]] == ["Campaign 3"]
    assert gm.ask("GET", "/campaigns?cursor=nonsense", status=422).json()["field"] == "cursor"
    assert gm.ask("GET", "/campaigns?limit=1000", status=422).json()["field"] == "limit"


def test_changing_a_campaign(club: Club) -> None:
    changed = club.gm.ask("PATCH", club.path, {"name": "New", "rules": {"turn_limit": 9}}, status=200).json()
    assert (changed["name"], changed["rules"]["turn_limit"]) == ("New", 9)
    stale = club.gm.ask("PATCH", f"{club.path}?revision=1", {"name": "Newer"}, status=412)
    assert stale.json()["code"] == "stale_revision"
    club.start()
    late = club.gm.ask("PATCH", club.path, {"rules": {"turn_limit": 1}}, status=409)
    assert late.json()["code"] == "wrong_status"


def test_pausing_finishing_archiving_deleting(client: TestClient) -> None:
    club = found(client)
    gm, (ann, _) = club.gm, club.players
    gm.post(f"{club.path}/pause", {"why": "Holiday."}, status=204)
    assert club.open()["status"] == "paused"
    closed = ann.ask("PUT", f"{club.path}/orders", {"orders": []}, status=409)
    assert closed.json()["code"] == "phase_closed"
    gm.post(f"{club.path}/resume", status=204)
    gm.post(f"{club.path}/finish", {"why": "Enough."}, status=204)
    gm.post(f"{club.path}/archive", status=204)
    assert gm.ask("DELETE", club.path, status=200).json()["gone_at"] > club.campaign["created_at"]
    ann.ask("GET", club.path, status=404)
    gm.post(f"{club.path}/restore", status=204)
    assert ann.get(club.path)["status"] == "archived"


def test_deadlines_follow_the_clock_and_survive_its_jumps(url: URL) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with TestClient(create_app(settings_for(url), clock=lambda: now)) as client:
        club = found(client, options={"deadlines": {"kind": "rolling", "hours": 24}})
        ann = club.players[0]
        assert club.open()["deadline"] == "2026-01-02T00:00:00+00:00"
        now -= timedelta(days=3)  # somebody sets the clock back: nothing is lost, nothing is due
        ann.put(f"{club.path}/orders", {"orders": []})
        assert club.open()["phase_number"] == 1
        now += timedelta(days=30)  # and forward: what is due is closed at once
        late = ann.ask("PUT", f"{club.path}/orders", {"orders": []}, status=409)
        assert late.json()["code"] == "deadline_passed"


def test_what_was_read_can_be_sent_back(club: Club) -> None:
    now = club.open()
    club.gm.ask("PATCH", club.path, {"rules": now["rules"], "options": now["options"]}, status=200)
    assert club.open() | {"revision": 0} == now | {"revision": 0}


def test_a_body_that_is_not_there(club: Club) -> None:
    answer = club.gm.ask("POST", f"{club.path}/pause", status=422).json()
    assert "body" in answer["detail"]
