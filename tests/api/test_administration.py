"""Looking after the server over HTTP, and one's own data: only admins who signed in get anything, and what they get.

Seen to fail: with the mark ``ADMIN`` left out of ``list_accounts`` and of ``settle_person_report`` (the body's fault is
told first); with ``require_session`` left out of ``require_admin``; with ``closed`` and open the wrong way round; with
``most`` left out of what programs read; with ``password_hash`` taken out of ``own_data.LEFT_OUT``.
"""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.accounts import blocking
from server.play.accounts.tokens import authenticate
from server.play.context import AppContext
from server.play.operating import administration, user_admin
from server.store import outbox
from server.store.tables import Outbox
from tests.api.asking import PREFIX, Operation, operations
from tests.api.club import Club, found, play_of
from tests.api.people import PASSWORD, Person, sign_up

ADMINS = [operation for operation in operations() if operation.path.startswith("/admin")]
NOBODYS = "aaaaaaaaaaaaaaaa"


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 2)


@pytest.fixture
def admin(client: TestClient, ctx: AppContext, club: Club) -> Person:
    olga = sign_up(client, "Olga")
    user_admin.set_admin(ctx, None, "Olga", True)
    return olga


def id_of(ctx: AppContext, name: str) -> str:
    (user,) = [user for user in user_admin.users(ctx) if user.name == name]
    return user.id


def failing(ctx: AppContext, club: Club, count: int = 1) -> list[int]:
    """Put mails into the outbox that were given up."""
    ann = authenticate(ctx, club.players[0].secret).user_id
    numbers = []
    with ctx.database.write() as session:
        for number in range(count):
            made = outbox.put(session, "mail", f"x/{number}", {"about": "message"}, ctx.now(), user_id=ann)
            row = session.get_one(Outbox, made)
            row.last_error, row.attempts, row.failed_at = "550 no such mailbox", 4, ctx.now()
            numbers.append(row.id)
    return numbers


def told(ctx: AppContext, club: Club) -> None:
    blocking.report(ctx, authenticate(ctx, club.players[1].secret), club.id, "p1", "They threaten me.")


