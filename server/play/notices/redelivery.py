"""Deliveries of a webhook for its owner: which were posted or failed, posting one again, and a new key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select

from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.notices.webhooks import NewWebhook, info_of, new_secret, own
from server.store.tables import Outbox

SHOWN = 100


@dataclass(frozen=True, slots=True)
class DeliveryInfo:
    """A notice that was to be posted to a webhook."""

    id: int
    kind: str
    """Kind of the notice."""
    sequence: int
    """Its number among the notices of this webhook."""
    created_at: datetime
    attempts: int
    sent_at: datetime | None
    """When the receiver took it; null: not yet."""
    failed_at: datetime | None
    """When the server gave up; null: it did not."""
    last_error: str
    """Why the last attempt failed; empty: it did not."""


def deliveries(ctx: AppContext, actor: Actor, webhook_id: str) -> list[DeliveryInfo]:
    """Return the notices of a webhook that the server still has, the latest first."""
    with ctx.database.read() as session:
        own(session, actor, webhook_id)
        rows = session.scalars(select(Outbox).where(_to(webhook_id)).order_by(Outbox.id.desc()).limit(SHOWN))
        return [
            DeliveryInfo(
                row.id, str(row.payload["kind"]), int(row.payload.get("sequence", 0)), row.created_at, row.attempts,
                row.sent_at, row.failed_at, row.last_error,
            )
            for row in rows
        ]  # fmt: skip


def redeliver(ctx: AppContext, actor: Actor, webhook_id: str, delivery_id: int) -> None:
    """Post a notice again at once, also one that was given up or taken. Its ``webhook-id`` stays the same.

    Errors: ``conflict`` while the webhook is switched off.
    """
    with ctx.database.write() as session:
        hook = own(session, actor, webhook_id)
        if hook.disabled_at is not None:
            raise PlayError(
                "conflict", "The webhook is switched off. Switch it on first.", field="enabled", value=False
            )
        row = session.scalar(select(Outbox).where(_to(webhook_id), Outbox.id == delivery_id))
        if row is None:
            raise not_found("delivery", delivery_id)
        row.sent_at = row.failed_at = row.leased_until = None
        row.due_at, row.attempts = ctx.now(), 0


def change_key(ctx: AppContext, actor: Actor, webhook_id: str) -> NewWebhook:
    """Give a webhook a new key and return it, this once: from now on all posts are signed with it.

    Errors: ``conflict`` for Discord's format, which has none.
    """
    with ctx.database.write() as session:
        hook = own(session, actor, webhook_id)
        if hook.format != "standard":
            raise PlayError("conflict", "Webhooks of this format have no key.", field="format", value=hook.format)
        hook.secret = new_secret()
        hook.revision += 1
        session.flush()
        return NewWebhook(info_of(hook), hook.secret)


def _to(webhook_id: str) -> ColumnElement[bool]:
    return and_(Outbox.kind == "webhook", Outbox.payload["webhook_id"].as_string() == webhook_id)
