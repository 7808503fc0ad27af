from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.club import found


def _draft(person: object, path: str, orders: object, status: int = 200) -> dict:  # type: ignore[type-arg]
    return person.post(f"{path}/orders/draft", {"orders": orders}, status=status)  # type: ignore[attr-defined,no-any-return]


def test_orders_that_are_written_say_what_they_do_and_what_is_left(client: TestClient) -> None:
    club = found(client)
    ann = club.players[0]
    empty = _draft(ann, club.path, [])
    legal = ann.get(f"{club.path}/legal-orders")["items"]
    later = {(each["order"]["type"], each["order"].get("what")) for each in legal if "after" in each}
    assert later == {("build_detachment", None), ("build_garrison", None)}
    assert empty["options"] == [each for each in legal if "after" not in each]
    capital = next(option for option in empty["options"] if option["order"].get("what") == "capital")
    order = capital["order"] | {"at": capital["choices"]["at"][0]}
    one = _draft(ann, club.path, [order])
    assert one["problems"] == []
    assert one["says"][0]["cost"] == 0
    assert one["stores"] == {order["at"]: one["says"][0]["bp"]}
    kinds = {(option["order"]["type"], option["order"].get("what")) for option in one["options"]}
    assert ("place", "capital") not in kinds, "what is placed cannot be placed again"
    assert later <= kinds, "what needs the capital first is offered now, and the capital pays for it"
    assert one["left"]["resource"]
    assert ann.get(f"{club.path}/orders")["orders"] == [], "nothing is kept"


def test_problems_stand_with_their_order_and_the_others_are_looked_at(client: TestClient) -> None:
    club = found(client)
    ann = club.players[0]
    at = _draft(ann, club.path, [])["options"][0]["choices"]["at"][0]
    seen = _draft(ann, club.path, [{"type": "nonsense"}, {"type": "place", "what": "capital", "at": at}, 7])
    assert [problem["order"] for problem in seen["problems"]] == [0, 2]
    assert seen["says"][0] == {}
    assert seen["says"][1]["cost"] == 0
    _draft(ann, club.path, {"type": "place"}, status=422)


def test_only_who_has_a_seat_may_draft(client: TestClient) -> None:
    club = found(client)
    club.gm.post(f"{club.path}/orders/draft", {"orders": []}, status=403)


def test_what_a_set_creates_is_not_offered_by_an_id_it_will_not_have(client: TestClient) -> None:
    club = found(client)
    ann = club.players[0]
    capital = _draft(ann, club.path, [])["options"][0]
    at = capital["choices"]["at"][0]
    place = {"type": "place", "what": "capital", "at": at}
    unit = {"slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}
    units = [{"slot": "hq", "models": 1, "points": 80, "mobility": "infantry"}, unit, unit]
    seen = _draft(ann, club.path, [place, {"type": "build_detachment", "at": at, "units": units}])
    assert seen["problems"] == []
    assert not [option for option in seen["options"] if "detachment" in option["order"]]
