"""Due times over all campaigns: an index that the server keeps apart from them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import CLUSTERED, Base


class AgendaRow(Base):
    """When something is due in a campaign. The campaign's own rows decide; this only says when to look at them."""

    __tablename__ = "agenda"
    __table_args__ = (Index(None, "kind", "at"), CLUSTERED)

    campaign_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    """``deadline``, ``ready``, ``warning``, ``start``, ``vote``, ``abandoned``, ``succession``, ``removal`` or
    ``publication``."""
    at: Mapped[datetime]
