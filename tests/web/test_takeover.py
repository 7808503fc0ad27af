"""Taking over a seat on the pages and over the API: found on the list, by a link, in both languages."""

from __future__ import annotations

import re
from typing import Any

from tests.web.conftest import Visits
from tests.web.test_campaigns import NEW
from tests.web.visitor import Visitor


def two_play(gm: Visitor, ann: Visitor, ben: Visitor, **more: Any) -> str:
    path = gm.post("/campaigns/new", **(NEW | {"options__take_over": "1"} | more))
    link = _link(gm, path)
    for visitor, faction in ((ann, "orks"), (ben, "eldar")):
        visitor.post(link, faction=faction)
    gm.post(f"{path}/gm/start")
    return path


def _link(gm: Visitor, path: str) -> str:
    found = re.search(r'value="http://[^"]+(/join/[^"]+)" readonly', gm.post(f"{path}/gm/code", 200))
    assert found
    return found[1]


def test_a_seat_that_was_left_is_on_the_list_and_taken(visitor: Visits) -> None:
    gm, ann, ben, cat = (visitor(name) for name in ("Gwen", "Ann", "Ben", "Cat"))
    path = two_play(gm, ann, ben)
    assert "The Long March" not in cat.get("/campaigns")
    ben.post(f"{path}/leave")
    assert "free seats: 1" in cat.get("/campaigns")
    page = cat.get(path)
    assert "Take over a seat" in page
    assert "2. Ben" in page
    cat.post(f"{path}/join", seat="p2")
    page = cat.get(path)
    assert "A new player took over a seat" in page
    assert 'id="join"' not in visitor("Dan").get(path)


def test_a_friend_comes_by_a_link(visitor: Visits) -> None:
    gm, ann, ben = (visitor(name) for name in ("Gwen", "Ann", "Ben"))
    path = two_play(gm, ann, ben, listed="")
    ben.post(f"{path}/leave")
    assert "1 free seat" in gm.get(path)
    link = _link(gm, path)
    assert "Einen Platz übernehmen" in visitor(language="de").get(link)
    cat = visitor("Cat")
    assert "Take over a seat" in cat.get(link)
    assert cat.post(link, seat="p2") == path
    assert "In diesem Feldzug ist kein Platz frei." in visitor(language="de").get(link)


def test_the_game_master_may_drop_orders(visitor: Visits) -> None:
    gm, ann, ben = (visitor(name) for name in ("Gwen", "Ann", "Ben"))
    path = two_play(gm, ann, ben)
    visitor("Cat")
    assert "Drop the orders saved for this seat" in gm.get(f"{path}/gm/seats/p2")
    gm.post(f"{path}/gm/seats/p2", name="Cat", drop_orders="1", why="Ben has left the club.")
    assert "Ben has left the club." in ann.get(path)
