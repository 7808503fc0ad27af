"""``client.tables`` and ``client.table``: two guests play, a third watches; the bot of the solo opponent."""

from __future__ import annotations

import pytest

from sealed_orders import Client, StaleRevision
from sealed_orders.client import Table, new_salt
from sealed_orders.solo import turn
from tests.e2e.processes import ServerProcess


def seated(server: ServerProcess, mission: str, take: str = "both") -> tuple[Client, Table]:
    """Return a guest and the game they have started."""
    with Client(server.base_url) as nobody:
        client = Client(server.base_url, nobody.tables.guest("Ann").token)
    info = client.tables.create(mission, take=take)
    table = client.table(info.id)
    salts = {side: new_salt() for side in info.sides}
    for seat in info.seats:
        table.choose_army(seat["side"], {"sample": True})
    for side, salt in salts.items():
        table.commit(side, salt)
    for side, salt in salts.items():
        table.reveal(side, salt)
    assert table.start().status == "playing"
    return client, table


def test_a_game_is_played_and_watched(server: ServerProcess) -> None:
    client, table = seated(server, "scorched_earth")
    red = client.table(table.id, side="red")
    units = [unit["id"] for unit in red.view().view["units"]]
    events = red.follow()
    assert next(events).kind == "state"
    done = red.act(0, "declare", units=units)
    told = next(events)
    assert (told.kind, told.data["data"]["acts"] if "data" in told.data else told.data["acts"]) == ("act", 1)
    events.close()
    assert done.position.acts == 1
    with pytest.raises(StaleRevision):
        red.act(0, "declare", units=units)
    with Client(server.base_url) as nobody:
        watching = nobody.table(table.id, watch=str(client.tables.mine()[0].watch_code))
        assert watching.view().viewer == "spectator"
        assert [entry.number for entry in watching.log()] == [-1, 0]
        assert watching.picture().startswith("<svg")
    client.close()


def test_the_bot_plays_the_solo_opponents_turn(server: ServerProcess) -> None:
    client, table = seated(server, "posture", take="red")
    for do in ("roll_terrain", "roll_scenario"):
        table.act(table.view().acts, do)
    drawn = list(turn(table, lambda _unit: {"in_range": True, "visible": True}))
    assert [each.unit for each in drawn] == ["b1", "b2", "b3"]
    assert all(each.action and each.name for each in drawn)
    assert table.view().acts == 2 + 3
    client.close()
