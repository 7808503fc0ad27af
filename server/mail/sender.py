"""Sending: mails to an SMTP server, or into the log where the operator wants to look at them.

The mails of one batch go over one connection: it is opened for the first of them and closed after the last.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from email.message import EmailMessage

import aiosmtplib
import structlog
from sqlalchemy import func, select

from server.mail.compose import compose
from server.mail.letters import message_of, text_of
from server.play.context import AppContext
from server.play.notices.delivery import Item
from server.play.notices.posting import PermanentFailure, Unsendable
from server.settings import Settings
from server.store.tables import Outbox

MAX_REFUSALS = 3
"""Mails an address may refuse for good; then no more notices go there for :data:`MEMORY`."""
MEMORY = timedelta(days=30)
_REFUSED = "{} was refused"

_log = structlog.get_logger("server.mail")


class Mailer:
    """Sends mails, those of one batch over one connection; used by one thread at a time."""

    def __init__(self, ctx: AppContext) -> None:
        self._ctx, self._line = ctx, _Line(ctx.settings)

    def __call__(self, item: Item) -> None:
        """Send one mail; raises :class:`PermanentFailure` for good, :class:`Unsendable` to be asked again later."""
        ctx, settings = self._ctx, self._ctx.settings
        letter = compose(ctx, item)
        if (
            item.user_id is not None
            and item.payload["about"] != "link"
            and _refusals(ctx, item, letter.address) >= MAX_REFUSALS
        ):
            raise PermanentFailure(
                f"{letter.address} has refused too many mails; nothing is sent there for {MEMORY.days} days"
            )
        message = message_of(letter, settings.mail_from, settings.mail_reply_to, ctx.now())
        try:
            self._line.submit(message, letter.reply_to)
        except aiosmtplib.SMTPRecipientsRefused as error:
            refused = error.recipients[0]
            said = f"{_REFUSED.format(letter.address)}: {refused.code} {refused.message}"
            if refused.code < 500:
                raise Unsendable(said) from error
            _log.warning("an address was refused for good", user_id=item.user_id, code=refused.code)
            raise PermanentFailure(said) from error
        except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPNotSupported) as error:
            # a mail the server does not want stays unwanted; all other mistakes may be mended by the operator
            permanent = getattr(error, "code", 599) >= 500
            raise (PermanentFailure if permanent else Unsendable)(
                f"the mail server does not take it: {error}"
            ) from error
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            _log.warning("the mail server is of no use", why=f"{type(error).__name__}: {error}")
            raise Unsendable(f"{type(error).__name__}: {error}") from error

    def over(self) -> None:
        """Close the connection: the batch is done."""
        self._line.close()


class _Line:
    """A connection to the mail server, opened when the first mail is to go."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runner: asyncio.Runner | None = None
        self._client: aiosmtplib.SMTP | None = None

    def submit(self, message: EmailMessage, bounces_to: str) -> None:
        """Hand a mail over; reports of failed delivery go to *bounces_to*, where they are counted."""
        self._runner = self._runner or asyncio.Runner()
        self._runner.run(self._submit(message, bounces_to))

    def close(self) -> None:
        """Take leave of the mail server."""
        if self._runner is None:
            return
        try:
            self._runner.run(self._quit())
        finally:
            self._runner.close()
            self._runner = None

    async def _submit(self, message: EmailMessage, bounces_to: str) -> None:
        try:
            async with asyncio.timeout(3 * self._settings.smtp_timeout):
                client = await self._connected()
                await client.send_message(message, sender=bounces_to or None)
        except (aiosmtplib.SMTPResponseException, aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPNotSupported):
            raise  # the server has said no to this mail, and listens to the next
        except BaseException:
            self._drop()
            raise

    async def _connected(self) -> aiosmtplib.SMTP:
        """Return the open connection, or a new one where the server has ended it meanwhile."""
        if self._client is not None:
            try:
                await self._client.rset()
                return self._client
            except (aiosmtplib.SMTPException, OSError):
                self._drop()
        settings = self._settings
        password = settings.smtp_password.get_secret_value()
        client = aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            username=settings.smtp_user or None,
            password=password or None,
            use_tls=settings.smtp_tls == "tls",
            start_tls=settings.smtp_tls == "starttls",
            timeout=settings.smtp_timeout,
        )
        await client.connect()
        self._client = client
        return client

    async def _quit(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(aiosmtplib.SMTPException, OSError, TimeoutError):
                async with asyncio.timeout(self._settings.smtp_timeout):
                    await client.quit()
            client.close()

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def show(ctx: AppContext, item: Item) -> None:
    """Write one mail into the log instead of sending it: a reader of the log can follow its links."""
    letter = compose(ctx, item)
    _log.info("mail", to=letter.address, subject=letter.subject, text=text_of(letter))


def _refusals(ctx: AppContext, item: Item, address: str) -> int:
    """Return how many mails to the address have been refused for good since one last got there."""
    with ctx.database.read() as session:
        mine = (Outbox.kind == "mail", Outbox.user_id == item.user_id)
        last = session.scalar(select(func.max(Outbox.sent_at)).where(*mine))
        since = max(ctx.now() - MEMORY, last) if last is not None else ctx.now() - MEMORY
        refused = Outbox.last_error.startswith(_REFUSED.format(address), autoescape=True)
        query = select(func.count()).select_from(Outbox).where(*mine, Outbox.failed_at > since, refused)
        return session.scalar(query) or 0
