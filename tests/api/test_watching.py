"""What an operator sees from outside: figures of what waits, and whose requests the log's lines tell of."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlalchemy.engine import URL

from server.app import create_app
from server.http.logs import configure
from server.play.schedule.downtime import Heartbeat
from server.store import outbox
from server.store.tables import Outbox
from tests.api.club import play_of
from tests.api.conftest import settings_for
from tests.play.campaigns import club
from tests.play.conftest import Clock
from tests.web.visitor import Visitor


def test_figures_of_what_waits(url: URL) -> None:
    """Seen to fail: a ticker that had died, or a mail server that refused everything, was in no figure."""
    clock = Clock()
    with TestClient(create_app(settings_for(url), clock=clock)) as client:
        ctx = play_of(client)
        club(ctx, options={"deadlines": {"kind": "rolling", "hours": 48}})
        Heartbeat(ctx).beat()
        born = clock().timestamp()
        with ctx.database.write() as session:
            session.execute(update(Outbox).values(sent_at=clock()))
            for number in range(3):
                outbox.put(session, "mail", f"m{number}", {}, clock())
            outbox.put(session, "webhook", "w", {}, clock())
            outbox.put(session, "mail", "later", {}, clock(), due_at=clock() + timedelta(days=9))
            session.execute(update(Outbox).where(Outbox.dedupe == "m0").values(failed_at=clock()))
        assert figure(client, "sealed_orders_phases_overdue") == 0
        assert figure(client, 'sealed_orders_deliveries_waiting{kind="mail"}') == 2
        assert figure(client, 'sealed_orders_deliveries_waiting{kind="webhook"}') == 1
        assert figure(client, 'sealed_orders_deliveries_failed{kind="mail"}') == 1
        assert figure(client, "sealed_orders_last_beat_timestamp_seconds") == born
        clock.forward(hours=49)
        assert figure(client, "sealed_orders_phases_overdue") == 1
        assert figure(client, 'sealed_orders_deliveries_failed{kind="mail"}') == 0


def test_a_database_that_is_away_takes_the_other_figures_with_it_in_nothing(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.store.errors import Unreachable

    with TestClient(create_app(settings_for(url))) as client:

        def away() -> None:
            raise Unreachable("gone")

        monkeypatch.setattr(type(play_of(client).database), "read", lambda _self: away())
        told = client.get("/metrics")
    assert told.status_code == 200
    assert "sealed_orders_open_streams" in told.text
    assert "phases_overdue" not in told.text


def test_request_lines_carry_campaign_and_account(url: URL, capsys: pytest.CaptureFixture[str]) -> None:
    """Seen to fail: lines of pages carried neither."""
    with TestClient(create_app(settings_for(url))) as client:
        ctx = play_of(client)
        made = club(ctx)
        ada = Visitor(client, "Ada")
        configure("info", "json")
        capsys.readouterr()
        ada.get(f"/campaigns/{made.id}")
        ada.get("/settings")
        Visitor(client).get("/sign-in")
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line.get("campaign_id"), line.get("user_id")) for line in lines if line["event"] == "request"]
    user = made.players["p1"].user_id
    assert told == [(made.id, user), (None, user), (None, None)]


def figure(client: TestClient, name: str) -> float:
    (line,) = [each for each in client.get("/metrics").text.splitlines() if each.startswith(f"{name} ")]
    return float(line.split()[-1])
