"""Orders for somebody who phones them in, on the game master's page of a seat.

Seen to fail: without ``may.require_neutral_gm`` in ``phoned_in._may``; without the look at where the orders came from;
with ``may_enter`` always true, for the form that a game master who plays is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from server.bots import commander
from server.play.accounts.tokens import authenticate
from server.play.context import AppContext
from server.play.dice import receipts
from server.play.views.positions import own_view
from server.rules.text import write_orders
from server.store.tables import Outbox
from tests.api.club import Club, found, play_of
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

FORM = 'id="orders"'


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 2, then=Club.pass_phase)


@pytest.fixture
def gm(club: Club, visitor: Visits) -> Visitor:
    came = visitor("Gus")
    came.get(f"/campaigns/{club.id}/gm")
    return came


def seat(club: Club, player_id: str = "p1") -> str:
    return f"/campaigns/{club.id}/gm/seats/{player_id}"


def chosen(ctx: AppContext, club: Club) -> tuple[list[dict[str, object]], str]:
    """Return orders of the first player, and the same as a game master writes them down."""
    view = own_view(ctx, authenticate(ctx, club.players[0].secret), club.id, None)
    orders = [dict(each) for each in commander.choose(view)]
    assert orders
    return orders, write_orders(orders, view)


def sent_receipts(ctx: AppContext) -> list[tuple[str | None, Mapping[str, object]]]:
    """Return to whom receipts were mailed, and what they say."""
    public = receipts.public_key(receipts.keys(ctx)[0]["x"])
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == "mail").order_by(Outbox.id)).all()
        told = [(row.user_id, (row.payload.get("data") or {}).get("receipt")) for row in rows]
        return [(user, receipts.read(each, public)) for user, each in told if each]


def test_they_count_are_logged_and_the_player_gets_the_receipt(
    ctx: AppContext, club: Club, gm: Visitor, visitor: Visits
) -> None:
    ann = club.players[0]
    orders, written = chosen(ctx, club)
    assert FORM in gm.get(seat(club))
    gm.post(f"{seat(club)}/orders", number="2", orders=written, final="1", why="Ann is at sea.")
    own = ann.get(f"{club.path}/orders")
    assert (own["source"], own["final"], own["revision"], own["orders"]) == ("gm", True, 1, orders)
    for page in (gm.get(f"/campaigns/{club.id}/gm"), visitor("Ben").get(f"/campaigns/{club.id}")):
        assert "Ann is at sea." in page
    ((user, receipt),) = sent_receipts(ctx)
    assert user == authenticate(ctx, ann.secret).user_id
    assert (receipt["seat"], receipt["revision"], receipt["orders"]) == ("p1", 1, receipts.digest(orders))


def test_what_is_not_understood_is_said_and_nothing_is_lost(club: Club, gm: Visitor) -> None:
    page = gm.post(f"{seat(club)}/orders", 422, number="2", orders="Dance <b>wildly</b>", why="A call.")
    assert "Dance &lt;b&gt;wildly&lt;/b&gt;</textarea>" in page
    assert 'value="A call."' in page
    assert page.count("Line 1:") == 1, "seen to fail: it was said twice"
    assert "<b>wildly" not in page
    assert club.players[0].get(f"{club.path}/orders")["revision"] == 0


def test_never_over_what_the_player_handed_in(club: Club, gm: Visitor) -> None:
    ann = club.players[0]
    ann.put(f"{club.path}/orders", {"number": 2, "orders": []})
    page = gm.post(f"{seat(club)}/orders", 409, number="2", orders="", final="1")
    assert "The player has sent their own orders" in page
    kept = ann.get(f"{club.path}/orders")
    assert (kept["final"], kept["revision"]) == (False, 1)


def test_not_for_a_phase_that_is_over(club: Club, gm: Visitor) -> None:
    gm.post(f"{seat(club)}/orders", 409, number="1", orders="", final="1")
    assert club.players[0].get(f"{club.path}/orders")["revision"] == 0


def test_not_by_a_player(club: Club, visitor: Visits) -> None:
    ben = visitor("Ben")
    ben.get(f"/campaigns/{club.id}")
    ben.post(f"{seat(club)}/orders", 403, number="2", orders="", final="1")
    assert club.players[0].get(f"{club.path}/orders")["revision"] == 0


def test_not_by_a_game_master_who_plays(client: TestClient, visitor: Visits) -> None:
    """The page does not offer it, and refuses it."""
    club = found(client, 2, start=False, options={"gm_plays": True})
    ben = club.players[1]
    ben.ask("DELETE", f"{club.path}/seats/mine", status=204)
    club.gm.post(f"{club.path}/seats", {"faction": "eldar"})
    club.start()
    gm = visitor("Gus")
    assert FORM not in gm.get(seat(club))
    gm.post(f"{seat(club)}/orders", 403, number="1", orders="", final="1")


def test_the_guide_to_orders_is_a_click_away(club: Club, gm: Visitor, visitor: Visits) -> None:
    """Seen to fail where the form named a guide without a link; strangers may read it, too, each in their language."""
    assert 'href="/guides/orders"' in gm.get(seat(club))
    assert "<code>Column 1: recover</code>" in gm.get("/guides/orders")
    assert "Wie Zeilen gelesen werden" in visitor(language="de").get("/guides/orders")
