"""The one way in for every mail, from a mailbox, a mail server or a pipe.

The tag in the address authorises, never the sender. A mail is acted upon once: by its ``Message-ID``, and by its date
and words. Automatic mails and mails without a valid tag are never answered. The answer goes to the account's confirmed
address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta
from email.message import Message
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import func, select

from server.mail.answering.acting import Acting
from server.mail.inbound import mime, reading
from server.mail.incoming import unanswered
from server.play import mail_choice, reply_tags
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.notices import Notices
from server.play.reply_tags import Tag
from server.store import outbox
from server.store.tables import Campaign, InboundMail, Outbox, User

MAX_ANSWERS = 30
"""Answers to one account within an hour: nobody writes more, a loop does."""
MAX_BOUNCES = 3
"""Reports of failed delivery within :data:`_MEMORY` that switch an account's mail off; one of "no such user" does."""
_MEMORY = timedelta(days=30)
_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc", "X-Forwarded-To")
_NO_USER = re.compile(
    r"\b5\.1\.\d\b|user unknown|no such user|does not exist|unknown (?:user|recipient)", re.IGNORECASE
)

_log = structlog.get_logger("server.mail")


def receive(ctx: AppContext, raw: bytes, recipients: Iterable[str] = (), *, size: int | None = None) -> str:
    """Do what a mail asks for; returns what became of it. Nothing is raised for anything a mail may hold.

    *recipients* are those of the envelope, where they are known. *size* is that of the whole, where *raw* is its begin.
    """
    limit = ctx.settings.mail_limit
    too_large = (size or len(raw)) > limit
    message = mime.parse(raw[:65_536] if too_large else raw)
    found = _tag(ctx, message, recipients)
    if found is None:
        return _unanswered("no_tag")
    tag, actor, text = found
    understood = None if too_large else reading.read(raw)
    if understood is not None and understood.kind == "bounce":
        return _bounced(ctx, message, tag, actor, understood.quoted)
    if understood is not None and understood.kind == "auto":
        return _unanswered("auto")
    words = "" if understood is None else understood.text
    keys = _keys(message, text, words, raw[:65_536] if too_large else raw)
    if not _claim(ctx, tag, keys):
        return _unanswered("repeated")
    if _answers(ctx, actor) >= MAX_ANSWERS:
        return _done(ctx, keys, _unanswered("too_many"))
    acting = Acting(ctx, actor, tag, _zone(ctx, actor))
    if too_large:
        said: list[dict[str, Any]] = [{"key": "too_large", "most": limit // 1_000_000}]
    else:
        said = acting.carry_out(words)
    return _done(ctx, keys, "answered", _answer(acting, keys[0], said, message))


# --- inside ---


def _tag(ctx: AppContext, message: Message, recipients: Iterable[str]) -> tuple[Tag, Actor, str] | None:
    given = [*recipients, *(str(value) for name in _HEADERS for value in message.get_all(name, []))]
    for address in given[:40]:
        for matched in reply_tags.TAG.finditer(address[:2_000]):
            found = reply_tags.read(ctx, matched[1])
            if found is not None:
                return *found, matched[1].lower()
    return None


def _keys(message: Message, tag: str, words: str, raw: bytes) -> tuple[str, ...]:
    """Return what a mail is known by: its id, and its date and words under its tag."""
    id_ = mime.header(message, "Message-ID").strip()
    date = mime.header(message, "Date")
    content = sha256(f"{tag}|{date}|{words}".encode()).hexdigest() if date or words else sha256(raw).hexdigest()
    return (f"content/{content}", *((f"id/{sha256(f'{tag}|{id_}'.encode()).hexdigest()}",) if id_ else ()))


def _claim(ctx: AppContext, tag: Tag, keys: Iterable[str]) -> bool:
    """Note that the mail is being acted upon; False where it was before. What was begun and not done is done again."""
    with ctx.database.write() as session:
        known = [session.get(InboundMail, key) for key in keys]
        if any(row is not None and row.outcome for row in known):
            return False
        for key, row in zip(keys, known, strict=True):
            if row is None:
                session.add(InboundMail(message_id=key, campaign_id=tag.campaign_id, received_at=ctx.now()))
    return True


def _done(ctx: AppContext, keys: Iterable[str], outcome: str, answer: dict[str, Any] | None = None) -> str:
    """Note what became of it, with its answer, in one transaction."""
    with ctx.database.write() as session:
        for key in keys:
            row = session.get(InboundMail, key)
            if row is not None:
                row.outcome = outcome
        if answer is not None:
            outbox.put(session, "mail", **answer, now=ctx.now())
    return outcome


def _answer(acting: Acting, key: str, said: list[dict[str, Any]], message: Message) -> dict[str, Any]:
    tag = acting.tag
    payload = {
        "about": "answer",
        "data": {
            "said": said, "tag": [tag.purpose, tag.player_id, tag.branch, tag.number, tag.message_id],
            "confirm": acting.confirm, "map": acting.attach_map,
            "subject": mime.header(message, "Subject")[:200], "answers": mime.header(message, "Message-ID")[:300],
        },
    }  # fmt: skip
    return {
        "dedupe": f"answer/{key}",
        "payload": payload,
        "campaign_id": tag.campaign_id,
        "user_id": acting.actor.user_id,
    }


def _answers(ctx: AppContext, actor: Actor) -> int:
    since = ctx.now() - timedelta(hours=1)
    mine = (Outbox.user_id == actor.user_id, Outbox.dedupe.startswith("answer/"), Outbox.created_at > since)
    with ctx.database.read() as session:
        return session.scalar(select(func.count()).select_from(Outbox).where(*mine)) or 0


def _bounced(ctx: AppContext, message: Message, tag: Tag, actor: Actor, words: str) -> str:
    """Count a report of failed delivery; switch the account's mail off when there are too many."""
    outcome = f"bounce/{actor.user_id}"
    keys = _keys(message, outcome, words, b"")
    if not _claim(ctx, tag, keys):
        return _unanswered("repeated")
    _done(ctx, keys[:1], outcome)
    _done(ctx, keys[1:], "bounce")
    with ctx.database.read() as session:
        mine = (InboundMail.outcome == outcome, InboundMail.received_at > ctx.now() - _MEMORY)
        count = session.scalar(select(func.count()).select_from(InboundMail).where(*mine)) or 0
    if count >= MAX_BOUNCES or _NO_USER.search(words[:20_000]):
        _switch_off(ctx, tag, actor)
    return _unanswered("bounce")


def _switch_off(ctx: AppContext, tag: Tag, actor: Actor) -> None:
    try:
        if mail_choice.choice(ctx, actor) == "nothing":
            return
        mail_choice.choose(ctx, actor, "nothing")
    except PlayError:
        return
    _log.warning("mails to an account come back: its mail is switched off", user_id=actor.user_id)
    with ctx.database.write() as session:
        campaign = session.get(Campaign, tag.campaign_id)
        if campaign is not None:
            notices = Notices(session, campaign, ctx.now())
            key = f"mail_bounced/{actor.user_id}/{ctx.now():%Y%m%d}"
            notices.game_master("mail_bounced", key, name=actor.name)
            notices.send()


def _zone(ctx: AppContext, actor: Actor) -> ZoneInfo:
    with ctx.database.read() as session:
        user = session.get(User, actor.user_id)
        return ZoneInfo(user.time_zone if user is not None else "UTC")


def _unanswered(why: str) -> str:
    unanswered[why] += 1
    return why
