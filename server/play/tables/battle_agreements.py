"""What both sides of a campaign's battle agree on before they meet: the mission, a date and a place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, invalid, not_found
from server.play.notices.notices import Notices
from server.play.records.pointer import set_deadline
from server.play.records.records import open_phase
from server.play.tables.access import Access, load
from server.play.tables.battle_waiting import WHY_DATE, own_deadline
from server.play.tables.info import TableInfo, info
from server.play.tables.setting_up import WAYS, NewTable, changed_setup, require_open
from server.play.tables.telling import announce
from server.rules.state import REPORTS
from server.store.tables import TableProposalRow

MISSION, DATE = "mission", "date"
MAX_OPEN, MAX_PROPOSALS, MAX_PLACE = 5, 100, 120
"""Dates that a side has open at once; proposals of a battle; characters of a place."""
TO_REPORT = timedelta(hours=24)
"""After an agreed date, until the deadline that it moves."""


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
        if may.row.status not in ("open", "playing"):
            raise PlayError("wrong_status", "The battle is over.", field="status", value=may.row.status)
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
    notices.everybody("deadline_changed", key, seats, deadline=wanted.isoformat())
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
