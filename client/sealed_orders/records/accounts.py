"""Accounts, sessions, tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Account:
    """An account as its owner sees it."""

    id: str
    name: str
    email: str | None
    email_confirmed: bool
    has_password: bool
    bot_owner_id: str | None
    """Whose bot it is; None for people."""
    admin: bool
    locale: str
    time_zone: str
    created_at: datetime
    revision: int
    guest: bool = False
    """Without credentials: it ends 30 days after the last visit."""
    plays: str | None = None
    """The games a bot is open to; None for people, and for a bot that is not listed."""


@dataclass(frozen=True, slots=True)
class OpenBot:
    """A bot that is open to games; a game master invites it by its name."""

    name: str
    owner: str
    """Name of the account that owns it."""
    plays: str
    """The games it is open to, in its owner's words."""
    seen_at: datetime | None
    """When it last used its token; None: never."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session that began; its token signs in until it expires or is given up."""

    account: Account
    token: str
    csrf_token: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A token as its owner sees it; never the secret."""

    id: str
    kind: str
    """``personal`` or ``session``."""
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just made."""

    info: TokenInfo
    secret: str
    """Shown this once."""
