"""What both sides of a campaign's battle agree on before they meet: the mission, a date and a place.

Agreed dates go into people's calendars (iCalendar, RFC 5545). The library for that is loaded at the first request, so
that a server starts sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, tuple_
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import UNDER_WAY
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.notices.notices import Notices
from server.play.records.records import open_phase, set_deadline
from server.play.tables.access import Access, load
from server.play.tables.battle_opening import WHY_DATE, own_deadline
from server.play.tables.info import TableInfo, info, seats_with_games
from server.play.tables.setting_up import WAYS, NewTable, changed_setup, require_open
from server.play.tables.telling import announce
from server.rules.state import REPORTS
from server.store.tables import Campaign, TableBattleRow, TableGameRow, TableProposalRow

if TYPE_CHECKING:
    from icalendar import Event

MISSION, DATE = "mission", "date"
MAX_OPEN, MAX_PROPOSALS, MAX_PLACE = 5, 100, 120
"""Dates that a side has open at once; proposals of a battle; characters of a place."""
TO_REPORT = timedelta(hours=24)
"""After an agreed date, until the deadline that it moves."""
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


def propose_mission(
    ctx: AppContext, actor: Actor, game_id: str, new: NewTable, given: frozenset[str], side: str | None = None
) -> TableInfo:
    """Propose what is played: ``mission`` or ``roll``, and ``table`` and ``settings`` where they are not as before."""
    if not given & WAYS:
        raise invalid("mission", "Give one of mission, roll, agree.")
    with ctx.database.write() as session:
        _, may = _locked(session, actor, game_id)
        require_open(may)
        by = _side(may, side)
        mission, setup = changed_setup(session, actor, may, new, given)
        for row in _open(may, MISSION):
            if row.side == by:
                _answer(row, "withdrawn", ctx.now())
        content = {"mission": mission or None, "roll": new.roll or new.agree, "setup": setup}
        return _proposed(ctx, session, actor, may, by, MISSION, content)


def propose_date(
    ctx: AppContext, actor: Actor, game_id: str, at: datetime, place: str = "", side: str | None = None
) -> TableInfo:
    """Propose when and where to meet; a side may propose several dates."""
    where = text_input.line(place, "place", MAX_PLACE, minimum=0)
    now = ctx.now()
    if at.tzinfo is not None and at <= now:
        raise invalid("at", "A time to come.", at.isoformat())
    instant = text_input.instant(at, "at", now).astimezone(UTC)
    with ctx.database.write() as session:
        _, may = _locked(session, actor, game_id)
        may.require_status("The battle is over.", "open", "playing")
        by = _side(may, side)
        if sum(row.side == by for row in _open(may, DATE)) >= MAX_OPEN:
            raise PlayError("limit_reached", say("At most {most} open dates.", most=MAX_OPEN))
        return _proposed(ctx, session, actor, may, by, DATE, {"at": instant.isoformat(), "place": where})


def answer(
    ctx: AppContext, actor: Actor, game_id: str, number: int, *, agree: bool, side: str | None = None
) -> TableInfo:
    """Agree to the other side's proposal, or decline it; declining your own withdraws it."""
    with ctx.database.write() as session:
        campaign, may = _locked(session, actor, game_id)
        by = _side(may, side)
        row = next((proposal for proposal in may.proposals if proposal.number == number), None)
        if row is None:
            raise not_found("proposal", number)
        if row.status != "open":
            raise PlayError("conflict", "That proposal is answered.", field="status", value=row.status)
        now = ctx.now()
        if not agree:
            _answer(row, "withdrawn" if row.side == by else "declined", now)
        elif row.side == by:
            raise PlayError("forbidden", "The other side answers what you propose.")
        else:
            for other in _open(may, row.about):
                _answer(other, "agreed" if other is row else "withdrawn", now)
            _take(session, campaign, may, row, now)
        _notify(session, campaign, may, row, now)
        return _changed(session, actor, may, now)


def keep_models(
    ctx: AppContext, actor: Actor, game_id: str, keep: bool, side: str | None = None
) -> TableInfo:  # fmt: skip
    """Leave your models where they are before the battle, or merge them again (6.2.1.3.1)."""
    with ctx.database.write() as session:
        _, may = _locked(session, actor, game_id)
        require_open(may)
        by, battle = _side(may, side), may.require_battle()
        battle.keeps_models = {**battle.keeps_models, by: keep}
        return _changed(session, actor, may, ctx.now())


