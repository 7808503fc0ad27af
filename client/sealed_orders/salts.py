"""Salts that a player keeps: made from one key, the same in the browser and here (``docs/dice.md``)."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

_DIGITS = 32


def new_key() -> str:
    """Return a new key as a code of eight groups, to be kept and typed in elsewhere."""
    drawn = secrets.token_hex(_DIGITS // 2)
    return "-".join(drawn[at : at + 4] for at in range(0, _DIGITS, 4))


def key_bytes(code: str) -> bytes:
    """Return the key of a code; spaces, dashes and capitals do not matter. Raises ``ValueError`` for no code."""
    plain = re.sub(r"[\s-]", "", code).lower()
    if not re.fullmatch(r"[0-9a-f]{32}", plain):
        raise ValueError("a key is a code of 32 hexadecimal digits")
    return bytes.fromhex(plain)


def salt_for(code: str, campaign_id: str, seat: str, serial: int) -> str:
    """Return the salt of a seat with that serial number."""
    return hmac.digest(key_bytes(code), f"{campaign_id}|{seat}|{serial}".encode(), "sha256").hex()


def commitment_of(salt: str) -> str:
    """Return what is sent beforehand: the SHA-256 of the salt."""
    return hashlib.sha256(salt.encode()).hexdigest()
