"""Battles of campaigns that are fought on the table: whose they are, what was agreed before the start."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, one_of
from server.store.tables.table_games import SIDES

PROPOSAL_ABOUT = ("mission", "date")
PROPOSAL_STATUSES = ("open", "agreed", "declined", "withdrawn")


class TableBattleRow(Base):
    """The battle of a campaign that a table game is; the attacker is red."""

    __tablename__ = "table_battles"

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    red_player: Mapped[str]
    """The attacking player of the campaign; who orders for them plays the side. Likewise the defender."""
    blue_player: Mapped[str]
    units: Mapped[dict[str, Any]]
    """The campaign's id of each unit, by its id on the table."""
    secret: Mapped[dict[str, Any]]
    """What only the referee knows: orders given, works that the attacker does not see."""
    keeps_models: Mapped[dict[str, Any]]
    """Sides whose models stay where they are before the battle (6.2.1.3.1): true by side."""
    moved: Mapped[dict[str, Any]]
    """Since the start: models that a unit brought and models it fielded, for units whose models were moved."""
    mission_by: Mapped[str] = mapped_column(default="")
    """``agreed`` or ``gm``; empty: the rules' own, the normal battle with its situation table."""
    meets_at: Mapped[datetime | None]
    """The date both agreed on."""
    place: Mapped[str] = mapped_column(default="")


class TableProposalRow(Base):
    """What a side proposes before the battle: a mission, or a date and a place."""

    __tablename__ = "table_proposals"
    __table_args__ = (
        one_of("side", *SIDES),
        one_of("about", *PROPOSAL_ABOUT),
        one_of("status", *PROPOSAL_STATUSES),
        CLUSTERED,
    )

    game_id: Mapped[str] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    """From 1."""
    side: Mapped[str]
    """The side that proposes."""
    about: Mapped[str]
    content: Mapped[dict[str, Any]]
    """``mission`` or ``roll``; or ``at`` (ISO 8601, UTC) and ``place``."""
    status: Mapped[str] = mapped_column(default="open")
    made_at: Mapped[datetime]
    answered_at: Mapped[datetime | None]