def problem(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("operation", ADMINS, ids=lambda operation: operation.name)
def test_nobody_else_is_told_anything(ctx: AppContext, club: Club, admin: Person, operation: Operation) -> None:
    """Bytes do not tell what there is, nor whether what was sent is well formed; an admin's token is refused."""
    (number,) = failing(ctx, club)
    told(ctx, club)
    report = administration.reports(ctx, authenticate(ctx, admin.secret))[0].id
    there = {"user_id": id_of(ctx, "Ben"), "delivery_id": number, "report_id": report}
    nowhere = {"user_id": NOBODYS, "delivery_id": 0, "report_id": NOBODYS}
    before = user_admin.users(ctx)
    for person, code in (
        (club.gm, "forbidden"),
        (club.players[0], "forbidden"),
        (admin.token("read", "orders", "gm"), "missing_scope"),
    ):
        answers = [
            person.ask(operation.method, operation.filled(place) + query, body)
            for place in (there, nowhere)
            for query in ("", "?limit=x&nothing=1")
            for body in (operation.example, {"nothing": "of the kind"})
        ]
        assert {problem(answer) for answer in answers} == {(403, code)}
        assert len({answer.content for answer in answers}) == 1
    assert user_admin.users(ctx) == before
    assert administration.failed_deliveries(ctx, authenticate(ctx, admin.secret))[0].next_try is None
    assert administration.reports(ctx, authenticate(ctx, admin.secret))[0].settled_at is None


def test_there_is_something_to_ask_for() -> None:
    assert len(ADMINS) == 17


def test_how_the_server_stands(ctx: AppContext, club: Club, admin: Person) -> None:
    failing(ctx, club)
    told(ctx, club)
    stands = admin.get("/admin/status")
    assert stands["database"] in ("sqlite", "postgresql")
    assert stands["database_bytes"] > 0
    assert (stands["campaigns"], stands["accounts"], stands["failing"], stands["reports"]) == ({"running": 1}, 4, 1, 1)


def test_campaigns_are_found_by_name_and_status(club: Club, admin: Person) -> None:
    for query, there in (("", True), ("?text=Thirteen", True), ("?status=running", True), ("?text=Fourteen", False),
                         ("?status=finished", False)):  # fmt: skip
        assert (club.id in [found["id"] for found in admin.get(f"/admin/campaigns{query}")["items"]]) is there, query
    admin.get("/admin/campaigns?status=nonsense", 422)


def test_accounts_are_changed(client: TestClient, ctx: AppContext, admin: Person) -> None:
    """Each change answers with the account; what cannot be is refused like on the page."""
    (ann,) = admin.get("/admin/accounts?text=aNN")["items"]
    path = f"/admin/accounts/{ann['id']}"
    assert admin.put(f"{path}/name", {"name": "Anna"})["name"] == "Anna"
    assert problem(admin.ask("PUT", f"{path}/name", {"name": "ben"})) == (409, "name_taken")
    assert problem(admin.ask("PUT", f"{path}/email/confirmation")) == (409, "conflict")
    changed = admin.put(f"{path}/email", {"email": "anna@example.org"})
    assert (changed["email"], changed["email_confirmed"]) == ("anna@example.org", False)
    assert admin.put(f"{path}/email/confirmation", None)["email_confirmed"]
    assert admin.put(f"{path}/email", {"email": None})["email"] is None
    assert admin.put(f"{path}/admin", {"admin": True})["admin"]
    assert not admin.put(f"{path}/admin", {"admin": False})["admin"]
    assert admin.put(f"{path}/closed", {"closed": True})["disabled"]
    signing_in = {"name": "Anna", "password": PASSWORD}
    assert client.post(f"{PREFIX}/sessions", json=signing_in).status_code == 401
    assert not admin.put(f"{path}/closed", {"closed": False})["disabled"]
    assert client.post(f"{PREFIX}/sessions", json=signing_in).status_code == 201
    assert problem(admin.ask("DELETE", f"{path}/second-factor")) == (409, "conflict")
    mine = f"/admin/accounts/{id_of(ctx, 'Olga')}"
    assert problem(admin.ask("PUT", f"{mine}/admin", {"admin": False})) == (409, "conflict")
    assert problem(admin.ask("PUT", f"{mine}/closed", {"closed": True})) == (409, "conflict")
    assert problem(admin.ask("PUT", f"/admin/accounts/{NOBODYS}/name", {"name": "X"})) == (404, "not_found")


def test_deliveries_come_in_pages_and_are_tried_again(ctx: AppContext, club: Club, admin: Person) -> None:
    """Also those beyond what a page of /admin shows."""
    numbers = failing(ctx, club, administration.SHOWN + 2)
    first = admin.get("/admin/deliveries?limit=100")
    rest = admin.get(f"/admin/deliveries?limit=100&cursor={first['next']}")
    assert [found["id"] for found in first["items"] + rest["items"]] == numbers[::-1]
    assert rest["next"] is None
    assert first["items"][0]["next_try"] is None
    admin.post(f"/admin/deliveries/{numbers[0]}/retry", status=204)
    with ctx.database.read() as session:
        row = session.get_one(Outbox, numbers[0])
        assert (row.failed_at, row.attempts) == (None, 0)
    assert problem(admin.ask("POST", "/admin/deliveries/999999/retry", {})) == (404, "not_found")


def test_reports_are_read_and_settled(ctx: AppContext, club: Club, admin: Person) -> None:
    told(ctx, club)
    (report,) = admin.get("/admin/reports")["items"]
    assert (report["by"], report["about"], report["why"]) == ("Ben", "Ann", "They threaten me.")
    admin.put(f"/admin/reports/{report['id']}/settlement", {"note": "We talked to them."}, 204)
    (report,) = admin.get("/admin/reports")["items"]
    assert report["note"] == "We talked to them."
    assert report["settled_at"]


def test_ones_own_data_are_ones_own(club: Club) -> None:
    """Without secrets, without others; a token is not enough for them."""
    ann, ben, _ = *club.players, club.gm
    ben.post(f"{club.path}/messages", {"to": ["gm"], "body": "Ann must not read this."})
    ann.post(f"{club.path}/messages", {"to": ["gm"], "body": "A word of Ann's."})
    answer = ann.ask("GET", "/me/data", status=200)
    assert answer.headers["cache-control"] == "no-store"
    found = answer.json()
    assert (found["account"], found["data"]["users"][0]["name"]) == ("Ann", "Ann")
    assert [message["body"] for message in found["data"]["messages"]] == ["A word of Ann's."]
    for hidden in ("Ann must not read this.", "password_hash", "$argon2", ann.secret):
        assert hidden not in answer.text
    assert problem(ann.token("read", "orders", "gm").ask("GET", "/me/data")) == (403, "missing_scope")
