"""A second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost.

People who have switched it on need a code with the password, and with every emailed link. Sessions that are open and
access tokens stay good: a token was made by someone who was signed in. The app's secret is stored encrypted with a key
of the database's own, recovery codes as hashes.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pyotp
from sqlalchemy.orm import Session

from server.play.accounts import tokens
from server.play.context import AppContext, kept_value
from server.play.errors import PlayError
from server.store.tables import SecondFactor

if TYPE_CHECKING:  # imported by the first secret
    from cryptography.fernet import Fernet

ISSUER = "Sealed Orders"
RECOVERY_CODES = 10
MAX_WRONG = 5
"""Wrong codes in a row, after which no code is checked for :data:`PAUSE`."""
PAUSE = timedelta(minutes=5)
_STEP = 30
"""Seconds a code lasts; one step earlier or later is taken, too, for clocks that are wrong."""
_KEY = "second_factor_key"
_RECOVERY = re.compile(r"[a-z2-7]{16}")


def reset(ctx: AppContext, user_id: str) -> bool:
    """Take the second factor of an account away; for the operator. Its sessions end. Returns whether it had one."""
    with ctx.database.write() as session:
        row = session.get(SecondFactor, user_id)
        if row is None:
            return False
        session.delete(row)
        tokens.revoke_sessions(session, user_id, ctx.now())
    ctx.caches.bearers.clear()
    return True


# --- for those who sign people in ---


def check(ctx: AppContext, user_id: str, code: str | None) -> None:
    """Refuse who has no good code, where the account has a second factor. Not inside a transaction.

    A code of the app works once, a recovery code is used up. Errors: ``second_factor_needed`` without a code,
    ``wrong_code`` with a wrong one, or after too many.
    """
    with ctx.database.write(aside=True) as session:
        row = session.get(SecondFactor, user_id, with_for_update=True)
        if row is None or row.confirmed_at is None:
            return
        if not code:
            raise PlayError("second_factor_needed", field="code")
        good = is_good(ctx, session, row, code)
    if not good:
        raise PlayError("wrong_code", field="code")


def uri_of(secret: str, name: str) -> str:
    """Return what an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret, interval=_STEP).provisioning_uri(name=name, issuer_name=ISSUER)


# --- inside ---


def is_good(ctx: AppContext, session: Session, row: SecondFactor, code: str) -> bool:
    """Say whether a code is good, and note that it was tried; what is noted stays, so nothing is raised here."""
    now = ctx.now()
    if row.blocked_until is not None and row.blocked_until > now:
        return False
    plain = re.sub(r"[\s-]", "", code).lower()
    if _takes_step(session, row, plain, now) or _takes_recovery(row, plain):
        row.failures, row.blocked_until = 0, None
        return True
    row.failures += 1
    if row.failures >= MAX_WRONG:
        row.failures, row.blocked_until = 0, now + PAUSE
    return False


def _takes_step(session: Session, row: SecondFactor, code: str, now: datetime) -> bool:
    """Say whether it is the app's code now, a step ago or a step on, and later than the last one that was taken."""
    if not (len(code) == 6 and code.isascii() and code.isdigit()):
        return False
    app, step = pyotp.TOTP(secret_of(session, row), interval=_STEP), int(now.timestamp()) // _STEP
    for near in (step - 1, step, step + 1):
        if near > row.last_step and secrets.compare_digest(app.generate_otp(near), code):
            row.last_step = near
            return True
    return False


def _takes_recovery(row: SecondFactor, code: str) -> bool:
    hashed = _hashed(code) if _RECOVERY.fullmatch(code) else ""
    if hashed not in row.recovery:
        return False
    row.recovery = tuple(other for other in row.recovery if other != hashed)
    return True


def new_codes(row: SecondFactor) -> tuple[str, ...]:
    """Draw recovery codes and keep their hashes; those before are worthless."""
    codes = tuple(pyotp.random_base32(32)[:16].lower() for _ in range(RECOVERY_CODES))
    row.recovery = tuple(_hashed(code) for code in codes)
    return tuple("-".join(code[at : at + 4] for at in range(0, 16, 4)) for code in codes)


def _hashed(code: str) -> str:
    """Return the hash of a recovery code: it is random and has 80 bits, so a fast hash is enough."""
    return hashlib.sha256(code.encode()).hexdigest()


def secret_of(session: Session, row: SecondFactor) -> str:
    """Return the secret that the app has."""
    return box(session).decrypt(row.secret).decode()


def box(session: Session) -> Fernet:
    """Return what encrypts secrets, with a key that is drawn with the first one."""
    from cryptography.fernet import Fernet

    return Fernet(kept_value(session, _KEY, Fernet.generate_key))
