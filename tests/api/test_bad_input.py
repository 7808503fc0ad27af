"""What may come in by mistake or malice, named one by one: each gets a clear refusal, and nothing is changed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from server.play.schedule import ticker
from tests.api.asking import Operation, operations
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.people import sign_up
from tests.api.tables import own_table
from tests.store import databases

JSON = "application/json"
DEEP = b'{"a":' * 300 + b"1" + b"}" * 300
HUGE = b"9" * 400


@pytest.fixture(scope="module")
def club() -> Iterator[Club]:
    with databases.migrated("sqlite", "bad_input") as url, TestClient(create_app(settings_for(url))) as client:
        yield found(client, then=Club.pass_phase)


def send(club: Club, content: bytes, path: str = "/messages", *, method: str = "POST", **headers: str) -> Any:
    """Send bytes as Ann."""
    ann = club.players[0]
    ann.client.cookies.clear()
    sent = {"Authorization": f"Bearer {ann.secret}", "Content-Type": JSON}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return ann.client.request(method, f"/api/v1{club.path}{path}", content=content, headers=sent)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        pytest.param(b"", 422, "invalid_request", id="nothing"),
        pytest.param(b'{"to": ["all"], "body": "x"', 400, "malformed_json", id="cut off"),
        pytest.param(b'{"to": ["all"], "body": "x"} x', 400, "malformed_json", id="more behind it"),
        pytest.param(b'{"to": ["all"], "body": "x", "body": "y"}', 400, "malformed_json", id="a name twice"),
        pytest.param(b'{"to": ["all"], "body": "\xff\xfe"}', 400, "malformed_json", id="bytes that are no UTF-8"),
        pytest.param(b'{"to": ["all"], "body": "\\ud800"}', 400, "malformed_json", id="half a character"),
        pytest.param(b'{"to": ["all"], "body": "a\\u0000b"}', 400, "malformed_json", id="a zero byte"),
        pytest.param(b'{"to": ["all"], "body": "a\\u0007b"}', 422, "invalid_request", id="a control character"),
        pytest.param(b'{"to": ["all"], "body": NaN}', 400, "malformed_json", id="NaN"),
        pytest.param(b'{"to": ["all"], "body": Infinity}', 400, "malformed_json", id="infinity"),
        pytest.param(b'{"to": ["all"], "body": 1e999}', 400, "malformed_json", id="a number without bounds"),
        pytest.param(b'{"to": ["all"], "body": ' + HUGE + b"}", 400, "malformed_json", id="a huge number"),
        pytest.param(b'{"to": ["all"], "body": true}', 422, "invalid_request", id="true for a text"),
        pytest.param(b'{"to": "all", "body": "x"}', 422, "invalid_request", id="a text for a list"),
        pytest.param(b'{"to": [], "body": "x"}', 422, "invalid_request", id="to nobody"),
        pytest.param(b'{"to": ["p9"], "body": "x"}', 422, "invalid_request", id="to somebody who is not there"),
        pytest.param(b'{"to": ["all"], "body": ""}', 422, "invalid_request", id="an empty letter"),
        pytest.param(b'{"to": ["all"], "body": "' + b"x" * 20_000 + b'"}', 422, "invalid_request", id="too long"),
        pytest.param(b'{"to": ["all"], "body": "x", "too": 1}', 422, "invalid_request", id="an unknown field"),
        pytest.param(b"[" * 5000 + b"]" * 5000, 400, "malformed_json", id="very deep"),
        pytest.param(b'{"to": ["all"], "body": ' + DEEP + b"}", 422, "invalid_request", id="deep"),
        pytest.param(b'{"to": ["all"], "body": "' + b"x" * 2_000_001 + b'"}', 413, "too_large", id="too large"),
    ],
)
def test_bodies(club: Club, content: bytes, status: int, code: str) -> None:
    answer = send(club, content)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert club.players[0].get(f"{club.path}/messages")["items"] == []


@pytest.mark.parametrize("content", [b"[]", b"null", b'"x"', b"true", b"7"])
def test_a_body_that_is_no_object_is_told_so(club: Club, content: bytes) -> None:
    answer = send(club, content).json()
    assert (answer["code"], answer["detail"]) == ("invalid_request", "The body must be a JSON object.")


def test_a_value_that_is_no_object_is_told_so(club: Club) -> None:
    made = (
        club.players[0]
        .client.post(
            "/api/v1/tables",
            content=b'{"mission": "scorched_earth", "table": 7}',
            headers={"Authorization": f"Bearer {club.players[0].secret}", "Content-Type": JSON},
        )
        .json()
    )
    assert (made["field"], made["value"], made["detail"]) == ("table", 7, "Must be a JSON object.")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_bodies_of_another_kind(club: Club, kind: str) -> None:
    answer = send(club, b'{"to": ["all"], "body": "x"}', Content_Type=kind)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


def _ids(value: object) -> str:
    return value.name if isinstance(value, Operation) else ""


ENDING = ("change_password", "sign_up", "sign_in", "finish_campaign", "roll_back")
"""Operations that end what the others need, or take long; other tests send them bad input."""


@pytest.mark.parametrize(
    "operation", [each for each in operations() if isinstance(each.example, dict) and each.name not in ENDING], ids=_ids
)
def test_every_field_of_every_body_stands_anything(club: Club, operation: Operation) -> None:
    """Each field in turn is very deep, huge, of another kind, or nothing: refused or taken, never a mistake of ours."""
    table = own_table(club.players[0], start="act" in operation.name) if "table_id" in operation.places else ""
    path = operation.filled(
        {"table_id": table, "side": "red",
         "campaign_id": club.id, "hex": "0101", "turn": 2, "phase": "build", "player_id": "p9", "report_id": "x",
         "webhook_id": "x", "bot_id": "x", "message_id": "x", "template_id": "x", "number": 1, "story_id": "x",
             "user_id": "x"}
    )  # fmt: skip
    deep: Any = 1
    for _ in range(240):
        deep = [deep]
    for name in operation.example:
        for strange in (deep, {"a": deep}, [{"a": deep}], 10**400, -1, 2**63, True, None, "", [], {}, "\u202e", [None]):
            person = club.gm if operation.of_game_master else club.players[0]
            answer = person.ask(operation.method, path, operation.example | {name: strange})
            assert answer.status_code < 500, f"{name}: {str(strange)[:80]}: {answer.text}"


@pytest.mark.parametrize(
    "cursor", ["x", "!!", "W10", "WzFd", "W251bGxd", "WyJcdTAwMDAiXQ", "%00", "a" * 600, "WzFlOTld"]
)
@pytest.mark.parametrize("path", ["/messages", "/declarations", "/phases", "/interventions", "/branches", "/standings"])
def test_cursors_that_are_none(club: Club, path: str, cursor: str) -> None:
    answer = club.players[0].ask("GET", f"{club.path}{path}?cursor={cursor}")
    assert answer.status_code in (200, 404, 422)
    assert answer.status_code != 200 or cursor == "WzFd"


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "true", "99999", "9" * 400, "", "%00", "x"])
def test_limits_that_are_none(club: Club, limit: str) -> None:
    answer = club.players[0].ask("GET", f"{club.path}/messages?limit={limit}")
    assert answer.status_code in (404, 422)


@pytest.mark.parametrize("given", ["x", '"x"', '"1', "1", '"' + "9" * 400 + '"', 'W/"x"', '"1", "2"', '"1.1.zz"', '""'])
def test_an_if_match_that_is_no_etag(club: Club, given: str) -> None:
    gm, ann = club.gm, club.players[0]
    for person, method, path, body in (
        (ann, "PUT", f"{club.path}/orders", {"orders": []}),
        (ann, "PUT", f"{club.path}/orders/advance/9/build", {"orders": []}),
        (ann, "PATCH", "/me", {"locale": "en"}),
        (gm, "PATCH", club.path, {"name": "Other"}),
    ):
        answer = person.ask(method, path, body, If_Match=given)
        assert (answer.status_code, answer.json()["code"]) == (412, "stale_revision")
    assert club.open()["name"] != "Other"


@pytest.mark.parametrize(
    "path",
    [
        "/campaigns/nothing",
        "/campaigns/%00",
        "/campaigns/%F0%9F%92%A9",
        "/campaigns/..%2f..",
        "/campaigns/" + "a" * 5000,
    ],
)
def test_campaigns_that_are_not_there(club: Club, path: str) -> None:
    for each in ("", "/view", "/orders", "/phases/1", "/stream"):
        assert club.players[0].ask("GET", path + each).status_code == 404


@pytest.mark.parametrize("number", ["-1", "77", "9" * 30, "1.5", "x", "%00", "true"])
def test_phases_that_are_not_there(club: Club, number: str) -> None:
    assert club.players[0].ask("GET", f"{club.path}/phases/{number}").status_code in (404, 422)


def test_orders_for_a_phase_that_is_closed(club: Club) -> None:
    ann = club.players[0]
    for number in (0, 1, 77, 2**62):
        answer = ann.ask("PUT", f"{club.path}/orders", {"orders": [], "number": number})
        assert (answer.status_code, answer.json()["code"]) == (409, "wrong_phase")


@pytest.mark.parametrize(
    "given",
    [
        "Bearer x",
        "Bearer ",
        "Basic eDp5",
        "Bearer so_" + "a" * 43,
        "Bearer \x7f",
        "bearer null",
        "Bearer " + "a" * 9000,
    ],
)
def test_forged_tokens(club: Club, given: str) -> None:
    answer = send(club, b'{"to": ["all"], "body": "x"}', Authorization=given)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_forged_cookie(club: Club) -> None:
    client = club.gm.client
    client.cookies.clear()
    forged = {"Cookie": "sealed_orders_session=forged"}
    assert client.get("/api/v1/me", headers=forged).json()["code"] == "bad_token"
    assert client.post("/api/v1/me/bots", headers=forged, json={"name": "x"}).json()["code"] == "csrf"


def test_a_token_that_is_over(url: URL) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with TestClient(create_app(settings_for(url), clock=lambda: now)) as client:
        ann = sign_up(client, "Ann")
        secret = ann.post("/me/tokens", {"name": "x", "scopes": ["read"], "days": 1})["secret"]
        token = {"Authorization": f"Bearer {secret}"}
        assert client.get("/api/v1/me", headers=token).status_code == 200
        now += timedelta(days=1)
        assert client.get("/api/v1/me", headers=token).json()["code"] == "bad_token"


def test_methods_that_do_not_go(club: Club) -> None:
    for method, path in (("DELETE", "/view"), ("PUT", ""), ("POST", "/orders"), ("PATCH", "/messages")):
        answer = send(club, b"", path, method=method)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert answer.headers["allow"]


def test_a_clock_that_jumps(url: URL) -> None:
    """Forward: what is due is done once, and no phase is skipped. Backward: nothing is done twice or taken back."""
    now = datetime(2031, 5, 16, 12, tzinfo=UTC)
    with TestClient(create_app(settings_for(url), clock=lambda: now)) as client:
        ctx = client.app.state.server.ctx  # type: ignore[attr-defined]
        club = found(client, options={"deadlines": {"kind": "rolling", "hours": 24}})
        ann = club.players[0]
        now -= timedelta(days=400)
        ticker.tick(ctx)
        assert club.open()["phase_number"] == 1
        ann.put(f"{club.path}/orders", {"orders": []})
        ann.post(f"{club.path}/messages", {"to": ["all"], "body": "Yesterday."})
        now += timedelta(days=4000)
        assert ann.ask("PUT", f"{club.path}/orders", {"orders": []}).json()["code"] in ("deadline_passed", "bad_token")
        ticker.tick(ctx)
        ticker.tick(ctx)
        gm = sign_up(client, "Eve")
        campaign = gm.get(club.path)
        assert campaign["phase_number"] == 2
        assert campaign["deadline"] > now.isoformat()
        now -= timedelta(days=3999)
        ticker.tick(ctx)
        assert gm.get(club.path)["phase_number"] == 2
        assert len(gm.get(f"{club.path}/phases")["items"]) == 3
