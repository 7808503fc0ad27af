"""Sending what lies in the outbox: webhooks here, mails and pushed notices by the senders that are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Condition, Event, Thread
from typing import Any, Protocol, runtime_checkable
from urllib.parse import urlsplit

import structlog
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from server.play.context import AppContext, taken_from
from server.play.notices import posting
from server.play.notices.posting import EndpointGone, PermanentFailure, Post, Unsendable
from server.store import outbox
from server.store.errors import StorageError
from server.store.tables import Outbox, PushSubscription, Webhook

LEASE = timedelta(minutes=15)
"""Longer than a whole batch may take, each item to its timeout: nobody else sends it meanwhile."""
WAITS = (60, 300, 1800, 7200, 21_600, 43_200, 86_400)
"""Seconds before it is tried again; after the last one it is given up."""
MAX_FAILURES = 30
"""Failures in a row after which a webhook is switched off."""
A_BATCH = 20
A_WHILE = timedelta(minutes=1)
"""Maximum age of an email that waits for phases to be resolved: players can already see its news."""
LANES = 32
"""Receivers of one kind that are posted to at the same time; the slowest takes its own lane alone."""
LANES_OF_A_HOST = LANES // 4
"""Lanes that the receivers at one host may take together: browsers' push services have most of them at one."""


@dataclass(frozen=True, slots=True)
class _Receivers:
    field: str
    """Of the payload: names the receiver."""
    id: Any
    """Column of its table."""
    address: Any
    """Column with the URL that is posted to."""


PARALLEL_KINDS: Mapping[str, _Receivers] = {
    "webhook": _Receivers("webhook_id", Webhook.id, Webhook.url),
    "push": _Receivers("subscription_id", PushSubscription.id, PushSubscription.endpoint),
}
"""Kinds that are posted to foreign servers, and where their receivers stand."""

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
"""Sends one item, or raises :class:`~server.play.notices.posting.Unsendable`."""
Senders = Mapping[str, Sender]


@runtime_checkable
class BatchSender(Protocol):
    """A sender that keeps something open from one item of a batch to the next."""

    def __call__(self, item: Item) -> None:
        """Send one item."""

    def over(self) -> None:
        """Close it; nothing more of the batch follows."""


class Unaddressed(PermanentFailure):
    """There is no address it could go to: it leaves the outbox, where failures are for the operator to look at."""


def deliver(ctx: AppContext, senders: Senders, maximum: int = A_BATCH) -> int:
    """Send a batch of due items; return the number sent or failed. Kinds without a sender wait for one."""
    return _deliver(ctx, _with_webhooks(ctx, senders), maximum, Event())


@contextmanager
def delivering(ctx: AppContext, senders: Senders, stop: Event) -> Iterator[None]:
    """Deliver in the background, each kind separately, webhooks and browsers in parallel: a slow one delays no other.

    At the end *stop* is set: the current item is finished, the rest is left to the next sender.
    """
    threads = []
    for kind, sender in _with_webhooks(ctx, senders).items():
        lanes = _Lanes(ctx, kind, sender, stop).run if kind in PARALLEL_KINDS else None
        work = lanes or partial(_run, ctx, {kind: sender}, stop)
        threads.append(Thread(target=work, name=f"{kind} delivery"))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def send_webhook(ctx: AppContext, item: Item) -> None:
    """Post one notice to its webhook; the ``webhook-id`` stays the same with every try."""
    payload = item.payload
    with ctx.database.read() as session:
        hook = session.get(Webhook, str(payload["webhook_id"]))
    if hook is None:
        raise PermanentFailure("the webhook was removed")
    if hook.disabled_at is not None:
        raise PermanentFailure("the webhook is switched off")
    number, about = payload.get("sequence", 0), payload.get("data", {})
    posting.send(
        ctx,
        hook,
        Post(payload["kind"], item.dedupe, number, payload["campaign_id"], payload["campaign"], about, item.created_at),
    )


def _with_webhooks(ctx: AppContext, senders: Senders) -> Senders:
    return {"webhook": partial(send_webhook, ctx), **senders}


