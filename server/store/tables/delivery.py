"""Outgoing and incoming messages, and the numbered streams that clients follow."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, GROWING, Base, StringList, new_id, one_of

WEBHOOK_FORMATS = ("standard", "discord")


class RateRow(Base):
    """How much of a rate someone has used, in all processes together (PostgreSQL)."""

    __tablename__ = "rates"
    __table_args__ = (CLUSTERED,)

    key: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of the rate and whose it is, hexadecimal: an account, an address, a name."""
    full_at: Mapped[datetime]
    """When they may make all requests of a burst again."""


class Outbox(Base):
    """An outgoing message, written in the transaction of its news; sent afterwards, once."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index(
            "ix_outbox_waiting",
            "due_at",
            sqlite_where=text("sent_at IS NULL AND failed_at IS NULL"),
            postgresql_where=text("sent_at IS NULL AND failed_at IS NULL"),
        ),
        GROWING,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    """``mail``, ``webhook``, ..."""
    dedupe: Mapped[str] = mapped_column(unique=True)
    """Its subject and its reader; the same message cannot be put here twice."""
    campaign_id: Mapped[str | None] = mapped_column(index=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    payload: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    """Not before; moves on with every failure."""
    attempts: Mapped[int] = mapped_column(default=0)
    leased_until: Mapped[datetime | None]
    """Some process is sending it; when this has passed, another may try."""
    sent_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    """Given up."""
    last_error: Mapped[str] = mapped_column(default="")


class Webhook(Base):
    """The address of a campaign's or user's webhook."""

    __tablename__ = "webhooks"
    __table_args__ = (
        one_of("format", *WEBHOOK_FORMATS),
        CheckConstraint("(campaign_id IS NULL) <> (user_id IS NULL)", name="one_owner"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    campaign_id: Mapped[str | None] = mapped_column(index=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    url: Mapped[str]
    format: Mapped[str] = mapped_column(default="standard")
    secret: Mapped[str] = mapped_column(default="")
    """Key of the signatures."""
    kinds: Mapped[StringList] = mapped_column(default=())
    """The kinds of news it gets; empty: all."""
    created_at: Mapped[datetime]
    failures: Mapped[int] = mapped_column(default=0)
    """In a row."""
    disabled_at: Mapped[datetime | None]
    last_error: Mapped[str] = mapped_column(default="")
    revision: Mapped[int] = mapped_column(default=1)
    sequence: Mapped[int] = mapped_column(default=0, server_default="0")
    """Number of the last notice that was to be posted there."""


class PushSubscription(Base):
    """A browser to which notices are pushed (Web Push)."""

    __tablename__ = "push_subscriptions"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_id: Mapped[str] = mapped_column(ForeignKey("tokens.id", ondelete="CASCADE"), index=True)
    """The session in which it subscribed; once that is ended, nothing is pushed any more."""
    endpoint: Mapped[str] = mapped_column(unique=True)
    """Where its service takes notices."""
    p256dh: Mapped[str]
    """The browser's public key, base64url."""
    auth: Mapped[str]
    """A secret it shares with the server, base64url."""
    created_at: Mapped[datetime]


class NotificationSetting(Base):
    """Whether a user gets a kind of notification on a channel; without a row the default holds."""

    __tablename__ = "notification_settings"
    __table_args__ = (CLUSTERED,)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    """``phase_opened``, ``deadline``, ``message``, ..."""
    channel: Mapped[str] = mapped_column(primary_key=True)
    """``mail``, ``webhook`` or ``browser``."""
    enabled: Mapped[bool]


class IdempotencyKey(Base):
    """The answer a write got, to be given again when the same key comes again."""

    __tablename__ = "idempotency_keys"

    owner: Mapped[str] = mapped_column(primary_key=True)
    """The user, or what stands for one who has not signed in."""
    key: Mapped[str] = mapped_column(primary_key=True)
    request_hash: Mapped[str]
    """SHA-256 over method, path and body: the same key with another request is refused."""
    status: Mapped[int]
    headers: Mapped[dict[str, Any]]
    body: Mapped[bytes]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class InboundMail(Base):
    """A mail that was read and acted upon, so that it is not acted upon twice."""

    __tablename__ = "inbound_mails"

    message_id: Mapped[str] = mapped_column(primary_key=True)
    """Its ``Message-ID``, or a hash of the whole if it has none."""
    campaign_id: Mapped[str | None] = mapped_column(index=True)
    received_at: Mapped[datetime] = mapped_column(index=True)
    outcome: Mapped[str] = mapped_column(default="")


class Stream(Base):
    """The last number given out on a topic.

    A topic is one audience (``campaign/<id>/public``, ``campaign/<id>/player/<player>``, ``user/<id>``): were
    numbers shared between audiences, gaps would tell one audience about the events of another.
    """

    __tablename__ = "streams"
    __table_args__ = (CLUSTERED,)

    topic: Mapped[str] = mapped_column(primary_key=True)
    last: Mapped[int]


class LiveEvent(Base):
    """Something that happened on a topic, numbered without gaps from 1 in the order of commits."""

    __tablename__ = "live_events"
    __table_args__ = (Index("ix_live_events_topic_number", "topic", "number", unique=True), Index(None, "at"), GROWING)

    id: Mapped[int] = mapped_column(primary_key=True)
    """Grows over all topics; what a notification carries. Not for clients."""
    topic: Mapped[str]
    number: Mapped[int]
    kind: Mapped[str]
    data: Mapped[dict[str, Any]]
    """What to look at; never the content itself, which is computed for each viewer when it is sent."""
    at: Mapped[datetime]
