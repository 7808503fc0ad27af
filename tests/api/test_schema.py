"""The server does what its OpenAPI description says, whatever it is asked (schemathesis)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.app import create_app
from tests.api.asking import described
from tests.api.club import Club, found
from tests.api.conftest import settings_for
from tests.api.people import Person, sign_up
from tests.store import databases

EXAMPLES = 300 if os.environ.get("SEALED_ORDERS_LONG") == "1" else 12
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


_serial = count()
schema = schemathesis.openapi.from_dict(deepcopy(described())).exclude(path_regex="/stream$")
"""Streams do not end; test_live.py follows them."""

# every keyword of every field by itself: very many cases, little more is found by them
schema.config.phases.coverage.enabled = False


@pytest.fixture(scope="module")
def app() -> Iterator[FastAPI]:
    with databases.migrated("sqlite", "schema") as url:
        yield create_app(settings_for(url))


@pytest.fixture(scope="module")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as found:
        yield found


@pytest.fixture
def somebody(client: TestClient) -> Person:
    """Somebody new for each operation: some of them sign out."""
    return sign_up(client, f"Person {next(_serial)}")


@pytest.fixture(scope="module")
def clubs(client: TestClient) -> list[Club]:
    """The campaign that is played; its people are signed in all the time."""
    return [_new_club(client)]


def _new_club(client: TestClient) -> Club:
    club = found(client, suffix=f" {next(_serial)}")
    club.pass_phase()
    return club


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
)
def test_every_operation(case: Any, somebody: Person, clubs: list[Club]) -> None:
    asking = somebody
    if "campaign_id" in case.path_parameters and next(_serial) % 4:
        club = clubs[-1]
        case.path_parameters["campaign_id"] = club.id
        asking = club.gm if next(_serial) % 3 else club.players[0]
        if club.gm.ask("GET", club.path).json().get("status") != "running":
            clubs.append(_new_club(club.gm.client))
    case.validate_response(_answer(asking, case), checks=CHECKS)


def _answer(person: Person, case: Any) -> Any:
    """Ask what schemathesis wants to be asked, signed in."""
    person.client.cookies.clear()
    asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
    headers = dict(asked["headers"]) | {"Authorization": f"Bearer {person.secret}"}
    return person.client.request(
        asked["method"],
        asked["url"],
        params=asked.get("params"),
        headers=[(name.encode(), str(value).encode()) for name, value in headers.items()],
        json=asked.get("json"),
        content=asked.get("data") if "json" not in asked else None,
    )
