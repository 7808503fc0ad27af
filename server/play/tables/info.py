"""A table game before, beside and after its acts, as someone may know it; the user's own games, page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_, select, tuple_
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import invalid
from server.play.tables.access import Access, load
from server.play.tables.battle_facts import Transfer, moved_in, transfers
from server.play.tables.telling import announce, is_online
from server.store.memberships import among
from server.store.tables import (
    SIDES,
    TABLE_STATUSES,
    Membership,
    Seat,
    TableBattleRow,
    TableGameRow,
    TableProposalRow,
    TableResultRow,
    TableSeatRow,
)


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A side of a game."""

    side: str
    name: str
    """Empty: nobody sits there."""
    guest: bool
    solo: bool
    """The dice play it."""
    yours: bool
    has_army: bool
    army_name: str | None
    """For the player's own army; None for the other's."""
    army: Mapping[str, Any] | None
    """The same."""
    commitment: str
    """SHA-256 of the salt, hexadecimal; empty: none yet."""
    salt_sent: bool
    salt: str | None
    """Once the game has started."""
    confirmed: bool
    """They have confirmed the result."""
    seen_at: datetime | None = None
    """When they were last there, to the quarter of a minute, for those who take part; None: never, or by dice."""
    online: bool | None = None
    """They follow the game, read or acted in the last 40 seconds; None where ``seen_at`` is not told."""


@dataclass(frozen=True, slots=True)
class ResultInfo:
    """How a game ended."""

    mission: str
    winner: str
    """``red``, ``blue`` or empty: a draw."""
    word: str
    """``major_victory``, ``victory`` or ``draw``."""
    vp: dict[str, int]
    rounds: int
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table game."""

    id: str
    name: str
    mission: str
    """Empty: it is rolled at the start."""
    status: str
    """``open``, ``playing``, ``over`` (to be confirmed) or ``closed``."""
    campaign: str | None
    """The campaign whose battle it is."""
    turn: int | None
    hex: str | None
    setup: Mapping[str, Any]
    sides: tuple[str, ...]
    """One's own."""
    owner: bool
    gm: bool
    seats: tuple[SeatInfo, ...]
    acts: int
    """How many there are: the number of the next one."""
    revision: int
    commitment: str
    """SHA-256 of the dice's secret, hexadecimal."""
    join_code: str | None
    """For those who play and the one who made it, while a seat is free."""
    watch_code: str | None
    """For those who play and the one who made it."""
    created_at: datetime
    started_at: datetime | None
    last_act_at: datetime | None
    finished_at: datetime | None
    closed_at: datetime | None
    archived: bool
    result: ResultInfo | None
    battle: BattleInfo | None = None
    """The details of a campaign's battle; None for a game without a campaign."""


@dataclass(frozen=True, slots=True)
class ProposalInfo:
    """What a side proposes: a mission, or a date and a place."""

    number: int
    side: str
    about: str
    """``mission`` or ``date``."""
    mission: str | None
    """Id of a mission."""
    roll: str | None
    """Family of missions that the dice draw from."""
    at: datetime | None
    place: str
    status: str
    """``open``, ``agreed``, ``declined`` or ``withdrawn``."""
    made_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class BattleInfo:
    """The battle of a campaign on the table."""

    players: dict[str, str]
    """The campaign's player of each side; red attacks."""
    mission_by: str
    """``agreed`` or ``gm``; empty: the rules' own, the normal battle with its situation table."""
    meets_at: datetime | None
    """The agreed date."""
    place: str
    proposals: tuple[ProposalInfo, ...]
    """For both sides and the game master."""
    transfers: dict[str, tuple[Transfer, ...]]
    """Models of the player's own side that change their unit before the battle (6.2.1.3.1)."""
    keeps_models: dict[str, bool]
    """For the player's own side: its models stay where they are."""


def info(may: Access, result: TableResultRow | None, now: datetime | None = None) -> TableInfo:
    """Return a game as someone may know it; with *now* also who is online."""
    row = may.row
    part = bool(may.sides or may.owner or may.gm)
    return taken_from(
        row,
        TableInfo,
        campaign=row.campaign_id,
        sides=may.sides,
        owner=may.owner,
        gm=may.gm,
        seats=tuple(_seat(may, seat, now if part else None) for seat in may.seats.values()),
        join_code=row.join_code if part and may.has_free_seat else None,
        watch_code=row.watch_code if part else None,
        archived=archived(row, may.seats, may.sides),
        result=None if result is None else result_info(result),
        battle=None if may.battle is None else battle_info(may, may.battle),
    )


def changed(session: Session, may: Access, kind: str, now: datetime) -> TableInfo:
    """Count a change of a game, tell its devices, and return it as someone may know it."""
    may.row.revision += 1
    announce(session, [may.row.id], kind, now)
    session.flush()
    return info(may, None)


def result_info(row: TableResultRow) -> ResultInfo:
    """Return how a game ended."""
    return taken_from(row, ResultInfo, vp={"red": row.red_vp, "blue": row.blue_vp})


def archived(row: TableGameRow, seats: Mapping[str, TableSeatRow], sides: tuple[str, ...]) -> bool:
    """Say whether someone has put a game away."""
    return all(seats[side].archived for side in sides) if sides else row.archived


