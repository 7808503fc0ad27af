"""The odds of a battle over the API: what one may know, and no more."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from server.bots import commander
from server.play.campaigns import campaigns
from server.play.context import Actor, AppContext
from server.play.orders import orders
from server.play.views import positions
from tests.api.club import Club, found, play_of

MAX_COUNT = 60


def who_of(ctx: AppContext, club: Club, seat: str) -> Actor:
    person = club.players[int(seat[1:]) - 1]
    me = person.get("/me")
    return Actor(me["id"], me["name"], session=True)


def known_battles(club: Club) -> list[dict[str, Any]]:
    return [battle for player in club.players for battle in player.get(f"{club.path}/battles")["items"]]


@pytest.fixture
def at_battle(client: TestClient) -> tuple[Club, dict[str, Any]]:
    """A campaign that stands at a battle, and the battle as one who fights it sees it."""
    club = found(client, 2, rules={"turn_limit": 30}, then=until_battle)
    return club, known_battles(club)[0]


def until_battle(club: Club) -> None:
    ctx = play_of(club.gm.client)
    for _ in range(MAX_COUNT):
        info = club.open()
        if info["phase"] == "battles" and known_battles(club):
            return
        for seat in ("p1", "p2"):
            actor = who_of(ctx, club, seat)
            still_open = campaigns.get(ctx, actor, club.id).phase_number == info["phase_number"]
            if still_open and orders.read(ctx, actor, club.id).wanted:
                chosen = commander.choose(positions.position(ctx, actor, club.id).view)
                orders.replace(ctx, actor, club.id, chosen, final=True, lenient=True)
    pytest.fail(f"no battle in {MAX_COUNT} phases")


def test_odds_of_a_battle(at_battle: tuple[Club, dict[str, Any]]) -> None:
    club, battle = at_battle
    attacker = club.players[int(battle["attacking"][1:]) - 1]
    shown = attacker.get(f"{club.path}/battles/{battle['hex']}/odds")
    assert shown["hex"] == battle["hex"]
    assert shown["attacker"]["player"] == battle["attacking"]
    assert shown["attacker"]["wins"] + shown["defender"]["wins"] == pytest.approx(1)
    assert shown["attacker"]["wins"] == shown["attacker_ways"] / shown["all_ways"]
    assert sum(each["chance"] for each in shown["attacker"]["damage"]) == pytest.approx(1)
    assert all(0 <= unit["whole"] <= 1 for unit in shown["defender"]["units"])


def test_own_wishes_count_and_nobody_elses(at_battle: tuple[Club, dict[str, Any]]) -> None:
    club, battle = at_battle
    mine, theirs = (club.players[int(battle[side][1:]) - 1] for side in ("attacking", "defended_by"))
    address = f"{club.path}/battles/{battle['hex']}/odds"
    before = mine.get(address), theirs.get(address)
    units = sorted(before[0]["attacker"]["units"], key=lambda unit: unit["whole"])
    order = {"type": "fight", "battle": battle["hex"], "casualties": [units[0]["unit"]]}
    mine.put(f"{club.path}/orders", {"number": club.open()["phase_number"], "orders": [order]})
    after = mine.get(address)
    first = {each["unit"]: each["whole"] for each in after["attacker"]["units"]}
    assert first[units[0]["unit"]] > units[0]["whole"]
    assert after["attacker"]["wins"] == before[0]["attacker"]["wins"]
    assert theirs.get(address) == before[1]
    assert club.gm.get(f"{address}?as={battle['attacking']}") == before[0]


def test_what_one_does_not_know_is_not_told(client: TestClient, at_battle: tuple[Club, dict[str, Any]]) -> None:
    club, battle = at_battle
    for hex_ in ("9999", "0101", "x", "%00"):
        status = club.players[0].ask("GET", f"{club.path}/battles/{hex_}/odds").status_code
        assert status in (404, 422)
    client.cookies.clear()
    answer = client.get(f"/api/v1{club.path}/battles/{battle['hex']}/odds")
    assert answer.status_code == 404
