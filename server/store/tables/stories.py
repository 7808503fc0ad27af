"""The chronicle: what players write of their battles, and the pictures that go with it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from server.store.tables.base import Base, new_id


class StoryRow(Base):
    """The story of a battle as one side tells it."""

    __tablename__ = "stories"
    __table_args__ = (
        UniqueConstraint("game_id", "side"),
        UniqueConstraint("campaign_id", "branch", "turn", "hex", "side"),
        CheckConstraint("game_id IS NOT NULL OR campaign_id IS NOT NULL", name="of_a_battle"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("table_games.id", ondelete="CASCADE"))
    """The game on the table; None: the dice fought the battle."""
    campaign_id: Mapped[str | None]
    """The campaign whose battle it was; None: of a single game."""
    branch: Mapped[int | None]
    turn: Mapped[int | None]
    hex: Mapped[str | None]
    side: Mapped[str]
    """``red`` or ``blue`` of the game, else the player's id in the campaign."""
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    name: Mapped[str]
    """What the others call who wrote it."""
    title: Mapped[str]
    body: Mapped[str]
    held: Mapped[bool]
    """The others read it when the campaign is over."""
    revision: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class StoryPictureRow(Base):
    """A picture of a story, made again from the upload: nothing of the original file is stored."""

    __tablename__ = "story_pictures"

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id)
    story_id: Mapped[str] = mapped_column(ForeignKey("stories.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    """Its place in the story."""
    alt: Mapped[str]
    """A description for readers who cannot see it."""
    width: Mapped[int]
    height: Mapped[int]
    content: Mapped[bytes] = mapped_column(deferred=True)
    """JPEG."""
