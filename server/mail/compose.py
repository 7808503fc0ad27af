"""From a row of the outbox to a letter, in the language, the time zone and with the knowledge of who gets it."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from server.mail import answers
from server.mail.answers import answer
from server.mail.letters import Letter, Part
from server.mail.notices import NOTICES
from server.mail.reader import Reader
from server.mail.translations import Translations
from server.play.accounts import tokens
from server.play.campaigns import mail_invitations
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.notices import reply_tags
from server.play.notices.delivery import Item, Unaddressed
from server.play.notices.notices import occasion
from server.play.notices.posting import PermanentFailure
from server.play.notices.reply_tags import Tag
from server.render.translations import FALLBACK, choose
from server.store.tables import User

TOO_OLD = timedelta(days=4)
"""Longer than a mail is tried again; who switches mails on later does not send what waits since last year."""


def compose(ctx: AppContext, item: Item) -> Letter:
    """Return the letter; :class:`PermanentFailure` when there is none to write any more."""
    if ctx.now() - item.created_at > TOO_OLD:
        raise PermanentFailure("it is too old to be of use")
    user = _user(ctx, item.user_id)
    if item.payload["about"] == "link":
        return _link(ctx, item, user)
    if item.payload["about"] == mail_invitations.ASKED:
        return answers.letter(ctx, item, mail_id(item.dedupe))
    if user is None or user.bot_owner_id is not None:
        raise Unaddressed("nobody reads this account's mails")
    if user.email is None or user.email_confirmed_at is None:
        raise Unaddressed("the account has no confirmed mail address")
    try:
        return _notice(ctx, item, user, user.email)
    except PlayError as error:
        raise PermanentFailure(f"there is nothing to tell any more: {error.message}") from error


def mail_id(dedupe: str) -> str:
    """Return what a mail is called in its ``Message-ID``."""
    return hashlib.sha256(dedupe.encode()).hexdigest()[:32]


def _notice(ctx: AppContext, item: Item, user: User, address: str) -> Letter:
    t = _translations(ctx, user)
    reader = Reader.of(ctx, user, t, item)
    info = reader.campaign
    about = str(item.payload["about"])
    written = answer(reader) if about == "answer" else NOTICES[about](reader)
    if reader.seat is not None:
        why = t("why_stand_in" if reader.stands_in else "why_seat", seat=reader.seat_name, campaign=info.name)
    else:
        why = t("why_game_master" if info.you_are_gm else "why_campaign", campaign=info.name)
    tag = written.tag or _tag(reader, item)
    reply_to = reply_tags.address(ctx, tag, user.id) if tag is not None else ""
    answers = about == "answer"
    return Letter(
        address,
        user.name,
        t.language,
        written.subject if answers else f"[{info.name}] {written.subject}",
        t("greeting", name=user.name),
        written.parts,
        written.action,
        why,
        (f"{_base(ctx)}/settings", t("settings")),
        mail_id(item.dedupe),
        thread=mail_id(f"thread/{user.id}/{info.id}"),
        answers=mail_id(occasion("mail", user.id, info.id, written.answers)) if written.answers else "",
        list_id=info.id,
        reply_to=reply_to,
        stop=reply_to,
        picture=written.picture,
        calendar=written.calendar,
        automatic="auto-replied" if answers else "auto-generated",
        in_reply_to=written.in_reply_to,
    )


def _tag(reader: Reader, item: Item) -> Tag | None:
    """Return what an answer to a notice is an answer to: the message, the invitation, the seat's orders."""
    info, about = reader.campaign, str(item.payload["about"])
    player = reader.seat.player_id if reader.seat is not None else ""
    if about in ("message", "announcement"):
        return Tag("message", info.id, player, message_id=str(reader.data["message"]))
    if about == "invited":
        return Tag("invitation", info.id)
    if player and info.status in ("running", "paused"):
        return Tag("seat", info.id, player, info.branch, info.phase_number)
    return Tag("game_master", info.id, "", info.branch, info.phase_number) if info.you_are_gm else None


def _link(ctx: AppContext, item: Item, user: User | None) -> Letter:
    purpose, address = str(item.payload["purpose"]), str(item.payload["to"])
    if item.created_at + tokens.LIFETIMES[purpose] <= ctx.now():
        raise PermanentFailure("the link is no longer valid")
    t = _translations(ctx, user)
    name = "" if user is None else user.name
    query = {"token": tokens.link_text(ctx, str(item.payload["token_id"]))}
    query |= {"next": str(item.payload["next"])} if "next" in item.payload else {}
    url = f"{_base(ctx)}/link?{urlencode(query)}"
    hello = t("greeting", name=name) if name else t("greeting_plain")
    parts = (
        Part(t(f"link.text.{purpose}", new=str(item.payload.get("new_email", "")))),
        Part(t("link.if_you" if purpose == "undo" else "link.if_not_you", valid=t(f"link.valid.{purpose}"))),
    )
    return Letter(
        address,
        name,
        t.language,
        t(f"link.subject.{purpose}"),
        hello,
        parts,
        (t(f"action.link.{purpose}"), url),
        t("why_account", host=urlsplit(ctx.settings.public_url).netloc),
        id=mail_id(item.dedupe),
    )


def _user(ctx: AppContext, user_id: str | None) -> User | None:
    with ctx.database.read() as session:
        user = session.get(User, user_id) if user_id is not None else None
    if user is not None and user.disabled_at is not None:
        raise PermanentFailure("the account is disabled")
    return user


def _translations(ctx: AppContext, user: User | None) -> Translations:
    if user is None:
        return Translations(FALLBACK, ZoneInfo("UTC"), ctx.now())
    return Translations(choose(user.locale), ZoneInfo(user.time_zone), ctx.now())


def _base(ctx: AppContext) -> str:
    return ctx.settings.public_url.rstrip("/")
