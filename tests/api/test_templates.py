from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.play.orders import templates
from tests.api.people import sign_up

UNIT: dict[str, Any] = {"name": "Boyz", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}


def test_saved_found_replaced_thrown_away(client: TestClient) -> None:
    ann, ben = sign_up(client, "Ann"), sign_up(client, "Ben")
    saved = ann.post("/me/templates", {"name": "Fast", "units": [UNIT | {"flags": ["scout"]}]})
    again = ann.post("/me/templates", {"name": "Fast", "units": [UNIT, UNIT], "ruleset": "frontier"})
    assert again["id"] == saved["id"]
    assert again["revision"] == 2
    ann.post("/me/templates", {"name": "a first one", "units": [UNIT]})
    assert [each["name"] for each in ann.get("/me/templates")["items"]] == ["a first one", "Fast"]
    assert ben.get("/me/templates")["items"] == []
    ben.ask("DELETE", f"/me/templates/{saved['id']}", status=404)
    ann.ask("DELETE", f"/me/templates/{saved['id']}", status=204)
    assert [each["name"] for each in ann.get("/me/templates")["items"]] == ["a first one"]


@pytest.mark.parametrize(
    ("units", "field"),
    [
        ([], "units"),
        ([UNIT | {"slot": "cooks"}], "units.0.slot"),
        ([UNIT, UNIT | {"models": 0}], "units.1.models"),
        ([UNIT | {"points": True}], "units.0.points"),
        ([UNIT | {"flags": ["scout", "scout"]}], "units.0.flags"),
        ([UNIT | {"flags": 7}], "units.0.flags"),
        ([UNIT | {"name": "a\u0007"}], "units.0.name"),
        ([UNIT | {"wings": 2}], "units.0"),
        ([UNIT | {"mobility": ["infantry"]}], "units.0.mobility"),
    ],
)
def test_what_no_order_could_hold_is_refused(client: TestClient, units: list[Any], field: str) -> None:
    refused = sign_up(client, "Ann").post("/me/templates", {"name": "Fast", "units": units}, status=422)
    assert refused["field"] == field


def test_there_is_an_end_to_it(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "MAX_COUNT", 1)
    ann = sign_up(client, "Ann")
    ann.post("/me/templates", {"name": "one", "units": [UNIT]})
    assert ann.post("/me/templates", {"name": "two", "units": [UNIT]}, status=409)["code"] == "limit_reached"
    ann.post("/me/templates", {"name": "one", "units": [UNIT]})
