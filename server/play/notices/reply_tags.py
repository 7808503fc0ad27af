"""Addresses for replies: a tag in the address names the recipient of the email, and proves it.

A tag belongs to an account, and to a seat and a phase, a message or an invitation. It is signed with the server's own
key (HMAC-SHA256). The tag alone authorises: anyone with the email may reply. The sender's address does not count.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play.access import game_masters_of, seats_of
from server.play.context import Actor, AppContext, kept_value
from server.store.tables import Campaign, Invitation, MailInvitation, Message, ServerValue, User

_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_KEY = "mail_key"
_ID = 16
_SHORT = 8
"""Letters of a message's id beside its campaign's: an address has no room for more."""
_MAC = 16
"""Letters of a signature: 80 bits."""
TAG = re.compile(rf"\+([a-z][{_ALPHABET}]{{20,56}})@", re.IGNORECASE)
"""A tag inside an address."""
_GAME_MASTER = "9"


@dataclass(frozen=True, slots=True)
class Tag:
    """What a mail is an answer to."""

    purpose: str
    """``seat`` (a report), ``game_master``, ``message``, ``invitation``, ``address`` (an invitation of someone who may
    have no account), ``advance``, ``extend``."""
    campaign_id: str
    player_id: str = ""
    """Empty: the game master, or someone without a seat."""
    branch: int = 0
    number: int = 0
    """The phase."""
    message_id: str = ""
    """Of a message; of an ``address`` its invitation."""
    hours: int = 0
    """Of an extension to be confirmed."""


_PURPOSES = {
    "seat": "s",
    "game_master": "g",
    "message": "m",
    "invitation": "i",
    "address": "n",
    "advance": "a",
    "extend": "e",
}


_BY_ID: dict[str, type[Message | MailInvitation]] = {"message": Message, "address": MailInvitation}
"""Purposes whose tags name a row. Those of messages did in mails of earlier versions."""


def make(ctx: AppContext, tag: Tag, user_id: str) -> str:
    """Return a tag's text for one account; that of an ``address`` is signed for its invitation."""
    facts = _facts(tag)
    with ctx.database.read() as session:
        key = session.get(ServerValue, _KEY)
        known = None if key is None else key.value
    if known is None:
        with ctx.database.write(aside=True) as session:
            known = kept_value(session, _KEY, lambda: secrets.token_bytes(32))
    return facts + _sign(known, facts, user_id)


def address(ctx: AppContext, tag: Tag, user_id: str) -> str:
    """Return the address an answer goes to; empty where no mails are read."""
    name, at, host = ctx.settings.mail_orders.partition("@")
    return f"{name}+{make(ctx, tag, user_id)}{at}{host}" if at else ""


def read(ctx: AppContext, text: str) -> tuple[Tag, Actor] | None:
    """Return what a tag stands for and whose it is now; None where nobody's is: forged, or its owner has left.

    The owner of an ``address`` may have no account: then nobody is signed in.
    """
    text = text.lower()
    facts, mac = text[:-_MAC], text[-_MAC:]
    with ctx.database.read() as session:
        key = session.get(ServerValue, _KEY)
        tag = None if key is None else _parse(session, facts)
        if key is None or tag is None:
            return None
        if tag.purpose == "address":
            return _addressed(session, tag, mac, _sign(key.value, facts, tag.message_id))
        for user_id in _owners(session, tag):
            if hmac.compare_digest(mac, _sign(key.value, facts, user_id)):
                user = session.get(User, user_id)
                if user is None or user.disabled_at is not None:
                    return None
                return tag, Actor(user.id, user.name, session=True)
    return None


# --- inside ---


def _facts(tag: Tag) -> str:
    first = _PURPOSES[tag.purpose]
    seat = _GAME_MASTER if not tag.player_id else _ALPHABET[int(tag.player_id.removeprefix("p"))]
    if tag.purpose == "message":  # with the campaign, so that nobody looks for the message in all of them
        return first + tag.campaign_id + seat + tag.message_id[:_SHORT]
    if tag.purpose == "address":
        return first + tag.message_id + seat
    return first + tag.campaign_id + seat + _number(tag.branch, 2) + _number(tag.number, 3) + _number(tag.hours, 2)


def _parse(session: Session, facts: str) -> Tag | None:
    purpose = next((name for name, letter in _PURPOSES.items() if facts[:1] == letter), None)
    if purpose is None or any(letter not in _ALPHABET for letter in facts[1:]):
        return None
    id_, seat, rest = facts[1 : 1 + _ID], facts[1 + _ID : 2 + _ID], facts[2 + _ID :]
    if not seat:
        return None
    player = "" if seat == _GAME_MASTER else f"p{_ALPHABET.index(seat)}"
    if purpose == "message" and len(rest) == _SHORT:
        mine = (Message.campaign_id == id_, Message.id.startswith(rest))
        message_id = session.scalar(select(Message.id).where(*mine).limit(1))
        return None if message_id is None else Tag(purpose, id_, player, message_id=message_id)
    if len(rest) != (0 if purpose in _BY_ID else 7):
        return None
    if purpose in _BY_ID:
        row = _BY_ID[purpose]
        campaign_id = session.scalar(select(row.campaign_id).where(row.id == id_))
        return None if campaign_id is None else Tag(purpose, campaign_id, player, message_id=id_)
    branch, number, hours = (_value(rest[begin:end]) for begin, end in ((0, 2), (2, 5), (5, 7)))
    return Tag(purpose, id_, player, branch, number, hours=hours)


def _addressed(session: Session, tag: Tag, mac: str, signature: str) -> tuple[Tag, Actor] | None:
    if not hmac.compare_digest(mac, signature):
        return None
    invitation = session.get_one(MailInvitation, tag.message_id)
    if invitation.user_id is None:
        return tag, Actor()
    user = session.get_one(User, invitation.user_id)
    if user.disabled_at is not None:
        return None
    return Tag("invitation", tag.campaign_id), Actor(user.id, user.name, session=True)


def _owners(session: Session, tag: Tag) -> list[str]:
    """Return the accounts a tag can belong to now."""
    campaign = session.get(Campaign, tag.campaign_id)
    if campaign is None:
        return []
    if tag.purpose == "invitation":
        mine = (Invitation.campaign_id == tag.campaign_id, Invitation.declined_at.is_(None))
        return list(session.scalars(select(Invitation.user_id).where(*mine)))
    if not tag.player_id:
        return game_masters_of(session, campaign)
    seats = [seat for seat in seats_of(session, tag.campaign_id) if seat.player_id == tag.player_id]
    owners = [owner for seat in seats for owner in (seat.user_id, seat.stand_in_user_id)]
    return [owner for owner in owners if owner is not None]


def _sign(key: bytes, facts: str, user_id: str) -> str:
    digest = hmac.new(key, f"{facts}|{user_id}".encode(), sha256).digest()
    return _number(int.from_bytes(digest[:10], "big"), _MAC)


def _number(value: int, letters: int) -> str:
    done = ""
    for _ in range(letters):
        value, rest = divmod(value, len(_ALPHABET))
        done = _ALPHABET[rest] + done
    return done


def _value(letters: str) -> int:
    total = 0
    for letter in letters:
        total = total * len(_ALPHABET) + _ALPHABET.index(letter)
    return total
