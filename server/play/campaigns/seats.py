"""Seats: inviting, joining, leaving, being away, stand-ins."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.bots.levels import LEVELS
from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.accounts import blocking, names
from server.play.accounts.accounts import account_named
from server.play.accounts.tokens import hashed
from server.play.campaigns import holidays, mail_invitations, takeover
from server.play.campaigns.campaign_info import CampaignInfo, info
from server.play.context import Actor, AppContext
from server.play.dice import salt_keeping
from server.play.errors import PlayError, invalid, not_found
from server.play.game_data import game_data_of
from server.play.notices.notices import Notices, notify_everybody, public_topic
from server.play.options import options_to
from server.play.records.records import note_intervention
from server.store.database import lock_campaign
from server.store.live import News, publish
from server.store.tables import STAND_INS, AllianceRow, Campaign, Invitation, InvitationCode, Seat, User


@dataclass(frozen=True, slots=True)
class Invited:
    """A code that lets people join."""

    code: str


def invite_by_code(ctx: AppContext, actor: Actor, campaign_id: str) -> Invited:
    """Make a new invitation code; the one before is worthless."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect_no_practice(campaign)
        campaign.invite_number += 1
        code = _code(campaign)
        _forget_code(session, campaign)
        campaign.invite_hash = hashed(code)
        campaign.revision += 1
        session.add(InvitationCode(hash=campaign.invite_hash, campaign_id=campaign.id))
    return Invited(code)


def code_of(ctx: AppContext, actor: Actor, campaign_id: str) -> str:
    """Return the valid invitation code, for the GM; empty if there is none (or only an old one)."""
    actor.require("gm")
    with ctx.database.read() as session:
        campaign = access.load(session, actor, campaign_id).require_gm().campaign
        code = _code(campaign)
        return code if campaign.invite_hash == hashed(code) else ""


