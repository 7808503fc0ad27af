"""The one way in for every mail, from a mailbox, a mail server or a pipe.

The tag in the address authorises, never the sender. A mail is acted upon once: by its ``Message-ID``, and by its date
and words. Automatic mails and mails without a valid tag are never answered. The answer goes to the account's confirmed
address. After a few mails in a row that ask for nothing, or for the same, there is no answer until another comes:
programs that answer mails without saying that they do are stopped by this, since each answer brings their next mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from email.message import Message
from email.utils import parseaddr
from hashlib import sha256
from typing import Any

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from server.mail.answering import unanswered
from server.mail.answering.acting import MailCommandHandler
from server.mail.inbound import mime, reading, verbs
from server.play.campaigns import mail_invitations
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.play.notices import reply_tags, webhooks
from server.play.notices.notices import Notices
from server.play.notices.reply_tags import Tag
from server.store import outbox, upserts
from server.store.tables import Campaign, InboundMail, MailInvitation, Outbox

MAX_ANSWERS = 30
"""Answers to one account within an hour: hardly anyone writes more, a loop does. What more mails ask for is done, and
the last of them is answered when the hour is over."""
MAX_ALIKE = 5
"""Mails in a row that are answered though none says anything new; the last answer tells that more are not."""
MAX_BOUNCES = 3
"""Reports of failed delivery within :data:`_MEMORY` that switch an account's mail off; one of "no such user" does."""
_NOTHING = {"nothing", "help", "refused", "correct", "too_large"}
_MEMORY = timedelta(days=30)
_HOUR = timedelta(hours=1)
_HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc", "X-Forwarded-To")
_NO_USER = re.compile(
    r"\b5\.1\.\d\b|user unknown|no such user|does not exist|unknown (?:user|recipient)", re.IGNORECASE
)

_log = structlog.get_logger("server.mail")


