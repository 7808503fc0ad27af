"""The private calendar: an address that shows someone's deadlines and battles, and can do nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import select

from server.play.access import UNDER_WAY
from server.play.accounts import tokens
from server.play.battles import battles
from server.play.campaigns import dashboard
from server.play.campaigns.dashboard import DashboardEntry
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.tables import battle_agreements
from server.play.tables.battle_agreements import Meeting
from server.store.tables import Token

NAME = "Calendar"
"""What the token of a calendar's address is called in its owner's list; there it can be revoked, too."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """A deadline, and the battles that wait for it."""

    campaign: DashboardEntry
    branch_phase: str
    """Names the appointment: the same for the same phase, whatever changes in it."""
    at: datetime
    battles: tuple[str, ...]
    """Hexes of the owner's battles that are still to be fought or reported."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """What an address shows."""

    owner: Actor
    appointments: tuple[Appointment, ...]
    meetings: tuple[Meeting, ...]
    """Agreed dates of the owner's battles on the table."""


def new_address(ctx: AppContext, actor: Actor) -> str:
    """Make a secret for a calendar's address and return it, this once; the one before shows nothing any more."""
    actor.require_session()
    now = ctx.now()
    with ctx.database.write() as session:
        old = select(Token).where(Token.user_id == actor.user_id, Token.kind == "personal", Token.revoked_at.is_(None))
        for token in session.scalars(old):
            if not token.scopes:
                token.revoked_at = now
        made = tokens.add(session, actor.user_id, "personal", now, None, name=NAME)
    ctx.caches.bearers.clear()
    return made.secret


def address(ctx: AppContext, secret: str) -> str:
    """Return the address that shows the calendar of a secret."""
    return f"{ctx.settings.public_url}/calendar/{secret}.ics"


def read(ctx: AppContext, secret: str) -> Calendar:
    """Return what the bearer of a calendar's secret is to be shown; ``not_found`` for every other secret.

    The token of a calendar has no scopes: nothing else can be read with it. What it shows is what its owner may know.
    """
    try:
        bearer = tokens.authenticate(ctx, secret)
    except PlayError as error:
        if error.code != "bad_token":
            raise
        raise not_found("calendar", "") from None
    if not bearer.signed_in or bearer.scopes:
        raise not_found("calendar", "")
    owner = replace(bearer, scopes=("read",))
    found = []
    for entry in dashboard.mine(ctx, owner):
        if entry.status in UNDER_WAY and entry.deadline is not None and entry.status != "paused":
            name = f"{entry.id}-{entry.turn}-{entry.phase}"
            found.append(Appointment(entry, name, entry.deadline, _battles(ctx, owner, entry)))
    appointments = tuple(sorted(found, key=lambda appointment: (appointment.at, appointment.campaign.id)))
    return Calendar(owner, appointments, tuple(battle_agreements.mine(ctx, owner)))


def _battles(ctx: AppContext, owner: Actor, entry: DashboardEntry) -> tuple[str, ...]:
    if entry.seat is None:
        return ()
    try:
        known = battles.listed(ctx, owner, entry.id, as_=entry.seat)
    except PlayError:
        return ()
    return tuple(
        battle.hex for battle in known if not battle.winner and entry.seat in (battle.attacking, battle.defended_by)
    )
