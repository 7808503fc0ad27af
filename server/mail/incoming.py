"""Everything that brings mails in, beside a running server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from server.play.context import AppContext


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
