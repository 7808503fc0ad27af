"""What sends mails and pushes notices, as far as the operator has set it up.

What writes them takes long to import: only where some can go.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

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
