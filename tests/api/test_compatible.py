"""The promise of v1: what worked with the last release's description works with today's.

``tests/api/baseline/openapi.json`` is the description of the last release. A release writes it anew:
``python -m tests.api.test_compatible``. Until the first release it is that of the day on which it was last written.

Seen to fail: with what webhooks and problems say left out of the comparison; with fields that may be null or are one of
several things not looked into; with fields that a legal order of any type had once, and none has now.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.api.asking import described
from tests.api.compatible import Comparison

BASELINE = Path(__file__).parent / "baseline" / "openapi.json"
VIEW = "/api/v1/campaigns/{campaign_id}/view"
LEGAL = "/api/v1/campaigns/{campaign_id}/legal-orders"
ORDERS = "/api/v1/campaigns/{campaign_id}/orders"


def test_nothing_breaks_within_v1() -> None:
    before = orjson.loads(BASELINE.read_bytes())
    assert list(Comparison(before, described()).breaks()) == [], "v1 promises that this does not change (docs/api.md)"


def test_a_field_that_the_last_release_had_is_missed() -> None:
    """Of all kinds of schemas one: the file that is compared with is no older than they are."""
    before = orjson.loads(BASELINE.read_bytes())
    for name, field in (
        ("LegalPath", "reach"),
        ("Preview", "cost"),
        ("UnitMoved", "points"),
        ("InvitedNotice", "data"),
    ):
        new = deepcopy(described())
        del _schema(new, name)["properties"][field]
        assert any(f"{field} is gone" in broken for broken in Comparison(before, new).breaks()), name


def _schema(description: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = description["components"]["schemas"][name]
    return found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda new: new["paths"].pop(VIEW), f"GET {VIEW} is gone"),
        (lambda new: new["paths"][VIEW]["get"]["parameters"].pop(1), f"GET {VIEW}: parameter as is gone"),
        (lambda new: new["paths"][VIEW]["get"]["security"].pop(0), f"GET {VIEW}: needs signing in now"),
        (lambda new: _schema(new, "PositionShown")["properties"].pop("sees"), f"GET {VIEW} 200.sees is gone"),
        (lambda new: _schema(new, "OrdersWanted")["required"].append("number"),
         f"PUT {ORDERS} body.number is needed now"),
        (lambda new: _schema(new, "Order")["discriminator"]["mapping"].pop("fight"),
         f"PUT {ORDERS} body.orders[]: the type fight is gone"),
        (lambda new: _schema(new, "OrdersWanted")["properties"]["orders"].update(maxItems=10),
         f"PUT {ORDERS} body.orders: maxItems is tighter"),
        (lambda new: _schema(new, "LegalPath")["properties"].pop("reach"),
         f"GET {LEGAL} 200.items[] path.reach is gone"),
        (lambda new: _schema(new, "TestNoticeData")["properties"].pop("campaign"),
         "webhook test.data.campaign is gone"),
        (lambda new: _schema(new, "ProblemDocument")["properties"].pop("title"),
         f"{ORDERS} 400.title is gone"),
        (lambda new: _schema(new, "ResultInfo")["properties"].pop("winner"), "result.winner is gone"),
    ],
)  # fmt: skip
def test_what_breaks_is_named(change: Callable[[dict[str, Any]], object], told: str) -> None:
    new = deepcopy(described())
    change(new)
    assert any(told in broken for broken in Comparison(described(), new).breaks())


def test_a_field_that_no_type_has_any_more_is_named() -> None:
    before = deepcopy(described())
    before["components"]["schemas"]["LegalOrder"] = {"type": "object", "properties": {"luck": {"type": "integer"}}}
    found = [broken for broken in Comparison(before, described()).breaks() if LEGAL in broken]
    assert found == [f"GET {LEGAL} 200.items[].luck is gone from every type"]


PARTED = ("order", "choices")
"""What a legal order of every type has; it was no union once."""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda guard: None, []),
        (lambda guard: guard["required"].remove("order"), ["GET {} 200.items[] guard.order may be left out now"]),
        (lambda guard: guard["properties"].pop("choices"), ["GET {} 200.items[] guard.choices is gone"]),
        (lambda guard: guard["properties"].update(cost={"type": "string"}),
         ["GET {} 200.items[] guard.cost: integer became string"]),
    ],
)  # fmt: skip
def test_an_answer_may_be_parted_by_type(change: Callable[[dict[str, Any]], object], told: list[str]) -> None:
    before, after = deepcopy(described()), deepcopy(described())
    known = {name: _schema(before, "LegalGuard")["properties"][name] for name in PARTED}
    whole = {"type": "object", "properties": {**known, "cost": {"type": "integer"}}, "required": [*PARTED]}
    before["components"]["schemas"]["LegalOrder"] = whole
    change(_schema(after, "LegalGuard"))
    found = list(Comparison(before, after).breaks())
    assert [each for each in found if " guard" in each and LEGAL in each] == [event.format(LEGAL) for event in told]


def test_what_is_added_breaks_nothing() -> None:
    new = deepcopy(described())
    _schema(new, "PositionShown")["properties"]["more"] = {"type": "string"}
    _schema(new, "OrdersWanted")["properties"]["more"] = {"type": "string"}
    new["paths"]["/api/v1/more"] = {"get": {"operationId": "more"}}
    assert list(Comparison(described(), new).breaks()) == []


if __name__ == "__main__":
    BASELINE.write_bytes(orjson.dumps(described(), option=orjson.OPT_SORT_KEYS))
