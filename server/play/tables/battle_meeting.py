"""The agreed dates of battles, for people's calendars (iCalendar, RFC 5545).

The calendar library is loaded at the first request, so that a server starts sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import or_, select, tuple_

from server.play.access import UNDER_WAY
from server.play.context import Actor, AppContext
from server.play.errors import not_found
from server.play.tables.access import Access, load
from server.play.tables.listing import seats_with_games
from server.store.tables import Campaign, TableBattleRow, TableGameRow

if TYPE_CHECKING:
    from icalendar import Event

LASTS = timedelta(hours=3)


@dataclass(frozen=True, slots=True)
class Meeting:
    """An agreed date."""

    game: str
    """Id of the table game."""
    title: str
    """Campaign and hex."""
    campaign: str
    """Its id."""
    hex: str
    at: datetime
    place: str
    players: tuple[str, ...]
    """What the sides are called."""


def of_game(ctx: AppContext, actor: Actor, game_id: str) -> Meeting:
    """Return the agreed date of a game; raise ``not_found`` if the user can see none."""
    with ctx.database.read() as session:
        found = _meeting(load(session, actor, game_id))
    if found is None:
        raise not_found("meeting", game_id)
    return found


def mine(ctx: AppContext, actor: Actor) -> list[Meeting]:
    """Return the agreed dates of battles that someone fights in campaigns under way, the first one first."""
    with ctx.database.read() as session:
        seats = seats_with_games(session, actor.user_id)
        theirs = {campaign_id for campaign_id, _ in seats}
        running = select(Campaign.id).where(Campaign.id.in_(sorted(theirs)), Campaign.status.in_(UNDER_WAY))
        under_way = set(session.scalars(running)) if theirs else set[str]()
        mine = [seat for seat in seats if seat[0] in under_way]
        sides = (TableBattleRow.red_player, TableBattleRow.blue_player)
        query = (
            select(TableGameRow.id)
            .join(TableBattleRow, TableBattleRow.game_id == TableGameRow.id)
            .where(
                TableBattleRow.meets_at.is_not(None),
                TableGameRow.status != "closed",
                or_(*(tuple_(TableGameRow.campaign_id, side).in_(mine) for side in sides)),
            )
        )
        ids = session.scalars(query.order_by(TableBattleRow.meets_at, TableGameRow.id)).all() if mine else ()
        found = [_meeting(load(session, actor, game_id)) for game_id in ids]
    return [meeting for meeting in found if meeting is not None]


def to_ics(ctx: AppContext, meeting: Meeting) -> bytes:
    """Return a date as a file of its own."""
    from icalendar import Calendar

    made = Calendar()
    made.add("prodid", "-//Sealed Orders//sealed-orders//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add_component(to_event(ctx, meeting))
    content: bytes = made.to_ical()
    return content


def to_event(ctx: AppContext, meeting: Meeting) -> Event:
    """Return a date as an entry of a calendar; the same game has the same one, so a new date moves it."""
    from icalendar import Event

    made = Event()
    made.add("uid", f"table-{meeting.game}@sealed-orders")
    made.add("dtstamp", ctx.now())
    made.add("dtstart", meeting.at)
    made.add("dtend", meeting.at + LASTS)
    made.add("summary", f"⚔ {meeting.title}")
    made.add("description", " – ".join(meeting.players))
    if meeting.place:
        made.add("location", meeting.place)
    made.add("url", f"{ctx.settings.public_url}/tables/{meeting.game}")
    return made


def _meeting(may: Access) -> Meeting | None:
    row, battle = may.row, may.battle
    if battle is None or battle.meets_at is None or not (may.sides or may.gm):
        return None
    names = tuple(seat.name for seat in may.seats.values())
    return Meeting(row.id, row.name, str(row.campaign_id), str(row.hex), battle.meets_at, battle.place, names)
