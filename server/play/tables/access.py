"""Rights at a table; games a person may not know of are not found."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import and_, bindparam, select
from sqlalchemy.orm import Session

from server.play import access
from server.play.context import Actor
from server.play.errors import PlayError, not_found
from server.referee.view import SPECTATOR
from server.store.tables import (
    SIDES,
    TableBattleRow,
    TableGameRow,
    TablePresenceRow,
    TableProposalRow,
    TableSeatRow,
    User,
)

GM, OPEN = "gm", "open"
WATCHER = "spectator"
"""How requests name who is neither player; ``open``: who knows what both knew."""


@dataclass(frozen=True, slots=True)
class Access:
    """A table game and what someone is in it."""

    row: TableGameRow
    seats: Mapping[str, TableSeatRow]
    """By side, red first."""
    sides: tuple[str, ...]
    """Those one plays: with one device for two people both."""
    owner: bool
    gm: bool
    """Game master: of the campaign, or who made the game, as long as they play no side of it."""
    sees_all: bool
    """A game master who may look through the players' eyes."""
    battle: TableBattleRow | None = None
    """The campaign's battle that this is."""
    proposals: tuple[TableProposalRow, ...] = ()
    """The proposals for it, in order."""
    seen: Mapping[str, datetime | None] = field(default_factory=dict)
    """By side: when its player was last there."""
    guests: frozenset[str] = frozenset()
    """Sides that guests play."""

    @property
    def has_free_seat(self) -> bool:
        """True when someone may still take a seat; those of a campaign's battle belong to its players."""
        return self.battle is None and any(map(is_free, self.seats.values()))

    @property
    def closed(self) -> bool:
        """True when everyone who may know of the game may know everything."""
        return self.row.status == "closed"

    def require_owner(self) -> Access:
        """Refuse everyone but the one who made the game and a campaign's game master; returns the same."""
        if not (self.owner or self.gm):
            raise PlayError("forbidden", "Only the maker of the game may do that.")
        return self

    def require_free(self) -> Access:
        """Refuse what is settled in a campaign's battle: who plays, with which army; returns the same."""
        if self.battle is not None:
            raise PlayError("forbidden", "The campaign has settled that.")
        return self

    def require_battle(self) -> TableBattleRow:
        """Return the campaign's battle that this is; refuses other games."""
        if self.battle is None:
            raise PlayError("wrong_status", "This is no battle of a campaign.")
        return self.battle

    def require_status(self, message: str, *statuses: str) -> None:
        """Refuse (``wrong_status``) what can be done only while the game has one of these statuses."""
        if self.row.status not in statuses:
            raise PlayError("wrong_status", message, field="status", value=self.row.status)

    def require_part(self) -> Access:
        """Refuse who only watches; returns the same."""
        if not (self.sides or self.owner or self.gm):
            raise PlayError("forbidden", "You take no part in this game.")
        return self

    def side(self, side: str | None) -> str:
        """Return the side to act for: the named one, or the only one played."""
        if side is None and len(self.sides) == 1:
            return self.sides[0]
        if side is None and self.gm:
            return GM
        if side is not None and (side in self.sides or (side == GM and self.gm)):
            return side
        if side is None and self.sides:
            raise PlayError("invalid_request", "You play both sides: say for which.", field="side")
        raise PlayError("forbidden", "That side is not yours.", field="side", value=side)

    def seat(self, side: str) -> TableSeatRow:
        """Return the person's seat."""
        if side not in SIDES:
            raise not_found("side", side)
        if side not in self.sides:
            raise PlayError("forbidden", "That side is not yours.", field="side", value=side)
        return self.seats[side]

    def viewer(self, as_: str | None) -> str:
        """Return the viewer, by the referee's names; *as_* requests a certain one."""
        if as_ is None:
            return self.sides[0] if self.sides else GM if self.gm else SPECTATOR
        if as_ in self.sides or (as_ == GM and self.gm):
            return as_
        if as_ == WATCHER:
            return SPECTATOR
        if as_ in (*SIDES, OPEN) and (self.closed or self.sees_all):
            return as_
        raise not_found("as", as_)


