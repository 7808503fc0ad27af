"""Players who are out watch everything over the API."""

from __future__ import annotations

from fastapi.testclient import TestClient
from sqlalchemy import update

from server.store.tables import PlayerRow
from tests.api.club import found, play_of


def test_a_player_who_is_out_watches_everything(client: TestClient) -> None:
    """Seen to fail without the operation: only pages could choose it."""
    club = found(client, 2, start=True)
    ann, path = club.players[0], f"{club.path}/seats/mine/watching"
    assert ann.ask("PUT", path).json()["code"] == "forbidden", "they are in"
    with play_of(client).database.write() as session:
        mine = (PlayerRow.campaign_id == club.campaign["id"], PlayerRow.id == "p1")
        session.execute(update(PlayerRow).where(*mine).values(eliminated=True))
    assert ann.ask("GET", f"{club.path}/view?as=gm").status_code == 404
    ann.put(path, None, status=204)
    assert ann.get(f"{club.path}/view?as=gm")["viewer"] == "gm"
    assert ann.get(club.path)["you_watch"]
