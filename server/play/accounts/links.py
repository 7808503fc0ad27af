"""Links mailed to people: to sign in or up without a password, to confirm an address, to set a new password."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from server.play import text_input
from server.play.accounts import names, proof, second_factor, tokens
from server.play.accounts.accounts import (
    SignedIn,
    by_email,
    hash_password,
    new_user,
    signed_in,
    taken,
)
from server.play.accounts.tokens import LIFETIMES, create_link, link_signer, send_link, unused_link
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.store.tables import Invitation, MailInvitation, SecondFactor, Token, User
from server.store.tables.base import fold


@dataclass(frozen=True, slots=True)
class LinkInfo:
    """What an unused link is for."""

    purpose: str
    email: str
    """Empty: it was handed over, not mailed."""
    second_factor: bool = False
    """Following it needs a code, too."""


def request_link(ctx: AppContext, email: str, *, reset: bool = False, back: str = "") -> None:
    """Have a link mailed: to sign in (or set a new password), or to sign up where the address is new.

    *back* is our page to which a sign-in link leads.

    Says nothing about whether there is an account, and does the same work: where nothing is to be mailed, a
    link that nobody gets is still created.
    """
    address = text_input.email(email)
    with ctx.database.write() as session:
        user = by_email(session, address)
        mine = (User.email_key == fold(address), User.email_confirmed_at.is_(None), User.disabled_at.is_(None))
        claims = list(session.scalars(select(User).where(*mine).limit(2)))
        if user is not None:
            send_link(ctx, session, "reset" if reset else "sign_in", address, user.id, back=back)
        elif len(claims) == 1:
            send_link(ctx, session, "confirm", address, claims[0].id)
        else:
            wanted = ctx.settings.sign_up != "closed" and not reset
            send_link(ctx, session, "sign_up", address, None, mailed=wanted)


def request_confirmation(ctx: AppContext, actor: Actor, email: str) -> None:
    """Set the account's address and email a link there; it counts once the link is followed.

    Another address needs a fresh proof of identity, and the confirmed one before hears of it, with a link that undoes
    the change. Errors: ``proof_required``.
    """
    actor.require_session()
    address = text_input.email(email)
    with ctx.database.read() as session:
        changes = session.get_one(User, actor.user_id).email != address
    if changes:
        proof.require(ctx, actor)
    with ctx.database.write() as session:
        user = session.get_one(User, actor.user_id)
        if user.email != address:
            if user.email is not None and user.email_confirmed_at is not None:
                send_link(ctx, session, "undo", user.email, user.id, new_email=address)
            user.email, user.email_confirmed_at = address, None
            user.revision += 1
        send_link(ctx, session, "confirm", address, user.id)


def describe_link(ctx: AppContext, link: str) -> LinkInfo:
    """Return what a link is for without using it: mail programs follow links, people press buttons."""
    with ctx.database.read() as session:
        token = unused_link(ctx, session, link)
        return LinkInfo(token.purpose, token.email or "", token.user_id is not None and _asks_for_code(session, token))


def use_link(
    ctx: AppContext, link: str, *, name: str | None = None, password: str | None = None, code: str | None = None,
    browser: str = "",
) -> SignedIn:  # fmt: skip
    """Follow a link, once: signs in and confirms the address it went to.

    A link to sign up creates the account, with *name*; one to reset sets *password*; one to undo gives the account its
    address back. An account with a second factor needs a *code*, too; without a good one the link stays unused.
    """
    info = describe_link(ctx, link)
    hashed = None if password is None else hash_password(password)
    if info.purpose == "reset" and hashed is None:
        raise invalid("password", "A new password is needed.")
    new = None
    if info.purpose == "sign_up":
        if name is None:
            raise invalid("name", "A name is needed.")
        new = new_user(ctx, name, email=info.email)
        new.password_hash = hashed
    with ctx.database.read() as session:
        asked = unused_link(ctx, session, link)
        with_code = asked.user_id is not None and _asks_for_code(session, asked)
    if asked.user_id is not None and with_code:
        second_factor.check(ctx, asked.user_id, code)
    with taken(), ctx.database.write() as session:
        token = unused_link(ctx, session, link)
        used = update(Token).where(Token.id == token.id, Token.used_at.is_(None)).values(used_at=ctx.now())
        if session.execute(used.returning(Token.id)).scalar_one_or_none() is None:
            raise PlayError("bad_link")
        user = _follow(ctx, session, token, new, hashed)
        waits = new is not None and ctx.settings.sign_up == "approval"
        code = tokens.hold(session, user, "", ctx.now()) if waits else ""
        done = None if waits else signed_in(ctx, session, user, browser)
    ctx.caches.bearers.clear()
    if done is None:
        raise PlayError(code)
    return done


def sign_in_link(ctx: AppContext, name: str, *, valid: timedelta = LIFETIMES["sign_in"]) -> str:
    """Return a link that signs the account of a name or confirmed address in, once.

    For the operator, to hand over instead of an email; for a page, between password and code.
    """
    with ctx.database.write() as session:
        user = session.scalars(select(User).where(User.name_key == fold(name))).one_or_none() or by_email(session, name)
        if user is None or user.disabled_at is not None:
            raise not_found("name", name)
        token = create_link(session, "sign_in", None, user.id, ctx.now(), valid)
        return link_signer(session).dumps(token.id)


def _follow(ctx: AppContext, session: Session, token: Token, new: User | None, hashed: str | None) -> User:
    if new is not None:
        if by_email(session, token.email or ""):
            raise PlayError("email_taken", field="email")
        names.refuse_lookalike(session, new.name)
        session.add(new)
        user = new
    else:
        found = session.get(User, token.user_id) if token.user_id else None
        if token.purpose == "undo" and found is not None and found.disabled_at is None:
            _give_back(session, token, found, ctx.now())
        elsewhere = token.email is not None and found is not None and fold(found.email or "") != fold(token.email)
        if found is None or found.disabled_at is not None or elsewhere:
            raise PlayError("bad_link")
        user = found
    if token.email is not None:
        user.email_confirmed_at = user.email_confirmed_at or ctx.now()
        session.flush()
        attach(session, user)
    if token.purpose == "reset":
        user.password_hash = hashed
        tokens.revoke_sessions(session, user.id, ctx.now())
    return user


def _asks_for_code(session: Session, token: Token) -> bool:
    """Say whether following a link needs a code. One to undo does not ask for a factor that was added since."""
    row = session.get(SecondFactor, token.user_id)
    if row is None or row.confirmed_at is None:
        return False
    return token.purpose != "undo" or row.confirmed_at < token.created_at


def _give_back(session: Session, token: Token, user: User, now: datetime) -> None:
    """Undo a change of address, and what whoever made it may have left behind since: sessions, tokens, a factor."""
    user.email, user.email_confirmed_at = token.name, now
    user.revision += 1
    tokens.revoke_sessions(session, user.id, now)
    bots = select(User.id).where(User.bot_owner_id == user.id)
    theirs = (or_(Token.user_id == user.id, Token.user_id.in_(bots)), Token.revoked_at.is_(None), Token.id != token.id)
    since = or_(Token.kind == "link", Token.created_at >= token.created_at)
    session.execute(update(Token).where(*theirs, since).values(revoked_at=now))
    late = or_(SecondFactor.confirmed_at.is_(None), SecondFactor.confirmed_at >= token.created_at)
    session.execute(delete(SecondFactor).where(SecondFactor.user_id == user.id, late))


def attach(session: Session, user: User) -> None:
    """Make invitations of an address that is confirmed now invitations of its account."""
    mine = (MailInvitation.email_key == user.email_key, MailInvitation.user_id.is_(None))
    for row in session.scalars(select(MailInvitation).where(*mine)):
        row.user_id = user.id
        if session.get(Invitation, (row.campaign_id, user.id)) is None:
            declined = row.declined_at
            session.add(
                Invitation(campaign_id=row.campaign_id, user_id=user.id, made_at=row.made_at, declined_at=declined)
            )
