"""Results of the table over the API: who fought, who was withheld or only bombarded, which defences were lost."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.views import positions
from tests.api.asking import described
from tests.api.people import Person
from tests.web.battlefield import Battlefield, begin

FIELDS = ("winner", "retreated", "losses", "took_part", "withheld", "bombarded", "works")


@pytest.fixture
def field(client: TestClient) -> Battlefield:
    """A campaign that waits for a result of the table."""
    return begin(client.app.state.server.ctx, until="report")  # type: ignore[attr-defined]


def test_a_report_carries_every_field_of_a_result(client: TestClient, field: Battlefield) -> None:
    hex_, battle = next(iter(field.battles().items()))
    state = positions.position(field.ctx, field.players[battle.attacking], field.id).view.state
    force = state.force(battle.attacker)
    assert force is not None
    one, two, *rest = [unit.id for unit in force.units]
    name = field.players[battle.attacking].name
    person, path = Person(client, name, field.secrets[name]), f"{field.path}/battles/{hex_}/reports"
    result: dict[str, Any] = {"winner": battle.attacking, "withheld": [one], "bombarded": [two]}
    refused = person.ask("POST", path, {"result": result | {"took_part": [one]}})
    assert (refused.status_code, refused.json()["code"]) == (422, "report_refused")
    assert [problem["field"] for problem in refused.json()["problems"]] == ["withheld"]
    told = person.post(path, {"result": result | {"took_part": rest, "works": {}}})
    assert told["content"] == result | {"took_part": rest, "works": {}}


def test_the_description_names_every_field_of_a_result() -> None:
    schemas = described()["components"]["schemas"]
    assert schemas["BattleResult"]["properties"].keys() == set(FIELDS)
    for body in ("Reported", "Decided"):
        assert schemas[body]["properties"]["result"]["$ref"].endswith("/BattleResult")
