"""A campaign and its seats as someone sees them: what the API calls a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, aliased

from server.play import access
from server.play.access import Access
from server.play.accounts.tokens import hashed
from server.play.campaigns import takeover
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import not_found
from server.play.game_data import game_data_of
from server.play.options import Options
from server.play.records import records
from server.rules.ruleset import Ruleset
from server.rules.state import Settings
from server.scenarios.scenario import Scenario
from server.store.position import settings_from_json
from server.store.tables import Seat, User


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as someone sees it."""

    player_id: str
    number: int
    name: str
    """What the others call it."""
    faction: str | None
    taken: bool
    user: str | None
    """Name of the player's account; None in an anonymous campaign (until it is over) and for an empty seat."""
    bot: bool | None
    """Whether a bot plays; None where the player is not to be known."""
    missed: int | None
    """Deadlines missed; for the GM and the seat itself."""
    stand_in: str | None
    """The seat's own choice; for the GM and the seat itself."""
    holiday_until: datetime | None
    """For the GM and the seat itself."""
    substitute: str | None
    """Whom the seat has named to order for it; for a GM who does not play and the seat itself."""
    bot_level: str | None = None
    """How well a computer player plays that stands in; empty: as the campaign says. For the GM and the seat itself."""
    free: bool = False
    """Someone can take it, before the start or later."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The game master offers the campaign to someone, who would run it instead."""

    to: str
    """Name of the account."""
    why: str
    made_at: datetime
    role: str = "gm"
    """``gm`` (to run it instead), ``partner`` (to run it together) or ``successor``."""


@dataclass(frozen=True, slots=True)
class CampaignInfo:
    """A campaign as everyone who knows of it sees it."""

    id: str
    name: str
    description: str
    status: str
    listed: bool
    gm: str | None
    """Name of the first GM's account."""
    game_masters: tuple[str, ...]
    """Names of all accounts that run the campaign, the first GM first."""
    scenario: str
    scenario_title: str
    ruleset: str
    ruleset_version: str
    options: Options
    rules: Settings
    player_counts: tuple[int, ...]
    """How many players the scenario is made for."""
    link0: str
    """Link 0 of the dice chain (D-81)."""
    turn: int | None
    phase: str | None
    """The open one; None before the start and after the end."""
    phase_number: int
    branch: int
    deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    sealed_until: datetime | None
    """The time until which a finished campaign's record is sealed; None: it is public, or the campaign is not over."""
    revision: int
    seats: tuple[SeatInfo, ...]
    you_are_gm: bool
    your_seats: tuple[str, ...]
    """The seats the user may give orders for, their own first."""
    offer: Offer | None
    """For the GM and the account that gets the offer."""
    you_watch: bool = False
    """The user is out of the campaign and has chosen to watch everything."""

    @property
    def open_to_you(self) -> bool:
        """Whether the user can watch; see :meth:`server.play.access.Access.viewer`."""
        return self.options.spectators or self.you_are_gm or bool(self.your_seats) or self.public

    @property
    def public(self) -> bool:
        """Whether everyone may know everything."""
        return self.finished_at is not None and self.sealed_until is None


@dataclass(frozen=True, slots=True)
class Lobby:
    """A campaign, its scenario and its ruleset; all of it is public to everyone who may know of the campaign."""

    info: CampaignInfo
    scenario: Scenario
    ruleset: Ruleset
    invited: bool
    """One was asked into it by name."""
    has_code: bool
    """There is an invitation code; for the GM only."""


def info(ctx: AppContext, session: Session, actor: Actor, may: Access) -> CampaignInfo:
    """Return a campaign as someone sees it."""
    campaign = may.campaign
    world = game_data_of(ctx, campaign)
    is_open = campaign.started_at is not None and campaign.finished_at is None
    run_by = access.names_of_game_masters(session, campaign)
    seated = [_Seated(*row) for row in session.execute(_SEATED, {"campaign": campaign.id})]
    return taken_from(
        campaign,
        CampaignInfo,
        gm=run_by[0] if campaign.gm_user_id else None,
        game_masters=tuple(run_by),
        scenario=campaign.scenario_id,
        scenario_title=world.scenario.title,
        ruleset=campaign.ruleset_id,
        ruleset_version=campaign.ruleset_version,
        options=_options(actor, may, [row.seat for row in seated]),
        rules=settings_from_json(campaign.settings),
        player_counts=world.scenario.player_counts,
        turn=campaign.turn if is_open else None,
        phase=campaign.phase if is_open else None,
        deadline=campaign.deadline if is_open else None,
        sealed_until=records.sealed_until(ctx, campaign, public=may.public),
        seats=tuple(_seats(session, actor, may, seated)),
        you_are_gm=may.gm,
        your_seats=may.rights.seats(),
        offer=_offer(session, actor, may),
        you_watch=may.watches,
    )


