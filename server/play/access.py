"""Who may do what in a campaign, asked before anything else; what one may not know of is not found."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from server.play.context import Actor
from server.play.errors import PlayError, not_found
from server.play.options import Options, options_from
from server.rules.sight import GM, SPECTATOR
from server.scenarios.scenario import MAX_PLAYERS
from server.store.database import lock_campaign, lock_campaign_shared
from server.store.tables import Campaign, Handover, Invitation, Seat

UNDER_WAY = ("running", "paused")
"""Statuses of campaigns in which a phase is open."""
NOT_FINISHED = ("open", *UNDER_WAY)
"""Statuses of campaigns that are not over."""


@dataclass(frozen=True, slots=True)
class Access:
    """A campaign and what somebody is in it."""

    campaign: Campaign
    options: Options
    gm: bool
    seat: Seat | None
    """The seat he sits in."""
    substitutes: tuple[Seat, ...]
    """Seats he orders for while their players are away; none for who plays or runs the campaign himself."""
    admin: bool
    invited: bool = False

    @property
    def over(self) -> bool:
        """True when everybody may know everything."""
        return self.campaign.finished_at is not None

    @property
    def sees_all(self) -> bool:
        """True for a GM who does not play."""
        return self.gm and self.seat is None

    def require_gm(self) -> Access:
        """Refuse everybody but the GM and the server's operator; returns the same."""
        if not (self.gm or self.admin):
            raise PlayError("forbidden", "Only the game master may do that.")
        return self

    def require_neutral_gm(self) -> Access:
        """Refuse everybody but a GM who does not play; returns the same."""
        self.require_gm()
        if self.seat is not None:
            raise PlayError("forbidden", "A game master who plays may not do that.")
        return self

    def seat_for(self, player_id: str | None = None) -> Seat:
        """Return the seat to order for: one's own, or the named one where one is its substitute."""
        own = [*([self.seat] if self.seat is not None else []), *self.substitutes]
        if player_id is None and own:
            return own[0]
        for each in own:
            if each.player_id == player_id:
                return each
        if player_id is None:
            raise PlayError("forbidden", "You have no seat in this campaign.")
        raise not_found("seat", player_id)

    def require_visible(self) -> Access:
        """Refuse who neither plays nor runs the campaign where it has no spectators; returns the same."""
        if not self.admin:
            self.viewer()
        return self

    def players(self) -> tuple[str, ...]:
        """Return the ids seats may have: who looks over a shoulder must name one."""
        return tuple(f"p{number}" for number in range(1, MAX_PLAYERS + 1))

    def viewer(self, as_: str | None = None) -> str:
        """Return as whom he reads: a player, the GM or a spectator; *as_* asks for one in particular.

        A GM may look through a player's eyes, and so may everybody once the campaign is over.
        """
        if as_ is None:
            own = GM if self.sees_all or self.over else self.seat.player_id if self.seat else ""
            as_ = own or (self.substitutes[0].player_id if self.substitutes else SPECTATOR)
        mine = [each.player_id for each in (self.seat, *self.substitutes) if each is not None]
        known = (*self.players(), GM, SPECTATOR) if self.sees_all or self.over else mine
        if as_ in known:
            return as_
        if as_ == SPECTATOR and (mine or self.gm or self.options.spectators):
            return as_
        raise not_found("as", as_)


def load(session: Session, actor: Actor, campaign_id: str, *, by_code: bool = False) -> Access:
    """Return what somebody is in a campaign he may know of; *by_code*: he holds its invitation code."""
    return _access(session, actor, session.get(Campaign, campaign_id), campaign_id, by_code=by_code)


def load_shared(session: Session, actor: Actor, campaign_id: str) -> Access:
    """The same for a write during which the phase must stay open; others may write, too."""
    return _access(session, actor, lock_campaign_shared(session, campaign_id), campaign_id)


def load_exclusive(session: Session, actor: Actor, campaign_id: str) -> Access:
    """The same for a write that changes the campaign itself; everybody else waits."""
    return _access(session, actor, lock_campaign(session, campaign_id, wait=True), campaign_id)


def orders_for(user_id: str) -> ColumnElement[bool]:
    """Return the condition that somebody orders for a seat: he sits there, or stands in."""
    return (Seat.user_id == user_id) | ((Seat.stand_in == "user") & (Seat.stand_in_user_id == user_id))


def options_of(campaign: Campaign) -> Options:
    """Return a campaign's options; those of an older version have the defaults of this one."""
    return options_from(campaign.options)


def seats_of(session: Session, campaign_id: str) -> list[Seat]:
    """Return a campaign's seats in seat order."""
    return list(session.scalars(select(Seat).where(Seat.campaign_id == campaign_id).order_by(Seat.number)))


def offer_of(session: Session, campaign_id: str) -> Handover | None:
    """Return the open offer to take a campaign over as its GM."""
    mine = (Handover.campaign_id == campaign_id, Handover.accepted_at.is_(None))
    return session.scalars(select(Handover).where(*mine)).one_or_none()


def _access(
    session: Session, actor: Actor, campaign: Campaign | None, campaign_id: str, *, by_code: bool = False
) -> Access:
    if campaign is None:
        raise not_found("campaign", campaign_id)
    mine: list[Seat] = []
    if actor.signed_in:
        own = (Seat.campaign_id == campaign_id, orders_for(actor.user_id))
        mine = list(session.scalars(select(Seat).where(*own).order_by(Seat.number)))
    gm = actor.signed_in and campaign.gm_user_id == actor.user_id
    seat = next((each for each in mine if each.user_id == actor.user_id), None)
    # who plays or runs the campaign himself stands in for nobody in it, whoever named him
    others = () if seat is not None or gm else tuple(each for each in mine if each is not seat)
    if campaign.status == "deleted" and not (gm or actor.admin):
        raise not_found("campaign", campaign_id)
    invited = False
    if not (gm or mine or actor.admin):
        invited = actor.signed_in and session.get(Invitation, (campaign_id, actor.user_id)) is not None
        if not (campaign.listed or invited or by_code or _is_offered(session, actor, campaign_id)):
            raise not_found("campaign", campaign_id)
    return Access(campaign, options_of(campaign), gm, seat, others, actor.admin, invited)


def _is_offered(session: Session, actor: Actor, campaign_id: str) -> bool:
    offer = offer_of(session, campaign_id)
    return offer is not None and offer.user_id == actor.user_id
