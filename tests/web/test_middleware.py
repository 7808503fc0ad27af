"""What the server's edge refuses is told as a page to who reads pages."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from server.play.accounts import accounts
from server.web.page_context import POLICY
from tests.api.conftest import settings_for
from tests.web.conftest import Visits

READS_PAGES = {"Accept": "text/html"}


def test_a_mistake_of_ours(visitor: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    gwen = visitor("Gwen")

    def fails(*_: object) -> None:
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr(accounts, "me", fails)
    page = gwen.get("/", 500)
    assert "Something went wrong on the server" in page.partition("<h1>")[2]
    assert "hunter2" not in page


def test_who_asks_too_often(url: URL) -> None:
    with TestClient(create_app(settings_for(url, address_rate=1))) as client:
        assert client.get("/sign-in", headers=READS_PAGES).status_code == 200
        page = client.get("/sign-in", headers=READS_PAGES)
        other = client.get("/api/v1/campaigns", headers=READS_PAGES)
    assert page.status_code == 429
    assert "Try again in" in page.text.partition("<h1>")[2]
    assert int(page.headers["retry-after"]) > 0
    assert page.headers["content-security-policy"] == POLICY
    assert other.json()["code"] == "too_many_requests"
