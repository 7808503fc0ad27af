from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.club import Club, found
from tests.api.people import Person


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client)


def at(club: Club) -> str:
    return f"{club.path}/orders"


def test_three_facts(club: Club) -> None:
    ann = club.players[0]
    before = ann.get(at(club))
    assert (before["wanted"], before["revision"], before["final"]) == (True, 0, False)
    ann.put(at(club), {"orders": []})
    given = ann.get(at(club))
    assert (given["wanted"], given["revision"], given["final"]) == (True, 1, False)
    ann.post(f"{at(club)}/final", {}, status=200)
    assert ann.get(at(club))["final"] is True


def test_orders_say_whether_a_person_or_a_program_gave_them(club: Club) -> None:
    ann = club.players[0]
    for giver, source in ((ann, "web"), (ann.token("read", "orders"), "api")):
        giver.put(at(club), {"orders": []})
        assert ann.get(at(club))["source"] == source


def test_all_problems_come_at_once(club: Club) -> None:
    orders: list[Any] = [
        {"type": "place", "what": "capital", "at": "9999"},
        {"type": "nonsense"},
        {"type": "path", "detachment": "x", "path": []},
        7,
    ]
    answer = club.players[0].ask("PUT", at(club), {"orders": orders}, status=422).json()
    assert answer["code"] == "orders_refused"
    assert {problem["order"] for problem in answer["problems"]} == {0, 1, 2, 3}
    assert {problem["code"] for problem in answer["problems"]} >= {"bad_hex", "unknown_type"}
    assert all(problem["message"] for problem in answer["problems"])
    assert club.players[0].get(at(club))["revision"] == 0


def test_what_is_good_can_be_kept(club: Club) -> None:
    orders = [{"type": "nonsense"}, {"type": "end_alliance", "with": "p2"}]
    answer = club.players[0].put(at(club), {"orders": orders, "lenient": True})
    assert {problem["code"] for problem in answer["problems"]} >= {"unknown_type"}
    assert answer["orders"]["revision"] == 1


def test_nobody_declares_himself_the_winner(club: Club) -> None:
    report = {"type": "report", "battle": "0101", "winner": "p1"}
    for method, body in (
        ("PUT", {"orders": [report]}),
        ("PATCH", {"changes": [{"op": "add", "order": report}]}),
    ):
        answer = club.players[0].ask(method, at(club), body, status=422).json()
        assert any(
            problem["code"] == "not_allowed" and "battle" in problem["message"] for problem in answer["problems"]
        )
    checked = club.players[0].post(f"{at(club)}/check", {"orders": [report]}, status=200)
    assert "not_allowed" in {problem["code"] for problem in checked["problems"]}


def test_stale_writes_are_refused(club: Club) -> None:
    ann = club.players[0]
    etag = ann.ask("GET", at(club)).headers["etag"]
    written = ann.ask("PUT", at(club), {"orders": []}, status=200, If_Match=etag)
    stale = ann.ask("PUT", at(club), {"orders": []}, status=412, If_Match=etag)
    assert stale.json()["code"] == "stale_revision"
    ann.ask("PUT", at(club), {"orders": []}, status=200, If_Match=written.headers["etag"])
    for strange in ("nonsense", '"x"', '"1"', '"99999999999999999999.1"'):
        ann.ask("PUT", at(club), {"orders": []}, status=412, If_Match=strange)


def test_an_etag_of_an_earlier_phase_is_stale(club: Club) -> None:
    ann = club.players[0]
    etag = ann.ask("PUT", at(club), {"orders": []}, status=200).headers["etag"]
    club.pass_phase()
    ann.put(at(club), {"orders": []})
    ann.ask("PUT", at(club), {"orders": []}, status=409, If_Match=etag)


def test_orders_for_another_phase(club: Club) -> None:
    answer = club.players[0].ask("PUT", at(club), {"orders": [], "number": 7}, status=409).json()
    assert (answer["code"], answer["value"], answer["params"]["number"]) == ("wrong_phase", 7, 1)
    answer = club.gm.ask("POST", f"{club.path}/gm/advance", {"number": 7}, status=409).json()
    assert (answer["code"], answer["value"], answer["params"]["number"]) == ("wrong_phase", 7, 1)


