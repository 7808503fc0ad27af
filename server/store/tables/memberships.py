"""Which campaigns an account has to do with: an index that the server keeps apart from them."""

from __future__ import annotations

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base, one_of

ROLES = ("gm", "partner", "successor", "player", "substitute", "invited", "offered", "former", "named")


class Membership(Base):
    """What an account is in a campaign. The campaign's own rows decide; this only says which campaigns to look at."""

    __tablename__ = "memberships"
    __table_args__ = (one_of("role", *ROLES), CLUSTERED)

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(primary_key=True)
    """``gm``, ``partner``, ``successor``, ``player``, ``substitute``, ``invited``, ``offered`` (to run it), ``former``
    (knew what a seat knows) or, of those who are nothing else, ``named`` (in other rows of the campaign)."""