class _Lanes:
    """Posts to up to :data:`LANES` receivers of a kind at a time, and to each of them one notice after the other.

    No host gets more than :data:`LANES_OF_A_HOST`: a slow one leaves lanes for the others.
    """

    def __init__(self, ctx: AppContext, kind: str, sender: Sender, stop: Event) -> None:
        self._ctx, self._stop = ctx, stop
        self._kind, self._sender = kind, {kind: sender}
        self._receivers = PARALLEL_KINDS[kind]
        self._busy: dict[str, str] = {}
        """Receivers, and the addresses at which they are posted to."""
        self._late: dict[str, str] = {}
        """Those that wait until others at their host are done."""
        self._changed = Condition()

    def run(self) -> None:
        """Post what comes due until told to stop."""
        with ThreadPoolExecutor(LANES, self._kind) as pool:
            while not self._stop.is_set():
                if not _careful(partial(self._begin, pool)):
                    with self._changed:
                        self._changed.wait(self._ctx.settings.ticker_interval)

    def _begin(self, pool: ThreadPoolExecutor) -> bool:
        """Begin to post where nothing is being posted; returns whether there was anything."""
        with self._changed:
            busy, free = dict(self._busy), LANES - len(self._busy)
        if not free:
            return False
        with self._ctx.database.write() as session:
            where = self._not_now(busy)
            rows = outbox.lease(session, self._ctx.now(), LEASE, free, self._sender, where=where)
            by_receiver: dict[str, list[Item]] = {}
            for item in map(_item, rows):
                by_receiver.setdefault(str(item.payload[self._receivers.field]), []).append(item)
            addresses = self._addresses(session, by_receiver)
            begun = _within(addresses, busy)
            late = [receiver for receiver in by_receiver if receiver not in begun]
            outbox.give_back(session, [item.id for receiver in late for item in by_receiver[receiver]])
        self._late |= {receiver: addresses[receiver] for receiver in late}
        with self._changed:
            self._busy |= begun
        for receiver in begun:
            pool.submit(self._post, receiver, by_receiver[receiver])
        return bool(rows)

    def _addresses(self, session: Session, receivers: Iterable[str]) -> dict[str, str]:
        """Return where receivers are; those that are gone are nowhere."""
        its = self._receivers
        found = session.execute(select(its.id, its.address).where(its.id.in_(list(receivers)))).all()
        return dict.fromkeys(receivers, "") | {str(receiver): str(address) for receiver, address in found}

    def _not_now(self, busy: Mapping[str, str]) -> Iterator[ColumnElement[bool]]:
        """Yield what leaves out receivers that are posted to just now, and those at hosts that have their lanes."""
        its = self._receivers
        receiver = Outbox.payload[its.field].as_string()
        full = [host for host, lanes in Counter(map(_host, busy.values())).items() if host and lanes >= LANES_OF_A_HOST]
        self._late = {late: address for late, address in self._late.items() if _host(address) in full}
        yield receiver.not_in([*busy, *self._late])
        for site in (f"{scheme}://{host}" for host in full for scheme in ("https", "http")):
            yield receiver.not_in(select(its.id).where(func.lower(its.address).startswith(site, autoescape=True)))

    def _post(self, receiver: str, items: Sequence[Item]) -> None:
        try:
            _careful(partial(_send_all, self._ctx, items, self._sender, self._stop))
        finally:
            with self._changed:
                del self._busy[receiver]
                self._changed.notify_all()


def _within(addresses: Mapping[str, str], busy: Mapping[str, str]) -> dict[str, str]:
    """Return the receivers that may begin, with their addresses: no host gets more lanes than are its own."""
    taken = Counter(map(_host, busy.values()))
    begun: dict[str, str] = {}
    for receiver, address in addresses.items():
        host = _host(address)
        if not host or taken[host] < LANES_OF_A_HOST:
            taken[host] += 1
            begun[receiver] = address
    return begun


def _host(address: str) -> str:
    return (urlsplit(address).hostname or "").lower()


def _run(ctx: AppContext, senders: Senders, stop: Event) -> None:
    while not stop.is_set():
        if _careful(partial(_deliver, ctx, senders, A_BATCH, stop)) != A_BATCH:
            stop.wait(ctx.settings.ticker_interval)


def _careful(work: Callable[[], int]) -> int:
    """Return the number from *work*; log its errors and count them as 0."""
    try:
        return work()
    except StorageError as error:
        _log.warning("nothing sent for want of the database", why=str(error))
    except Exception:
        _log.exception("delivery failed")
    return 0


def _deliver(ctx: AppContext, senders: Senders, maximum: int, stop: Event) -> int:
    with ctx.database.write() as session:
        items = [_item(row) for row in outbox.lease(session, ctx.now(), LEASE, maximum, senders)]
    return _send_all(ctx, items, senders, stop)


def _send_all(ctx: AppContext, items: Sequence[Item], senders: Senders, stop: Event) -> int:
    """Send one item after the other; return the number tried before *stop* was set."""
    try:
        for place, item in enumerate(items):
            if item.kind not in PARALLEL_KINDS:
                ctx.background.wait_until_idle((item.created_at + A_WHILE - ctx.now()).total_seconds(), stop)
            if stop.is_set():
                with ctx.database.write() as session:
                    outbox.give_back(session, [late.id for late in items[place:]])
                return place
            _send(ctx, item, senders[item.kind])
        return len(items)
    finally:
        for kind in dict.fromkeys(item.kind for item in items):
            sender = senders[kind]
            if isinstance(sender, BatchSender):
                sender.over()


def _send(ctx: AppContext, item: Item, sender: Sender) -> None:
    try:
        sender(item)
    except Unsendable as error:
        if isinstance(error, Unaddressed):
            with ctx.database.write() as session:
                session.execute(delete(Outbox).where(Outbox.id == item.id))
            return
        _failed(
            ctx, item, str(error), hopeless=isinstance(error, PermanentFailure), gone=isinstance(error, EndpointGone)
        )
    except Exception as error:
        _log.exception("a message could not be sent", kind=item.kind)
        _failed(ctx, item, type(error).__name__, hopeless=False)
    else:
        with ctx.database.write() as session:
            outbox.sent(session, item.id, ctx.now())
            if item.kind == "webhook":
                mine = Webhook.id == str(item.payload["webhook_id"])
                session.execute(update(Webhook).where(mine).values(failures=0, last_error=""))


def _failed(ctx: AppContext, item: Item, why: str, *, hopeless: bool, gone: bool = False) -> None:
    now, hopeless = ctx.now(), hopeless or item.attempts > len(WAITS)
    again = None if hopeless else now + timedelta(seconds=WAITS[item.attempts - 1])
    with ctx.database.write() as session:
        outbox.failed(session, item.id, why[:500], now, again)
        hook = session.get(Webhook, str(item.payload["webhook_id"])) if item.kind == "webhook" else None
        if hook is not None and hook.disabled_at is None:  # one that is off goes on to say why
            hook.failures += 1
            hook.last_error = why[:500]
            if gone or hook.failures >= MAX_FAILURES:
                hook.disabled_at = now


def _item(row: Outbox) -> Item:
    return taken_from(row, Item, payload=dict(row.payload))
