"""All campaigns of this server as its operator sees them, with the rights of an admin account."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.play import access
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, invalid
from server.play.records.records import of_phase
from server.store.tables import STATUSES, Campaign, OrderSet, Phase, Seat, User
from server.store.tables.base import fold


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """A seat, and how far its orders for the open phase are; never what they are."""

    player_id: str
    name: str
    user: str | None
    """Name of the account; None: nobody sits there."""
    faction: str | None
    wanted: bool
    """Alive, and there is something to order."""
    handed_in: bool
    final: bool
    missed: int
    """Deadlines missed so far."""
    away_until: datetime | None


@dataclass(frozen=True, slots=True)
class Overview:
    """A campaign and what it waits for."""

    id: str
    name: str
    status: str
    scenario: str
    ruleset: str
    gm: str | None
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int | None
    """Of the open phase; None where none is open."""
    phase: str | None
    deadline: datetime | None
    created_at: datetime
    seats: tuple[SeatStanding, ...]
    game_masters: tuple[str, ...]
    """Names of all accounts that run it, the first game master first."""

    @property
    def waits_for(self) -> tuple[SeatStanding, ...]:
        """The seats that have something to order and are not final."""
        return tuple(seat for seat in self.seats if seat.wanted and not seat.final)


def operator(ctx: AppContext, name: str = "") -> Actor:
    """Return the admin account that acts: the named one, or the oldest."""
    with ctx.database.read() as session:
        admins = select(User).where(User.admin, User.disabled_at.is_(None)).order_by(User.created_at, User.id)
        if name:
            admins = admins.where(User.name_key == fold(name))
        user = session.scalars(admins.limit(1)).one_or_none()
    if user is None:
        told = f"No open account {name} runs this server" if name else "No account runs this server yet"
        raise PlayError("forbidden", f"{told}; make one: sealed-orders user add NAME --admin", field="as", value=name)
    return Actor(user.id, user.name, admin=True, session=True)


def account(ctx: AppContext, name: str) -> Actor:
    """Return the account of that name, as the one that is to run a campaign."""
    with ctx.database.read() as session:
        mine = (User.name_key == fold(name), User.disabled_at.is_(None))
        user = session.scalars(select(User).where(*mine)).one_or_none()
    if user is None:
        raise PlayError("not_found", f"There is no account {name}.", field="gm", value=name)
    return Actor(user.id, user.name, user.admin, session=True)


def campaigns(ctx: AppContext, *, status: str = "", text: str = "") -> list[Overview]:
    """Return all campaigns whose name contains *text*, the newest first; deleted ones only on request."""
    if status and status not in STATUSES:
        raise invalid("status", f"One of: {', '.join(STATUSES)}.", status)
    query = select(Campaign).where(Campaign.status == status if status else Campaign.status != "deleted")
    if text:
        query = query.where(Campaign.name.icontains(text, autoescape=True))
    with ctx.database.read() as session:
        found = session.scalars(query.order_by(Campaign.created_at.desc(), Campaign.id.desc())).all()
        return [_overview(session, campaign) for campaign in found]


def campaign(ctx: AppContext, named: str) -> Overview:
    """Return the campaign of that id, or the only one with that in its name."""
    with ctx.database.read() as session:
        own = session.get(Campaign, named)
        if own is not None:
            return _overview(session, own)
    found = campaigns(ctx, text=named)
    exact = [overview for overview in found if overview.name.casefold() == named.casefold()] or found
    if len(exact) > 1:
        several = ", ".join(f"{overview.name} ({overview.id})" for overview in exact[:5])
        raise PlayError("conflict", f"{named!r} may be {several}: give the id.", field="campaign", value=named)
    if not exact:
        raise PlayError("not_found", f"There is no campaign {named!r}.", field="campaign", value=named)
    return exact[0]


def _overview(session: Session, own: Campaign) -> Overview:
    phase = session.get(Phase, (own.id, own.branch, own.phase_number)) if own.started_at is not None else None
    is_open = phase is not None and phase.resolved_at is None
    gm = session.get(User, own.gm_user_id) if own.gm_user_id else None
    return taken_from(
        own,
        Overview,
        scenario=own.scenario_id,
        ruleset=own.ruleset_id,
        gm=gm.name if gm else None,
        number=own.phase_number,
        turn=phase.turn if phase and is_open else None,
        phase=phase.phase if phase and is_open else None,
        deadline=phase.deadline if phase and is_open else None,
        seats=tuple(_seats(session, own, phase if is_open else None)),
        game_masters=tuple(access.names_of_game_masters(session, own)),
    )


def _seats(session: Session, own: Campaign, phase: Phase | None) -> Sequence[SeatStanding]:
    orders: dict[str, OrderSet] = {}
    if phase is not None:
        rows = session.scalars(select(OrderSet).where(*of_phase(OrderSet, phase)))
        orders = {order_set.player_id: order_set for order_set in rows}
    seats = session.execute(
        select(Seat, User.name)
        .outerjoin(User, User.id == Seat.user_id)
        .where(Seat.campaign_id == own.id)
        .order_by(Seat.number)
    )
    return [
        taken_from(
            seat,
            SeatStanding,
            user=user,
            wanted=row is not None and row.wanted,
            handed_in=row is not None and row.revision > 0,
            final=row is not None and row.final,
            away_until=seat.holiday_until,
        )
        for seat, user in seats
        for row in [orders.get(seat.player_id)]
    ]
