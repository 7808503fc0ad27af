"""Handing a campaign over: tokens of the old game master run nothing any more, and a write twice is done once."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.club import found
from tests.api.people import sign_up


def test_every_token_of_the_old_game_master_is_refused_at_once(client: TestClient) -> None:
    club = found(client, 2, listed=False)
    hal, program = sign_up(client, "Hal"), club.gm.token("read", "orders", "gm")
    club.gm.put(f"{club.path}/gm/offer", {"name": "Hal", "why": "I move away."}, status=204)
    assert program.get(club.path)["offer"]["to"] == "Hal"
    for _ in range(2):
        hal.ask("POST", f"{club.path}/offer/accept", status=204, Idempotency_Key="mine")
    assert hal.ask("POST", f"{club.path}/offer/accept").status_code == 404
    for each in (club.gm, program):
        assert each.ask("POST", f"{club.path}/pause", {}).status_code == 404
        assert each.ask("GET", club.path).status_code == 404
    hal.post(f"{club.path}/pause", status=204)
    assert club.players[0].get(club.path)["gm"] == "Hal"


def test_an_offer_changes_nothing_for_anybody_else(client: TestClient) -> None:
    club = found(client, 2)
    ann = club.players[0]
    before = ann.ask("GET", club.path)
    club.gm.put(f"{club.path}/gm/offer", {"name": "Ben"}, status=204)
    after = ann.ask("GET", club.path)
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])
    club.gm.ask("DELETE", f"{club.path}/gm/offer", status=204)
    assert club.open()["offer"] is None


def test_what_is_refused_has_a_code(client: TestClient) -> None:
    club = found(client, 2)
    for name, code in (("Gus", "conflict"), ("Nobody", "not_found"), ("", "invalid_request")):
        told = club.gm.ask("PUT", f"{club.path}/gm/offer", {"name": name}).json()
        assert (told["code"], told["field"]) == (code, "name")
    club.gm.put(f"{club.path}/gm/offer", {"name": "Ann"}, status=204)
    assert club.players[0].ask("POST", f"{club.path}/offer/accept").json()["code"] == "forbidden"
    assert club.players[1].ask("POST", f"{club.path}/offer/decline").json()["code"] == "not_found"
    club.gm.post(f"{club.path}/finish", {}, status=204)
    assert club.gm.ask("PUT", f"{club.path}/gm/offer", {"name": "Ann"}).json()["code"] == "wrong_status"
