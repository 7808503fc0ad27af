"""Battles on the table: games, seats, acts, results, saved armies, missions of clubs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, new_id, one_of

TABLE_STATUSES = ("open", "playing", "over", "closed")
SIDES = ("red", "blue")


class TableGameRow(Base):
    """A battle on the table: how it is set up, its dice, how far it has come."""

    __tablename__ = "table_games"
    __table_args__ = (
        one_of("status", *TABLE_STATUSES),
        Index(None, "campaign_id", "branch", "turn", "hex"),
        Index(
            "ix_table_games_address",
            "address",
            sqlite_where=text("address IS NOT NULL"),
            postgresql_where=text("address IS NOT NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(default="")
    mission: Mapped[str]
    """Id of the mission it begins with; empty: it is rolled at the start."""
    status: Mapped[str] = mapped_column(default="open", index=True)
    """``open`` (seats and armies), ``playing``, ``over`` (the result can still be undone), ``closed``."""
    owner_user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    address: Mapped[str | None]
    """Where a guest made it from, as long as it is open: for the limit per address."""
    campaign_id: Mapped[str | None]
    """The campaign whose battle this is; None: a single game."""
    branch: Mapped[int | None]
    turn: Mapped[int | None]
    hex: Mapped[str | None]
    """Branch, turn and hex of the battle."""
    setup: Mapped[dict[str, Any]]
    """Table, settings, family to roll from: what both agreed on before the start."""
    join_code: Mapped[str | None] = mapped_column(unique=True)
    """The code that takes a seat. Kept as it is: the device shows it again, and it is worth one seat."""
    watch_code: Mapped[str | None] = mapped_column(unique=True)
    """The code with which others watch."""
    dice_secret: Mapped[bytes]
    """Published when the game is closed."""
    commitment: Mapped[str]
    """SHA-256 of the secret, hexadecimal; published from the beginning."""
    acts: Mapped[int] = mapped_column(default=0)
    """How many acts there are: the number of the next one."""
    revision: Mapped[int] = mapped_column(default=1)
    """Counts changes of what stands in this row and in the seats, acts left out."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    last_act_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    archived: Mapped[bool] = mapped_column(default=False)
    """Put away by an owner who does not play."""


class TableBeginningRow(Base):
    """What a game that has started follows from: armies and missions as they were then. Large, and never changed."""

    __tablename__ = "table_beginnings"

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    beginning: Mapped[dict[str, Any]]
    """As the file of a table case has it: game, table, settings, players, battle."""
    missions: Mapped[list[Any]]
    """The mission files it can be played by."""
    seed: Mapped[str]
    """Hexadecimal; leaves the server when the game is closed."""


class TableSeatRow(Base):
    """A side of a game, and who plays it."""

    __tablename__ = "table_seats"
    __table_args__ = (one_of("side", *SIDES),)

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    solo: Mapped[bool] = mapped_column(default=False)
    """The dice play it: nobody sits there."""
    name: Mapped[str] = mapped_column(default="")
    """What the others call them; empty: nobody sits there."""
    army: Mapped[dict[str, Any] | None]
    """As a beginning has it, units with ids of their own."""
    army_name: Mapped[str] = mapped_column(default="")
    commitment: Mapped[str] = mapped_column(default="")
    """SHA-256 of the salt, hexadecimal."""
    salt: Mapped[str] = mapped_column(default="")
    joined_at: Mapped[datetime | None]
    confirmed_at: Mapped[datetime | None]
    """When they confirmed the result."""
    archived: Mapped[bool] = mapped_column(default=False)


class TablePresenceRow(Base):
    """When the player of a side was last there: they followed, read or acted. Written at most every few seconds."""

    __tablename__ = "table_presence"
    __table_args__ = (one_of("side", *SIDES), CLUSTERED)

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    side: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class TableActRow(Base):
    """An action, in the order of acceptance; undone ones, too."""

    __tablename__ = "table_acts"
    __table_args__ = (CLUSTERED,)

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 0."""
    by: Mapped[str]
    """``red``, ``blue`` or ``gm``."""
    content: Mapped[dict[str, Any]]
    """Its fields as they were given, ``do`` among them."""
    state: Mapped[str]
    """SHA-256 of what both sides and spectators know after it, hexadecimal."""
    hash: Mapped[str]
    """SHA-256 over the hash before, this act and the state, hexadecimal."""
    at: Mapped[datetime]


class TableResultRow(Base):
    """How a game ended; deleted when its last action is undone."""

    __tablename__ = "table_results"

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    mission: Mapped[str]
    winner: Mapped[str]
    """``red``, ``blue`` or empty: a draw."""
    word: Mapped[str]
    """``major_victory``, ``victory`` or ``draw``."""
    red_vp: Mapped[int]
    blue_vp: Mapped[int]
    rounds: Mapped[int]
    ended_at: Mapped[datetime]


class TableArmyRow(Base):
    """An army that someone saved for games on the table."""

    __tablename__ = "table_armies"
    __table_args__ = (UniqueConstraint("user_id", "name"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str]
    army: Mapped[dict[str, Any]]
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime]


class TableMissionRow(Base):
    """A club's own mission: of one account, or of one campaign."""

    __tablename__ = "table_missions"
    __table_args__ = (
        UniqueConstraint("user_id", "mission"),
        UniqueConstraint("campaign_id", "mission"),
        CheckConstraint("(campaign_id IS NULL) <> (user_id IS NULL)", name="one_owner"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    campaign_id: Mapped[str | None]
    mission: Mapped[str]
    """The mission's own id."""
    source: Mapped[str]
    """The file as it was uploaded (TOML)."""
    content: Mapped[dict[str, Any]]
    """What it holds."""
    revision: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[datetime]
