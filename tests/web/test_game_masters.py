"""Several game masters and successors on the pages and over the API."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.club import found
from tests.api.people import sign_up
from tests.web.conftest import Visits
from tests.web.test_takeover import two_play


def test_together_on_the_pages(visitor: Visits) -> None:
    gm, ann, ben, hal, eve = (visitor(name) for name in ("Gwen", "Ann", "Ben", "Hal", "Eve"))
    path = two_play(gm, ann, ben)
    assert "Run it together" in gm.get(f"{path}/gm")
    assert "with the same rights" in gm.get(f"{path}/gm/offer?role=partner")
    gm.post(f"{path}/gm/offer", name="Hal", role="partner", why="Two see more.")
    assert "Gwen asks you to run this campaign together." in hal.get(f"{path}/offer")
    hal.post(f"{path}/offer/accept")
    assert "The campaign has another game master" in hal.get(f"{path}/gm")
    hal.post(f"{path}/gm/pause", why="Holidays.")
    gm.post(f"{path}/gm/offer", name="Eve", role="successor")
    assert "If all game masters have been away for 14 days" in eve.get(f"{path}/offer")
    eve.post(f"{path}/offer/accept")
    assert "successor" in gm.get(f"{path}/gm")
    hal.post(f"{path}/gm/leave", name="Hal")
    assert "A game master stepped down" in ann.get(path)


def test_together_over_the_api(client: TestClient) -> None:
    club = found(client)
    hal = sign_up(client, "Hal")
    path = f"{club.path}/gm"
    club.gm.put(f"{path}/offer", {"name": "Hal", "role": "king"}, status=422)
    club.gm.put(f"{path}/offer", {"name": "Hal", "role": "partner"}, status=204)
    assert hal.get(club.path)["offer"]["role"] == "partner"
    hal.post(f"{club.path}/offer/accept", status=204)
    assert [each["role"] for each in hal.get(f"{path}/all")["items"]] == ["gm", "partner"]
    assert hal.get(club.path)["you_are_gm"]
    assert hal.get(f"{club.path}/view")["viewer"] == "gm"
    club.players[0].post(f"{path}/leave", {"name": "Hal"}, status=403)
    club.players[0].get(f"{path}/all", status=403)
    club.gm.post(f"{path}/leave", {"name": "Hal"}, status=204)
    assert not hal.get(club.path)["you_are_gm"]
    assert hal.get(f"{club.path}/view")["viewer"] == "spectator"
