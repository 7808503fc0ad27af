"""Accounts: signing up and in, profiles, passwords, bots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack

from sqlalchemy import Text, and_, bindparam, exists, literal, or_, select, type_coerce
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from server.core.sentences import say
from server.play import access, text_input
from server.play.accounts import names, passwords, proof, second_factor, tokens
from server.play.accounts.tokens import NewToken
from server.play.context import Actor, AppContext, check_limit, taken_from
from server.play.errors import PlayError, check_revision, invalid
from server.store.tables import Block, Token, User, Visit
from server.store.tables.base import UtcDateTime, fold

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 8, 256
MAX_BOTS = 20


@dataclass(frozen=True, slots=True)
class Account:
    """An account as its owner sees it."""

    id: str
    name: str
    email: str | None
    email_confirmed: bool
    has_password: bool
    bot_owner_id: str | None
    admin: bool
    locale: str
    time_zone: str
    created_at: datetime
    revision: int
    guest: bool
    """Without credentials: it ends 30 days after the last visit."""
    plays: str | None
    """The games a bot is open to; null for people, and for a bot that is not in the list of open bots."""


class Profile(TypedDict, total=False):
    """What people change of their account themselves."""

    name: str
    locale: str
    time_zone: str


PROFILE = tuple(Profile.__annotations__)
"""The fields of a profile: the API, the settings page and the export of a person's data have each of them."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """An account and the session it got."""

    account: Account
    token: NewToken


MAX_PLAYS_LENGTH = 200
MAX_LISTED = 1000
TO_PLAY = ("read", "orders")
"""The scopes that a bot's token needs to play."""


@dataclass(frozen=True, slots=True)
class OpenBot:
    """A bot that its owner lists as open to games."""

    name: str
    """A game master invites it by this name."""
    owner: str
    """Name of the account that owns it."""
    plays: str
    """The games it is open to, in its owner's words."""
    seen_at: datetime | None
    """When it last used its token, give or take five minutes; None: never."""


def sign_up(
    ctx: AppContext, name: str, password: str, *, email: str | None = None, browser: str = "", invitation: str = ""
) -> SignedIn:
    """Create an account and sign it in. The address counts once it is confirmed: see :mod:`server.play.accounts.links`.

    Where sign-up is closed, the code of an *invitation* to a campaign that still takes players still admits.
    """
    if not may_sign_up(ctx, invitation):
        raise PlayError("sign_up_closed")
    waits_for = "" if ctx.settings.sign_up == "open" or _is_invited(ctx, invitation) else ctx.settings.sign_up
    if waits_for == "confirmed" and email is None:
        raise invalid("email", "Enter your email address. A link to confirm it is sent there.")
    user = new_user(ctx, name, password=password, email=email)
    with taken(), ctx.database.write() as session:
        names.refuse_lookalike(session, user.name)
        session.add(user)
        session.flush()
        tokens.confirm_new(ctx, session, user)
        if not waits_for:
            return signed_in(ctx, session, user, browser)
        code = tokens.hold(session, user, tokens.CONFIRM if waits_for == "confirmed" else "", ctx.now())
    raise PlayError(code)


def may_sign_up(ctx: AppContext, invitation: str = "") -> bool:
    """Say whether someone may create an account, with the code of an invitation or without."""
    return ctx.settings.sign_up != "closed" or _is_invited(ctx, invitation)


def _is_invited(ctx: AppContext, invitation: str) -> bool:
    if not invitation:
        return False
    with ctx.database.read() as session:
        found = access.of_code(session, tokens.hashed(invitation))
        return found is not None and found.status == "open"


def sign_in(ctx: AppContext, name: str, password: str, *, code: str | None = None, browser: str = "") -> SignedIn:
    """Sign in by name or confirmed address; unknown names take as long as wrong passwords.

    An account with a second factor needs a *code*, too: ``second_factor_needed``, ``wrong_code``.
    """
    with ctx.database.read() as session:
        by_name = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none()
        by_address = by_email(session, name)  # both, also where one is found
    user = by_name or by_address
    known = user.password_hash if user is not None and user.disabled_at is None else None
    good, better = passwords.matches(_password_text(password), known)
    if user is None or not good:
        raise PlayError("wrong_password")
    second_factor.check(ctx, user.id, code)
    with ctx.database.write() as session:
        mine = session.merge(user, load=True)
        if better is not None:
            mine.password_hash = better
        return signed_in(ctx, session, mine, browser)


def sign_out(ctx: AppContext, actor: Actor) -> None:
    """End the session, or give up the token, that was used."""
    if actor.token_id:
        tokens.revoke(ctx, actor, actor.token_id)


