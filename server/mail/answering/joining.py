"""Mails of someone who was asked by their address and has no account: ``JOIN`` makes one, ``STOP`` ends it."""

from __future__ import annotations

from email.message import Message
from email.utils import parseaddr

from server.mail.answering import verbs
from server.mail.inbound import mime
from server.play.campaigns import mail_invitations
from server.play.context import Actor, AppContext
from server.play.notices.reply_tags import Tag
from server.store.tables import MailInvitation


def account_of(ctx: AppContext, tag: Tag, message: Message, words: str) -> tuple[Actor, bool] | None:
    """Return the account of who wants to join, and whether it was made now; None where the mail says nothing of it.

    Raises ``sign_up_closed`` where none may be made.
    """
    if "join" not in verbs.names(verbs.part(words).verbs):
        return None
    name = parseaddr(mime.header(message, "From"))[0]
    return mail_invitations.take_up(ctx, tag.message_id, name)


def answer(ctx: AppContext, tag: Tag, words: str, key: str) -> str:
    """Reply to an email that is not a ``JOIN`` with how to join, or with the last word. Return its outcome."""
    stopped = "stop" in verbs.names(verbs.part(words).verbs)
    if stopped:
        mail_invitations.stop(ctx, tag.message_id)
    with ctx.database.write() as session:
        row = session.get(MailInvitation, tag.message_id)
        told = "stopped" if stopped else "help"
        put = row is not None and mail_invitations.put_letter(ctx, session, row, told, key)
    return "answered" if put else "too_many"
