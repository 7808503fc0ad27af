"""Telling the devices at a table that there is something new. It says how many acts there are, never what they are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from server.store.live import News, publish

if TYPE_CHECKING:
    from server.referee.reading import LocalizedText


def table_topic(game_id: str) -> str:
    """Return the topic of a table game: all who may know of it hear the same."""
    return f"table/{game_id}"


def announce(session: Session, games: Iterable[str], kind: str, at: datetime, acts: int | None = None) -> None:
    """Tell who follows a game that it changed; *acts*: how many there are now. Call it once, at a transaction's end."""
    data = {} if acts is None else {"acts": acts}
    publish(session, [News(table_topic(game_id), kind, data) for game_id in games], at)


def by_language(text: LocalizedText) -> dict[str, str]:
    """Return a text of a mission by language."""
    return {language: text.to(language) for language in ("en", "de")}
