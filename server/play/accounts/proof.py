"""Fresh proof of identity: a session that was stolen cannot change what the account is signed in with.

Signing in is a proof, and so is a password or code given later (:mod:`server.play.accounts.second_factor_setup`). It
holds for this session and for :data:`VALID`. An account with a second factor proves itself by that.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.store.tables import SecondFactor, Token

VALID = timedelta(minutes=15)
"""How long a proof holds."""


def require(ctx: AppContext, actor: Actor, *, password: bool = False) -> None:
    """Refuse (``proof_required``) a session that has not proved lately whose it is. Not inside a transaction.

    *password*: the account's password came with the request, which is a proof without two-factor authentication. The
    server itself, which acts for someone without a session, proves nothing; nor do guests, who have no other key.
    """
    if actor.guest or not actor.token_id:
        return
    with ctx.database.read() as session:
        until = until_of(session, actor)
        two = has_second_factor(session, actor.user_id)
    if password and not two:
        with ctx.database.write(aside=True) as session:
            note(session, actor.token_id, ctx.now())
    elif until is None or until <= ctx.now():
        raise PlayError("proof_required")


def until_of(session: Session, actor: Actor) -> datetime | None:
    """Return until when the last proof of a session holds; None: it has given none."""
    proved = session.scalar(select(Token.proved_at).where(Token.id == actor.token_id))
    return None if proved is None else proved + VALID


def note(session: Session, token_id: str, now: datetime) -> None:
    """Write down that a session has proved whose it is."""
    session.execute(update(Token).where(Token.id == token_id).values(proved_at=now))


def has_second_factor(session: Session, user_id: str) -> bool:
    """Say whether an account signs in with a code."""
    row = session.get(SecondFactor, user_id)
    return row is not None and row.confirmed_at is not None
