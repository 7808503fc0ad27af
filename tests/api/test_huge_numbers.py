"""Numbers that no database holds, in every address: no mistake of the server, whichever database it has.

Seen to fail where orders left in advance were looked up by the number as it came, and where a refusal named it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from tests.api.asking import PREFIX, described, looked_up
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.store import databases

HUGE = (2**31 - 1, 2**31, 2**63, -(2**31) - 1, -(2**63) - 1, 10**30)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def club(request: pytest.FixtureRequest) -> Iterator[Club]:
    with databases.migrated(request.param, "numbers") as url, TestClient(create_app(settings_for(url))) as client:
        yield found(client, then=Club.pass_phase)


def with_numbers() -> list[Any]:
    """Return method, path, and whole number in path or query of each operation that has one."""
    there = []
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            for given in operation.get("parameters", ()):
                parameter = looked_up(given, described())
                if {"integer"} & {
                    kind.get("type") for kind in (parameter["schema"], *parameter["schema"].get("anyOf", ()))
                }:
                    name = parameter["name"]
                    there.append(pytest.param(method, path, name, id=f"{operation['operationId']}-{name}"))
    return there


@pytest.mark.parametrize(("method", "path", "name"), with_numbers())
def test_addresses(club: Club, method: str, path: str, name: str) -> None:
    body: object = None if method in ("get", "delete") else {"orders": []}
    own = {"campaign_id": club.id, "phase": "reports", "hex": "0405"}
    for number in HUGE:
        here = re.sub(r"\{(\w+)\}", lambda place: str((own | {name: number}).get(place[1], "a" * 16)), path)  # noqa: B023
        query = "" if f"{{{name}}}" in path else f"?{name}={number}"
        for person in (club.players[0], club.gm):
            answer = person.ask(method.upper(), here.removeprefix(PREFIX) + query, body)
            assert answer.status_code < 500, f"{number}: {answer.text}"
