"""Notebooks: what players note for themselves of the turns and the hexes of a campaign."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import OfCampaign


class TurnNote(OfCampaign):
    """What someone noted of a turn. It belongs to the person in the seat, not to those who sit there later."""

    __tablename__ = "turn_notes"

    player_id: Mapped[str] = mapped_column(primary_key=True)
    """The seat."""
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    """Whose note it is."""
    turn: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    updated_at: Mapped[datetime]


class HexPin(OfCampaign):
    """A pin that someone put into the map, with a few words. It belongs to the person in the seat, like a note."""

    __tablename__ = "hex_pins"

    player_id: Mapped[str] = mapped_column(primary_key=True)
    """The seat."""
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    """Whose pin it is."""
    hex: Mapped[str] = mapped_column(primary_key=True)
    turn: Mapped[int]
    """Since which turn it is there; the replay shows it from then on."""
    text: Mapped[str]
    updated_at: Mapped[datetime]
