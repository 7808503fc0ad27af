"""The players' vote on the end of a campaign: on the pages and over the API, with who may read and answer it."""

from __future__ import annotations

from tests.web.conftest import Visits
from tests.web.test_takeover import two_play


def test_a_draw_on_the_pages(visitor: Visits) -> None:
    gm, ann, ben = (visitor(name) for name in ("Gwen", "Ann", "Ben"))
    path = two_play(gm, ann, ben)
    assert "End by agreement" in ann.get(path)
    assert 'id="votes"' not in gm.get(path)
    ann.post(f"{path}/votes", about="draw", why="We move on.")
    page = ben.get(path)
    assert "Ann proposes a draw: all players still in share the victory." in page
    assert "Waiting for: Ben." in page
    assert "Ann proposes a draw" in gm.get(path)
    ben.post(f"{path}/votes/1/answer", agrees="1")
    page = gm.get(path)
    assert "The players agreed on a draw." in page
    assert "The campaign ended by agreement" in page


def test_a_refusal_on_the_pages(visitor: Visits) -> None:
    gm, ann, ben = (visitor(name) for name in ("Gwen", "Ann", "Ben"))
    path = two_play(gm, ann, ben)
    assert "Choose a player who is still in" in ann.post(f"{path}/votes", 422, about="concede")
    ann.post(f"{path}/votes", about="draw")
    ann.post(f"{path}/votes/1/withdraw")
    assert "(withdrawn)" in ben.get(path)
    ben.post(f"{path}/votes", about="peace")
    ann.post(f"{path}/votes/2/answer", agrees="0")
    assert "(refused)" in ben.get(path)