# --- inside ---


class _Seated(NamedTuple):
    """A seat, and the accounts that sit there."""

    seat: Seat
    name: str | None
    """The player's; None for an empty seat."""
    bot_owner_id: str | None
    substitute: str | None
    """The name of the account that the player has named to order for them."""


def _seated() -> Any:
    own, substitute = aliased(User), aliased(User)
    joined = select(Seat, own.name, own.bot_owner_id, substitute.name).outerjoin(own, own.id == Seat.user_id)
    whole = joined.outerjoin(substitute, substitute.id == Seat.stand_in_user_id)
    return whole.where(Seat.campaign_id == bindparam("campaign")).order_by(Seat.number)


_SEATED = _seated()


def _inner(actor: Actor, may: Access, seat: Seat) -> bool:
    """Say whether someone sees who stands in for a seat, and how well."""
    return may.gm or may.admin or (actor.signed_in and seat.user_id == actor.user_id)


def _options(actor: Actor, may: Access, seats: Sequence[Seat]) -> Options:
    """Return the options as someone sees them: a level of a seat's own tells that a computer player stands in."""
    shown = {seat.player_id for seat in seats if _inner(actor, may, seat)}
    levels = {id_: level for id_, level in may.options.seat_levels.items() if id_ in shown}
    return replace(may.options, seat_levels=levels)


def _seats(session: Session, actor: Actor, may: Access, seated: Sequence[_Seated]) -> list[SeatInfo]:
    """Return the seats as someone sees them."""
    free = takeover.free_seats(session, may.campaign, may.options, [row.seat for row in seated])
    found = []
    for seat, name, bot_owner_id, substitute in seated:
        mine = actor.signed_in and seat.user_id == actor.user_id
        inner = _inner(actor, may, seat)
        # a game master who plays knows no more of the others than they of the GM
        sees = mine or may.over or not may.options.anonymous or (inner and may.seat is None)
        known = sees and name is not None
        found.append(
            taken_from(
                seat,
                SeatInfo,
                taken=name is not None,
                user=name if known else None,
                bot=bot_owner_id is not None if known else None,
                missed=seat.missed if inner else None,
                stand_in=seat.stand_in if inner else None,
                holiday_until=seat.holiday_until if inner else None,
                substitute=substitute if inner and (mine or may.seat is None) else None,
                bot_level=may.options.seat_levels.get(seat.player_id, "") if inner else None,
                free=seat in free,
            )
        )
    return found


def _offer(session: Session, actor: Actor, may: Access) -> Offer | None:
    shown = may.offered and may.campaign.status in access.NOT_FINISHED
    found = access.offer_of(session, may.campaign.id) if shown else None
    if found is None or not (may.gm or may.admin or found.user_id == actor.user_id):
        return None
    return Offer(session.get_one(User, found.user_id).name, found.why, found.made_at, found.role)


def seats_by_player(campaign: CampaignInfo) -> dict[str, SeatInfo]:
    """Return the seats by the players' ids."""
    return {seat.player_id: seat for seat in campaign.seats}


def player_names(campaign: CampaignInfo) -> dict[str, str]:
    """Return the names of the seats by the players' ids."""
    return {seat.player_id: seat.name for seat in campaign.seats}


def load(ctx: AppContext, actor: Actor, campaign_id: str) -> Lobby:
    """Return a visible campaign."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        world = game_data_of(ctx, may.campaign)
        found = info(ctx, session, actor, may)
        return Lobby(found, world.scenario, world.ruleset, may.invited, may.gm and may.campaign.invite_hash is not None)


def load_by_code(ctx: AppContext, actor: Actor, code: str) -> Lobby:
    """Return the campaign a code invites to, listed or not."""
    with ctx.database.read() as session:
        found = access.of_code(session, hashed(code))
        if found is None or found.status == "deleted":
            raise not_found("code")
        may = access.load(session, actor, found.id, by_code=True)
        world = game_data_of(ctx, found)
        return Lobby(info(ctx, session, actor, may), world.scenario, world.ruleset, may.invited, False)
