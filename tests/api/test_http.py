"""The habits of HTTP that programs rely on: who is refused how, where things are, how often one may ask, lists.

Seen to fail: with the check of the query left out; with the body read before the caller is known; with ``Location``
left out of what a route adds; with a limit of 100 on letters.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.api.pages import MAX_COUNT, USUAL
from server.app import create_app
from tests.api.asking import PREFIX, Operation, described, looked_up, operations
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.people import sign_up
from tests.store import databases

NOWHERE = {
    "campaign_id": "aaaaaaaaaaaaaaaa", "hex": "0101", "turn": 2, "phase": "build", "number": 1, "player_id": "p9",
    "report_id": "x", "webhook_id": "x", "bot_id": "x", "message_id": "x", "template_id": "x", "token_id": "x",
    "subscription_id": "x", "block_id": "x", "user_id": "x", "delivery_id": 1,
    "table_id": "x", "side": "red", "upload_id": "x", "army_id": "x", "mission_id": "x", "scenario_id": "the-pass",
    "code": "busy",
}  # fmt: skip
UNIT = {"name": "Boyz", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
EDIT = {"do": "set", "what": "vp", "player": "p1", "vp": 1}
WHOLE = frozenset(
    {
        "get_legal_orders",
        "get_finality",
        "list_battles",
        "list_order_sets",
        "list_acts",
        "list_votes",
        "list_game_masters",
    }
)
"""Lists that are one document: what one may order now, this turn's battles, a row for each seat; a log by numbers."""


@pytest.fixture(scope="module")
def shared() -> Iterator[TestClient]:
    with databases.migrated("sqlite", "http") as url, TestClient(create_app(settings_for(url))) as client:
        yield client


@pytest.fixture(scope="module")
def club(shared: TestClient) -> Club:
    return found(shared, then=Club.pass_phase)


def _signed_in_only() -> list[Operation]:
    either: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
    by_name = {way["operationId"]: way for ways in described()["paths"].values() for way in ways.values()}
    return [operation for operation in operations() if by_name[operation.name]["security"] == either]


@pytest.mark.parametrize("operation", _signed_in_only(), ids=lambda operation: operation.name)
def test_who_asks_is_looked_at_before_what_is_asked(shared: TestClient, operation: Operation) -> None:
    """Somebody who is not signed in hears so, whatever they send; and how one signs in."""
    shared.cookies.clear()
    path = PREFIX + operation.filled(NOWHERE)
    for body in (b"", b"{", b'{"nothing": "of the kind"}'):
        answer = shared.request(operation.method, path, content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("query", ["limt=5", "limit=5&Limit=6", "page=2", "limit=5&limit=6"])
def test_parameters_that_are_not_there_are_refused(club: Club, query: str) -> None:
    answer = club.players[0].ask("GET", f"{club.path}/messages?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    (fault,) = answer.json()["problems"]
    assert fault["code"] == ("bad_value" if query.endswith("limit=6") else "unknown_field")
    assert fault["field"] in query


def test_what_is_made_is_found_where_the_answer_says(club: Club) -> None:
    ann, gm = club.players[0], club.gm
    bot = ann.post("/me/bots", {"name": "Ann's general"})["id"]
    for person, path, body in (
        (ann, "/me/bots", {"name": "Ann's other general"}),
        (ann, "/me/tokens", {"name": "x", "scopes": ["read"]}),
        (ann, f"/me/bots/{bot}/tokens", {"name": "x", "scopes": ["read"]}),
        (ann, "/me/templates", {"name": "x", "units": [UNIT]}),
        (ann, f"{club.path}/messages", {"to": ["gm"], "body": "x"}),
        (ann, f"{club.path}/declarations", {"kind": "statement", "public": True, "body": "x"}),
        (gm, f"{club.path}/gm/announcements", {"body": "x"}),
        (gm, f"{club.path}/invitation-code", {}),
        (gm, f"{club.path}/gm/edits", {"edits": [EDIT], "why": "A test."}),
        (gm, "/campaigns", {"name": "Another", "scenario": "the-pass"}),
        (ann, "/tables", {"mission": "blitz"}),
    ):
        answer = person.ask("POST", path, body, status=201)
        where = answer.headers["location"]
        assert where.startswith(PREFIX)
        assert person.ask("GET", where.removeprefix(PREFIX)).status_code == 200, where


def test_lists_have_the_same_limits() -> None:
    for path, ways in described()["paths"].items():
        schema = ways.get("get", {}).get("responses", {}).get("200", {}).get("content", {}).get("application/json", {})
        if not schema.get("schema", {}).get("$ref", "").endswith("Page") or ways["get"]["operationId"] in WHOLE:
            continue
        given = {
            one["name"]: one for one in (looked_up(parameter, described()) for parameter in ways["get"]["parameters"])
        }
        assert {"cursor", "limit"} <= given.keys(), path
        limit = given["limit"]["schema"]
        assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, MAX_COUNT, USUAL), path


def test_every_page_is_full_and_the_last_has_no_next(club: Club) -> None:
    for number in range(5):
        club.players[0].post(f"{club.path}/messages", {"to": ["gm"], "body": f"Letter {number}"})
    first = club.players[0].get(f"{club.path}/messages?limit=3")
    rest = club.players[0].get(f"{club.path}/messages?limit={MAX_COUNT}&cursor={first['next']}")
    assert (len(first["items"]), rest["next"]) == (3, None)


def test_how_often_one_may_ask_is_told(url: URL) -> None:
    with TestClient(create_app(settings_for(url, account_rate=4, address_rate=100))) as client:
        nobody = client.get(f"{PREFIX}/scenarios").headers
        assert (nobody["ratelimit-limit"], nobody["ratelimit-remaining"]) == ("100", "49")
        ann = sign_up(client, "Ann")
        left = [ann.ask("GET", "/me").headers["ratelimit-remaining"] for _ in range(2)]
        assert left == ["1", "0"]
        refused = ann.ask("GET", "/me")
        assert (refused.status_code, refused.headers["ratelimit-limit"]) == (429, "4")
        assert int(refused.headers["ratelimit-reset"]) >= int(refused.headers["retry-after"]) > 0
