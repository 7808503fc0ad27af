"""What sends mails, pushes notices and brings mails in beside a running server, as far as the operator has set it up.

What writes and reads them takes long to import: only where some can go, or come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

import structlog

from server.play.context import AppContext
from server.play.notices import push
from server.play.notices.delivery import Sender

_log = structlog.get_logger("server.mail")


def senders(ctx: AppContext) -> Mapping[str, Sender]:
    """Return what sends mails and pushes notices, by kind of row in the outbox."""
    return {**mailers(ctx), **pushers(ctx)}


def mailers(ctx: AppContext) -> Mapping[str, Sender]:
    """Return what sends mails; nothing where the operator has set up neither a server nor the log."""
    settings = ctx.settings
    if settings.smtp_host or settings.mail_to_log:
        from server.mail.sender import Mailer, show

        return {"mail": Mailer(ctx) if settings.smtp_host else partial(show, ctx)}
    if settings.ticker:
        _log.warning("mails are not sent, they wait: SEALED_ORDERS_SMTP_HOST is not set")
    return {}


def pushers(ctx: AppContext) -> Mapping[str, Sender]:
    """Return what pushes notices; nothing where the operator has set no key."""
    if not push.public_key(ctx.settings):
        return {}
    from server.mail import pushing

    return {"push": partial(pushing.send, ctx)}


@contextmanager
def incoming(ctx: AppContext) -> Iterator[None]:
    """Read the mailbox and listen for a mail server while the block runs, as far as the settings say so.

    What reads mails takes long to import: only where some can come.
    """
    settings = ctx.settings
    stop = Event()
    threads: list[Thread] = []
    delivery = None
    if settings.mail_orders and settings.imap_host and settings.ticker:
        from server.mail.answering import imap

        threads.append(Thread(target=imap.run, args=(ctx, stop), name="mailbox"))
    if settings.mail_orders and settings.lmtp_listen:
        from server.mail.answering.lmtp import Delivery

        delivery = Delivery(ctx)
        delivery.start()
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if delivery is not None:
            delivery.stop()
        for thread in threads:
            thread.join()
