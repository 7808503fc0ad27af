"""Rights in a campaign, checked before anything else; things a person may not know of are not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Exists, and_, bindparam, exists, literal, or_, select, union_all
from sqlalchemy.orm import Session

from server.play import agenda as agenda
from server.play.context import Actor
from server.play.errors import PlayError, not_found
from server.play.options import PLAYERS, Options, stored_options
from server.rules.sight import GM, SPECTATOR
from server.store import memberships as memberships
from server.store.database import lock_campaign, lock_campaign_shared
from server.store.tables import NOT_FINISHED as NOT_FINISHED
from server.store.tables import UNDER_WAY as UNDER_WAY
from server.store.tables import (
    Campaign,
    CampaignDice,
    GameMaster,
    Handover,
    Invitation,
    InvitationCode,
    PlayerRow,
    Seat,
    SeatReader,
    User,
)

EVERYTHING = ""
"""Stands for the seat of those who saw everything."""


@dataclass(frozen=True, slots=True)
class Rights:
    """The viewers and seats for which someone can read and order in a campaign."""

    gm: bool
    own: str | None
    """The player whose seat they have."""
    substitutes: tuple[str, ...]
    """Players they order for while these are away."""
    public: bool
    """The campaign is over, and its record is public: everyone may know everything."""
    spectators: bool
    """Everyone may look on."""
    watches: bool = False
    """They are out of the campaign and have chosen to watch everything."""

    @property
    def sees_all(self) -> bool:
        """True for a GM who does not play."""
        return self.gm and self.own is None

    def viewer(self, as_: str | None = None) -> str:
        """Return the viewer they read as: a player, the GM or a spectator; *as_* names one in particular.

        A GM may look through a player's eyes, and so may players who are out and watch everything, and everyone once
        the campaign is over.
        """
        if as_ is None:
            own = GM if self.sees_all or self.public else self.own or ""
            as_ = own or (self.substitutes[0] if self.substitutes else SPECTATOR)
        mine = self.seats()
        known = (*PLAYERS, GM, SPECTATOR) if self.sees_all or self.public or self.watches else mine
        if as_ in known:
            return as_
        if as_ == SPECTATOR and (mine or self.gm or self.spectators):
            return as_
        raise not_found("as", as_)

    def seats(self) -> tuple[str, ...]:
        """Return the players they order for, themselves first."""
        return (*([self.own] if self.own is not None else []), *self.substitutes)

    def seat_for(self, player_id: str | None = None) -> str:
        """Return the player to order for: themselves, or the named one where they are their substitute."""
        mine = self.seats()
        if player_id is None:
            if not mine:
                raise PlayError("forbidden", "You have no seat in this campaign.")
            return mine[0]
        if player_id not in mine:
            raise not_found("seat", player_id)
        return player_id


@dataclass(frozen=True, slots=True)
class Access:
    """A campaign and what someone is in it."""

    campaign: Campaign
    options: Options
    gm: bool
    seat: Seat | None
    """The seat they sit in."""
    substitutes: tuple[Seat, ...]
    """Seats they order for while the players are away; none for those who play or run the campaign themselves."""
    admin: bool
    invited: bool = False
    public: bool = False
    """The record is public."""
    partner: bool = False
    """They run the campaign beside its first GM, with the same rights."""
    watches: bool = False
    """They are out of the campaign and have chosen to watch everything."""
    only_by_code: bool = False
    """They may know of the campaign only by the code that they hold."""
    offered: bool = False
    """The campaign is offered to someone, who would run it; known to people who are signed in."""

    @property
    def reads_letters(self) -> bool:
        """True for a GM who reads messages to the GM: not for one who was a player before."""
        return self.gm and not (self.partner and self.seat is not None)

    @property
    def over(self) -> bool:
        """True when everyone may know everything: the campaign has ended, and its record is public."""
        return self.campaign.finished_at is not None and self.public

    @property
    def sees_all(self) -> bool:
        """True for a GM who does not play."""
        return self.gm and self.seat is None

    def require_seat(self) -> Seat:
        """Return the seat they sit in; refuse everyone without one."""
        if self.seat is None:
            raise PlayError("forbidden", "You have no seat in this campaign.")
        return self.seat

    def require_gm(self) -> Access:
        """Refuse everyone but the GM and the server's operator; returns the same."""
        if not (self.gm or self.admin):
            raise PlayError("forbidden", "Only the game master may do that.")
        return self

    def require_neutral_gm(self) -> Access:
        """Refuse everyone but a GM who does not play; returns the same."""
        self.require_gm()
        if self.seat is not None:
            raise PlayError("forbidden", "A game master who plays may not do that.")
        return self

    @property
    def rights(self) -> Rights:
        """Their viewers and seats."""
        own = None if self.seat is None else self.seat.player_id
        others = tuple(seat.player_id for seat in self.substitutes)
        return Rights(self.gm, own, others, self.over, self.options.spectators, self.watches)

    def seat_for(self, player_id: str | None = None) -> Seat:
        """Return the seat to order for: their own, or the named one if they are its substitute."""
        chosen = self.rights.seat_for(player_id)
        return next(seat for seat in (self.seat, *self.substitutes) if seat is not None and seat.player_id == chosen)

    def require_visible(self) -> Access:
        """Refuse people who neither play nor run a campaign without spectators; else return the same."""
        if not self.admin:
            self.viewer()
        return self

    def viewer(self, as_: str | None = None) -> str:
        """Return the viewer they read as; see :meth:`Rights.viewer`."""
        return self.rights.viewer(as_)


