from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from tests.api.conftest import settings_for
from tests.commands.conftest import run

pytestmark = pytest.mark.usefixtures("url")


def test_a_link_signs_in_once(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_PUBLIC_URL", "https://play.example.org")
    run("user", "add", "Ann", "--password-stdin", said="correct horse\n")
    before, _, token = run("user", "link", "ann").stdout.strip().partition("?token=")
    assert before == "https://play.example.org/link"
    with TestClient(create_app(settings_for(url))) as client:
        signed_in = [client.post("/api/v1/links/follow", json={"link": token}) for _ in range(2)]
    assert [each.status_code for each in signed_in] == [201, 401]
    assert signed_in[0].json()["account"]["name"] == "Ann"


def test_a_link_for_nobody() -> None:
    assert run("user", "link", "Nobody", code=1).output.count("\n") == 1