def sign_out_everywhere(ctx: AppContext, actor: Actor) -> None:
    """End all the person's other sessions."""
    actor.require_session()
    with ctx.database.write() as session:
        tokens.revoke_sessions(session, actor.user_id, ctx.now(), but=actor.token_id)
    ctx.caches.bearers.clear()


def me(ctx: AppContext, actor: Actor) -> Account:
    """Return the person's account."""
    actor.require("read")
    with ctx.database.read() as session:
        return account_of(_user(session, actor.user_id))


def change_profile(ctx: AppContext, actor: Actor, *, revision: int | None = None, **wanted: Unpack[Profile]) -> Account:
    """Change what is given."""
    actor.require_session(guests=True)
    with taken(), ctx.database.write() as session:
        user = _user(session, actor.user_id)
        check_revision(revision, user.revision)
        if "name" in wanted:
            new = text_input.name(wanted["name"], "name")
            if user.guest:
                names.refuse_own(new)
            elif new != user.name:
                names.refuse_lookalike(session, new, user.id)
            user.name = new
        if "locale" in wanted:
            user.locale = text_input.locale(wanted["locale"])
        if "time_zone" in wanted:
            user.time_zone = text_input.time_zone(wanted["time_zone"], "time_zone").key
        user.revision += 1
        session.flush()
    ctx.caches.bearers.clear()
    return account_of(user)


def change_password(ctx: AppContext, actor: Actor, new: str, *, old: str | None = None) -> None:
    """Set a password; needs the old one if there is one, else a fresh proof. All other sessions end."""
    actor.require_session()
    hashed = hash_password(new)
    before = check_password(ctx, actor, old, "old")
    proof.require(ctx, actor, password=before is not None)
    with ctx.database.write() as session:
        user = _user(session, actor.user_id)
        if user.password_hash != before:
            raise PlayError("stale_revision")
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now(), but=actor.token_id)
    ctx.caches.bearers.clear()


def create_bot(ctx: AppContext, actor: Actor, name: str) -> Account:
    """Create a bot account; it signs in with tokens only."""
    actor.require_session()
    if actor.bot:
        raise PlayError("forbidden", "Bots own no bots.")
    user = new_user(ctx, name, bot_owner_id=actor.user_id)
    with taken(), ctx.database.write() as session:
        own = (User.bot_owner_id == actor.user_id, User.disabled_at.is_(None))
        check_limit(session, User, own, MAX_BOTS, say("An account has at most {most} bots.", most=MAX_BOTS))
        names.refuse_lookalike(session, user.name)
        session.add(user)
        session.flush()
        return account_of(user)


def bots(ctx: AppContext, actor: Actor) -> list[Account]:
    """Return the person's bots, by name."""
    actor.require("read")
    with ctx.database.read() as session:
        own = select(User).where(User.bot_owner_id == actor.user_id, User.disabled_at.is_(None)).order_by(User.name_key)
        return [account_of(user) for user in session.scalars(own)]


def remove_bot(ctx: AppContext, actor: Actor, bot_id: str) -> None:
    """Close a bot's account: its tokens are worthless within a second, its seats stay and miss their deadlines."""
    actor.require_session()
    with ctx.database.write() as session:
        bot = tokens.own_bot(session, actor, bot_id)
        bot.disabled_at, bot.plays = ctx.now(), None
    ctx.caches.bearers.clear()


def make_user(
    ctx: AppContext, name: str, *, password: str | None = None, email: str | None = None, admin: bool = False,
    locale: str = "en",
) -> Account:  # fmt: skip
    """Make an account as the server's operator, whatever sign-up is; the address counts as confirmed."""
    user = new_user(ctx, name, password=password, email=email)
    user.admin, user.locale = admin, text_input.locale(locale)
    user.email_confirmed_at = ctx.now() if email else None
    with taken(), ctx.database.write() as session:
        session.add(user)
        session.flush()
        return account_of(user)


# --- for the rest of this package ---


def account_named(session: Session, name: str, field: str = "name") -> User:
    """Return whose account is called that. Names are not secret: sign-up says which are taken."""
    mine = (User.name_key == fold(text_input.line(name, field, 40)), User.disabled_at.is_(None))
    user = session.scalars(select(User).where(*mine)).one_or_none()
    if user is None:
        raise PlayError("not_found", "There is no account of that name.", field=field, value=name)
    return user


def new_user(
    ctx: AppContext,
    name: str,
    *,
    password: str | None = None,
    email: str | None = None,
    bot_owner_id: str | None = None,
) -> User:
    """Return a user that is not stored yet; hashes the password, so not inside a transaction."""
    return User(
        name=text_input.name(name, "name"),
        email=None if email is None else text_input.email(email),
        password_hash=None if password is None else hash_password(password),
        bot_owner_id=bot_owner_id,
        created_at=ctx.now(),
    )