def load(session: Session, actor: Actor, campaign_id: str, *, by_code: bool = False) -> Access:
    """Return what someone is in a campaign they may know of; *by_code*: they hold its invitation code."""
    rows = session.execute(_ROLES, {"campaign": campaign_id, "user": actor.user_id}).all()
    if not rows:
        raise not_found("campaign", campaign_id)
    campaign, partner, offered = rows[0].Campaign, rows[0].partner, rows[0].offered and actor.signed_in
    mine = [row.Seat for row in rows if row.Seat is not None]
    watches = any(row.watches for row in rows if row.Seat is not None and row.Seat.user_id == actor.user_id)
    gm = partner or campaign.gm_user_id == actor.user_id
    seat = next((seat for seat in mine if seat.user_id == actor.user_id), None)
    # a player or the GM of the campaign stands in for nobody in it, no matter who named them
    others = () if seat is not None or gm else tuple(own for own in mine if own is not seat)
    if campaign.status == "deleted" and not (gm or actor.admin):
        raise not_found("campaign", campaign_id)
    invited, known = False, True
    if not (gm or mine or actor.admin):
        invited = actor.signed_in and session.get(Invitation, (campaign_id, actor.user_id)) is not None
        offer = offer_of(session, campaign_id) if offered and not (campaign.listed or invited) else None
        known = campaign.listed or invited or (offer is not None and offer.user_id == actor.user_id)
        if not (known or by_code):
            raise not_found("campaign", campaign_id)
    public = record_public(session, campaign)
    partner = partner and campaign.gm_user_id != actor.user_id
    options = options_of(campaign)
    watches = watches and options.out_watches
    return Access(
        campaign, options, gm, seat, others, actor.admin, invited, public, partner, watches, not known, offered
    )


def load_shared(session: Session, actor: Actor, campaign_id: str) -> Access:
    """The same for a write during which the phase must stay open; others may write, too."""
    lock_campaign_shared(session, campaign_id)
    return load(session, actor, campaign_id)


def load_exclusive(session: Session, actor: Actor, campaign_id: str) -> Access:
    """The same for a write that changes the campaign itself; everyone else waits."""
    lock_campaign(session, campaign_id, wait=True)
    return load(session, actor, campaign_id)


def orders_for(user_id: Any) -> ColumnElement[bool]:
    """Return the condition that someone orders for a seat: they sit there, or stand in."""
    return or_(Seat.user_id == user_id, and_(Seat.stand_in == "user", Seat.stand_in_user_id == user_id))


def of_code(session: Session, code_hash: str) -> Campaign | None:
    """Return the campaign an invitation code is good for, by the code's hash."""
    found = session.get(InvitationCode, code_hash)
    campaign = None if found is None else session.get(Campaign, found.campaign_id)
    return campaign if campaign is not None and campaign.invite_hash == code_hash else None


