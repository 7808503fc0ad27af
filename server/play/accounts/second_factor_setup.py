"""Switching two-factor authentication on and off; giving a fresh proof of identity, and what counts as one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pyotp
from sqlalchemy import delete, update

from server.play.accounts import proof, second_factor, tokens
from server.play.accounts.accounts import check_password
from server.play.accounts.second_factor import box, check, is_good, new_codes, secret_of, uri_of
from server.play.accounts.tokens import unused_link
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid
from server.store.tables import SecondFactor, Token, User


@dataclass(frozen=True, slots=True)
class FactorStatus:
    """Whether one has a second factor."""

    on: bool
    recovery_codes: int
    """How many are left."""
    since: datetime | None


@dataclass(frozen=True, slots=True)
class NewFactor:
    """What an authenticator app needs; it counts once a code of it was given."""

    secret: str
    """Base32, for typing in."""
    uri: str
    """``otpauth://``, for a QR code."""


@dataclass(frozen=True, slots=True)
class RecoveryCodes:
    """Codes that work once each in place of the app's; shown this once."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a session has proved lately whose it is, and how it can."""

    until: datetime | None
    """Until when the last proof holds; None: there is none that holds."""
    ways: tuple[str, ...]
    """``code`` where the account has a second factor; else ``password``, and ``link`` to its confirmed address."""


def status(ctx: AppContext, actor: Actor) -> FactorStatus:
    """Return whether the account has a second factor."""
    actor.require("read")
    with ctx.database.read() as session:
        row = session.get(SecondFactor, actor.user_id)
    if row is None or row.confirmed_at is None:
        return FactorStatus(False, 0, None)
    return FactorStatus(True, len(row.recovery), row.confirmed_at)


def begin(ctx: AppContext, actor: Actor, password: str | None = None) -> NewFactor:
    """Draw a secret for an authenticator app; needs the password if there is one, else a fresh proof.

    Errors: ``wrong_password``, ``proof_required``, ``conflict`` where it is on already.
    """
    _require_person(actor)
    proof.require(ctx, actor, password=check_password(ctx, actor, password, "password") is not None)
    secret = pyotp.random_base32()
    with ctx.database.write() as session:
        row = session.get(SecondFactor, actor.user_id)
        if row is not None and row.confirmed_at is not None:
            raise PlayError("conflict", "The second factor is on already.")
        sealed = box(session).encrypt(secret.encode())
        if row is None:
            session.add(SecondFactor(user_id=actor.user_id, made_at=ctx.now(), secret=sealed))
        else:
            row.secret = sealed
    return NewFactor(secret, uri_of(secret, actor.name))


def pending(ctx: AppContext, actor: Actor) -> NewFactor | None:
    """Return the unconfirmed secret, to be shown again, or None."""
    actor.require_session()
    with ctx.database.read() as session:
        row = session.get(SecondFactor, actor.user_id)
        if row is None or row.confirmed_at is not None:
            return None
        secret = secret_of(session, row)
    return NewFactor(secret, uri_of(secret, actor.name))


def confirm(ctx: AppContext, actor: Actor, code: str) -> RecoveryCodes:
    """Switch it on with a code of the app; all other sessions end.

    Errors: ``wrong_code``, ``conflict``, ``proof_required`` where drawing the secret was a while ago.
    """
    _require_person(actor)
    proof.require(ctx, actor)
    with ctx.database.write() as session:
        row = session.get(SecondFactor, actor.user_id)
        if row is None or row.confirmed_at is not None:
            raise PlayError("conflict", "No second factor waits to be switched on.")
        good = is_good(ctx, session, row, code)
        if good:
            row.confirmed_at = ctx.now()
            codes = new_codes(row)
            tokens.revoke_sessions(session, actor.user_id, ctx.now(), but=actor.token_id)
    if not good:
        raise PlayError("wrong_code", field="code")
    ctx.caches.bearers.clear()
    return RecoveryCodes(codes)


def new_recovery_codes(ctx: AppContext, actor: Actor, code: str) -> RecoveryCodes:
    """Draw new recovery codes; the ones before are worthless. Needs a code."""
    _require_person(actor)
    check(ctx, actor.user_id, code)
    with ctx.database.write() as session:
        row = session.get(SecondFactor, actor.user_id)
        if row is None or row.confirmed_at is None:
            raise PlayError("conflict", "The second factor is off.")
        return RecoveryCodes(new_codes(row))


def switch_off(ctx: AppContext, actor: Actor, code: str) -> None:
    """Sign in without a code from now on. Needs one for the last time; an unfinished set-up is dropped without."""
    _require_person(actor)
    check(ctx, actor.user_id, code)
    with ctx.database.write() as session:
        session.execute(delete(SecondFactor).where(SecondFactor.user_id == actor.user_id))


def _require_person(actor: Actor) -> None:
    actor.require_session()
    if actor.bot:
        raise PlayError("forbidden", "Bots sign in with tokens only.")


def proof_status(ctx: AppContext, actor: Actor) -> Proof:
    """Return whether the session must prove its owner before it changes the account's credentials."""
    actor.require_session(guests=True)
    with ctx.database.read() as session:
        until = proof.until_of(session, actor)
        user = session.get_one(User, actor.user_id)
        two = proof.has_second_factor(session, user.id)
        ways = ("code",) if two else tuple(
            way for way, there in (("password", user.password_hash), ("link", user.email_confirmed_at)) if there
        )  # fmt: skip
    return Proof(until if until is not None and until > ctx.now() else None, ways)


def give_proof(
    ctx: AppContext, actor: Actor, *, password: str | None = None, code: str | None = None, link: str | None = None
) -> Proof:
    """Prove whose the session is, by one of the ways of :func:`status`.

    A *link* to sign in is one that was mailed to the account's confirmed address; it is used up. Errors:
    ``wrong_password``, ``wrong_code``, ``bad_link``, ``second_factor_needed``; ``invalid_request`` for a way that the
    account does not have.
    """
    way = next((name for name, given in (("code", code), ("password", password), ("link", link)) if given), "")
    ways = proof_status(ctx, actor).ways
    if ways == ("code",) and way != "code":
        raise PlayError("second_factor_needed", field="code")
    if way not in ways:
        raise invalid(way or "password", "This account cannot prove itself that way.")
    if way == "code":
        second_factor.check(ctx, actor.user_id, code)
    elif way == "password":
        check_password(ctx, actor, password, "password")
    with ctx.database.write() as session:
        if way == "link":
            token = unused_link(ctx, session, str(link))
            mine = token.user_id == actor.user_id and token.email is not None and token.purpose == "sign_in"
            used = update(Token).where(Token.id == token.id, Token.used_at.is_(None)).values(used_at=ctx.now())
            if not mine or session.execute(used.returning(Token.id)).scalar_one_or_none() is None:
                raise PlayError("bad_link", field="link")
        proof.note(session, actor.token_id, ctx.now())
    return proof_status(ctx, actor)