def test_reads_are_304_where_nothing_changed(club: Club) -> None:
    ann, ben = club.players
    first = ann.ask("GET", at(club))
    ben.put(at(club), {"orders": []})
    ann.ask("GET", at(club), status=304, If_None_Match=first.headers["etag"])
    ann.put(at(club), {"orders": []})
    ann.ask("GET", at(club), status=200, If_None_Match=first.headers["etag"])


def test_a_second_final_is_as_good_as_one(club: Club) -> None:
    ann = club.players[0]
    first = ann.post(f"{at(club)}/final", {}, status=200)
    assert ann.post(f"{at(club)}/final", {}, status=200) == first
    assert club.open()["phase_number"] == 1


def test_final_can_be_taken_back(club: Club) -> None:
    ann, ben = club.players
    ann.post(f"{at(club)}/final", {}, status=200)
    ann.ask("DELETE", f"{at(club)}/final", status=200)
    ben.post(f"{at(club)}/final", {}, status=200)
    assert club.open()["phase_number"] == 1
    ann.post(f"{at(club)}/final", {}, status=200)
    assert club.open()["phase_number"] == 2
    late = ann.ask("DELETE", f"{at(club)}/final?number=1", status=409)
    assert late.json()["code"] == "wrong_phase"


def test_temporary_orders_do_not_end_the_phase(club: Club) -> None:
    ann, ben = club.players
    ann.put(at(club), {"orders": [], "temporary": True})
    ben.post(f"{at(club)}/final", {}, status=200)
    assert club.open()["phase_number"] == 1
    assert ann.get(at(club))["temporary"] is True


def test_patching(club: Club) -> None:
    ann = club.players[0]
    add = {"changes": [{"op": "add", "order": {"type": "declare_alliance", "with": "p2"}}]}
    answer = ann.ask("PATCH", at(club), add, status=200).json()
    assert [order["type"] for order in answer["orders"]["orders"]] == ["declare_alliance"]
    ann.ask("PATCH", at(club), {"changes": [{"op": "remove", "at": 0}]}, status=200)
    bad = ann.ask("PATCH", at(club), {"changes": [{"op": "remove", "at": 5}]}, status=422).json()
    assert bad["field"] == "changes.0.at"


def test_repeated_orders(club: Club) -> None:
    ann, ben = club.players[:2]
    give = {"orders": [{"type": "guard", "detachment": "0123456789ab"}]}
    answer = ann.ask("PUT", f"{at(club)}/repeated/movement", give, status=200)
    assert answer.headers["etag"] == '"1"'
    assert [each["orders"] for each in ann.get(f"{at(club)}/repeated")["items"]] == [give["orders"]]
    assert ann.get(at(club))["orders"] == []
    ann.ask("PUT", f"{at(club)}/repeated/movement", give, status=412, If_Match='"7"')
    ann.ask("PUT", f"{at(club)}/repeated/build", give, status=422)
    ann.ask("PUT", f"{at(club)}/repeated/lunch", give, status=422)
    assert ben.get(f"{at(club)}/repeated")["items"] == []
    ann.ask("GET", f"{at(club)}/repeated?seat=p2", status=404)
    assert ann.ask("PUT", f"{at(club)}/repeated/movement", {"orders": []}, status=200).json()["orders"] == []


def test_orders_in_advance(club: Club) -> None:
    ann = club.players[0]
    left = ann.ask(
        "PUT", f"{at(club)}/advance/1/build", {"orders": [{"type": "end_alliance", "with": "p2"}]}, status=200
    )
    assert left.headers["etag"] == '"1"'
    assert [each["phase"] for each in ann.get(f"{at(club)}/advance")["items"]] == ["build"]
    ann.ask("PUT", f"{at(club)}/advance/1/build", {"orders": []}, status=412, If_Match='"7"')
    ann.ask("PUT", f"{at(club)}/advance/0/setup", {"orders": []}, status=422)
    ann.ask("PUT", f"{at(club)}/advance/1/lunch", {"orders": []}, status=422)
    ann.ask("DELETE", f"{at(club)}/advance/1/build", status=204)
    ann.ask("DELETE", f"{at(club)}/advance/1/build", status=404)


