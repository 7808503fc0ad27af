"""Webhooks of campaigns and of users, what was posted to them, and people's choice of channels and of mails."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import BoundedSemaphore
from typing import Any

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import PlayError, check_revision, invalid, not_found
from server.play.notices import posting
from server.play.notices.notices import BY_MAIL, CHANNELS, EACH_TURN, KINDS
from server.play.notices.posting import Post, Unsendable, target_of
from server.store.tables import Campaign, NotificationSetting, Outbox, Webhook
from server.store.tables.base import new_id

FORMATS = ("standard", "discord")
MAX_COUNT = 10
MAX_TESTS = 4
"""Tests at a time: each may keep a thread waiting for a slow receiver."""
_testing = BoundedSemaphore(MAX_TESTS)


@dataclass(frozen=True, slots=True)
class WebhookInfo:
    """A webhook as its owner sees it; never its key."""

    id: str
    campaign_id: str | None
    url: str
    format: str
    kinds: tuple[str, ...]
    created_at: datetime
    failures: int
    last_error: str
    disabled_at: datetime | None
    revision: int
    sequence: int
    """The number of the last notice that was to be posted there."""


@dataclass(frozen=True, slots=True)
class WebhookTest:
    """What became of a test."""

    delivered: bool
    status: int | None
    """The status of the receiver, if it was a success."""
    error: str
    """Why it did not get there; empty where it did."""


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook just made; the key is shown this once."""

    info: WebhookInfo
    secret: str
    """For checking signatures (Standard Webhooks); empty for Discord's format."""


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


MAIL_CHOICES = ("phase", "turn", "reminders", "nothing")


def create(
    ctx: AppContext,
    actor: Actor,
    url: str,
    *,
    campaign_id: str | None = None,
    format_: str = "standard",
    kinds: Sequence[str] = (),
) -> NewWebhook:
    """Create a webhook: for the user's notices, or with *campaign_id* (for its GM) for the campaign's public ones."""
    actor.require("orders" if campaign_id is None else "gm").require_account()
    target_of(url, private=ctx.settings.webhooks_to_private_addresses, ports=ctx.settings.webhook_ports)
    if format_ not in FORMATS:
        raise invalid("format", say("One of: {words}.", words=", ".join(FORMATS)), format_)
    secret = new_secret() if format_ == "standard" else ""
    with ctx.database.write() as session:
        owner = _owner(session, actor, campaign_id)
        check_limit(session, Webhook, [owner], MAX_COUNT, say("At most {most} webhooks.", most=MAX_COUNT))
        row = Webhook(
            campaign_id=campaign_id,
            user_id=actor.user_id if campaign_id is None else None,
            url=url,
            format=format_,
            secret=secret,
            kinds=_kinds(kinds),
            created_at=ctx.now(),
        )
        session.add(row)
        session.flush()
        return NewWebhook(taken_from(row, WebhookInfo), secret)


def new_secret() -> str:
    """Return a new key for signatures."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def listed(ctx: AppContext, actor: Actor, *, campaign_id: str | None = None) -> list[WebhookInfo]:
    """Return the user's own webhooks, or a campaign's (for its GM)."""
    actor.require("read" if campaign_id is None else "gm")
    with ctx.database.read() as session:
        owner = _owner(session, actor, campaign_id)
        found = session.scalars(select(Webhook).where(owner).order_by(Webhook.created_at))
        return [taken_from(webhook, WebhookInfo) for webhook in found]


def change(
    ctx: AppContext, actor: Actor, webhook_id: str, *, url: str | None = None, kinds: Sequence[str] | None = None,
    enabled: bool | None = None, revision: int | None = None,
) -> WebhookInfo:  # fmt: skip
    """Change what is given; switching it on forgets its failures."""
    if url is not None:
        target_of(url, private=ctx.settings.webhooks_to_private_addresses, ports=ctx.settings.webhook_ports)
    with ctx.database.write() as session:
        row = own(session, actor, webhook_id)
        check_revision(revision, row.revision)
        row.url = row.url if url is None else url
        row.kinds = row.kinds if kinds is None else _kinds(kinds)
        if enabled is not None:
            row.disabled_at, row.failures = (None, 0) if enabled else (ctx.now(), row.failures)
        row.revision += 1
        session.flush()
        return taken_from(row, WebhookInfo)


def test(ctx: AppContext, actor: Actor, webhook_id: str) -> WebhookTest:
    """Post the notice `test` to a webhook at once and return the result; a webhook that is switched off gets it, too.

    Errors: ``busy`` while :data:`MAX_TESTS` others wait for their receivers.
    """
    with ctx.database.read() as session:
        hook = own(session, actor, webhook_id)
        campaign = session.get(Campaign, hook.campaign_id) if hook.campaign_id else None
        name, campaign_id = (campaign.name, campaign.id) if campaign else ("", "")
    if not _testing.acquire(blocking=False):
        raise PlayError("busy")
    try:
        now = ctx.now()
        status = posting.send(ctx, hook, Post("test", f"test/{new_id()}", 0, campaign_id, name, {}, now))
    except Unsendable as error:
        return WebhookTest(False, None, str(error))
    finally:
        _testing.release()
    return WebhookTest(True, status, "")


def remove(ctx: AppContext, actor: Actor, webhook_id: str) -> None:
    """Take a webhook away; what waits for it is not sent."""
    with ctx.database.write() as session:
        session.delete(own(session, actor, webhook_id))


def notifications(ctx: AppContext, actor: Actor) -> dict[str, dict[str, bool]]:
    """Return for each kind of notice and each channel whether it is on."""
    actor.require("read")
    with ctx.database.read() as session:
        rows = session.scalars(select(NotificationSetting).where(NotificationSetting.user_id == actor.user_id))
        chosen = {(setting.kind, setting.channel): setting.enabled for setting in rows}
    return {
        kind: {channel: chosen.get((kind, channel), channel != "mail" or kind in BY_MAIL) for channel in CHANNELS}
        for kind in KINDS
    }


def choose_notifications(ctx: AppContext, actor: Actor, wanted: Any) -> dict[str, dict[str, bool]]:
    """Change the user's channels: ``{kind: {channel: true or false}}``, changes only."""
    actor.require("orders")
    pairs = [
        (kind, channel, on)
        for kind, channels in _table(wanted, "").items()
        for channel, on in _table(channels, kind).items()
    ]
    for kind, channel, on in pairs:
        if kind not in KINDS or channel not in CHANNELS or not isinstance(on, bool):
            raise invalid(f"{kind}.{channel}", "A known kind, a known channel, true or false.")
    with ctx.database.write() as session:
        for kind, channel, on in pairs:
            session.merge(NotificationSetting(user_id=actor.user_id, kind=kind, channel=channel, enabled=on))
    return notifications(ctx, actor)


