"""LMTP: a mail server delivers here. A mail is taken (250) only when what it does is stored."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from server.mail.answering.receive import receive
from server.play.context import AppContext

_log = structlog.get_logger("server.mail")


class _Handler:
    def __init__(self, ctx: AppContext) -> None:
        self.ctx = ctx
        self.one_at_a_time = ThreadPoolExecutor(1, "mail")
        """However many connections a mail server opens: who reads pages meanwhile waits for one mail at most."""

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Act upon a mail; where that fails the mail server keeps it and comes again."""
        raw = envelope.content if isinstance(envelope.content, bytes) else (envelope.content or "").encode()
        try:
            here = asyncio.get_running_loop()
            await here.run_in_executor(self.one_at_a_time, receive, self.ctx, raw, list(envelope.rcpt_tos))
        except Exception:
            _log.exception("a mail could not be acted upon")
            return "451 Not now: try again later"
        return "250 Taken"


class Delivery(Controller):
    """Listens for a mail server; ``start`` and ``stop``."""

    def __init__(self, ctx: AppContext) -> None:
        host, _, port = ctx.settings.lmtp_listen.rpartition(":")
        self._limit = ctx.settings.mail_limit
        super().__init__(_Handler(ctx), hostname=host, port=int(port))

    def factory(self) -> Any:
        """Make the protocol of one connection; a mail that is too large is refused for good (552)."""
        return LMTP(self.handler, data_size_limit=self._limit, enable_SMTPUTF8=True, loop=self.loop)
