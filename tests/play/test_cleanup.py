"""What is too old is thrown away, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from server.play.accounts import tokens
from server.play.campaigns import campaigns, dashboard
from server.play.context import AppContext
from server.play.messages import messages
from server.play.schedule import cleanup, ticker
from server.store.tables import IdempotencyKey, LiveEvent, Message, Outbox, Phase, Stream, Token
from tests.play.campaigns import club
from tests.play.conftest import Clock

KEPT = (LiveEvent, Outbox, Token, IdempotencyKey)


def counted(ctx: AppContext) -> dict[str, int]:
    with ctx.database.read() as session:
        return {
            each.__tablename__: session.scalar(select(func.count()).select_from(each)) or 0
            for each in (*KEPT, Message, Phase, Stream)
        }


def filled(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    messages.announce(ctx, made.gm, made.id, "Tonight.")
    tokens.create(ctx, made.gm, "for ever", ["read"])
    tokens.create(ctx, made.gm, "a day", ["read"], days=1)
    gone = tokens.create(ctx, made.gm, "revoked", ["read"])
    tokens.revoke(ctx, made.gm, gone.info.id)
    with ctx.database.write() as session:
        for number, hours in enumerate((-1, 1)):
            session.add(
                IdempotencyKey(
                    owner="x",
                    key=f"k{number}",
                    request_hash="",
                    status=200,
                    headers={},
                    body=b"",
                    created_at=clock.at,
                    expires_at=clock.at + timedelta(hours=hours),
                )
            )
        done, *_ = session.scalars(select(Outbox))
        done.sent_at = clock.at


@pytest.mark.parametrize("batch", [1, 1000])
def test_what_is_too_old_goes(ctx: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(cleanup, "A_BATCH", batch)
    filled(ctx, clock)
    before = counted(ctx)
    assert cleanup.tidy(ctx) == 1  # the answer whose time is over
    clock.forward(days=15)
    assert cleanup.tidy(ctx) == before["live_events"] + 1
    clock.forward(days=30)
    assert cleanup.tidy(ctx) == 2  # the tokens that are worthless
    clock.forward(days=50)
    assert cleanup.tidy(ctx) == 1  # what was sent; what was not still waits
    left = before | {"live_events": 0, "idempotency_keys": 0, "tokens": 1, "outbox": before["outbox"] - 1}
    assert counted(ctx) == left
    assert cleanup.tidy(ctx) == 0


def test_a_campaign_that_is_gone_leaves_no_events(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx)
    campaigns.remove(ctx, made.gm, made.id)
    clock.forward(days=15)
    assert ticker.work(ctx, "removal") == 1
    assert dashboard.find(ctx, made.gm).items == ()
    with ctx.database.read() as session:
        topics = set(session.scalars(select(LiveEvent.topic)))
    assert topics
    assert all(topic.startswith("user/") for topic in topics)
