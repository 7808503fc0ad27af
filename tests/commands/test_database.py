from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL
from typer.testing import CliRunner, Result

from server.app import create_app
from server.cli import main
from tests.api.conftest import settings_for

pytestmark = pytest.mark.usefixtures("url")


def run(*arguments: str, said: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=said)


def test_the_database_is_in_order() -> None:
    assert run("db", "check").output == "the database is in order\n"
    assert "this program" in run("db", "current").output


def test_the_database_goes_back_and_forth() -> None:
    refused = run("db", "downgrade", "base")  # seen to fail: it emptied the database without a word
    assert (refused.exit_code, "--yes" in refused.output) == (1, True)
    assert run("db", "check").exit_code == 0
    assert run("db", "downgrade", "base", "--yes").output == "the database is at base\n"
    assert run("db", "check").exit_code == 1
    assert run("user", "list").exit_code == 1
    assert run("db", "upgrade").exit_code == 0
    assert run("db", "check").exit_code == 0


def test_users_are_made_closed_and_opened(url: URL) -> None:
    assert run("user", "add", "Ann", "--admin", "--password-stdin", said="correct horse\n").exit_code == 0
    assert run("user", "add", "ann", "--password-stdin", said="correct horse\n").exit_code == 1
    assert run("user", "add", "Bea", "--language", "de-AT", "--password-stdin", said="correct horse\n").exit_code == 0
    assert run("user", "add", "Cleo", "--language", "?", "--password-stdin", said="correct horse\n").exit_code == 1
    assert "admin" in run("user", "list").output
    with TestClient(create_app(settings_for(url, sign_up="closed"))) as client:

        def sign_in(password: str) -> int:
            return client.post("/api/v1/sessions", json={"name": "Ann", "password": password}).status_code

        assert sign_in("correct horse") == 201
        assert run("user", "password", "Ann", "--password-stdin", said="another horse\n").exit_code == 0
        assert client.get("/api/v1/me").status_code == 401
        assert (sign_in("correct horse"), sign_in("another horse")) == (401, 201)
        assert run("user", "disable", "Ann").exit_code == 0
        assert client.get("/api/v1/me").status_code == 401
        assert sign_in("another horse") == 401
        assert run("user", "enable", "Ann").exit_code == 0
        assert sign_in("another horse") == 201
        closed = client.post("/api/v1/accounts", json={"name": "Ben", "password": "correct horse"})
        assert (closed.status_code, closed.json()["code"]) == (403, "sign_up_closed")


def test_short_passwords_and_unknown_names() -> None:
    assert run("user", "add", "Ann", "--password-stdin", said="short\n").exit_code == 1
    assert run("user", "disable", "Nobody").exit_code == 1


def test_wrong_settings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_BODY_LIMIT", "lots")
    answer = run("db", "current")
    assert answer.exit_code == 2
    assert "SEALED_ORDERS_BODY_LIMIT" in answer.output
    assert "lots" not in answer.output


def test_several_processes_need_postgresql() -> None:
    assert run("serve", "--workers", "2").exit_code == 2