def receive(ctx: AppContext, raw: bytes, recipients: Iterable[str] = (), *, size: int | None = None) -> str:
    """Carry out an email and return its outcome. No content of an email raises an exception.

    *recipients* are those of the envelope, if known. *size* is that of the whole if *raw* is only its beginning.
    """
    limit = ctx.settings.mail_limit
    too_large = (size or len(raw)) > limit
    message = mime.parse(raw[:65_536] if too_large else raw)
    if (found := _tag(ctx, message, recipients)) is None:
        return _unanswered("no_tag")
    tag, actor, text = found
    understood = None if too_large else reading.read(raw)
    if understood is not None and understood.kind == "bounce":
        return _bounced(ctx, message, tag, actor, understood.quoted)
    if understood is not None and understood.kind == "auto":
        return _unanswered("auto")
    words = "" if understood is None else understood.text
    keys = _keys(message, text, words, raw[:65_536] if too_large else raw)
    known, answers = _before(ctx, keys, actor)
    if known:
        return _unanswered("repeated")
    said: list[dict[str, Any]] = []
    if not actor.signed_in:
        if (asked := _account(ctx, tag, message, words)) is None:
            return _done(ctx, tag, keys, _how_to_join(ctx, tag, words, keys[0]))
        actor, tag = asked[0], Tag("invitation", tag.campaign_id)
        said += [{"key": "account", "name": actor.name}] if asked[1] else []
    acting = MailCommandHandler(ctx, actor, tag)
    said += [{"key": "struck", "items": list(understood.struck)}] if understood and understood.struck else []
    said += [{"key": "too_large", "most": limit // 1_000_000}] if too_large else acting.carry_out(words)
    mark = mark_of(acting, text, words)
    before = count_repeats(ctx, tag.campaign_id, mark)
    if before >= MAX_ALIKE:
        return _unanswered(_done(ctx, tag, keys, "nothing_new", mark=mark))
    said += [{"key": "alike", "most": MAX_ALIKE}] if before == MAX_ALIKE - 1 else []
    later = answers >= MAX_ANSWERS
    said += [{"key": "last_of_many", "most": MAX_ANSWERS}] if later else []
    answer = _answer(acting, keys[0], said, message, later=later)
    return _done(ctx, tag, keys, "answered_later" if later else "answered", answer, mark=mark)


# --- inside ---


def _tag(ctx: AppContext, message: Message, recipients: Iterable[str]) -> tuple[Tag, Actor, str] | None:
    given = [*recipients, *(str(value) for name in _HEADERS for value in message.get_all(name, []))]
    for address in given[:40]:
        for matched in reply_tags.TAG.finditer(address[:2_000]):
            if (found := reply_tags.read(ctx, matched[1])) is not None:
                return *found, matched[1].lower()
    return None


def _account(ctx: AppContext, tag: Tag, message: Message, words: str) -> tuple[Actor, bool] | None:
    try:
        return account_of(ctx, tag, message, words)
    except PlayError:  # no accounts are made here any more: the letter says where one asks
        return None


def _keys(message: Message, tag: str, words: str, raw: bytes) -> tuple[str, ...]:
    """Return what a mail is known by: its id, and its date and words under its tag."""
    id_ = mime.header(message, "Message-ID").strip()
    date = mime.header(message, "Date")
    content = sha256(f"{tag}|{date}|{words}".encode()).hexdigest() if date or words else sha256(raw).hexdigest()
    return (f"content/{content}", *((f"id/{sha256(f'{tag}|{id_}'.encode()).hexdigest()}",) if id_ else ()))


def _before(ctx: AppContext, keys: Iterable[str], actor: Actor) -> tuple[bool, int]:
    """Return whether the mail was acted upon before, and how many answers the account had within the hour.

    Work that a dying process left unfinished is done again.
    """
    mine = (Outbox.user_id == actor.user_id, Outbox.dedupe.startswith("answer/"), Outbox.created_at > ctx.now() - _HOUR)
    done = select(InboundMail.message_id).where(InboundMail.message_id.in_(keys), InboundMail.outcome != "").limit(1)
    with ctx.database.read() as session:
        known = session.execute(done).first() is not None
        return known, session.scalar(select(func.count()).select_from(Outbox).where(*mine)) or 0


def _done(
    ctx: AppContext, tag: Tag, keys: Sequence[str], outcome: str, answer: outbox.Item | None = None, *, mark: str = ""
) -> str:
    """Save its outcome, its reply and its likeness to others in one transaction."""
    now = ctx.now()
    rows = [{"message_id": key, "campaign_id": tag.campaign_id, "received_at": now, "outcome": outcome} for key in keys]
    with ctx.database.write() as session:
        if mark:
            end_others(session, tag.campaign_id, mark)
            rows[0]["outcome"] = mark
        session.execute(_NOTE[session.connection().dialect.name], rows)
        if answer is not None and not outbox.put_all(session, [answer], now) and answer.due_at is not None:
            waiting = (Outbox.dedupe == answer.dedupe, Outbox.sent_at.is_(None))
            session.execute(update(Outbox).where(*waiting).values(payload=dict(answer.payload)))
    return outcome


def _noted(new: Any) -> Any:
    return new.on_conflict_do_update(index_elements=[InboundMail.message_id], set_={"outcome": new.excluded.outcome})


_NOTE = upserts.by_dialect(InboundMail, _noted)


def _answer(
    acting: MailCommandHandler, key: str, said: list[dict[str, Any]], message: Message, *, later: bool
) -> outbox.Item:
    """Return the answer; one that comes *later* takes the place of any that waits for the same hour."""
    tag, now, user_id = acting.tag, acting.ctx.now(), acting.actor.user_id
    payload = {
        "about": "answer",
        "data": {
            "said": said,
            "tag": [tag.purpose, tag.player_id, tag.branch, tag.number, tag.message_id],
            "confirm": acting.confirm,
            "map": acting.attach_map,
            "subject": mime.header(message, "Subject")[:200],
            "answers": mime.header(message, "Message-ID")[:300],
        },
    }
    dedupe = f"answer/later/{user_id}/{tag.campaign_id}/{now:%Y%m%d%H}" if later else f"answer/{key}"
    due = now + _HOUR if later else None
    return outbox.Item("mail", dedupe, payload, due_at=due, campaign_id=tag.campaign_id, user_id=user_id)


def _bounced(ctx: AppContext, message: Message, tag: Tag, actor: Actor, words: str) -> str:
    """Count a report of failed delivery; switch the account's mail off when there are too many."""
    outcome = f"bounce/{actor.user_id or tag.message_id}"
    keys = _keys(message, outcome, words, b"")
    if _before(ctx, keys, actor)[0]:
        return _unanswered("repeated")
    _done(ctx, tag, keys[:1], outcome)
    if keys[1:]:
        _done(ctx, tag, keys[1:], "bounce")
    with ctx.database.read() as session:
        mine = (InboundMail.outcome == outcome, InboundMail.received_at > ctx.now() - _MEMORY)
        count = session.scalar(select(func.count()).select_from(InboundMail).where(*mine)) or 0
    if not actor.signed_in:
        mail_invitations.stop(ctx, tag.message_id)
    elif count >= MAX_BOUNCES or _NO_USER.search(words[:20_000]):
        _switch_off(ctx, tag, actor)
    return _unanswered("bounce")


def _switch_off(ctx: AppContext, tag: Tag, actor: Actor) -> None:
    try:
        if webhooks.mail_choice(ctx, actor) == "nothing":
            return
        webhooks.choose_mail(ctx, actor, "nothing")
    except PlayError:
        return
    _log.warning("mails to an account come back: its mail is switched off", user_id=actor.user_id)
    with ctx.database.write() as session:
        if (campaign := session.get(Campaign, tag.campaign_id)) is not None:
            notices = Notices(session, campaign, ctx.now())
            key = f"mail_bounced/{actor.user_id}/{ctx.now():%Y%m%d}"
            notices.game_master("mail_bounced", key, name=actor.name)
            notices.send()


def _unanswered(why: str) -> str:
    unanswered[why] += 1
    return why


# --- who has no account yet ---


def account_of(ctx: AppContext, tag: Tag, message: Message, words: str) -> tuple[Actor, bool] | None:
    """Return the account of who wants to join, and whether it was made now; None where the mail says nothing of it.

    Raises ``sign_up_closed`` where none may be made.
    """
    if "join" not in verbs.names(verbs.part(words).verbs):
        return None
    name = parseaddr(mime.header(message, "From"))[0]
    return mail_invitations.take_up(ctx, tag.message_id, name)


def _how_to_join(ctx: AppContext, tag: Tag, words: str, key: str) -> str:
    """Reply to an email that is not a ``JOIN`` with how to join, or with the last word. Return its outcome."""
    stopped = "stop" in verbs.names(verbs.part(words).verbs)
    if stopped:
        mail_invitations.stop(ctx, tag.message_id)
    with ctx.database.write() as session:
        row = session.get(MailInvitation, tag.message_id)
        told = "stopped" if stopped else "help"
        put = row is not None and mail_invitations.put_letter(ctx, session, row, told, key)
    return "answered" if put else "too_many"


# --- mails that say nothing new ---


def mark_of(acting: MailCommandHandler, tag: str, words: str) -> str:
    """Return what a mail has in common with those like it: its tag, and its words where they say anything."""
    keys = {str(line.get("key")) for line in acting.said}
    dull = not acting.understood and keys <= _NOTHING
    said = "" if dull else sha256(" ".join(words.casefold().split()).encode()).hexdigest()[:16]
    return f"alike/{sha256(tag.encode()).hexdigest()[:16]}/{said}"


def count_repeats(ctx: AppContext, campaign_id: str, mark: str) -> int:
    """Return how many mails in a row have the mark so far; a tag's mails are all of one campaign."""
    like = (InboundMail.campaign_id == campaign_id, InboundMail.outcome == mark)
    with ctx.database.read() as session:
        return session.scalar(select(func.count()).select_from(InboundMail).where(*like)) or 0


def end_others(session: Session, campaign_id: str, mark: str) -> None:
    """Let a mail with this mark end every other row of mails under its tag."""
    of_tag = (InboundMail.campaign_id == campaign_id, InboundMail.outcome.startswith(f"{mark.rpartition('/')[0]}/"))
    session.execute(update(InboundMail).where(*of_tag, InboundMail.outcome != mark).values(outcome="answered"))
