"""A full disk: a clear answer, nothing half written, and all goes on once there is room again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from fastapi.testclient import TestClient
from sqlalchemy import event

from server.play.context import AppContext
from server.play.schedule import ticker
from server.store.database import Database
from tests.api.club import found


@contextmanager
def full(database: Database) -> Iterator[None]:
    """Let SQLite have no more pages than it has, whatever connection asks."""

    def limit(connection: Any, _entry: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(database.engine, "connect", limit)
    database.close()
    yield
    event.remove(database.engine, "connect", limit)
    database.close()


def test_a_full_disk(client: TestClient) -> None:
    ctx = cast(AppContext, client.app.state.server.ctx)  # type: ignore[attr-defined]
    club = found(client)
    ann = club.players[0]
    long = "x" * 9_000
    ann.put(f"{club.path}/orders", {"orders": [], "salt": "before"})
    before = {path: ann.get(f"{club.path}{path}") for path in ("", "/orders", "/messages", "/view")}
    with full(ctx.database):
        answers = [
            ann.ask("POST", f"{club.path}/messages", {"to": ["all"], "body": long}, Idempotency_Key=f"letter-{number}")
            for number in range(20)
        ]
        refused = answers[-1]
        assert (refused.status_code, refused.json()["code"]) == (507, "disk_full")
        assert "Nothing was saved" in refused.json()["detail"]
        sent = [answer for answer in answers if answer.status_code == 201]
        assert {answer.status_code for answer in answers} <= {201, 507}
        assert ann.get(f"{club.path}/orders") == before["/orders"]
        assert client.get("/healthz").status_code == 200
    assert len(ann.get(f"{club.path}/messages")["items"]) == len(sent)
    # the key of what was refused is free: the same request is done now
    again = ann.ask("POST", f"{club.path}/messages", {"to": ["all"], "body": long}, Idempotency_Key="letter-19")
    assert again.status_code == 201
    assert "idempotent-replayed" not in again.headers
    assert ann.get(f"{club.path}/view") == before["/view"]


def test_a_phase_that_cannot_be_written_stays_open(client: TestClient) -> None:
    ctx = cast(AppContext, client.app.state.server.ctx)  # type: ignore[attr-defined]
    club = found(client)
    ann, ben = club.players
    ann.post(f"{club.path}/orders/final", {"number": 1}, status=200)
    with full(ctx.database):
        while ann.ask("POST", f"{club.path}/messages", {"to": ["all"], "body": "x" * 9_000}).status_code == 201:
            pass
        last = ben.ask("POST", f"{club.path}/orders/final", {"number": 1})
        assert (last.status_code, last.json()["code"]) == (507, "disk_full")
        assert club.open()["phase_number"] == 1
    ticker.tick(ctx)  # where only the resolution found no room, it is made up for now
    if club.open()["phase_number"] == 1:
        ben.post(f"{club.path}/orders/final", {"number": 1}, status=200)
    assert club.open()["phase_number"] == 2
    phases = club.gm.get(f"{club.path}/phases")["items"]
    assert [(phase["number"], phase["resolved_at"] is not None) for phase in phases] == [
        (0, True),
        (1, True),
        (2, False),
    ]