def _table(given: Any, field: str) -> dict[Any, Any]:
    if not isinstance(given, dict):
        raise invalid(field or "notifications", "This must be an object.")
    return given


def _owner(session: Session, actor: Actor, campaign_id: str | None) -> Any:
    if campaign_id is None:
        return Webhook.user_id == actor.user_id
    access.load(session, actor, campaign_id).require_gm()
    return Webhook.campaign_id == campaign_id


def own(session: Session, actor: Actor, webhook_id: str) -> Webhook:
    """Return a webhook of the account, or of a campaign that it runs."""
    row = session.get(Webhook, webhook_id)
    if row is None or (row.campaign_id is None and row.user_id != actor.user_id):
        raise not_found("webhook", webhook_id)
    if row.campaign_id is not None:
        try:
            access.load(session, actor.require("gm"), row.campaign_id).require_gm()
        except PlayError:
            raise not_found("webhook", webhook_id) from None
    else:
        actor.require("orders")
    return row


def _kinds(given: Sequence[str]) -> tuple[str, ...]:
    unknown = [kind for kind in given if kind not in KINDS]
    if isinstance(given, str) or unknown:
        raise invalid("kinds", say("Some of: {words}.", words=", ".join(KINDS)), unknown[0] if unknown else given)
    return tuple(dict.fromkeys(given))


def deliveries(ctx: AppContext, actor: Actor, webhook_id: str) -> list[DeliveryInfo]:
    """Return the notices of a webhook that the server still has, the latest first."""
    with ctx.database.read() as session:
        own(session, actor, webhook_id)
        rows = session.scalars(select(Outbox).where(_to(webhook_id)).order_by(Outbox.id.desc()).limit(SHOWN))
        return [
            taken_from(row, DeliveryInfo, kind=str(row.payload["kind"]), sequence=int(row.payload.get("sequence", 0)))
            for row in rows
        ]


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
        return NewWebhook(taken_from(hook, WebhookInfo), hook.secret)


def _to(webhook_id: str) -> ColumnElement[bool]:
    return and_(Outbox.kind == "webhook", Outbox.payload["webhook_id"].as_string() == webhook_id)


def mail_choice(ctx: AppContext, actor: Actor) -> str:
    """Return what someone has chosen."""
    actor.require("read")
    with ctx.database.read() as session:
        mine = (NotificationSetting.user_id == actor.user_id, NotificationSetting.channel == "mail")
        chosen = {row.kind: row.enabled for row in session.scalars(select(NotificationSetting).where(*mine))}
    if not any(chosen.get(kind, kind in BY_MAIL) for kind in KINDS):
        return "nothing"
    if not chosen.get("phase_opened", True):
        return "reminders"
    return "turn" if chosen.get(EACH_TURN, False) else "phase"


def choose_mail(ctx: AppContext, actor: Actor, wanted: str) -> None:
    """Set the amount of email: ``nothing`` leaves replies only, every other choice switches on the kinds it needs."""
    actor.require("orders")
    if wanted not in MAIL_CHOICES:
        raise invalid("mail", say("One of: {words}.", words=", ".join(MAIL_CHOICES)), wanted)
    settings = {EACH_TURN: wanted == "turn"}
    if wanted == "nothing":
        settings |= dict.fromkeys(KINDS, False)
    else:
        if mail_choice(ctx, actor) == "nothing":
            settings |= {kind: kind in BY_MAIL for kind in KINDS}
        settings |= {"phase_opened": wanted in ("phase", "turn"), "deadline_near": True}
    with ctx.database.write() as session:
        for kind, enabled in settings.items():
            session.merge(NotificationSetting(user_id=actor.user_id, kind=kind, channel="mail", enabled=enabled))
