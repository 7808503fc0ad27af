"""A route that is built at its first request serves like any other, also where two requests come at once.

Seen to fail: with a second thread that does not wait, with the beginning of an address cut one letter too late, and
with everything built when only the address is asked for.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import Match
from starlette.testclient import TestClient

from server.api.late_route import LateRoute

THREADS = 8


class _Slow(LateRoute):
    """Somebody else can come while it is worked out."""

    def served_by(self, endpoint: Any) -> Any:
        """Take the time of a thread's turn."""
        sum(range(1_000_000))
        return super().served_by(endpoint)


async def _thing(number: int) -> dict[str, int]:
    return {"number": number}


def _app() -> tuple[FastAPI, LateRoute]:
    route = LateRoute("/things/{number}", _thing)
    app = FastAPI(openapi_url=None)
    app.router.routes.append(route)
    return app, route


def test_it_is_worked_out_by_its_first_request() -> None:
    app, route = _app()
    client = TestClient(app)
    assert client.get("/other/3").status_code == 404
    assert not {"path_regex", "dependant"} & set(vars(route)), "another address does not concern it"
    assert client.post("/things/3").status_code == 405
    assert "dependant" not in vars(route)
    assert client.get("/things/3").json() == {"number": 3}
    assert "dependant" in vars(route)
    assert client.get("/things/three").status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "match"),
    [
        ("GET", "/things/3", Match.FULL),
        ("GET", "/things/", Match.NONE),
        ("GET", "/thing", Match.NONE),
        ("PUT", "/things/3", Match.PARTIAL),
    ],
)
def test_it_matches_its_addresses(method: str, path: str, match: Match) -> None:
    scope = {"type": "http", "path": path, "method": method}
    assert LateRoute("/things/{number}", _thing).matches(scope)[0] == match


def test_an_address_without_places_is_matched_whole() -> None:
    route = LateRoute("/things", _thing)
    found = [route.matches({"type": "http", "path": path, "method": "GET"})[0] for path in ("/things", "/things/3")]
    assert found == [Match.FULL, Match.NONE]


def test_what_it_never_has_is_no_attribute() -> None:
    _, route = _app()
    assert not hasattr(route, "nothing_of_this_kind")
    assert route.response_class is not None


def test_threads_that_come_at_once_all_find_it_whole() -> None:
    route, barrier = _Slow("/things/{number}", _thing), Barrier(THREADS)

    def look(_number: int) -> Any:
        barrier.wait()
        return route.app

    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(look, range(THREADS)))
    assert all(each is found[0] for each in found)
