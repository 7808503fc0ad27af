"""A campaign played with the library, blocking and asynchronous, on a real server."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from sealed_orders import AsyncClient, OrdersRefused, PhaseOver, StaleRevision
from tests.client.club import Club


def test_a_campaign_to_its_end(club: Club) -> None:
    """One player blocks, the other is asynchronous; each phase comes once to each of them."""
    ann, ben = club.players
    played: list[tuple[int, str]] = []

    def blocking() -> None:
        campaign = club.of(ann)
        for turn in campaign.turns():
            orders = turn.orders
            assert turn.campaign.send([], number=orders.number, final=True, if_match=orders).orders.final
            played.append((orders.turn, orders.phase))

    async def asynchronous() -> list[tuple[int, str]]:
        found = []
        async with AsyncClient(club.url, ben.token) as client:
            campaign = client.campaign(club.id)
            async for turn in campaign.turns():
                await turn.campaign.send([], number=turn.orders.number, final=True)
                found.append((turn.orders.turn, turn.orders.phase))
        return found

    thread = threading.Thread(target=blocking)
    thread.start()
    also = asyncio.run(asynchronous())
    thread.join(30)
    assert played == also == [(0, "setup"), (1, "build"), (2, "build")]
    assert club.of(ann).info().status == "finished"
    assert club.of(ann).export()


def test_orders_of_all_kinds_of_writes(club: Club) -> None:
    campaign = club.of(club.players[0])
    capital = next(each for each in campaign.legal_orders() if each.order.get("what") == "capital")
    order = capital.pick()
    assert (order["type"], capital.subject) == ("place", "capital")
    assert campaign.check([order]) == ()
    assert campaign.preview(order).problems == ()
    draft = campaign.draft([order])
    assert (len(draft.says), draft.problems) == (1, ())
    assert "capital" not in draft.left
    assert all(option.order != capital.order for option in draft.options)
    before = campaign.orders()
    handed_in = campaign.send([order], number=before.number, if_match=before).orders
    assert (handed_in.revision, handed_in.final, handed_in.orders) == (1, False, (order,))
    assert (handed_in.salt, bool(handed_in.receipt)) == ("", True)
    salts = campaign.salts()
    assert salts.now is not None
    assert salts.next is not None
    for salt in (salts.now, salts.next):  # the server keeps them: committed before the orders, not told with them
        assert (salt.kept_by, salt.given, len(salt.commitment)) == ("server", True, 64)
    assert campaign.change([{"op": "remove", "at": 0}], if_match=handed_in).orders.orders == ()
    assert campaign.declare_final().final
    assert not campaign.take_back().final
    with pytest.raises(StaleRevision) as stale:
        campaign.send([], if_match=before)
    assert stale.value.code == "stale_revision"
    with pytest.raises(PhaseOver) as over:
        campaign.send([], number=99)
    assert (over.value.code, over.value.field) == ("wrong_phase", "number")


def test_every_problem_of_orders_is_told(club: Club) -> None:
    campaign = club.of(club.players[0])
    wrong: list[Any] = [{"type": "fly"}, {"type": "place", "what": "capital", "at": "9999"}]
    with pytest.raises(OrdersRefused) as refused:
        campaign.send(wrong)
    told = [(problem.order, problem.code, problem.value) for problem in refused.value.problems]
    assert told == [(0, "unknown_type", "fly"), (1, "bad_hex", "9999")]
    kept = campaign.send(wrong, lenient=True)
    assert len(kept.problems) == 2
    assert kept.orders.orders == ()


def test_rows_for_tables(club: Club) -> None:
    """Standings have the turn and the player's name; events their fields. Rows hold what JSON holds, one level deep."""
    campaign = club.of(club.players[0])
    club.pass_phase()
    rows = campaign.standing_rows()
    assert {row["player"] for row in rows} == {seat.name for seat in campaign.info().seats}
    assert {(row["turn"], row["phase"]) for row in rows} >= {(0, "setup")}
    assert all(type(row["vp"]) is int for row in rows)
    events = campaign.event_rows()
    placed = [row for row in events if row["type"] == "placed"]
    assert placed
    assert all(row["player"] and row["hex"] and row["turn"] == 0 for row in placed)
    assert campaign.event_rows(after=1) == [row for row in events if row["number"] > 1]
    assert json.loads(json.dumps(rows + events)) == rows + events
