"""What a webhook is told is numbered without gaps, also where some of it was told before.

Seen to fail where numbers are not taken back of what was told before: the fourth notice has the number 6.
"""

from __future__ import annotations

from sqlalchemy import select

from server.play.context import AppContext
from server.play.notices import webhooks
from server.play.notices.notices import Notices
from server.store.tables import Campaign, Outbox, Webhook
from tests.play.campaigns import Club, club


def notify(ctx: AppContext, made: Club, *keys: str) -> None:
    """Tell the campaign's webhooks of so many occasions in one transaction."""
    with ctx.database.write() as session:
        notices = Notices(session, session.get_one(Campaign, made.id), ctx.now())
        for key in keys:
            notices.channel("announcement", key, text=key)
        notices.send()


def numbers(ctx: AppContext, hook: str) -> dict[str, int]:
    """Return the number of each occasion a webhook is to be told of, by its key."""
    with ctx.database.read() as session:
        rows = session.scalars(select(Outbox).where(Outbox.kind == "webhook"))
        return {
            row.payload["data"]["text"]: row.payload["sequence"] for row in rows if row.payload["webhook_id"] == hook
        }


def test_what_was_told_before_takes_no_number(ctx: AppContext) -> None:
    made = club(ctx, begin=False)
    hooks = [
        webhooks.create(ctx, made.gm, f"https://hooks.example.org/{n}", campaign_id=made.id).info.id for n in range(2)
    ]
    notify(ctx, made, "second")
    notify(ctx, made, "first", "second", "third")
    notify(ctx, made, "first", "fourth")
    for hook in hooks:
        assert numbers(ctx, hook) == {"second": 1, "first": 2, "third": 3, "fourth": 4}
        with ctx.database.read() as session:
            assert session.get_one(Webhook, hook).sequence == 4
