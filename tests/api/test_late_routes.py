"""Groups of routes that are imported by their first request: nobody notices which routes are late.

Seen to fail with a group that answers what it does not find by itself, and with one that is added twice.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from server.api import handlers
from server.api.late_routes import App, LateRoutes

GROUP = "a_late_group"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[FastAPI]:
    """A group with one route; the apps it was added to."""
    apps: list[FastAPI] = []

    def install(app: FastAPI) -> None:
        apps.append(app)
        app.router.routes = [*app.router.routes, APIRoute("/late/{name}", lambda name: f"late {name}")]

    module = ModuleType(GROUP)
    monkeypatch.setattr(module, "install", install, raising=False)
    monkeypatch.setitem(sys.modules, GROUP, module)
    return apps


def _app() -> App:
    app = App()
    handlers.install(app)
    app.router.routes = [
        APIRoute("/usual", lambda: "usual"),
        APIRoute("/late/usual", lambda: "usual", methods=["POST"]),
        LateRoutes(GROUP, lambda path: path.startswith("/late")),
    ]
    return app


def test_a_group_comes_with_its_first_request(installed: list[FastAPI]) -> None:
    app = _app()
    client = TestClient(app)
    assert client.get("/usual").json() == "usual"
    assert client.get("/elsewhere").status_code == 404
    assert client.post("/late/usual").json() == "usual", "another route is asked first"
    assert installed == []
    assert [client.get("/late/one").json() for _ in range(2)] == ["late one"] * 2
    assert installed == [app]


def test_refusals_are_those_of_all_routes(installed: list[FastAPI]) -> None:
    client = TestClient(_app())
    refused = client.delete("/late/usual")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, POST")
    assert client.get("/late/one/more").status_code == 404
    assert client.delete("/usual").headers["allow"] == "GET"


def test_requests_at_once_bring_a_group_once(installed: list[FastAPI]) -> None:
    app = _app()
    with TestClient(app) as client, ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda at: client.get(f"/late/{at}").json(), range(16))
        assert list(answers) == [f"late {at}" for at in range(16)]
    assert installed == [app]


def test_who_asks_for_all_routes_gets_all(installed: list[FastAPI]) -> None:
    app = _app()
    paths = [route.path for route in app.routes if isinstance(route, APIRoute)]
    assert paths == ["/usual", "/late/usual", "/late/{name}"]
    assert installed == [app]