def signed_in(ctx: AppContext, session: Session, user: User, browser: str) -> SignedIn:
    """Give a user a session; a guest's lasts as long as the guest."""
    now = ctx.now()
    tokens.check_hold(session, user, now)
    expires = None if user.guest else now + timedelta(days=ctx.settings.session_days)
    session.flush()
    tokens.note_visit(session, user.id, now)
    label = "".join(character for character in browser[:120] if character.isprintable())
    return SignedIn(account_of(user), tokens.add(session, user.id, "session", now, expires, name=label))


def hash_password(password: str) -> str:
    """Return the argon2 hash of a password, or refuse it."""
    text = _password_text(password)
    if not MIN_PASSWORD_LENGTH <= len(text) <= MAX_PASSWORD_LENGTH:
        raise invalid(
            "password", say("From {least} to {most} characters.", least=MIN_PASSWORD_LENGTH, most=MAX_PASSWORD_LENGTH)
        )
    return passwords.hashed(text)


def check_password(ctx: AppContext, actor: Actor, given: str | None, field: str) -> str | None:
    """Refuse where an account with a password is not given it; returns its hash. Not in a transaction."""
    with ctx.database.read() as session:
        known = _user(session, actor.user_id).password_hash
    if known is not None and not passwords.matches(_password_text(given or ""), known)[0]:
        raise PlayError("wrong_password", field=field)
    return known


def by_email(session: Session, email: str) -> User | None:
    """Return whose confirmed address that is."""
    mine = (User.email_key == fold(email), User.email_confirmed_at.is_not(None), User.disabled_at.is_(None))
    return session.scalars(select(User).where(*mine)).one_or_none()


def account_of(user: User) -> Account:
    """Return a user as its owner sees it."""
    confirmed, has_password = user.email_confirmed_at is not None, user.password_hash is not None
    return taken_from(user, Account, email_confirmed=confirmed, has_password=has_password)


@contextmanager
def taken() -> Iterator[None]:
    """Turn the database's word that a name or address is in use into a refusal."""
    try:
        yield
    except IntegrityError as error:
        told = str(error.orig)
        if "email_key" in told:
            raise PlayError("email_taken", field="email") from None
        if "name_key" in told:
            raise PlayError("name_taken", field="name") from None
        raise


def _user(session: Session, user_id: str) -> User:
    user = session.scalars(_USER, {"user": user_id}).one_or_none()
    if user is None or user.disabled_at is not None:
        raise PlayError("bad_token")
    return user


_USER = select(User).where(User.id == bindparam("user"))
"""Made once: it is asked with every page."""


def _password_text(password: object) -> str:
    if not isinstance(password, str) or "\0" in password:
        raise invalid("password", "This must be a text.")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise invalid("password", "This must be a text.") from None
    return password


def change_open_bot(ctx: AppContext, actor: Actor, bot_id: str, plays: str | None) -> Account:
    """List one of the person's bots as open to games; *plays* says which, None: it is not listed."""
    actor.require_session()
    words = None if plays is None else text_input.line(plays, "plays", MAX_PLAYS_LENGTH)
    with ctx.database.write() as session:
        bot = tokens.own_bot(session, actor, bot_id)
        bot.plays = words
        bot.revision += 1
        return account_of(bot)


def open_bots(ctx: AppContext, actor: Actor) -> list[OpenBot]:
    """Return the bots that are open to games and have a token to play with, those seen last first.

    Bots that take no invitations of the person are left out, and so are those that the person has blocked.
    """
    actor.require("read")
    now = ctx.now()
    bot: Any = aliased(User)
    owner: Any = aliased(User)
    token = exists().where(
        Token.user_id == bot.id, *tokens.living("personal", now),
        *(type_coerce(Token.scopes, Text).contains(f'"{scope}"') for scope in TO_PLAY),
    )  # fmt: skip
    theirs = and_(Block.user_id.in_([bot.id, owner.id]), Block.blocked_user_id == actor.user_id)
    own = and_(Block.user_id == actor.user_id, Block.blocked_user_id.in_([bot.id, owner.id]))
    blocked = exists().where(Block.campaign_id.is_(None), or_(theirs, own))
    found = (
        select(bot.name, owner.name, bot.plays, Visit.last_seen_at)
        .join(owner, owner.id == bot.bot_owner_id)
        .outerjoin(Visit, Visit.user_id == bot.id)
        .where(bot.plays.is_not(None), bot.disabled_at.is_(None), owner.disabled_at.is_(None), token, ~blocked)
        .where(~tokens.is_banned(bot.id, owner.id, literal(now, UtcDateTime())))
        .order_by(Visit.last_seen_at.desc().nulls_last(), bot.name_key)
        .limit(MAX_LISTED)
    )
    with ctx.database.read() as session:
        return [OpenBot(*row) for row in session.execute(found)]
