"""A mailbox that is looked into: what is there goes through :func:`~server.mail.answering.receive.receive`."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from imaplib import IMAP4
from threading import Event

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted, MailMessageFlags
from imap_tools.errors import ImapToolsError

from server.mail.answering.receive import receive
from server.play.context import AppContext
from server.settings import Settings
from server.store.errors import StorageError

MAX_AT_ONCE = 200
"""Mails of one look."""
_HEADERS = 65_536
_TIMEOUT = 30.0
_log = structlog.get_logger("server.mail")


def read_unseen(ctx: AppContext) -> int:
    """Read the mails of the mailbox that are not read yet; returns how many. Each is marked as read when it is done."""
    with _mailbox(ctx.settings) as box:
        uids = box.uids("UNSEEN")[:MAX_AT_ONCE]
        for uid in uids:
            size = _size(box, uid)
            part = "BODY.PEEK[]" if size <= ctx.settings.mail_limit else f"BODY.PEEK[]<0.{_HEADERS}>"
            receive(ctx, _fetch(box, uid, part), size=size)
            box.flag(uid, MailMessageFlags.SEEN, True)
        return len(uids)


def run(ctx: AppContext, stop: Event) -> None:
    """Look into the mailbox again and again until told to stop; what fails is logged and tried again."""
    while not stop.is_set():
        try:
            if read_unseen(ctx) == MAX_AT_ONCE:
                continue
        except (ImapToolsError, IMAP4.error, OSError, StorageError) as error:
            _log.warning("the mailbox cannot be read", why=f"{type(error).__name__}: {error}")
        except Exception:
            _log.exception("reading the mailbox failed")
        stop.wait(ctx.settings.imap_interval)


@contextmanager
def _mailbox(settings: Settings) -> Iterator[BaseMailBox]:
    box: BaseMailBox
    host, port = settings.imap_host, settings.imap_port
    if settings.imap_tls == "tls":
        box = MailBox(host, port, timeout=_TIMEOUT, ssl_context=ssl.create_default_context())
    elif settings.imap_tls == "starttls":
        box = MailBoxStartTls(host, port, timeout=_TIMEOUT, ssl_context=ssl.create_default_context())
    else:
        box = MailBoxUnencrypted(host, port, timeout=_TIMEOUT)
    with box.login(settings.imap_user, settings.imap_password.get_secret_value(), settings.imap_folder) as ready:
        yield ready


def _size(box: BaseMailBox, uid: str) -> int:
    _, answer = box.client.uid("fetch", uid, "(RFC822.SIZE)")
    found = b"".join(part if isinstance(part, bytes) else part[0] for part in answer if part)
    return int(found.rpartition(b"RFC822.SIZE ")[2].split(b")")[0].split()[0])


def _fetch(box: BaseMailBox, uid: str, part: str) -> bytes:
    _, answer = box.client.uid("fetch", uid, f"({part})")
    return next((found[1] for found in answer if isinstance(found, tuple)), b"")
