"""Sending what lies in the outbox: webhooks here, mails by whoever is given as their sender."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Thread
from typing import Any

import orjson
import structlog
from sqlalchemy import delete, update
from standardwebhooks import Webhook as Signer

from server.play import discord
from server.play.addresses import Unsendable, post, target_of
from server.play.context import AppContext
from server.play.errors import PlayError
from server.store import outbox
from server.store.errors import StorageError
from server.store.tables import Outbox, Webhook

LEASE = timedelta(minutes=15)
"""Longer than a whole batch may take, each item to its timeout: nobody else sends it meanwhile."""
WAITS = (60, 300, 1800, 7200, 21_600, 43_200, 86_400)
"""Seconds before it is tried again; after the last one it is given up."""
MAX_FAILURES = 30
"""Failures in a row after which a webhook is switched off."""
A_BATCH = 20

_log = structlog.get_logger("server.play")


@dataclass(frozen=True, slots=True)
class Item:
    """Something to be sent."""

    id: int
    kind: str
    dedupe: str
    """The same for every try: receivers can tell by it."""
    payload: Mapping[str, Any]
    campaign_id: str | None
    user_id: str | None
    created_at: datetime
    attempts: int


Sender = Callable[[Item], None]
"""Sends one item, or raises :class:`~server.play.addresses.Unsendable`."""
Senders = Mapping[str, Sender]


class Hopeless(Unsendable):
    """It will never get there; it is not tried again."""


class Unaddressed(Hopeless):
    """There is no address it could go to: it leaves the outbox, where failures are for the operator to look at."""


def deliver(ctx: AppContext, senders: Senders, maximum: int = A_BATCH) -> int:
    """Send a batch of what is due; returns how many were sent or failed. Kinds without a sender wait for one."""
    return _deliver(ctx, _with_webhooks(ctx, senders), maximum, Event())


@contextmanager
def delivering(ctx: AppContext, senders: Senders, stop: Event) -> Iterator[None]:
    """Deliver in the background, each kind by itself: a slow receiver holds up nobody else, and no phase.

    At the end, set *stop*: what is being sent just now is finished, the rest is left to whoever comes next.
    """
    known = _with_webhooks(ctx, senders)
    threads = [Thread(target=_run, args=(ctx, {kind: known[kind]}, stop), name=f"{kind} delivery") for kind in known]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        for each in threads:
            each.join()


def send_webhook(ctx: AppContext, item: Item) -> None:
    """Post one notice to its webhook, signed; the ``webhook-id`` stays the same with every try."""
    with ctx.database.read() as session:
        hook = session.get(Webhook, str(item.payload["webhook_id"]))
    if hook is None or hook.disabled_at is not None:
        raise Hopeless("the webhook is gone")
    private = ctx.settings.webhooks_to_private_addresses
    try:
        target = target_of(hook.url, private=private)
    except PlayError as error:
        raise Hopeless(error.message) from error
    body, headers = message(item, hook.format, hook.secret, ctx.now(), ctx.settings.public_url)
    status = post(target, body, headers, private=private)
    if status == 410:
        raise Hopeless("the receiver is gone (410)")
    if not 200 <= status < 300:
        raise Unsendable(f"the receiver answered {status}")


def message(item: Item, format_: str, secret: str, now: datetime, base: str = "") -> tuple[bytes, dict[str, str]]:
    """Return body and headers of a webhook's message; *base* is where people reach the server."""
    payload = item.payload
    if format_ == "discord":
        body = orjson.dumps({"content": discord.text(payload, base), "allowed_mentions": {"parse": []}})
        return body, {"Content-Type": "application/json", "User-Agent": "sealed-orders"}
    about = {"campaign_id": payload["campaign_id"], "campaign": payload["campaign"]} | dict(payload.get("data", {}))
    body = orjson.dumps({"type": payload["kind"], "timestamp": item.created_at.isoformat(), "data": about})
    id_ = "msg_" + hashlib.sha256(item.dedupe.encode()).hexdigest()[:32]
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "sealed-orders",
        "webhook-id": id_,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(secret).sign(id_, now, body.decode()),
    }
    return body, headers


def _with_webhooks(ctx: AppContext, senders: Senders) -> Senders:
    return {"webhook": lambda item: send_webhook(ctx, item), **senders}


def _run(ctx: AppContext, senders: Senders, stop: Event) -> None:
    while not stop.is_set():
        try:
            if _deliver(ctx, senders, A_BATCH, stop) == A_BATCH:
                continue
        except StorageError as error:
            _log.warning("nothing sent for want of the database", why=str(error))
        except Exception:
            _log.exception("delivery failed")
        stop.wait(ctx.settings.ticker_interval)


def _deliver(ctx: AppContext, senders: Senders, maximum: int, stop: Event) -> int:
    with ctx.database.write() as session:
        items = [_item(each) for each in outbox.lease(session, ctx.now(), LEASE, maximum, senders)]
    for place, item in enumerate(items):
        if stop.is_set():
            _give_back(ctx, items[place:])
            return place
        _send(ctx, item, senders[item.kind])
    return len(items)


def _give_back(ctx: AppContext, items: Sequence[Item]) -> None:
    with ctx.database.write() as session:
        outbox.give_back(session, [each.id for each in items])


def _send(ctx: AppContext, item: Item, sender: Sender) -> None:
    try:
        sender(item)
    except Unsendable as error:
        if isinstance(error, Unaddressed):
            with ctx.database.write() as session:
                session.execute(delete(Outbox).where(Outbox.id == item.id))
            return
        _failed(ctx, item, str(error), hopeless=isinstance(error, Hopeless))
    except Exception as error:
        _log.exception("a message could not be sent", kind=item.kind)
        _failed(ctx, item, type(error).__name__, hopeless=False)
    else:
        with ctx.database.write() as session:
            outbox.sent(session, item.id, ctx.now())
            if item.kind == "webhook":
                mine = Webhook.id == str(item.payload["webhook_id"])
                session.execute(update(Webhook).where(mine).values(failures=0, last_error=""))


def _failed(ctx: AppContext, item: Item, why: str, *, hopeless: bool) -> None:
    now = ctx.now()
    again = None
    if not hopeless and item.attempts <= len(WAITS):
        again = now + timedelta(seconds=WAITS[item.attempts - 1])
    with ctx.database.write() as session:
        outbox.failed(session, item.id, why[:500], now, again)
        hook = session.get(Webhook, str(item.payload["webhook_id"])) if item.kind == "webhook" else None
        if hook is not None:
            hook.failures += 1
            hook.last_error = why[:500]
            if hook.failures >= MAX_FAILURES:
                hook.disabled_at = now


def _item(row: Outbox) -> Item:
    return Item(
        row.id, row.kind, row.dedupe, dict(row.payload), row.campaign_id, row.user_id, row.created_at, row.attempts
    )
