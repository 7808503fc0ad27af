"""Event streams end with the right to follow them: a token revoked, a seat lost, a campaign handed over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from tests.e2e.clients import Client, Table, set_up
from tests.e2e.processes import ServerProcess, serving
from tests.store import databases


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    with databases.migrated("sqlite", "streams") as url, serving(url) as process:
        yield process


def test_a_stream_tells_nothing_to_who_may_not_know_it_any_more(server: ServerProcess) -> None:
    table = set_up(server.base_url, 2)
    _a_revoked_token(table)
    _a_player_who_was_replaced(table)
    _a_game_master_who_handed_over(table)


def _a_revoked_token(table: Table) -> None:
    ann, ben = table.players
    made = ben.do("POST", "/me/tokens", {"name": "lost", "scopes": ["read"]})
    thief = Client(ben.base_url, made["secret"])
    with thief.follow(f"{table.path}/stream") as seat, thief.follow("/me/stream") as account:
        assert (next(seat)["event"], next(account)["event"]) == ("state", "state")
        ann.do("POST", f"{table.path}/messages", {"to": ["p2"], "body": "Now?"})
        assert (next(seat)["event"], next(account)["event"]) == ("message", "message")
        ben.do("DELETE", f"/me/tokens/{made['info']['id']}")
        ann.do("POST", f"{table.path}/messages", {"to": ["p2"], "body": "Attack at dawn."})
        assert list(seat) == []
        assert list(account) == []


def _a_player_who_was_replaced(table: Table) -> None:
    ann, ben = table.players
    with ben.follow(f"{table.path}/stream") as stream:
        assert next(stream)["event"] == "state"
        table.gm.do("PUT", f"{table.path}/gm/seats/p2", {"name": None, "why": "Gone."})
        ann.do("POST", f"{table.path}/messages", {"to": ["p2"], "body": "To your successor."})
        assert list(stream) == []
    with ben.follow(f"{table.path}/stream") as stream:  # as a spectator he may come again
        assert next(stream)["id"].count(".") == 0
        ann.do("POST", f"{table.path}/messages", {"to": ["p2"], "body": "And again."})
        table.gm.do("POST", f"{table.path}/pause", {"why": "Tea."})
        assert next(stream)["event"] == "paused"


def _a_game_master_who_handed_over(table: Table) -> None:
    ann, ben = table.players  # Ben has no seat any more
    old = ann.do("GET", table.path)["gm"]
    table.gm.do("PUT", f"{table.path}/gm/offer", {"name": "Ben", "why": "Moved away."})
    with table.gm.follow(f"{table.path}/stream") as before, ben.follow(f"{table.path}/stream") as after:
        first = next(before)
        assert (first["event"], first["id"].count(".")) == ("state", 2)
        assert next(after)["id"].count(".") == 0
        ben.do("POST", f"{table.path}/offer/accept")
        ann.do("POST", f"{table.path}/messages", {"to": ["gm"], "body": "To whoever runs this now."})
        assert list(before) == []
        assert list(after) == []  # he may know more by now, and comes again
    with ben.follow(f"{table.path}/stream") as after:
        assert next(after)["id"].count(".") == 2
        ann.do("POST", f"{table.path}/messages", {"to": ["gm"], "body": "To Ben."})
        assert next(after)["event"] == "message"
    with table.gm.follow(f"{table.path}/stream", Last_Event_ID=first["id"]) as before:
        again = next(before)
        assert (again["event"], again["id"].count("."), again["data"]["gm"]) == ("state", 0, "Ben")
        ann.do("POST", f"{table.path}/messages", {"to": ["gm"], "body": "To Ben alone."})
        ben.do("POST", f"{table.path}/resume", {})
        assert next(before)["event"] == "resumed"
    assert old == table.gm.name
    assert table.gm.ask("POST", f"{table.path}/pause", {}).status_code == 403


def test_who_missed_what_is_not_kept_any_more_gets_the_state() -> None:
    with databases.migrated("sqlite", "pruned") as url, serving(url) as server:
        table = set_up(server.base_url, 2)
        ann = table.players[0]
        with ann.follow(f"{table.path}/stream") as stream:
            last = next(stream)["id"]
        table.gm.do("POST", f"{table.path}/pause", {"why": "Tea."})
        with ann.follow(f"{table.path}/stream", Last_Event_ID=last) as stream:
            assert next(stream)["event"] == "paused"
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM live_events"))
        engine.dispose()
        with ann.follow(f"{table.path}/stream", Last_Event_ID=last) as stream:
            assert next(stream)["data"]["status"] == "paused"
