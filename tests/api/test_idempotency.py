from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import Response
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from server.api.idempotency import Write, earlier
from server.play.dice import receipts
from server.store.database import Database
from server.store.errors import Busy, Unreachable
from tests.api.club import found, play_of
from tests.api.people import Person, sign_up
from tests.api.tables import guest

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def ann(client: TestClient) -> Person:
    return sign_up(client, "Ann")


def test_the_same_write_twice_is_done_once(ann: Person) -> None:
    first = ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    again = ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert len(ann.get("/me/bots")["items"]) == 1


def test_another_body_with_the_same_key_is_refused(ann: Person) -> None:
    ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    other = ann.ask("POST", "/me/bots", {"name": "Other"}, status=422, Idempotency_Key="k1")
    assert other.json()["code"] == "idempotency_key_reused"


def test_a_key_is_its_owners(client: TestClient, ann: Person) -> None:
    ben = sign_up(client, "Ben")
    ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    assert (
        ben.ask("POST", "/me/bots", {"name": "Captain"}, status=201, Idempotency_Key="k1").json()["name"] == "Captain"
    )


def test_two_guests_at_one_address_have_keys_of_their_own(client: TestClient) -> None:
    """Seen to fail with the address as the owner of a guest's key, and with keys looked up by themselves."""
    tables = [
        guest(client, name).post("/tables", {"mission": "blitz"}, Idempotency_Key="k1") for name in ("Ann", "Ben")
    ]
    assert tables[0]["id"] != tables[1]["id"]


@pytest.mark.parametrize("beforehand", [False, True])
def test_a_replayed_answer_sets_no_cookie(client: TestClient, *, beforehand: bool) -> None:
    """Whoever asks again may sit at another browser; other headers stay.

    Seen to fail with ``set-cookie`` left out of the headers that are not kept.
    """
    database = play_of(client).database
    answer = Response("{}", 201, {"Location": "/api/v1/somewhere"})
    answer.set_cookie("session", "secret")
    write = Write("ann", "k1", "hash", b"mine")
    if beforehand:
        write.known.response = answer
    with database.write() as session:
        write.note(session, NOW, timedelta(hours=1))
    write.answered(database, answer)
    again = earlier(database, write, NOW)
    assert again is not None
    assert (again.status_code, again.headers["location"]) == (201, "/api/v1/somewhere")
    assert "set-cookie" not in again.headers


def test_a_refused_write_leaves_its_key_free(ann: Person) -> None:
    ann.ask("POST", "/me/bots", {"name": "Ann"}, status=409, Idempotency_Key="k1")
    ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")


def test_what_is_done_is_told_even_if_the_answer_cannot_be_kept(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise Busy("too much to do")

    monkeypatch.setattr(Write, "answered", busy)
    ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    again = ann.ask("POST", "/me/bots", {"name": "General"}, status=409, Idempotency_Key="k1")
    assert again.json()["code"] == "already_done"
    assert len(ann.get("/me/bots")["items"]) == 1


@pytest.mark.parametrize("first", [True, False])
def test_the_answer_to_orders_is_kept_with_them(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    """A server that is killed after a write has its answer. Seen to fail where the answer is kept in a second one."""
    made = found(client)
    ann, path = made.players[0], f"{made.path}/orders"
    if not first:
        ann.put(path, {"orders": []})
    monkeypatch.setattr(Write, "answered", lambda *_: None)
    bad = {"orders": [{"type": "nonsense"}], "lenient": True}
    asked = [("PUT", path, bad), ("PUT", path, {"orders": []}), ("PATCH", path, {"changes": []}),
             *2 * [("POST", f"{path}/final", {})], ("DELETE", f"{path}/final", None)]  # fmt: skip
    for number, (method, where, body) in enumerate(asked):
        answer, again = (ann.ask(method, where, body, status=200, Idempotency_Key=f"k{number}") for _ in range(2))
        assert again.content == answer.content
        assert again.headers["etag"] == answer.headers["etag"]
        assert again.headers["idempotent-replayed"] == "true"
        assert receipts.read(_order_set(answer.json())["receipt"])["revision"] == _order_set(answer.json())["revision"]


def test_what_a_dying_server_did_not_store_is_not_called_done(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first orders of a database draw its key for receipts first, in a transaction of its own.

    Seen to fail with the request's key stored in that one: orders that were nowhere were "already done".
    """
    made = found(client)
    ann, path = made.players[0], f"{made.path}/orders"
    writing, begun = Database.write, 0

    @contextmanager
    def dying(self: Database, **how: bool) -> Iterator[Session]:
        nonlocal begun
        begun += 1
        if begun == 2:
            raise Unreachable("killed")
        with writing(self, **how) as session:
            yield session

    with monkeypatch.context() as killed:
        killed.setattr(Database, "write", dying)
        ann.ask("PUT", path, {"orders": []}, status=503, Idempotency_Key="k1")
    again = ann.ask("PUT", path, {"orders": []}, status=200, Idempotency_Key="k1")
    assert _order_set(again.json())["revision"] == 1


def _order_set(answer: dict[str, Any]) -> dict[str, Any]:
    return dict(answer.get("orders", answer)) if "problems" in answer else answer


def test_answers_with_secrets_are_not_kept(ann: Person) -> None:
    body = {"name": "run", "scopes": ["read"]}
    ann.ask("POST", "/me/tokens", body, status=201, Idempotency_Key="k1")
    again = ann.ask("POST", "/me/tokens", body, status=409, Idempotency_Key="k1")
    assert again.json()["code"] == "already_done"
    assert len([each for each in ann.get("/me/tokens")["items"] if each["kind"] == "personal"]) == 1


def test_a_revoked_token_gets_no_old_answer(ann: Person) -> None:
    ann.ask("POST", "/me/bots", {"name": "General"}, status=201, Idempotency_Key="k1")
    ann.ask("DELETE", "/sessions/current", status=204)
    ann.ask("POST", "/me/bots", {"name": "General"}, status=401, Idempotency_Key="k1")


@pytest.mark.parametrize("key", ["", "a b", "x" * 201])
def test_keys_that_are_none(ann: Person, key: str) -> None:
    answer = ann.ask("POST", "/me/bots", {"name": "General"}, status=400, Idempotency_Key=key)
    assert answer.json()["code"] == "malformed_header"