# --- inside ---


def _locked(session: Session, actor: Actor, game_id: str) -> tuple[access.Access, Access]:
    """Return the campaign and the game, both locked, the campaign first as everywhere."""
    known = load(session, actor, game_id)
    known.require_battle()
    campaign = access.load_exclusive(session, actor, str(known.row.campaign_id))
    return campaign, load(session, actor, game_id, lock=True)


def _side(may: Access, side: str | None) -> str:
    """Return the side one speaks for; refuses who plays none."""
    return may.seat(may.side(side)).side


def _open(may: Access, about: str) -> list[TableProposalRow]:
    return [row for row in may.proposals if row.about == about and row.status == "open"]


def _answer(row: TableProposalRow, status: str, now: datetime) -> None:
    row.status, row.answered_at = status, now


def _proposed(
    ctx: AppContext, session: Session, actor: Actor, may: Access, by: str, about: str, content: dict[str, Any]
) -> TableInfo:
    if len(may.proposals) >= MAX_PROPOSALS:
        raise PlayError("limit_reached", say("At most {most} proposals.", most=MAX_PROPOSALS))
    now = ctx.now()
    row = TableProposalRow(
        game_id=may.row.id,
        number=len(may.proposals) + 1,
        side=by,
        about=about,
        content=content,
        status="open",
        made_at=now,
    )
    session.add(row)
    session.flush()
    campaign = access.load(session, actor, str(may.row.campaign_id))
    _notify(session, campaign, may, row, now)
    return _changed(session, actor, may, now)


def _changed(session: Session, actor: Actor, may: Access, now: datetime) -> TableInfo:
    may.row.revision += 1
    session.flush()
    announce(session, [may.row.id], "agreements", now)
    return info(load(session, actor, may.row.id), None)


def _take(session: Session, campaign: access.Access, may: Access, row: TableProposalRow, now: datetime) -> None:
    """Carry out what both agree on."""
    battle = may.require_battle()
    if row.about == MISSION:
        require_open(may)
        may.row.mission, may.row.setup = row.content["mission"] or "", row.content["setup"]
        battle.mission_by = "agreed"
        return
    battle.meets_at, battle.place = datetime.fromisoformat(row.content["at"]), row.content["place"]
    _move_deadline(session, campaign, battle.meets_at, now)


def _move_deadline(session: Session, may: access.Access, meets_at: datetime, now: datetime) -> None:
    """Move the phase's deadline behind the date, as far as the campaign allows it."""
    now_open = open_phase(session, may.campaign)
    if now_open is None or now_open.phase.phase != REPORTS or may.campaign.status != "running":
        return
    phase, wanted = now_open.phase, meets_at + TO_REPORT
    own = own_deadline(session, phase)
    if own is None or phase.deadline is None or wanted <= phase.deadline:
        return
    if meets_at > own + timedelta(days=may.options.table_date_days):
        return
    set_deadline(session, may.campaign, phase, wanted, "extended", now, why=WHY_DATE)
    notices = Notices(session, may.campaign, now)
    key = f"table_date/{phase.branch}/{phase.number}/{wanted.timestamp():.0f}"
    seats = access.seats_of(session, may.campaign.id)
    notices.everybody("deadline_changed", key, seats, deadline=wanted.isoformat(), tabletop=True)
    notices.send()


def _notify(session: Session, campaign: access.Access, may: Access, row: TableProposalRow, now: datetime) -> None:
    """Notify the side that did not act; both sides once something is agreed."""
    notices = Notices(session, campaign.campaign, now)
    battle = may.require_battle()
    players = {"red": battle.red_player, "blue": battle.blue_player}
    if row.status == "withdrawn":
        return
    told = {"open": [side for side in players if side != row.side], "declined": [row.side]}.get(row.status, [*players])
    for seat in access.seats_of(session, campaign.campaign.id):
        if seat.player_id in [players[side] for side in told]:
            key = f"table_agreement/{may.row.id}/{row.number}/{row.status}/{seat.player_id}"
            notices.seat(
                seat,
                "table_agreement",
                key,
                hex=may.row.hex,
                table=may.row.id,
                about=row.about,
                status=row.status,
                number=row.number,
            )
    notices.send()


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
