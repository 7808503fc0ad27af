"""The server does what its OpenAPI description says, whatever it is asked (schemathesis)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import count
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.http.middleware import SECURITY
from server.play.operating import user_admin
from tests.api.asking import described, looked_up
from tests.api.club import Club, found, play_of
from tests.api.people import Person, sign_up
from tests.api.tables import own_table

LONG = os.environ.get("SEALED_ORDERS_LONG") == "1"
EXAMPLES = 300 if LONG else 8
HOW = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
OF_HTTP = frozenset(
    {"cache-control", "connection", "content-length", "content-type", "date", "server", "vary", "content-encoding"}
)
"""Headers that HTTP itself explains."""


def no_undocumented_header(_context: Any, response: Any, case: Any) -> None:
    """Every header of an answer is in the description of its status."""
    known = {method["operationId"]: method for methods in described()["paths"].values() for method in methods.values()}
    operation = known[case.operation.definition.raw["operationId"]]
    status = looked_up(operation["responses"][str(response.status_code)], described())
    named = {header.lower() for header in status.get("headers", {})} | OF_HTTP | {each.lower() for each in SECURITY}
    assert set(response.headers) <= named, f"{set(response.headers) - named} of {operation['operationId']}"


CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    no_undocumented_header,
]
SUBJECTS = (
    "account", "admin", "battles", "campaigns", "chronicle", "dice", "game master", "history", "live", "notebook",
    "orders", "people", "server", "table", "view",
)  # fmt: skip
"""What operations are about: the first of their tags."""


@cache
def operations() -> list[Any]:
    """Return what is asked: all but streams, which do not end; test_live.py follows them."""
    schema = schemathesis.openapi.from_dict(deepcopy(described())).exclude(path_regex="/stream$")
    asked = []
    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok)
        asked.append(operation.ok())
    return asked


def test_every_operation_is_about_something() -> None:
    assert {operation.tags[0] for operation in operations()} == {*SUBJECTS}


@pytest.mark.timeout(7200 if LONG else 600)
@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_operation(client: TestClient, subject: str) -> None:
    """On a server of its own: what is found does not depend on what was asked before about something else."""
    people = People(client)
    for operation in operations():
        if subject == operation.tags[0]:
            people.ask_all(operation)


class People:
    """Those who ask: somebody, and the club that plays."""

    def __init__(self, client: TestClient) -> None:
        self.club = found(client, then=Club.pass_phase)
        self.client = client
        self.somebody: str = sign_up(client, "Somebody").get("/me")["id"]
        self.serial = count(1)
        self.table: tuple[Person | None, str] = (None, "")

    def ask_all(self, operation: Any) -> None:
        """Ask for an operation in all kinds of ways, first as its examples do."""
        somebody = sign_up(self.client, f"Person {next(self.serial)}")  # somebody new: some operations sign out
        for maximum, strategy in _cases(operation):

            @settings(HOW, max_examples=maximum)
            @given(case=strategy)
            def ask(case: Any) -> None:
                self.ask(somebody, case)

            ask()

    def ask(self, somebody: Person, case: Any) -> None:
        """Ask one thing, mostly of the campaign that is played, and as one of those who play in it."""
        asking = somebody
        if "campaign_id" in case.path_parameters and next(self.serial) % 4:
            case.path_parameters["campaign_id"] = self.club.id
            asking = self.club.gm if next(self.serial) % 3 else self.club.players[0]
        if "/admin/" in case.path and next(self.serial) % 4:
            asking = self._admin()
            if "user_id" in case.path_parameters and next(self.serial) % 3:
                case.path_parameters["user_id"] = self.somebody
        if "table_id" in case.path_parameters and next(self.serial) % 4:
            case.path_parameters["table_id"] = self._table(somebody)
        response = _answer(asking, case)
        case.validate_response(response, checks=CHECKS)
        if case.method != "GET" and response.status_code < 300 and not self._plays():
            self.club = found(self.client, suffix=f" {next(self.serial)}", then=Club.pass_phase)

    def _admin(self) -> Person:
        """Return somebody who runs the server; anew, as they may have changed it."""
        made = sign_up(self.client, f"Warden {next(self.serial)}")
        user_admin.set_admin(play_of(self.client), None, made.name, True)
        return made

    def _table(self, person: Person) -> str:
        """Return a game on the table of somebody's: the last one, or a new one where that is gone or full of acts."""
        owner, last = self.table
        started = bool(next(self.serial) % 2)
        if owner is not person or person.ask("GET", f"/tables/{last}").status_code != 200:
            self.table = person, own_table(person, start=started)
        return self.table[1]

    def _plays(self) -> bool:
        status = self.club.gm.ask("GET", self.club.path).json().get("status")
        return bool(status == "running")


def _cases(operation: Any) -> Iterator[tuple[int, st.SearchStrategy[Any]]]:
    """Yield what to draw from, and how often: the description's examples, then what fits it and what does not."""
    for example in operation.get_strategies_from_examples():
        yield 1, example
    yield EXAMPLES, st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))


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
