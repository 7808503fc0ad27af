"""A campaign's dice (D-81): their scheme, the salts of its seats, whether its secrets are public."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, OfCampaign, one_of

KEEPERS = ("server", "player")


class CampaignDice(OfCampaign):
    """The scheme of a campaign's dice; without a row it is scheme 1, and public as soon as the campaign is over."""

    __tablename__ = "campaign_dice"
    __table_args__ = (CLUSTERED,)

    scheme: Mapped[int]
    """1 or 2; see ``docs/dice.md``."""
    published_at: Mapped[datetime | None]
    """When the record with its secrets became public; None: it is sealed."""


class Salt(Base):
    """A salt of a seat: committed one phase ahead, used for one phase. Nobody reads it before the phase is resolved."""

    __tablename__ = "salts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["campaign_id", "player_id"], ["seats.campaign_id", "seats.player_id"], ondelete="CASCADE"
        ),
        one_of("kept_by", *KEEPERS),
        CLUSTERED,
    )

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(primary_key=True)
    serial: Mapped[int] = mapped_column(primary_key=True)
    """Counts the salts of a seat; 0 is the one of joining, which the start uses."""
    kept_by: Mapped[str]
    """``server`` or ``player``: who drew it, and who keeps it until it is used."""
    commitment: Mapped[str]
    """SHA-256 of the salt, hexadecimal; empty: none was made in time."""
    salt: Mapped[str] = mapped_column(default="")
    """Empty: the player has not sent it."""
    committed_at: Mapped[datetime]
    branch: Mapped[int | None]
    """With the number: the phase it is for; None until that opens."""
    phase_number: Mapped[int | None]