def withdraw_code(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Make the invitation code worthless."""
    actor.require("gm")
    with ctx.database.write() as session:
        _forget_code(session, access.load_exclusive(session, actor, campaign_id).require_gm().campaign)


def invite_user(ctx: AppContext, actor: Actor, campaign_id: str, name: str) -> None:
    """Ask someone into the campaign: by the name of the account, or by a mail address, with an account or without."""
    actor.require("gm").require_account()
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_gm().campaign
        _expect_no_practice(campaign)
        if "@" in str(name):
            mail_invitations.invite(ctx, session, actor, campaign, name)
            return
        user = account_named(session, name)
        blocking.check_invitation(session, actor.user_id, user.id)
        mail_invitations.ask(ctx, session, campaign, user.id)


def decline(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Turn an invitation down."""
    actor.require("orders")
    with ctx.database.write() as session:
        invitation = session.get(Invitation, (campaign_id, actor.user_id))
        if invitation is None:
            raise not_found("campaign", campaign_id)
        invitation.declined_at = ctx.now()


def campaign_of_code(ctx: AppContext, code: str) -> str:
    """Return the id of the campaign a code invites to."""
    with ctx.database.read() as session:
        found = access.of_code(session, hashed(code))
    if found is None:
        raise not_found("code")
    return found.id


def join(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    *,
    faction: str | None = None,
    seat: str | None = None,
    name: str | None = None,
    code: str | None = None,
) -> CampaignInfo:
    """Take a seat (the first free one unless one is named); an unlisted campaign needs an invitation or its *code*.

    In a campaign that has started, take a seat over that nobody has, with its army: *faction* counts before the start.
    """
    actor.require("orders")
    try:
        with ctx.database.write() as session:
            campaign = _joinable(session, actor, campaign_id, code)
            options = access.options_of(campaign)
            if actor.guest and campaign.gm_user_id != actor.user_id and (code is None or not options.guests):
                actor.require_account()
            if campaign.status != "open":
                return _take_over(ctx, session, actor, campaign, seat, name)
            _check_faction(ctx, campaign, faction)
            if actor.user_id in access.game_masters_of(session, campaign) and not options.gm_plays:
                raise PlayError("forbidden", "The game master of this campaign does not play.")
            sit(ctx, session, actor, campaign, _free_seat(session, campaign, actor, seat), faction, name)
            return info(ctx, session, actor, access.load(session, actor, campaign_id))
    except IntegrityError:
        raise PlayError("already_joined") from None


def leave(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Leave a seat. Once the campaign runs, the stand-in orders until the GM finds someone."""
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        campaign, seat, now = may.campaign, may.require_seat(), ctx.now()
        vacate(session, campaign, seat, now)
        if campaign.status in access.UNDER_WAY:
            key = f"left/{seat.player_id}/{now.isoformat()}"
            notify_everybody(session, campaign, now, "seat_changed", key, seat=seat.player_id)
        else:
            _announce(ctx, session, campaign, seat)


def watch(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Watch everything from now on, as a player who is out; such a player takes no other seat and writes to nobody.

    Raise ``forbidden`` for a player who is in, and where the campaign does not allow it.
    """
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        seat = may.require_seat()
        if (campaign_id, seat.player_id) not in takeover.out(session, [campaign_id]):
            raise PlayError("forbidden", "Only players who are out can watch everything.")
        if not may.options.out_watches:
            raise PlayError("forbidden", "In this campaign players who are out see public information only.")
        takeover.remember(session, may.campaign, actor.user_id, takeover.EVERYTHING, ctx.now())


def choose_faction(ctx: AppContext, actor: Actor, campaign_id: str, faction: str) -> None:
    """Play another faction; before the start."""
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        if may.campaign.status != "open":
            raise PlayError("wrong_status", "The campaign has begun.", field="status")
        _check_faction(ctx, may.campaign, faction)
        may.require_seat().faction = faction
        may.campaign.revision += 1


def go_away(ctx: AppContext, actor: Actor, campaign_id: str, until: datetime | None) -> datetime | None:
    """Be on holiday until then (None: back again): the stand-in orders, and no deadline counts as missed.

    Return when it ends: earlier where the campaign allows no more days in that year.
    """
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        seat = may.require_seat()
        if until is not None and text_input.instant(until, "until", ctx.now()) <= ctx.now():
            raise invalid("until", "A time that is yet to come.", until.isoformat())
        limit = may.options.holiday_days
        seat.holiday_until = holidays.go(session, campaign_id, actor.user_id, until, limit, ctx.now())
        return seat.holiday_until


def choose_stand_in(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    stand_in: str,
    *,
    substitute: str | None = None,
    seat: str | None = None,
    level: str = "",
) -> None:
    """Set a seat's stand-in: ``defaults``, ``bot``, ``user`` (with the *substitute*'s name), or as the
    campaign says (empty). The GM may say it for any seat, which is shown to everyone; a substitute reads what the
    seat knows, so a GM who plays names none for another. *level*: how well a computer player plays; empty: as the
    campaign says.
    """
    actor.require("orders")
    if stand_in not in STAND_INS:
        raise invalid("stand_in", "defaults, bot, user, or empty.", stand_in)
    if level and level not in LEVELS:
        raise invalid("level", say("One of: {words}.", words=", ".join(LEVELS)), level)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        chosen = _seat_of_gm(session, may, seat) if seat is not None else may.require_seat()
        user_id = None
        if stand_in == "user":
            user_id = _substitute(session, may.campaign, substitute, chosen.user_id)
            if chosen is may.seat:
                _serves_no_enemy(session, chosen, user_id)
        if chosen is not may.seat:
            _chosen_by_gm(ctx, session, actor, may, chosen, stand_in)
        if user_id is not None and user_id != chosen.stand_in_user_id:
            _tell_substitute(ctx, session, actor, may, chosen, user_id)
        if chosen.stand_in == "user" and chosen.stand_in_user_id not in (None, user_id):
            takeover.remember(session, may.campaign, chosen.stand_in_user_id, chosen.player_id, ctx.now())
        chosen.stand_in, chosen.stand_in_user_id = stand_in, user_id
        levels = {id_: own for id_, own in may.options.seat_levels.items() if id_ != chosen.player_id}
        if level:
            levels[chosen.player_id] = level
        may.campaign.options = options_to(replace(may.options, seat_levels=levels))


# --- for the rest of this package ---


def sit(
    ctx: AppContext, session: Session, actor: Actor, campaign: Campaign, seat: Seat, faction: str | None,
    name: str | None = None,
) -> None:  # fmt: skip
    """Put someone into a free seat of a campaign that has not started."""
    anonymous = access.options_of(campaign).anonymous
    seat.user_id, seat.faction, seat.joined_at = actor.user_id, faction, ctx.now()
    if name is not None:
        seat.name = text_input.name(name, "name")
    elif not anonymous:
        seat.name = actor.name or seat.name
    if actor.guest and not anonymous:
        _refuse_anothers_name(session, campaign, seat.name, actor.user_id)
    campaign.revision += 1
    session.flush()
    salt_keeping.join(session, campaign.id, seat.player_id, ctx.now())
    _announce(ctx, session, campaign, seat)


def vacate(session: Session, campaign: Campaign, seat: Seat, now: datetime) -> None:
    """Make a seat free; before the start it is as new."""
    takeover.get_up(session, campaign, seat, now)
    if campaign.status == "open":
        seat.faction = None


def _take_over(
    ctx: AppContext, session: Session, actor: Actor, campaign: Campaign, seat: str | None, name: str | None
) -> CampaignInfo:
    lost = {player for _, player in takeover.out(session, [campaign.id])}
    mine = [own for own in access.seats_of(session, campaign.id) if own.user_id == actor.user_id]
    if any(own.player_id not in lost for own in mine):
        raise PlayError("already_joined")
    called = None if name is None else text_input.name(name, "name")
    if actor.guest and not access.options_of(campaign).anonymous:
        _refuse_anothers_name(session, campaign, called or actor.name, actor.user_id)
    for own in mine:  # out: they leave it for another one
        vacate(session, campaign, own, ctx.now())
    may = access.load(session, actor, campaign.id, by_code=True)
    takeover.take_over(ctx, session, actor, may, seat, called)
    return info(ctx, session, actor, access.load(session, actor, campaign.id))


def _announce(ctx: AppContext, session: Session, campaign: Campaign, seat: Seat) -> None:
    """Tell who has the campaign's page open that someone came or went; nobody is mailed for it."""
    publish(session, [News(public_topic(campaign.id), "seat_changed", {"seat": seat.player_id})], ctx.now())


def _forget_code(session: Session, campaign: Campaign) -> None:
    session.execute(delete(InvitationCode).where(InvitationCode.campaign_id == campaign.id))
    campaign.invite_hash = None


def _code(campaign: Campaign) -> str:
    """Return the campaign's invitation code of the present number."""
    key = hmac.digest(campaign.dice_secret, f"invitation/{campaign.invite_number}".encode(), "sha256")
    return urlsafe_b64encode(key)[:16].decode()


def _refuse_anothers_name(session: Session, campaign: Campaign, name: str, user_id: str) -> None:
    """Refuse a guest's name that looks like another player's of the campaign, or its game master's."""
    names.refuse_own(name)
    game_master = session.get(User, campaign.gm_user_id) if campaign.gm_user_id not in (None, user_id) else None
    taken = [seat.name for seat in access.seats_of(session, campaign.id) if seat.user_id not in (None, user_id)]
    taken += [game_master.name] if game_master is not None else []
    if names.skeleton(name) in map(names.skeleton, taken):
        raise PlayError("name_taken", "Somebody in this campaign is called that.", field="name", value=name)


def _joinable(session: Session, actor: Actor, campaign_id: str, code: str | None) -> Campaign:
    if code is None:
        may = access.load_exclusive(session, actor, campaign_id)
        if not (may.campaign.listed or may.invited or may.gm or may.seat is not None):
            raise not_found("campaign", campaign_id)
        campaign = may.campaign
    else:
        found = lock_campaign(session, campaign_id, wait=True)
        if found is None or found.invite_hash != hashed(code) or found.status == "deleted":
            raise not_found("code")
        campaign = found
    takes_over = campaign.status in access.UNDER_WAY and access.options_of(campaign).take_over
    if campaign.status != "open" and not takes_over:
        raise PlayError("wrong_status", "The campaign takes no players any more.", field="status")
    if campaign.gm_user_id != actor.user_id:
        _expect_no_practice(campaign)
    return campaign


def _expect_no_practice(campaign: Campaign) -> None:
    if access.options_of(campaign).practice:
        raise PlayError("forbidden", "In a practice nobody else plays.")


def _check_faction(ctx: AppContext, campaign: Campaign, faction: str | None) -> None:
    factions = game_data_of(ctx, campaign).ruleset.factions
    if not isinstance(faction, str) or faction not in factions:
        raise PlayError(
            "unknown_faction", say("One of: {words}.", words=", ".join(factions)), field="faction", value=faction
        )


def _free_seat(session: Session, campaign: Campaign, actor: Actor, wanted: str | None) -> Seat:
    seats = access.seats_of(session, campaign.id)
    if any(seat.user_id == actor.user_id for seat in seats):
        raise PlayError("already_joined")
    free = [seat for seat in seats if seat.user_id is None]
    if not free:
        raise PlayError("campaign_full")
    if wanted is None:
        return free[0]
    found = next((seat for seat in seats if seat.player_id == wanted), None)
    if found is None:
        raise not_found("seat", wanted)
    if found.user_id is not None:
        raise PlayError("seat_taken", field="seat", value=wanted)
    return found


def _seat_of_gm(session: Session, may: Access, player_id: str) -> Seat:
    if may.seat is not None and may.seat.player_id == player_id:
        return may.seat
    may.require_gm()
    seat = session.get(Seat, (may.campaign.id, player_id))
    if seat is None:
        raise not_found("seat", player_id)
    return seat


def _chosen_by_gm(ctx: AppContext, session: Session, actor: Actor, may: Access, seat: Seat, stand_in: str) -> None:
    if may.campaign.started_at is None:
        if stand_in == "user":
            raise PlayError("wrong_status", "The campaign has not begun.", field="status")
        return
    if stand_in == "user":
        may.require_neutral_gm()
    made = note_intervention(
        session, may.campaign, actor, "stand_in", "", ctx.now(), seat=seat.player_id, stand_in=stand_in
    )
    notices = Notices(session, may.campaign, ctx.now())
    key = f"stand_in/{made.branch}/{made.phase_number}/{made.seq}"
    notices.everybody("seat_changed", key, [seat], seat=seat.player_id)
    notices.send()


def _tell_substitute(
    ctx: AppContext, session: Session, actor: Actor, may: Access, seat: Seat, user_id: str
) -> None:  # fmt: skip
    """Tell a new substitute, once a phase; not someone who plays (they are none) or wants no letters of the other."""
    sits = any(own.user_id == user_id for own in access.seats_of(session, may.campaign.id))
    if sits or user_id in blocking.ignoring(session, may, actor.user_id):
        return
    notices = Notices(session, may.campaign, ctx.now())
    key = f"substitute/{may.campaign.branch}/{may.campaign.phase_number}/{seat.player_id}"
    notices.user(user_id, "seat_changed", key, seat=seat.player_id, you="stands_in")
    notices.send()


def _serves_no_enemy(session: Session, seat: Seat, user_id: str) -> None:
    """Refuse a substitute who orders for another seat, unless that is an ally; the GM may name even them."""
    mine = (Seat.campaign_id == seat.campaign_id, Seat.player_id != seat.player_id, Seat.stand_in == "user")
    allies = select(AllianceRow.ally).where(
        AllianceRow.campaign_id == seat.campaign_id, AllianceRow.player_id == seat.player_id, AllianceRow.in_force
    )
    others = select(Seat.player_id).where(*mine, Seat.stand_in_user_id == user_id, Seat.player_id.not_in(allies))
    if session.scalar(others.limit(1)) is not None:
        raise PlayError(
            "conflict", "They stand in for somebody else here; the game master can name them.", field="substitute"
        )


def _substitute(session: Session, campaign: Campaign, name: str | None, own: str | None) -> str:
    if name is None:
        raise invalid("substitute", "Who is to order?")
    user = account_named(session, name, "substitute")
    # who sits in an anonymous campaign is not told like this either: there they may be named, and are no substitute
    sits = not access.options_of(campaign).anonymous and any(
        seat.user_id == user.id for seat in access.seats_of(session, campaign.id)
    )
    if sits or user.id in (*access.game_masters_of(session, campaign), own):
        raise PlayError("conflict", "Somebody else of this campaign cannot stand in.", field="substitute")
    return user.id
