"""What people say to each other, and what they say of battles."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, OfCampaign, new_id, one_of

REPORT_STATUSES = ("open", "confirmed", "disputed", "decided", "withdrawn")


class Message(OfCampaign):
    """A message within a campaign, from a seat or from the GM."""

    __tablename__ = "messages"
    __table_args__ = (
        ForeignKeyConstraint(["campaign_id", "reply_to"], ["messages.campaign_id", "messages.id"]),
        Index(None, "campaign_id", "sent_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id, index=True)
    sender: Mapped[str | None]
    """The player who wrote it; None: the GM."""
    to_all: Mapped[bool] = mapped_column(default=False)
    to_gm: Mapped[bool] = mapped_column(default=False)
    announcement: Mapped[bool] = mapped_column(default=False)
    """Read by spectators, too."""
    in_character: Mapped[bool] = mapped_column(default=False)
    reply_to: Mapped[str | None]
    subject: Mapped[str] = mapped_column(default="")
    body: Mapped[str]
    turn: Mapped[int]
    phase: Mapped[str]
    sent_at: Mapped[datetime]
    gm_read_at: Mapped[datetime | None]


class MessageRecipient(Base):
    """A seat a message went to: every one there was, with ``to_all``."""

    __tablename__ = "message_recipients"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "message_id"], ["messages.campaign_id", "messages.id"], ondelete="CASCADE"
        ),
        Index(None, "campaign_id", "player_id"),
        CLUSTERED,
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    message_id: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(primary_key=True)
    read_at: Mapped[datetime | None]


class Declaration(OfCampaign):
    """A diplomatic declaration: its kind, time and addressee. Alliances in force are the position's."""

    __tablename__ = "declarations"
    __table_args__ = (Index(None, "campaign_id", "made_at"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    player_id: Mapped[str]
    toward: Mapped[str | None]
    """The player it is addressed to; None: everyone."""
    kind: Mapped[str]
    """``alliance``, ``alliance_ended``, ``war``, ``truce``, ``statement``."""
    public: Mapped[bool] = mapped_column(default=False)
    body: Mapped[str] = mapped_column(default="")
    turn: Mapped[int]
    phase: Mapped[str]
    made_at: Mapped[datetime]


class BattleReport(Base):
    """A tabletop result as someone reported it, and what the others say to it."""

    __tablename__ = "battle_reports"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "branch", "phase_number"],
            ["phases.campaign_id", "phases.branch", "phases.number"],
            ondelete="CASCADE",
        ),
        Index(None, "campaign_id", "branch", "phase_number", "hex"),
        one_of("status", *REPORT_STATUSES),
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    branch: Mapped[int]
    phase_number: Mapped[int]
    hex: Mapped[str]
    """Label of the battle's hex."""
    reported_by: Mapped[str | None]
    """The player; None: the GM."""
    content: Mapped[dict[str, Any]]
    """A ``report`` order: winner, who retreated, losses per unit."""
    note: Mapped[str] = mapped_column(default="")
    status: Mapped[str] = mapped_column(default="open")
    """``open``, ``confirmed``, ``disputed``, ``decided`` (by the GM) or ``withdrawn``."""
    reported_at: Mapped[datetime]
    answered_by: Mapped[str | None]
    """The player who confirmed or disputed it; None: nobody, or the GM."""
    answered_at: Mapped[datetime | None]
    answer: Mapped[str] = mapped_column(default="")
    revision: Mapped[int] = mapped_column(default=1)
