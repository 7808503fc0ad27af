"""People who come while too many others sign in get 503 with ``Retry-After``, on both surfaces."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from server.play.accounts import passwords


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    turns = passwords.Turns(running=1, waiting=0, patience=0)
    monkeypatch.setattr(passwords, "TURNS", turns)
    with turns.one():
        yield


@pytest.mark.usefixtures("crowded")
def test_the_api_says_when_to_come_again(client: TestClient) -> None:
    answer = client.post("/api/v1/sessions", json={"name": "Ann", "password": "correct horse"})
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "busy", "5")
    answer = client.post("/api/v1/accounts", json={"name": "Ann", "password": "correct horse"})
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "busy", "5")


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize(
    ("path", "language", "told"),
    [
        ("/sign-in", "en", "The server is busy. Try again in a moment."),
        ("/sign-up", "de", "Der Server ist beschäftigt"),
    ],
)
def test_so_do_the_pages(client: TestClient, path: str, language: str, told: str) -> None:
    headers = {"Accept": "text/html", "Accept-Language": language}
    answer = client.post(path, data={"name": "Ann", "password": "correct horse"}, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert told in answer.text
