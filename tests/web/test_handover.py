"""Handing a campaign over on the pages: both are told what it means before it happens."""

from __future__ import annotations

import re
from html import unescape

from fastapi.testclient import TestClient

from tests.api.club import found
from tests.web.conftest import Visits


def facts(page: str) -> str:
    return unescape("\n".join(re.findall(r"<li(?: dir=\"auto\")?>([^<]*)</li>", page)))


def test_offered_and_taken_over(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    gm, hal = visitor("Gus"), visitor("Hal")
    context, offer = f"/campaigns/{club.id}/gm", f"/campaigns/{club.id}/offer"
    assert f'href="{context}/offer"' in gm.get(context)
    assert "You lose all of that at the same moment" in facts(gm.get(f"{context}/offer"))
    assert "a player has to give up the seat first" in facts(gm.get(f"{context}/offer"))
    page = gm.post(f"{context}/offer", 404, name="Hall & Co", why="I <b>move</b>.")
    assert 'value="Hall &amp; Co"' in page
    assert "I &lt;b&gt;move&lt;/b&gt;." in page
    hal.get(offer, 404)
    gm.post(f"{context}/offer", name="Hal", why="I <b>move</b>.")
    assert "Offered to Hal on" in gm.get(context)
    assert f'href="{offer}"' in hal.get("/")
    assert f'href="{offer}"' in hal.get(f"/campaigns/{club.id}")
    assert f'href="{offer}"' not in visitor("Ann").get(f"/campaigns/{club.id}")
    page = hal.get(offer)
    assert "I &lt;b&gt;move&lt;/b&gt;." in page
    assert "and Gus does not any more" in facts(page)
    assert "You see the whole position and all messages" in facts(page)
    assert hal.post(f"{offer}/accept") == context
    page = hal.get(context)
    assert "You are now the game master." in page
    assert re.search(r"New game master:</strong>\s*<bdi>Hal</bdi>", page)
    gm.get(context, 403)
    assert 'id="offers"' not in hal.get("/")
    hal.get(offer, 404)
    hal.post(f"{offer}/accept", 404)


def test_declined_or_taken_back(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    gm, hal = visitor("Gus"), visitor("Hal")
    context, offer = f"/campaigns/{club.id}/gm", f"/campaigns/{club.id}/offer"
    gm.get(context)
    gm.post(f"{context}/offer", name="Hal")
    hal.get(offer)
    assert hal.post(f"{offer}/decline") == "/"
    assert "Offer declined." in hal.get("/")
    gm.post(f"{context}/offer", name="Hal")
    gm.post(f"{context}/offer/take-back")
    assert "Offer withdrawn." in gm.get(context)
    assert 'id="offers"' not in hal.get("/")
    hal.post(f"{offer}/accept", 404)


def test_a_player_is_told_to_leave_first(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    club.gm.put(f"{club.path}/gm/offer", {"name": "Ann"}, status=204)
    ann, offer = visitor("Ann"), f"/campaigns/{club.id}/offer"
    page = ann.get(offer)
    assert "leave your seat first" in page
    assert f'action="{offer}/accept"' not in page
    assert "The game master of this campaign cannot take a seat." in ann.post(f"{offer}/accept", 403)
    ann.post(f"/campaigns/{club.id}/leave")
    assert f'action="{offer}/accept"' in ann.get(offer)


def test_a_player_plays_on_where_the_game_master_plays(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2, options={"gm_plays": True})
    club.gm.put(f"{club.path}/gm/offer", {"name": "Ann"}, status=204)
    ann, offer = visitor("Ann"), f"/campaigns/{club.id}/offer"
    assert "You keep playing." in facts(ann.get(offer))
    ann.post(f"{offer}/accept")
    assert "You play in this campaign, so you see no more than a player" in ann.get(f"/campaigns/{club.id}/gm")


def test_no_page_of_it_is_left_in_english(client: TestClient, visitor: Visits) -> None:
    club = found(client, 2)
    hal = visitor("Hal")
    hal.post("/settings/profile", name="Hal", locale="de", time_zone="UTC")
    club.gm.put(f"{club.path}/gm/offer", {"name": "Hal"}, status=204)
    assert "Angebote zur Spielleitung" in hal.get("/")
    page = hal.get(f"/campaigns/{club.id}/offer")
    assert "statt Gus" in facts(page)
    hal.post(f"/campaigns/{club.id}/offer/accept")
    assert "Neue Spielleitung:" in hal.get(f"/campaigns/{club.id}/gm")
