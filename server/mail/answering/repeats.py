"""Mails in a row that ask for nothing, or for the same: after a few of them there is no answer until another comes.

Programs that answer mails without saying that they do are stopped by this: each answer to one brings its next mail.
"""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from server.mail.answering.acting import MailCommandHandler
from server.play.context import AppContext
from server.store.tables import InboundMail

MAX_ALIKE = 5
"""Mails in a row that are answered though none says anything new; the last answer tells that more are not."""
_NOTHING = {"nothing", "help", "refused", "correct", "too_large"}


def mark_of(acting: MailCommandHandler, tag: str, words: str) -> str:
    """Return what a mail has in common with those like it: its tag, and its words where they say anything."""
    keys = {str(line.get("key")) for line in acting.said}
    dull = not acting.understood and keys <= _NOTHING
    said = "" if dull else sha256(" ".join(words.casefold().split()).encode()).hexdigest()[:16]
    return f"{_of_tag(tag)}/{said}"


def count_repeats(ctx: AppContext, campaign_id: str, mark: str) -> int:
    """Return how many mails in a row have the mark so far; a tag's mails are all of one campaign."""
    like = (InboundMail.campaign_id == campaign_id, InboundMail.outcome == mark)
    with ctx.database.read() as session:
        return session.scalar(select(func.count()).select_from(InboundMail).where(*like)) or 0


def end_others(session: Session, campaign_id: str, mark: str) -> None:
    """Let a mail with this mark end every other row of mails under its tag."""
    of_tag = (InboundMail.campaign_id == campaign_id, InboundMail.outcome.startswith(f"{mark.rpartition('/')[0]}/"))
    session.execute(update(InboundMail).where(*of_tag, InboundMail.outcome != mark).values(outcome="answered"))


def _of_tag(tag: str) -> str:
    return f"alike/{sha256(tag.encode()).hexdigest()[:16]}"