def _seat(may: Access, seat: TableSeatRow, now: datetime | None) -> SeatInfo:
    seen_at = may.seen.get(seat.side) if now is not None and not seat.solo else None
    mine, begun = seat.side in may.sides, may.row.status != "open"
    return taken_from(
        seat,
        SeatInfo,
        guest=seat.side in may.guests,
        yours=mine,
        has_army=seat.army is not None,
        army_name=seat.army_name if mine else None,
        army=seat.army if mine else None,
        salt_sent=bool(seat.salt),
        salt=seat.salt if begun else None,
        confirmed=seat.confirmed_at is not None,
        seen_at=seen_at,
        online=None if now is None or seat.solo else is_online(seen_at, now),
    )


def battle_info(may: Access, battle: TableBattleRow) -> BattleInfo:
    """Return what someone may know of a campaign's battle at its table."""
    part = bool(may.sides) or may.gm
    players = dict(zip(SIDES, (battle.red_player, battle.blue_player), strict=True))
    supporters = may.row.setup["battle"]["supporters"]
    moves = {
        side: tuple(transfers(army["units"], moved_in(army["units"], supporters)))
        for side in may.sides
        if (army := may.seats[side].army) is not None
    }
    return BattleInfo(
        players,
        battle.mission_by,
        battle.meets_at if part else None,
        battle.place if part else "",
        tuple(proposal_info(row) for row in may.proposals) if part else (),
        moves,
        {side: bool(battle.keeps_models.get(side)) for side in may.sides},
    )


def proposal_info(row: TableProposalRow) -> ProposalInfo:
    """Return a proposal."""
    content, at = row.content, row.content.get("at")
    return taken_from(
        row,
        ProposalInfo,
        mission=content.get("mission"),
        roll=content.get("roll"),
        at=None if at is None else datetime.fromisoformat(at),
        place=content.get("place", ""),
    )


def mine(
    ctx: AppContext, actor: Actor, *, status: str | None = None, archived: bool = False, limit: int = 50,
    after: tuple[datetime, str] | None = None,
) -> list[TableInfo]:  # fmt: skip
    """Return games one plays or made, newest first, at most *limit*; *after* is the sort key of the one before."""
    actor.require("read")
    if status is not None and status not in TABLE_STATUSES:
        raise invalid("status", say("One of {words}.", words=", ".join(TABLE_STATUSES)), status)
    sits, owns = TableSeatRow.user_id == actor.user_id, TableGameRow.owner_user_id == actor.user_id
    seat = exists().where(TableSeatRow.game_id == TableGameRow.id, sits)
    here = exists().where(TableSeatRow.game_id == TableGameRow.id, sits, TableSeatRow.archived.is_(archived))
    ways = [here, owns & ~seat & TableGameRow.archived.is_(archived)]
    wanted: list[ColumnElement[bool]] = []
    if status is not None:
        wanted.append(TableGameRow.status == status)
    if after is not None:
        at, id_ = after
        later = (TableGameRow.created_at == at) & (TableGameRow.id < id_)
        wanted.append(or_(TableGameRow.created_at < at, later))
    newest = (TableGameRow.created_at.desc(), TableGameRow.id.desc())
    with ctx.database.read() as session:
        if seats := seats_with_games(session, actor.user_id):
            ways.append(_battle_of(seats, archived))
        wanted.append(or_(*ways))
        ids = session.scalars(select(TableGameRow.id).where(*wanted).order_by(*newest).limit(limit)).all()
        results = {
            row.game_id: row for row in session.scalars(select(TableResultRow).where(TableResultRow.game_id.in_(ids)))
        }
        return [info(load(session, actor, id_), results.get(id_)) for id_ in ids]


def seats_with_games(session: Session, user_id: str) -> list[tuple[str, str]]:
    """Return campaign and player of someone's seats in campaigns with games on the table.

    Two statements: games are the server's and seats their campaign's, and those may be on other machines.
    """
    plays = (Membership.user_id == user_id, Membership.role == "player")
    games = select(TableGameRow.campaign_id).join(Membership, Membership.campaign_id == TableGameRow.campaign_id)
    here = among(session, Seat.campaign_id, list(session.scalars(games.where(*plays).distinct())))
    seats = select(Seat.campaign_id, Seat.player_id).where(Seat.user_id == user_id, here)
    return [(campaign_id, player_id) for campaign_id, player_id in session.execute(seats)]


def _battle_of(seats: Sequence[tuple[str, str]], archived: bool) -> ColumnElement[bool]:
    """Return the condition that a game is the battle of a campaign in which one of some seats plays a side."""
    campaign = TableGameRow.campaign_id
    red = and_(tuple_(campaign, TableBattleRow.red_player).in_(seats), TableSeatRow.side == SIDES[0])
    blue = and_(tuple_(campaign, TableBattleRow.blue_player).in_(seats), TableSeatRow.side == SIDES[1])
    return exists().where(
        TableBattleRow.game_id == TableGameRow.id,
        TableSeatRow.game_id == TableGameRow.id,
        or_(red, blue),
        TableSeatRow.archived.is_(archived),
    )
