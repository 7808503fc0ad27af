"""Accounts that cannot sign in for now: banned for a time, or new and not let in yet."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, exists, or_
from sqlalchemy.orm import Session

from server.play.errors import PlayError
from server.store.tables import AccountHold, User

BAN, APPROVAL = "ban", "approval"
CONFIRM = "confirm"
"""Why an account waits that is let in as soon as its address is confirmed."""


def check(session: Session, user: User, now: datetime) -> None:
    """Refuse an account that cannot sign in now: ``banned``, ``awaits_approval`` or ``confirm_address``."""
    ban = session.get(AccountHold, (user.id, BAN))
    if ban is not None and (ban.until is None or ban.until > now):
        raise PlayError("banned", field="until", value=None if ban.until is None else ban.until.isoformat())
    waits = session.get(AccountHold, (user.id, APPROVAL))
    if waits is None:
        return
    if waits.why != CONFIRM:
        raise PlayError("awaits_approval")
    if user.email_confirmed_at is None:
        raise PlayError("confirm_address")
    session.delete(waits)


def hold(session: Session, user: User, why: str, now: datetime) -> str:
    """Have a new account wait: for an admin, or for its address to be confirmed. Returns the code that says so."""
    session.add(AccountHold(user_id=user.id, kind=APPROVAL, made_at=now, until=None, why=why))
    return "confirm_address" if why == CONFIRM else "awaits_approval"


def is_banned(
    user_id: ColumnElement[str], owner_id: ColumnElement[str], now: ColumnElement[datetime]
) -> ColumnElement[bool]:
    """Return the condition that an account, or the owner of a bot, is banned."""
    whose = or_(AccountHold.user_id == user_id, AccountHold.user_id == owner_id)
    return exists().where(whose, AccountHold.kind == BAN, or_(AccountHold.until.is_(None), AccountHold.until > now))
