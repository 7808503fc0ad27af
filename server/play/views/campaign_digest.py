"""What decides what someone is told of a campaign: one statement fetches it all, and its digest is a key.

Whatever was made for a reader is kept under that digest, so it is made again as soon as anything in it is different, in
every process. The digest itself holds what the reader may not know: it never leaves this server.
"""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Text, and_, bindparam, case, cast, exists, func, or_, select
from sqlalchemy.orm import Session

from server.play.context import Actor, AppContext
from server.store.tables import (
    Campaign,
    CampaignDice,
    GameMaster,
    Handover,
    Invitation,
    Message,
    MessageRecipient,
    OrderSet,
    Phase,
    Seat,
    User,
)


def of_campaign(ctx: AppContext, session: Session, actor: Actor, campaign_id: str) -> str:
    """Return the SHA-256, hexadecimal, of everything that decides what someone is told of a campaign."""
    rows = session.connection().execute(_OF_CAMPAIGN, _asked(actor, campaign_id)).all()
    return _digest((actor.user_id, actor.admin, ctx.settings.seal_hours, *map(tuple, rows)))


def of_map(session: Session, actor: Actor, campaign_id: str, *more: str) -> str | None:
    """Return the same for the page of its map; *more* is what else goes into that page.

    None where only the usual way can tell which position is current.
    """
    rows = session.connection().execute(_OF_MAP, _asked(actor, campaign_id)).all()
    return _digest((actor, more, *map(tuple, rows))) if rows and rows[0].position is not None else None


# --- inside ---


def _asked(actor: Actor, campaign_id: str) -> dict[str, str | None]:
    return {"campaign": campaign_id, "user": actor.user_id or None}


def _digest(told: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(told).encode(errors="surrogatepass")).hexdigest()


def _table(of: Any) -> Any:
    return of.__table__


_SHORT = ("name", "status", "listed", "gm_user_id", "scenario_id", "board_digest", "ruleset_id", "ruleset_version",
          "ruleset_digest", "link0", "branch", "phase_number", "revision", "position_hash")  # fmt: skip
_LONG = ("description", "options", "settings")
"""Columns that stand in the row of the first seat only."""
_OF_SEATS = ("player_id", "number", "user_id", "name", "faction", "stand_in", "stand_in_user_id", "missed")
_OF_READER = ("name", "email", "locale", "time_zone")
_OF_ORDERS = ("wanted", "final")


def _statement(*, for_map: bool = False) -> Any:
    """Return the statement for what goes into a campaign's own answer, or into the page too: a row for each seat."""
    campaign, phase, dice, offer, seat = (_table(of) for of in (Campaign, Phase, CampaignDice, Handover, Seat))
    gm, asked, player, stand_in = (_table(User).alias(name) for name in ("gm", "asked", "player", "stand_in"))
    invitation = _table(Invitation)
    user: Any = bindparam("user")
    its_phase = and_(
        phase.c.campaign_id == campaign.c.id,
        phase.c.branch == campaign.c.branch,
        phase.c.number == campaign.c.phase_number,
    )
    joined = (
        campaign.outerjoin(phase, its_phase)
        .outerjoin(dice, dice.c.campaign_id == campaign.c.id)
        .outerjoin(gm, gm.c.id == campaign.c.gm_user_id)
        .outerjoin(offer, and_(offer.c.campaign_id == campaign.c.id, offer.c.accepted_at.is_(None)))
        .outerjoin(asked, asked.c.id == offer.c.user_id)
        .outerjoin(seat, seat.c.campaign_id == campaign.c.id)
        .outerjoin(player, player.c.id == seat.c.user_id)
        .outerjoin(stand_in, stand_in.c.id == seat.c.stand_in_user_id)
    )
    partner, colleague = _table(GameMaster), _table(User).alias("colleague")
    beside = partner.c.campaign_id == campaign.c.id, partner.c.role == "partner"
    partners = (
        select(func.aggregate_strings(colleague.c.name, ", "))
        .select_from(partner.join(colleague, colleague.c.id == partner.c.user_id))
        .where(*beside)
        .scalar_subquery()
    )
    invited = exists().where(invitation.c.campaign_id == campaign.c.id, invitation.c.user_id == user)
    short = [campaign.c[name] for name in _SHORT]
    long = [case((seat.c.number == 1, cast(campaign.c[name], Text))) for name in _LONG]
    times = [campaign.c.created_at, campaign.c.started_at, campaign.c.finished_at, phase.c.deadline,
             phase.c.resolved_at, dice.c.published_at, offer.c.made_at, seat.c.holiday_until]  # fmt: skip
    columns = [
        *short, *long, *(cast(time, Text) for time in times), phase.c.turn, phase.c.phase, dice.c.campaign_id,
        gm.c.name, offer.c.user_id, offer.c.why, offer.c.role, asked.c.name, invited, partners, player.c.name,
        player.c.bot_owner_id, stand_in.c.name, *(seat.c[name] for name in _OF_SEATS),
    ]  # fmt: skip
    named = [column.label(f"c{number}") for number, column in enumerate(columns)]
    if for_map:
        joined, more = _for_the_map(joined, phase, seat, user)
        named += [
            campaign.c.position_hash.label("position"),
            *(column.label(f"m{number}") for number, column in enumerate(more)),
        ]
    return select(*named).select_from(joined).where(campaign.c.id == bindparam("campaign")).order_by(seat.c.number)


def _for_the_map(joined: Any, phase: Any, seat: Any, user: Any) -> tuple[Any, list[Any]]:
    """Join what the page of the map shows besides: the reader's account, their letters, everyone's orders."""
    orders, reader = _table(OrderSet), _table(User).alias("reader")
    its_orders = and_(
        orders.c.campaign_id == phase.c.campaign_id,
        orders.c.branch == phase.c.branch,
        orders.c.phase_number == phase.c.number,
        orders.c.player_id == seat.c.player_id,
    )
    letter, to, own = _table(Message), _table(MessageRecipient), _table(Seat).alias("own")
    here: Any = bindparam("campaign")
    its_seat = and_(own.c.campaign_id == to.c.campaign_id, own.c.player_id == to.c.player_id)
    to_player = (
        select(func.count())
        .select_from(to.join(own, its_seat).join(letter, letter.c.id == to.c.message_id))
        .where(own.c.campaign_id == here, own.c.user_id == user, to.c.read_at.is_(None))
        .where(or_(letter.c.sender.is_(None), letter.c.sender != to.c.player_id))
    )
    run, partner = _table(Campaign).alias("run"), _table(GameMaster)
    helps = exists().where(partner.c.campaign_id == here, partner.c.user_id == user, partner.c.role == "partner")
    to_gm = (
        select(func.count())
        .select_from(run.join(letter, letter.c.campaign_id == run.c.id))
        .where(run.c.id == here, or_(run.c.gm_user_id == user, helps), letter.c.to_gm, letter.c.gm_read_at.is_(None))
    )
    campaigns_played = select(func.count()).where(own.c.user_id == user)
    times = (reader.c.email_confirmed_at, reader.c.disabled_at)
    return joined.outerjoin(orders, its_orders).outerjoin(reader, reader.c.id == user), [
        *(reader.c[name] for name in _OF_READER), *(cast(time, Text) for time in times),
        *(orders.c[name] for name in _OF_ORDERS),
        *(count.scalar_subquery() for count in (to_player, to_gm, campaigns_played)),
    ]  # fmt: skip


_OF_CAMPAIGN, _OF_MAP = _statement(), _statement(for_map=True)
"""Made once: they are asked with every read."""
