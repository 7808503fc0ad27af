"""Blocking and reporting people over HTTP: letters vanish and come back, nobody but the operators learns of it.

Seen to fail: with ``blocking.unblock`` not asking whose the block is; with ``_letter`` not asking whether somebody got
the message; with ``check_invitation`` doing nothing; with blocks of an anonymous campaign made everywhere.
"""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from server.play.accounts import blocking
from server.store.tables import PersonReport
from tests.api.club import Club, found, play_of
from tests.api.people import Person

LETTER = "You will regret this."


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 3)


def write(club: Club, sender: Person, *to: str) -> str:
    sent: str = sender.post(f"{club.path}/messages", {"to": list(to), "body": LETTER})["id"]
    return sent


def read(club: Club, person: Person) -> list[str]:
    return [each["body"] for each in person.get(f"{club.path}/messages")["items"]]


def told(client: TestClient) -> list[tuple[str, str, str | None]]:
    """Return what the operators were told: why, quoted words, message."""
    with play_of(client).database.read() as session:
        rows = session.scalars(select(PersonReport).order_by(PersonReport.made_at, PersonReport.id))
        return [(row.why, row.quoted, row.message_id) for row in rows]


def problem(answer: Any, status: int) -> tuple[str, str | None]:
    assert answer.status_code == status, answer.text
    return answer.json()["code"], answer.json().get("field")


def test_messages_of_somebody_blocked_vanish_and_come_back(club: Club) -> None:
    ann, ben, cat = club.players
    write(club, ann, "p2", "p3")
    made = ben.put(f"{club.path}/people/p1/block", None)
    assert (made["label"], made["campaign_id"]) == ("Ann", None)
    assert ben.put(f"{club.path}/people/p1/block", None) == made
    write(club, ann, "all")
    assert read(club, ben) == []
    assert read(club, cat) == [LETTER, LETTER]
    assert ben.get("/me/blocks")["items"] == [made]
    assert ann.get("/me/blocks")["items"] == []
    ben.ask("DELETE", f"/me/blocks/{made['id']}", status=204)
    assert read(club, ben) == [LETTER, LETTER]
    assert problem(ben.ask("DELETE", f"/me/blocks/{made['id']}"), 404)[0] == "not_found"


def test_the_game_masters_messages_are_never_hidden(club: Club) -> None:
    ben = club.players[1]
    ben.put(f"{club.path}/people/gm/block", None)
    club.gm.post(f"{club.path}/messages", {"to": ["p2"], "body": LETTER, "as_gm": True})
    assert read(club, ben) == [LETTER]


def test_somebody_blocked_cannot_invite(club: Club, client: TestClient) -> None:
    ben = club.players[1]
    made = ben.post("/me/blocks", {"name": "gUS"})
    other = club.gm.post("/campaigns", {"name": "Another", "scenario": "the-pass"})["id"]
    assert problem(club.gm.ask("POST", f"/campaigns/{other}/invitations", {"name": "Ben"}), 403) == (
        "forbidden",
        "name",
    )
    ben.ask("DELETE", f"/me/blocks/{made['id']}", status=204)
    assert club.gm.ask("POST", f"/campaigns/{other}/invitations", {"name": "Ben"}).status_code < 300


def test_in_an_anonymous_campaign_a_block_holds_there_alone(client: TestClient) -> None:
    hidden = found(client, 3, options={"anonymous": True})
    ann, ben, _ = hidden.players
    made = ben.put(f"{hidden.path}/people/p1/block", None)
    assert made["campaign_id"] == hidden.id
    assert "Ann" not in made["label"]
    write(hidden, ann, "p2")
    assert read(hidden, ben) == []
    other = ann.post("/campaigns", {"name": "Another", "scenario": "the-pass"})["id"]
    assert ann.ask("POST", f"/campaigns/{other}/invitations", {"name": "Ben"}).status_code < 300


def test_a_block_of_somebody_else_is_not_found(club: Club) -> None:
    ann, ben, _ = club.players
    made = ben.put(f"{club.path}/people/p1/block", None)
    assert problem(ann.ask("DELETE", f"/me/blocks/{made['id']}"), 404)[0] == "not_found"
    assert ben.get("/me/blocks")["items"] == [made]


def test_a_report_reaches_the_operators_with_the_words_of_a_message(club: Club, client: TestClient) -> None:
    ann, ben, _ = club.players
    letter = write(club, ann, "p2")
    ben.post(f"{club.path}/people/p1/reports", {"why": "They threaten me.", "message_id": letter}, status=204)
    ben.post(f"{club.path}/people/gm/reports", {"why": "They never answer."}, status=204)
    assert told(client) == [("They threaten me.", LETTER, letter), ("They never answer.", "", None)]
    own = ben.get("/me/reports")["items"]
    assert {(each["why"], each["settled_at"]) for each in own} == {
        ("They threaten me.", None),
        ("They never answer.", None),
    }
    assert ann.get("/me/reports")["items"] == []


def test_messages_one_did_not_get_are_not_quoted(club: Club, client: TestClient) -> None:
    ann, ben, cat = club.players
    path = f"{club.path}/people/p1/reports"
    letter, to_cat = write(club, ann, "p2"), write(club, ann, "p3")
    for message in (to_cat, "aaaaaaaaaaaaaaaa"):
        assert problem(ben.ask("POST", path, {"why": "Look.", "message_id": message}), 404)[0] == "not_found"
    wrong_sender = cat.ask("POST", f"{club.path}/people/p2/reports", {"why": "Look.", "message_id": to_cat})
    assert problem(wrong_sender, 404)[0] == "not_found"
    assert told(client) == []
    ben.post(path, {"why": "Look.", "message_id": letter}, status=204)


@pytest.mark.parametrize("body", [{}, {"why": ""}, {"why": " \n "}, {"why": "x" * (blocking.MAX_WHY + 1)}, {"why": 7}])
def test_a_report_without_words_or_with_too_many_is_refused(club: Club, body: dict[str, Any]) -> None:
    answer = club.players[1].ask("POST", f"{club.path}/people/p1/reports", body)
    assert answer.status_code == 422, answer.text


def test_nobody_blocks_themselves_or_an_empty_seat(club: Club) -> None:
    ben = club.players[1]
    assert problem(ben.ask("PUT", f"{club.path}/people/p2/block"), 409) == ("conflict", "seat")
    assert problem(ben.ask("PUT", f"{club.path}/people/p9/block"), 404)[0] == "not_found"
    assert problem(ben.ask("POST", "/me/blocks", {"name": "Ben"}), 409) == ("conflict", "name")
    assert problem(ben.ask("POST", "/me/blocks", {"name": "Nobody"}), 404) == ("not_found", "name")
    assert problem(ben.token("read").ask("POST", "/me/blocks", {"name": "Ann"}), 403)[0] == "missing_scope"


def test_there_is_an_end_to_blocks_and_reports(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ben = club.players[1]
    monkeypatch.setattr(blocking, "MAX_BLOCKS", 1)
    monkeypatch.setattr(blocking, "MAX_OPEN_REPORTS", 1)
    ben.post("/me/blocks", {"name": "Ann"})
    assert problem(ben.ask("POST", "/me/blocks", {"name": "Cat"}), 409)[0] == "limit_reached"
    path = f"{club.path}/people/p1/reports"
    ben.post(path, {"why": "Once."}, status=204)
    assert problem(ben.ask("POST", path, {"why": "Twice."}), 409)[0] == "limit_reached"
