"""Votes on the end and seats that are taken over, over the API."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.club import found
from tests.api.people import sign_up


def test_a_vote_over_the_api(client: TestClient) -> None:
    club = found(client)
    ann, ben = club.players
    path = f"{club.path}/votes"
    ann.post(path, {"about": "nothing"}, status=422)
    assert ann.post(path, {"about": "draw", "why": "We move on."})["agreed"] == ["p1"]
    ben.put(f"{path}/99/answer", {"agrees": True}, status=404)
    assert ben.put(f"{path}/1/answer", {"agrees": False}, status=200)["outcome"] == "refused"
    ben.post(path, {"about": "concede", "winner": "p1"})
    ann.ask("DELETE", f"{path}/2", status=409)
    assert [vote["number"] for vote in ann.get(path)["items"]] == [1, 2]
    assert club.open()["status"] == "finished", "nobody else was to be asked"


def test_a_seat_is_taken_over_over_the_api(client: TestClient) -> None:
    club = found(client)
    cat = sign_up(client, "Cat")
    cat.post(f"{club.path}/seats", {"faction": "orks"}, status=409)
    club.players[1].ask("DELETE", f"{club.path}/seats/mine", status=204)
    listed = cat.get("/campaigns?joinable=true")["items"]
    assert [(each["id"], each["free"]) for each in listed] == [(club.id, 1)]
    joined = cat.post(f"{club.path}/seats", {"seat": "p2"})
    assert joined["your_seats"] == ["p2"]
    assert next(seat for seat in joined["seats"] if seat["player_id"] == "p2")["missed"] == 0
