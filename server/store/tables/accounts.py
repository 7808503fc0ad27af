"""People and programs that may sign in, and what they keep for themselves."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, false, text
from sqlalchemy.orm import Mapped, mapped_column, validates

from server.store.tables.base import CLUSTERED, GROWING, Base, StringList, fold, new_id, one_of

TOKEN_KINDS = ("session", "personal", "link")
HOLDS = ("ban", "approval")


class User(Base):
    """An account: a person's, or a bot's that a person owns."""

    __tablename__ = "users"
    __table_args__ = (
        Index(
            "ix_users_email_key_confirmed",
            "email_key",
            unique=True,
            sqlite_where=text("email_confirmed_at IS NOT NULL"),
            postgresql_where=text("email_confirmed_at IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str]
    """As its owner writes it."""
    name_key: Mapped[str] = mapped_column(unique=True)
    """The folded name; set with :attr:`name`. Two names that fold alike are one. A guest's says nothing."""
    name_skeleton: Mapped[str | None] = mapped_column(index=True)
    """What all names that look like it have in common (:mod:`server.play.accounts.names`); None: not worked out yet."""
    email: Mapped[str | None]
    email_key: Mapped[str | None] = mapped_column(index=True)
    """The folded address; set with :attr:`email`. Unique among confirmed addresses."""
    email_confirmed_at: Mapped[datetime | None]
    password_hash: Mapped[str | None]
    """argon2; None for bots and for people who sign in by emailed link."""
    bot_owner_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    """The person a bot account belongs to."""
    plays: Mapped[str | None]
    """The games a bot is open to, in its owner's words; None: it is not in the list of open bots."""
    guest: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Without credentials: the browser's session is the only key, and others may have the same name."""
    admin: Mapped[bool] = mapped_column(default=False)
    locale: Mapped[str] = mapped_column(default="en")
    time_zone: Mapped[str] = mapped_column(default="UTC")
    """IANA name; for showing times only."""
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]
    revision: Mapped[int] = mapped_column(default=1)

    @validates("name")
    def _fold_name(self, _key: str, name: str) -> str:
        self.name_key, self.name_skeleton = f"guest:{self.id}" if self.guest else fold(name), None
        return name

    @validates("email")
    def _fold_email(self, _key: str, email: str | None) -> str | None:
        self.email_key = None if email is None else fold(email)
        return email


class Visit(Base):
    """When an account was last here. Apart from the account, whose row changes rarely."""

    __tablename__ = "visits"
    __table_args__ = (CLUSTERED,)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    last_seen_at: Mapped[datetime]


class Token(Base):
    """A secret someone signs in with. Only its hash is here; the secret itself was shown once."""

    __tablename__ = "tokens"
    __table_args__ = (one_of("kind", *TOKEN_KINDS),)

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    """None for a link mailed to someone who has no account yet."""
    hash: Mapped[str] = mapped_column(unique=True)
    """SHA-256 of the secret, hexadecimal."""
    kind: Mapped[str]
    """``session`` (web), ``personal`` (access token) or ``link`` (mailed, works once)."""
    purpose: Mapped[str] = mapped_column(default="")
    """What a link is for: ``sign_in``, ``sign_up``, ``confirm``, ``reset``, ``undo``."""
    name: Mapped[str] = mapped_column(default="")
    """What its owner calls a personal token; the browser of a session; the address, as written, of a link to undo."""
    email: Mapped[str | None]
    """The address a link was mailed to."""
    scopes: Mapped[StringList] = mapped_column(default=())
    """``read``, ``orders``, ``gm``; empty for sessions, which may do all their user may."""
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None] = mapped_column(index=True)
    revoked_at: Mapped[datetime | None]
    used_at: Mapped[datetime | None]
    """When a link was used up."""
    last_used_at: Mapped[datetime | None]
    proved_at: Mapped[datetime | None]
    """When a session last proved whose it is (:mod:`server.play.accounts.proof`)."""


class SecondFactor(Base):
    """What a user's authenticator app and the server have in common (:mod:`server.play.accounts.second_factor`)."""

    __tablename__ = "second_factors"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[bytes]
    """Encrypted with a key of the server's own."""
    made_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    """None: set-up has started, and does not count yet."""
    last_step: Mapped[int] = mapped_column(default=0)
    """The last step of time whose code was taken; none counts twice."""
    recovery: Mapped[StringList] = mapped_column(default=())
    """SHA-256 of the recovery codes that are left."""
    failures: Mapped[int] = mapped_column(default=0)
    """Wrong codes in a row."""
    blocked_until: Mapped[datetime | None]


class Block(Base):
    """Someone wants no letters and invitations of someone else any more."""

    __tablename__ = "blocks"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    blocked_user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    campaign_id: Mapped[str | None] = mapped_column(index=True)
    """Where it holds: in an anonymous campaign nobody learns from it who someone is elsewhere. None: everywhere."""
    label: Mapped[str]
    """What the blocked one was called there."""
    made_at: Mapped[datetime]


class PersonReport(Base):
    """What someone told the operators of someone else."""

    __tablename__ = "person_reports"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    """The account that sent the report."""
    about_user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    campaign_id: Mapped[str | None] = mapped_column(index=True)
    message_id: Mapped[str | None]
    """The letter it is about."""
    quoted: Mapped[str] = mapped_column(default="")
    """The message's words at the time of the report."""
    why: Mapped[str]
    made_at: Mapped[datetime] = mapped_column(index=True)
    settled_at: Mapped[datetime | None]
    settled_by: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    note: Mapped[str] = mapped_column(default="")
    """The operator's note on closing it; the account that reported it does not see it."""


class Template(Base):
    """A detachment a user has saved to build again."""

    __tablename__ = "templates"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    ruleset_id: Mapped[str]
    faction: Mapped[str] = mapped_column(default="")
    content: Mapped[dict[str, Any]]
    """``detachment_type`` and ``units`` as in a ``build_detachment`` order."""
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    revision: Mapped[int] = mapped_column(default=1)


class ServerValue(Base):
    """Something the server made up for itself once and must not forget, such as the key it signs links with."""

    __tablename__ = "server_values"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[bytes]


class AccountHold(Base):
    """An account that cannot sign in for now: an admin banned it for a time, or has not let it in yet."""

    __tablename__ = "account_holds"
    __table_args__ = (one_of("kind", *HOLDS),)

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    """``ban`` or ``approval``."""
    made_at: Mapped[datetime]
    until: Mapped[datetime | None]
    """When a ban ends; None: until an admin says so."""
    why: Mapped[str] = mapped_column(default="")
    """Shown to the account's owner."""


class AdminAct(Base):
    """What an admin did to an account or a campaign, or to the server; never changed."""

    __tablename__ = "admin_acts"
    __table_args__ = (GROWING,)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    admin: Mapped[str]
    """The admin's name then, or ``console`` for a command on the server's machine."""
    act: Mapped[str]
    about: Mapped[str] = mapped_column(default="")
    """The name of the account or campaign then."""
    note: Mapped[str] = mapped_column(default="")
