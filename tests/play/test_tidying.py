"""What is too old is thrown away, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from server.play import campaigns, finding, messages, tidying, tokens
from server.play.context import Play
from server.store.tables import IdempotencyKey, LiveEvent, Message, Outbox, Phase, Stream, Token
from tests.play.campaigns import club
from tests.play.conftest import Clock

KEPT = (LiveEvent, Outbox, Token, IdempotencyKey)


def counted(play: Play) -> dict[str, int]:
    with play.database.read() as session:
        return {
            each.__tablename__: session.scalar(select(func.count()).select_from(each)) or 0
            for each in (*KEPT, Message, Phase, Stream)
        }


def filled(play: Play, clock: Clock) -> None:
    made = club(play)
    messages.announce(play, made.gm, made.id, "Tonight.")
    tokens.create(play, made.gm, "for ever", ["read"])
    tokens.create(play, made.gm, "a day", ["read"], days=1)
    gone = tokens.create(play, made.gm, "revoked", ["read"])
    tokens.revoke(play, made.gm, gone.info.id)
    with play.database.write() as session:
        for number, hours in enumerate((-1, 1)):
            session.add(
                IdempotencyKey(
                    owner="x", key=f"k{number}", request_hash="", status=200, headers={}, body=b"",
                    created_at=clock.at, expires_at=clock.at + timedelta(hours=hours),
                )
            )  # fmt: skip
        done, *_ = session.scalars(select(Outbox))
        done.sent_at = clock.at


@pytest.mark.parametrize("batch", [1, 1000])
def test_what_is_too_old_goes(play: Play, clock: Clock, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(tidying, "A_BATCH", batch)
    filled(play, clock)
    before = counted(play)
    assert tidying.tidy(play) == 1  # the answer whose time is over
    clock.forward(days=15)
    assert tidying.tidy(play) == before["live_events"] + 1
    clock.forward(days=30)
    assert tidying.tidy(play) == 2  # the tokens that are worthless
    clock.forward(days=50)
    assert tidying.tidy(play) == 1  # what was sent; what was not still waits
    left = before | {"live_events": 0, "idempotency_keys": 0, "tokens": 1, "outbox": before["outbox"] - 1}
    assert counted(play) == left
    assert tidying.tidy(play) == 0


def test_a_campaign_that_is_gone_leaves_no_events(play: Play, clock: Clock) -> None:
    made = club(play)
    campaigns.remove(play, made.gm, made.id)
    clock.forward(days=15)
    assert campaigns.remove_for_good(play) == 1
    assert finding.find(play, made.gm).items == ()
    with play.database.read() as session:
        topics = set(session.scalars(select(LiveEvent.topic)))
    assert topics
    assert all(each.startswith("user/") for each in topics)