def test_writes_with_a_key_are_done_once(club: Club) -> None:
    ann = club.players[0]
    body = {"orders": [], "salt": "pepper"}
    first = ann.ask("PUT", at(club), body, status=200, Idempotency_Key="turn-0")
    again = ann.ask("PUT", at(club), body, status=200, Idempotency_Key="turn-0")
    assert again.content == first.content
    assert ann.get(at(club))["revision"] == 1


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b'{"orders": [', "application/json", 400, "malformed_json"),
        (b'{"orders": [NaN]}', "application/json", 400, "malformed_json"),
        (b'{"orders": []}', "text/csv", 415, "unsupported_media_type"),
        (b"orders=", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b'{"orders": {}}', "application/json", 422, "invalid_request"),
        (b'{"orders": [], "final": 1}', "application/json", 422, "invalid_request"),
        (b'{"orders": [], "number": false}', "application/json", 422, "invalid_request"),
        (b'{"orders": [], "number": 1.5}', "application/json", 422, "invalid_request"),
        (b'{"orders": [], "nubmer": 1}', "application/json", 422, "invalid_request"),
        (b"[]", "application/json", 422, "invalid_request"),
        (b"", "application/json", 422, "invalid_request"),
        (b'{"orders": ["' + b"x" * 2_000_001 + b'"]}', "application/json", 413, "too_large"),
        (b'{"orders": ["' + b"x" * 1_500_000 + b'"]}', "application/json", 413, "too_large"),
    ],
)
def test_bodies_that_are_not_orders(club: Club, content: bytes, kind: str, status: int, code: str) -> None:
    ann = club.players[0]
    answer = ann.client.put(
        f"/api/v1{at(club)}",
        content=content,
        headers={"Authorization": f"Bearer {ann.secret}", "Content-Type": kind},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert ann.get(at(club))["revision"] == 0


def test_tokens_need_the_scope(club: Club) -> None:
    ann = club.players[0]
    reader, orderer = ann.token("read"), ann.token("orders")
    assert reader.ask("PUT", at(club), {"orders": []}, status=403).json()["code"] == "missing_scope"
    orderer.ask("PUT", at(club), {"orders": []}, status=200)
    assert orderer.ask("GET", at(club), status=403).json()["code"] == "missing_scope"


# --- as text ---


def send(person: Person, method: str, path: str, text: bytes = b"", **headers: str) -> Any:
    """Send or fetch text as a program would."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"Authorization": f"Bearer {person.secret}"} | named
    person.client.cookies.clear()
    return person.client.request(method, f"/api/v1{path}", content=text, headers=sent)


def test_orders_are_given_and_taken_as_text(club: Club) -> None:
    ann = club.players[0]
    legal = ann.get(f"{club.path}/legal-orders")["items"]
    spots = next(each["choices"]["at"] for each in legal if each["order"].get("what") == "capital")
    order = {"type": "place", "what": "capital", "at": spots[0]}
    text = f"• place capital at {order['at']}  # here\nfinal\n"
    answer = send(ann, "PUT", at(club), text.encode(), content_type="text/plain; charset=utf-8")
    assert answer.status_code == 200, answer.text
    given = ann.get(at(club))
    assert (given["orders"], given["final"]) == ([order], True)
    written = send(ann, "GET", at(club), accept="text/plain")
    assert written.headers["content-type"] == "text/plain; charset=utf-8"
    assert written.text == f"place capital at {order['at']}\n"
    assert "Accept" in written.headers["vary"]


def test_a_text_with_a_line_that_is_not_understood_is_refused_whole(club: Club) -> None:
    ann = club.players[0]
    text = "end alliance with p2\nplce capital at 0101\nbuild\n"
    answer = send(ann, "PUT", at(club), text.encode(), content_type="text/plain; charset=utf-8")
    assert answer.status_code == 422
    found = answer.json()
    assert found["code"] == "orders_refused"
    assert [(problem["order"], problem["code"], problem["value"]) for problem in found["problems"]] == [
        (1, "unknown_type", "plce"),
        (2, "missing_field", None),
    ]
    assert ann.get(at(club))["revision"] == 0
    assert send(ann, "PUT", at(club), b"\xff", content_type="text/plain").status_code == 400
