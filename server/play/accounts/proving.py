"""Giving a fresh proof of identity, and what counts as one (:mod:`server.play.accounts.proof`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import update

from server.play.accounts import proof, second_factor
from server.play.accounts.accounts import check_password
from server.play.accounts.link_tokens import unused
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid
from server.store.tables import Token, User


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a session has proved lately whose it is, and how it can."""

    until: datetime | None
    """Until when the last proof holds; None: there is none that holds."""
    ways: tuple[str, ...]
    """``code`` where the account has a second factor; else ``password``, and ``link`` to its confirmed address."""


def status(ctx: AppContext, actor: Actor) -> Proof:
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


def give(
    ctx: AppContext, actor: Actor, *, password: str | None = None, code: str | None = None, link: str | None = None
) -> Proof:
    """Prove whose the session is, by one of the ways of :func:`status`.

    A *link* to sign in is one that was mailed to the account's confirmed address; it is used up. Errors:
    ``wrong_password``, ``wrong_code``, ``bad_link``, ``second_factor_needed``; ``invalid_request`` for a way that the
    account does not have.
    """
    way = next((name for name, given in (("code", code), ("password", password), ("link", link)) if given), "")
    ways = status(ctx, actor).ways
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
            token = unused(ctx, session, str(link))
            mine = token.user_id == actor.user_id and token.email is not None and token.purpose == "sign_in"
            used = update(Token).where(Token.id == token.id, Token.used_at.is_(None)).values(used_at=ctx.now())
            if not mine or session.execute(used.returning(Token.id)).scalar_one_or_none() is None:
                raise PlayError("bad_link", field="link")
        proof.note(session, actor.token_id, ctx.now())
    return status(ctx, actor)
