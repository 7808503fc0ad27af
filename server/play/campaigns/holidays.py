"""Holidays of players: for how long they say to be away, and how much of it a campaign allows in a year."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError
from server.store.tables import Holiday

UNLIMITED = 366
"""Days a year with which there is no limit."""


def go(
    session: Session, campaign_id: str, user_id: str, until: datetime | None, limit: int, now: datetime
) -> datetime | None:
    """Note that a player is away from now on until then (None: back); return until when they are.

    That is earlier if the *limit*, in days a year, allows less. Refuse a holiday if it allows none.
    """
    mine = (Holiday.campaign_id == campaign_id, Holiday.user_id == user_id)
    rows = list(session.scalars(select(Holiday).where(*mine)))
    for row in rows:
        row.ended_at = min(row.ended_at, now)
    if until is None:
        return None
    if limit < UNLIMITED:
        until = _allowed(now, until, limit, [(row.began_at, row.ended_at) for row in rows])
    session.merge(Holiday(campaign_id=campaign_id, user_id=user_id, began_at=now, ended_at=until))
    return until


def _allowed(now: datetime, until: datetime, limit: int, spent: list[tuple[datetime, datetime]]) -> datetime:
    for year in range(now.year, until.year + 1):
        left = max(timedelta(days=limit) - _within(year, spent), timedelta())
        if _within(year, [(now, until)]) > left:
            until = max(now, datetime(year, 1, 1, tzinfo=UTC)) + left
            break
    if until <= now:
        told = say("You have no days of holiday left in {year}.", year=now.year)
        raise PlayError("invalid_request", told, field="until", value=until.isoformat())
    return until


def days_left(ctx: AppContext, actor: Actor, campaign_id: str) -> int | None:
    """Return how many days of holiday a player has left in this year; None: without limit, or they do not play."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        limit = may.options.holiday_days
        if may.seat is None or limit >= UNLIMITED:
            return None
        mine = (Holiday.campaign_id == campaign_id, Holiday.user_id == actor.user_id)
        spent = [(row.began_at, row.ended_at) for row in session.scalars(select(Holiday).where(*mine))]
        return max(timedelta(days=limit) - _within(ctx.now().year, spent), timedelta()).days


def _within(year: int, times: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """Return how much of some times lies in a year, in UTC."""
    begin, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    parts = (min(until, end) - max(since, begin) for since, until in times)
    return sum((max(part, timedelta()) for part in parts), timedelta())