def partners(user_id: Any, campaign_id: Any) -> Exists:
    """Return the condition that an account runs a campaign beside its first GM."""
    mine = (GameMaster.campaign_id == campaign_id, GameMaster.user_id == user_id, GameMaster.role == "partner")
    return exists().where(*mine)


def watching(user_id: Any, campaign_id: Any, player_id: Any = Seat.player_id) -> ColumnElement[bool]:
    """Return the condition that the player of a seat is out and has seen everything since (D-14)."""
    saw = (SeatReader.campaign_id == campaign_id, SeatReader.user_id == user_id)
    lost = (PlayerRow.campaign_id == campaign_id, PlayerRow.id == player_id, PlayerRow.eliminated)
    return and_(exists().where(*saw, SeatReader.player_id == EVERYTHING), exists().where(*lost))


def game_masters_of(session: Session, campaign: Campaign) -> list[str]:
    """Return the accounts that run a campaign, the first GM first."""
    return list(_run_by(session, campaign))


def names_of_game_masters(session: Session, campaign: Campaign) -> list[str]:
    """Return the names of the accounts that run a campaign, the first GM first."""
    return list(_run_by(session, campaign).values())


def _run_by(session: Session, campaign: Campaign) -> dict[str, str]:
    """Return the game masters' names by their ids, the first GM first."""
    found = session.execute(_GAME_MASTERS, {"campaign": campaign.id, "first": campaign.gm_user_id or ""})
    return {row.id: row.name for row in found}


def options_of(campaign: Campaign) -> Options:
    """Return a campaign's options."""
    return stored_options(campaign.options)


def seats_of(session: Session, campaign_id: str) -> list[Seat]:
    """Return a campaign's seats in seat order."""
    return list(session.scalars(_SEATS, {"campaign": campaign_id}))


def offer_of(session: Session, campaign_id: str) -> Handover | None:
    """Return the open offer to take a campaign over as its GM."""
    return session.scalars(_OFFER, {"campaign": campaign_id}).one_or_none()


def record_public(session: Session, campaign: Campaign) -> bool:
    """Say whether the record of a campaign is public; one that ended before there were seals is."""
    if campaign.finished_at is None:
        return False
    row = session.get(CampaignDice, campaign.id)
    return row is None or row.published_at is not None


def computers(campaign: Campaign, seats: Sequence[Seat]) -> list[str]:
    """Return the seats that computer players have had from the start: no phase waits for them."""
    if not options_of(campaign).computer_seats:
        return []
    return [seat.player_id for seat in seats if seat.user_id is None and seat.stand_in == "bot"]


def _roles() -> Any:
    """Return the statement for a campaign and what someone is in it: a row for each seat they order for, or one."""
    user: Any = bindparam("user")
    campaign: Any = bindparam("campaign")
    # nobody's id is empty: it is in no row
    own = and_(Seat.campaign_id == Campaign.id, orders_for(user))
    offered = exists().where(Handover.campaign_id == campaign, Handover.accepted_at.is_(None))
    roles = (
        partners(user, campaign).label("partner"),
        offered.label("offered"),
        watching(user, campaign).label("watches"),
    )
    joined = select(Campaign, *roles, Seat).outerjoin(Seat, own)
    return joined.where(Campaign.id == campaign).order_by(Seat.number)


def _game_masters() -> Any:
    """Return the statement for a campaign's game masters. An OR instead of its two parts would read all accounts."""
    first = select(User.id, User.name, literal(0).label("place"), User.created_at.label("since"))
    partner = select(User.id, User.name, literal(1), GameMaster.since).join(GameMaster, GameMaster.user_id == User.id)
    mine = (GameMaster.campaign_id == bindparam("campaign"), GameMaster.role == "partner")
    return union_all(first.where(User.id == bindparam("first")), partner.where(*mine)).order_by("place", "since", "id")


_ROLES, _GAME_MASTERS = _roles(), _game_masters()
_SEATS = select(Seat).where(Seat.campaign_id == bindparam("campaign")).order_by(Seat.number)
_OFFER = select(Handover).where(Handover.campaign_id == bindparam("campaign"), Handover.accepted_at.is_(None))
"""Made once: they are asked with nearly every read."""
