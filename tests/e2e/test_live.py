"""Event streams of a real server: what comes first, what follows, what is never sent, how they end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.e2e.clients import Table, set_up
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases


@pytest.fixture
def server(kind: str) -> Iterator[ServerProcess]:
    with databases.migrated(kind, "live") as url, serving(url, streams_per_account=3) as process:
        yield process


def test_a_campaign_as_it_happens(server: ServerProcess) -> None:
    table = set_up(server.base_url, 2)
    _state_first_then_events(table)
    _what_was_missed(table)
    _the_account(table)
    _not_too_many(table)
    _strange_ids(table)
    _the_server_stops(server, table)


def _state_first_then_events(table: Table) -> None:
    ann, ben = table.players
    with ann.follow(f"{table.path}/stream") as mine, ben.follow(f"{table.path}/stream") as theirs:
        first = next(mine)
        assert (first["event"], first["data"]["phase"]) == ("state", "setup")
        assert next(theirs)["event"] == "state"
        ann.do("PUT", f"{table.path}/orders", {"orders": []})
        ann.do("POST", f"{table.path}/orders/final", {})
        assert [next(mine)["event"] for _ in range(3)] == ["orders_changed", "orders_changed", "finality"]
        # of another's orders only that they are final is told, and nothing counts what is not told
        told = next(theirs)
        assert (told["event"], told["data"]["data"]) == ("finality", {"number": 1, "player": "p1", "final": True})
        before, after = (each.split(".") for each in (first["id"], told["id"]))
        assert sum(map(int, after)) == sum(map(int, before)) + 1


def _what_was_missed(table: Table) -> None:
    ann, ben = table.players
    with ann.follow(f"{table.path}/stream") as stream:
        last = next(stream)["id"]
    ben.do("POST", f"{table.path}/orders/final", {})
    with ann.follow(f"{table.path}/stream", Last_Event_ID=last) as stream:
        kinds = [next(stream)["event"] for _ in range(2)]
    assert kinds == ["finality", "phase_opened"]


def _the_account(table: Table) -> None:
    ann = table.players[0]
    with ann.follow("/me/stream") as stream:
        first = next(stream)
        assert [campaign["id"] for campaign in first["data"]["campaigns"]] == [table.id]
        table.gm.do("POST", f"{table.path}/pause", {"why": "Tea."})
        assert next(stream)["event"] == "paused"
    table.gm.do("POST", f"{table.path}/resume", {"why": ""})


def _not_too_many(table: Table) -> None:
    ann = table.players[0]
    with ann.follow("/me/stream") as a, ann.follow("/me/stream") as b, ann.follow("/me/stream") as c:
        assert {next(each)["event"] for each in (a, b, c)} == {"state"}
        refused = ann.ask("GET", "/me/stream")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
    end = time.monotonic() + 20
    while ann.ask("GET", "/me/stream", Last_Event_ID="x").status_code == 429 and time.monotonic() < end:
        time.sleep(0.05)


def _strange_ids(table: Table) -> None:
    ann = table.players[0]
    assert ann.ask("GET", "/me/stream", Last_Event_ID="x").json()["code"] == "malformed_header"
    for strange in ("999999", "1.1.1"):
        with ann.follow("/me/stream", Last_Event_ID=strange) as stream:
            assert next(stream)["event"] == "state"


def _the_server_stops(server: ServerProcess, table: Table) -> None:
    ended = threading.Event()
    opened = threading.Event()

    def follow() -> None:
        with table.players[0].follow(f"{table.path}/stream") as stream:
            next(stream)
            opened.set()
            try:
                for _ in stream:
                    pass
            except httpx2.TransportError:
                return
            ended.set()

    thread = threading.Thread(target=follow)
    thread.start()
    assert opened.wait(20)
    begun = time.monotonic()
    server.stop()
    thread.join(20)
    assert ended.is_set()
    assert time.monotonic() - begun < 10
    # the last connection that is closed takes SQLite's log with it
    assert [end for end in ("-wal", "-shm") if Path(f"{server.url.database}{end}").exists()] == []
