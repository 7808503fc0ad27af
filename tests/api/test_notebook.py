"""Notebooks over HTTP: their owner and the owner's substitute read and write them, and nobody else learns of them.

Seen to fail: with the seat alone as a notebook's key, for the next player of the seat; with ``access.viewer``
in place of ``seat_for``, for the game master.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from server.play.accounts.tokens import authenticate
from server.play.people import own_data
from server.store.tables import HexPin, TurnNote
from tests.api.asking import operations
from tests.api.club import Club, found, play_of
from tests.api.people import PASSWORD, Person, sign_up

NOTE, PIN = "Hold the ford until the sun sets", "Somebody hides here"


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 3, then=Club.pass_phase)


def book(club: Club) -> str:
    return f"{club.path}/notebook"


def write(club: Club, person: Person, seat: str = "") -> None:
    query = f"?seat={seat}" if seat else ""
    person.put(f"{book(club)}/notes/1{query}", {"text": NOTE})
    person.put(f"{book(club)}/pins/0303{query}", {"text": PIN})


def read(club: Club, person: Person, seat: str = "") -> tuple[list[Any], list[Any]]:
    found = person.get(book(club) + (f"?seat={seat}" if seat else ""))
    return [(note["turn"], note["text"]) for note in found["notes"]], [
        (pin["hex"], pin["text"]) for pin in found["pins"]
    ]


def kept(client: TestClient, person: Person) -> dict[str, Any]:
    """Return all that the server keeps of somebody."""
    ctx = play_of(client)
    data: dict[str, Any] = own_data.gather(ctx, authenticate(ctx, person.secret))["data"]
    return data


def substitute(club: Club, client: TestClient) -> Person:
    """Somebody who orders for the first player while they are away."""
    sub = sign_up(client, "Sub")
    until = (datetime.now(UTC) + timedelta(days=3)).isoformat()
    ann = club.players[0]
    ann.ask("PUT", f"{club.path}/seats/mine/holiday", {"until": until}, status=204)
    ann.ask("PUT", f"{club.path}/stand-in", {"stand_in": "user", "substitute": "Sub"}, status=204)
    return sub


def test_what_one_notes_is_there_again(club: Club) -> None:
    ann = club.players[0]
    assert read(club, ann) == ([], [])
    write(club, ann)
    assert read(club, ann) == ([(1, NOTE)], [("0303", PIN)])
    ann.put(f"{book(club)}/notes/1", {"text": "Go\n\nback"})
    pin = ann.put(f"{book(club)}/pins/0303", {"text": "Gone", "turn": 0})
    assert (pin["turn"], read(club, ann)) == (0, ([(1, "Go\n\nback")], [("0303", "Gone")]))
    for what in ("notes/1", "pins/0303"):
        ann.ask("DELETE", f"{book(club)}/{what}", status=204)
        assert ann.ask("DELETE", f"{book(club)}/{what}").json()["code"] == "not_found"
    assert read(club, ann) == ([], [])


@pytest.mark.parametrize(
    ("what", "body", "field"),
    [
        ("notes/1", {"text": " "}, "text"),
        ("notes/1", {"text": "x" * 4001}, "text"),
        ("notes/-1", {"text": "x"}, "turn"),
        ("notes/1000", {"text": "x"}, "turn"),
        (f"notes/{10**30}", {"text": "x"}, "turn"),
        ("pins/9999", {"text": "x"}, "hex"),
        ("pins/orbit", {"text": "x"}, "hex"),
        ("pins/0303", {"text": "a\nb"}, "text"),
        ("pins/0303", {"text": "x", "turn": 1000}, "turn"),
    ],
)
def test_what_cannot_be_noted(club: Club, what: str, body: Any, field: str) -> None:
    answer = club.players[0].ask("PUT", f"{book(club)}/{what}", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert field in (answer.json()["field"], *(problem["field"] for problem in answer.json()["problems"]))


def test_only_so_many_pins(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.play.messages.notebook.MAX_PINS", 1)
    ann = club.players[0]
    write(club, ann)
    ann.put(f"{book(club)}/pins/0303", {"text": "Another word"})
    assert ann.put(f"{book(club)}/pins/0304", {"text": "x"}, status=409)["code"] == "limit_reached"


def test_a_substitute_reads_and_writes_the_players(club: Club, client: TestClient) -> None:
    ann, sub = club.players[0], substitute(club, client)
    write(club, ann)
    assert read(club, sub, "p1") == ([(1, NOTE)], [("0303", PIN)])
    sub.put(f"{book(club)}/notes/2?seat=p1", {"text": "I attacked"})
    assert read(club, ann)[0] == [(1, NOTE), (2, "I attacked")]
    ann.ask("PUT", f"{club.path}/stand-in", {"stand_in": "bot"}, status=204)
    assert sub.ask("GET", f"{book(club)}?seat=p1").status_code in (403, 404)


def test_who_comes_into_a_seat_finds_an_empty_notebook(club: Club, client: TestClient) -> None:
    ann, new = club.players[0], sign_up(client, "New")
    write(club, ann)
    club.gm.ask("PUT", f"{club.path}/gm/seats/p1", {"name": "New", "why": "Ann left"}, status=204)
    assert read(club, new) == ([], [])
    write(club, new)
    assert ann.ask("GET", book(club)).status_code in (403, 404)
    assert [note["text"] for note in kept(client, ann)["turn_notes"]] == [NOTE]


@pytest.mark.parametrize("who", ["gm", "other", "stranger"])
def test_nobody_else_learns_of_a_notebook(club: Club, client: TestClient, who: str) -> None:
    """Whatever the API tells of a campaign is the same, byte for byte, with notes and without."""
    ann = club.players[0]
    person = {"gm": club.gm, "other": club.players[1]}.get(who) or sign_up(client, "Eve")
    before = everything(club, person)
    write(club, ann)
    assert everything(club, person) == before
    for query in ("?seat=p1", "?as=p1", ""):
        answer = person.ask("GET", book(club) + query)
        assert NOTE not in answer.text
        assert answer.status_code == (200 if who == "other" and not query else answer.status_code)
    for what in ("notes/1", "pins/0303"):
        refused = person.ask("PUT", f"{book(club)}/{what}?seat=p1", {"text": "x"})
        assert refused.status_code in (403, 404)
        assert person.ask("DELETE", f"{book(club)}/{what}?seat=p1").status_code in (403, 404)
    assert read(club, ann) == ([(1, NOTE)], [("0303", PIN)])


def everything(club: Club, person: Person) -> dict[str, tuple[int, bytes]]:
    values = {"campaign_id": club.id, "number": 1, "hex": "0303"}
    asked = [
        operation
        for operation in operations()
        if operation.method == "GET" and not operation.stream and "campaign_id" in operation.places
    ]
    answers = {}
    for each in asked:
        if set(each.places) <= set(values):
            for query in ("", *(f"?{name}=p1" for name in ("as", "seat") if name in each.query)):
                path = each.filled(values) + query
                answer = person.ask("GET", path)
                answers[path] = (answer.status_code, b"" if answer.status_code >= 400 else answer.content)
    assert len(answers) > 30
    return answers


def test_a_notebook_stays_closed_after_the_end(club: Club, client: TestClient) -> None:
    write(club, club.players[0])
    club.gm.post(f"{club.path}/finish", {"why": "Enough"}, status=204)
    club.gm.ask("POST", f"{club.path}/publish")
    for person in (club.gm, club.players[1], sign_up(client, "Eve")):
        assert person.ask("GET", f"{book(club)}?seat=p1").status_code in (403, 404)
    assert read(club, club.players[0]) == ([(1, NOTE)], [("0303", PIN)])


def test_a_notebook_goes_with_its_owner_and_its_campaign(club: Club, client: TestClient) -> None:
    ann, ben = club.players[0], club.players[1]
    for each in (ann, ben):
        write(club, each)
    mine = kept(client, ann)
    assert [each["text"] for each in (*mine["turn_notes"], *mine["hex_pins"])] == [NOTE, PIN]
    ann.ask("DELETE", "/me", {"password": PASSWORD}, status=204)
    with play_of(client).database.read() as session:
        for table in (TurnNote, HexPin):
            assert len(session.scalars(select(table)).all()) == 1