_SEATS = (
    select(TableSeatRow, TablePresenceRow.seen_at, User.guest)
    .outerjoin(User, User.id == TableSeatRow.user_id)
    .outerjoin(
        TablePresenceRow,
        and_(TablePresenceRow.game_id == TableSeatRow.game_id, TablePresenceRow.side == TableSeatRow.side),
    )
    .where(TableSeatRow.game_id == bindparam("of"))
)


def load(session: Session, actor: Actor, game_id: str, watch: str | None = None, *, lock: bool = False) -> Access:
    """Return what someone is in a game they may know of: they play, run or watch it."""
    query = select(TableGameRow).where(TableGameRow.id == game_id).execution_options(populate_existing=lock)
    row = session.scalars(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise not_found("table", game_id)
    battle = None if row.campaign_id is None else session.get(TableBattleRow, game_id)
    rows = session.execute(_SEATS, {"of": game_id}).all()
    seats = {seat.side: seat for seat, *_ in sorted(rows, key=lambda found: SIDES.index(found[0].side))}
    seen = {seat.side: seen_at for seat, seen_at, _ in rows}
    guests = frozenset(seat.side for seat, _, guest in rows if guest)
    sides = tuple(side for side, seat in seats.items() if holds(actor, seat))
    owner = owns(actor, row)
    gm, sees_all, knows = owner and row.campaign_id is None, False, False
    if row.campaign_id is not None and battle is not None:
        sides, gm, sees_all, knows = _of_a_battle(session, actor, row.campaign_id, battle)
    elif row.campaign_id is not None:
        gm, sees_all, knows = _campaign(session, actor, row.campaign_id)
    gm = gm and not sides
    code = row.watch_code
    watching = code is not None and watch is not None and hmac.compare_digest(code.encode(), watch.encode())
    if not (sides or owner or gm or knows or watching or actor.admin):
        raise not_found("table", game_id)
    return Access(row, seats, sides, owner, gm, gm and sees_all, battle, _proposals(session, battle), seen, guests)


def holds(actor: Actor, seat: TableSeatRow) -> bool:
    """Say whether someone sits there."""
    return actor.signed_in and seat.user_id == actor.user_id


def is_free(seat: TableSeatRow) -> bool:
    """Say whether nobody sits there and someone could."""
    return seat.user_id is None and not seat.solo


def owns(actor: Actor, row: TableGameRow) -> bool:
    """Say whether someone made the game."""
    return actor.signed_in and row.owner_user_id == actor.user_id


def _proposals(session: Session, battle: TableBattleRow | None) -> tuple[TableProposalRow, ...]:
    if battle is None:
        return ()
    mine = select(TableProposalRow).where(TableProposalRow.game_id == battle.game_id)
    return tuple(session.scalars(mine.order_by(TableProposalRow.number)))


def _of_a_battle(
    session: Session, actor: Actor, campaign_id: str, battle: TableBattleRow
) -> tuple[tuple[str, ...], bool, bool, bool]:
    """Return the sides of a campaign's battle that someone plays, and what :func:`_campaign` returns.

    A player of the campaign, or their substitute, plays their side. Others may not know of the battle: they see its
    table game only when they may see everything.
    """
    try:
        may = access.load(session, actor, campaign_id)
    except PlayError:
        return (), False, False, False
    players = zip(SIDES, (battle.red_player, battle.blue_player), strict=True)
    sides = tuple(side for side, player in players if player in may.rights.seats())
    return sides, may.sees_all, may.options.gm_sees_orders, may.over


def _campaign(session: Session, actor: Actor, campaign_id: str) -> tuple[bool, bool, bool]:
    """Return whether someone is a campaign's game master, may see what players do not, and may know of its games."""
    try:
        may = access.load(session, actor, campaign_id)
    except PlayError:
        return False, False, False
    try:
        may.viewer()
    except PlayError:
        return may.gm, False, False
    return may.gm, may.sees_all and may.options.gm_sees_orders, True
