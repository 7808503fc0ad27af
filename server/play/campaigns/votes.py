"""Votes on the end of a campaign: a draw, peace, conceding together. The absent do not block.

A vote is carried as soon as everyone who plays has agreed, and refused as soon as one player disagrees. When its time
is over, it is carried if someone agreed and everyone who has been here since it began did. Whoever has not been here,
a seat without a player and a computer player count as absent.

An end by agreement, or because everyone has left, is an intervention that is a link of the record's chain: its details
name the agreement and its voters, the state that it holds is over. ``verify`` makes it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.play import access, text_input
from server.play.access import UNDER_WAY, Access
from server.play.campaigns.campaigns import end
from server.play.campaigns.takeover import EVERYTHING
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, invalid, not_found
from server.play.notices.notices import Notices, notify_everybody
from server.play.records import records
from server.play.records.records import Open, note_intervention, note_position, open_phase, state_at
from server.play.tables.battle_opening import close_games
from server.rules.elimination import leaders
from server.rules.state import OVER, State
from server.store.database import lock_campaign
from server.store.position import save_position
from server.store.tables import VOTES, Campaign, Seat, SeatReader, User, Visit, Vote

MAX_REASON_LENGTH = 2000
CARRIED, REFUSED, LAPSED, WITHDRAWN = "carried", "refused", "lapsed", "withdrawn"


@dataclass(frozen=True, slots=True)
class VoteInfo:
    """A vote as everyone in the campaign sees it."""

    number: int
    about: str
    """``draw``, ``peace`` or ``concede``."""
    winner: str | None
    """Choose a player who is still in; the others concede to that player."""
    proposed_by: str
    """The player."""
    why: str
    made_at: datetime
    ends_at: datetime
    """The answers count then."""
    agreed: tuple[str, ...]
    """The players who have agreed, in seat order."""
    waiting_for: tuple[str, ...]
    """The players who have not answered; empty once the vote is over."""
    outcome: str
    """``carried``, ``refused``, ``lapsed`` or ``withdrawn``; empty as long as it is open."""
    closed_at: datetime | None


KIND = "agreement"
"""What the log of interventions calls the end itself."""
PROPOSED, VOTED_YES, VOTED_NO, CLOSED = "vote", "vote_yes", "vote_no", "vote_closed"
"""Interventions before it: a vote opened, a player agreed or did not, the vote ended without an end of the campaign."""
DRAW, PEACE, CONCEDE = VOTES
ABANDONED = "abandoned"
"""Everyone had left."""


class NotAgreed(ValueError):
    """The stated agreement does not end the campaign."""


def listed(ctx: AppContext, actor: Actor, campaign_id: str) -> list[VoteInfo]:
    """Return the votes of a campaign, the first one first, for everyone who can read what all players know."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_visible()
        rows = session.scalars(select(Vote).where(Vote.campaign_id == campaign_id).order_by(Vote.number)).all()
        seats = access.seats_of(session, campaign_id)
        return [_info(ctx, session, may.campaign, row, seats) for row in rows]


def propose(
    ctx: AppContext, actor: Actor, campaign_id: str, about: str, *, winner: str = "", why: str = ""
) -> VoteInfo:
    """Open a vote on the end of the campaign; its opener agrees, unless the others concede to them.

    Raise ``conflict`` if a vote is open, or if the player opened one in this phase.
    """
    actor.require("orders")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    if about not in VOTES:
        raise invalid("about", "Must be draw, peace or concede.", about)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        now_open, seat, living = _voter(ctx, session, may)
        campaign, now = may.campaign, ctx.now()
        if not may.options.vote_days:
            raise PlayError("forbidden", "In this campaign players do not vote on its end.")
        if (about == CONCEDE) != bool(winner) or (winner and winner not in living):
            raise invalid("winner", "Choose a player who is still in; the others concede to that player.", winner)
        _expect_none(session, campaign, seat)
        number = (session.scalar(select(func.max(Vote.number)).where(Vote.campaign_id == campaign_id)) or 0) + 1
        vote = Vote(
            campaign_id=campaign_id, number=number, about=about, winner=winner, proposed_by=seat.player_id, why=reason,
            made_at=now, ends_at=now + timedelta(days=may.options.vote_days), branch=campaign.branch,
            phase_number=campaign.phase_number, answers={}, outcome="",
        )  # fmt: skip
        session.add(vote)
        told = {"number": number, "about": about, "seat": seat.player_id} | ({"winner": winner} if winner else {})
        note_intervention(session, campaign, actor, PROPOSED, reason, now, **told)
        notices = Notices(session, campaign, now)
        seats = access.seats_of(session, campaign_id)
        others = [other for other in seats if other.player_id != seat.player_id]
        notices.everybody("vote_opened", f"vote/{number}", others, vote=number, about=about,
                          player=seat.player_id, until=vote.ends_at.isoformat())  # fmt: skip
        notices.send()
        if seat.player_id != winner:
            _answer(ctx, session, may, now_open, vote, actor, seat, agrees=True)
        session.flush()
        return _info(ctx, session, campaign, vote, seats)


def answer(ctx: AppContext, actor: Actor, campaign_id: str, number: int, *, agrees: bool) -> VoteInfo:
    """Agree to a vote, or not; a refusal ends it."""
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        vote = _open_vote(session, campaign_id, number)
        now_open, seat, _ = _voter(ctx, session, may)
        if seat.player_id == vote.winner:
            raise PlayError("forbidden", "The others concede to you: your answer is not needed.")
        _answer(ctx, session, may, now_open, vote, actor, seat, agrees=agrees)
        session.flush()
        return _info(ctx, session, may.campaign, vote, access.seats_of(session, campaign_id))


def withdraw(ctx: AppContext, actor: Actor, campaign_id: str, number: int) -> None:
    """Close a vote that you opened."""
    actor.require("orders")
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id)
        vote = _open_vote(session, campaign_id, number)
        if may.seat is None or may.seat.player_id != vote.proposed_by:
            raise PlayError("forbidden", "Only the player who opened the vote can withdraw it.")
        _close(session, may.campaign, vote, WITHDRAWN, actor, ctx.now())


# --- for the ticker ---


def close_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Close the votes of a campaign whose time is over, or all if the campaign is; return how many."""
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None:
            return 0
        still_open = (Vote.campaign_id == campaign_id, Vote.outcome == "")
        votes = session.scalars(select(Vote).where(*still_open).order_by(Vote.number)).all()
        return sum(_close_if_due(ctx, session, campaign, vote) for vote in votes)


def end_if_abandoned(ctx: AppContext, campaign_id: str) -> int:
    """End a campaign that everyone left long enough ago; return how many were."""
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        now_open = None if campaign is None else open_phase(session, campaign)
        if campaign is None or now_open is None or campaign.status not in UNDER_WAY:
            return 0
        seated = any(seat.user_id for seat in access.seats_of(session, campaign_id))
        if seated or not _is_abandoned(session, campaign, ctx.now()):
            return 0
        end_by(ctx, session, campaign, now_open, Actor(), {"about": ABANDONED}, ctx.now())
        return 1


# --- inside ---


def _is_abandoned(session: Session, campaign: Campaign, now: datetime) -> bool:
    options = access.options_of(campaign)
    days = 0 if options.practice else options.abandoned_days
    mine = (SeatReader.campaign_id == campaign.id, SeatReader.player_id != EVERYTHING)
    last: datetime | None = session.scalar(select(func.max(SeatReader.until)).where(*mine))
    since = last or campaign.started_at
    return bool(days) and since is not None and since + timedelta(days=days) <= now


def _close_if_due(ctx: AppContext, session: Session, campaign: Campaign, vote: Vote) -> bool:
    now, now_open = ctx.now(), open_phase(session, campaign)
    if campaign.status not in UNDER_WAY or now_open is None:
        vote.outcome, vote.closed_at = LAPSED, now
        return True
    if vote.ends_at > now:
        return False
    state = state_at(ctx, session, campaign, now_open.record)
    living = [player.id for player in state.living()]
    here = _here_since(session, campaign, living, vote.made_at)
    silent = [player for player in here if player not in (*vote.answers, vote.winner)]
    if silent or not _yes(vote, living):
        _close(session, campaign, vote, LAPSED, Actor(), now)
    else:
        _carry(ctx, session, campaign, now_open, vote, Actor(), living)
    return True


def _here_since(session: Session, campaign: Campaign, living: list[str], since: datetime) -> list[str]:
    """Return the players who have been here since then."""
    playing = electorate(session, campaign, living)
    mine = (Visit.user_id.in_(playing.values()), Visit.last_seen_at > since)
    seen = set(session.scalars(select(Visit.user_id).where(*mine)))
    return [player for player, user_id in playing.items() if user_id in seen]


def _voter(ctx: AppContext, session: Session, may: Access) -> tuple[Open, Seat, list[str]]:
    """Return the open phase, the seat of a player who is in, and all who are."""
    now_open, seat = open_phase(session, may.campaign), may.require_seat()
    if now_open is None or may.campaign.status not in UNDER_WAY or may.options.practice:
        raise PlayError("phase_closed")
    living = [player.id for player in state_at(ctx, session, may.campaign, now_open.record).living()]
    if seat.player_id not in living:
        raise PlayError("forbidden", "You are out of this campaign.")
    return now_open, seat, living


def _expect_none(session: Session, campaign: Campaign, seat: Seat) -> None:
    mine = select(Vote).where(Vote.campaign_id == campaign.id)
    if session.scalars(mine.where(Vote.outcome == "").limit(1)).first() is not None:
        raise PlayError("conflict", "Another vote is open.")
    here = (Vote.branch == campaign.branch, Vote.phase_number == campaign.phase_number)
    if session.scalars(mine.where(*here, Vote.proposed_by == seat.player_id).limit(1)).first() is not None:
        raise PlayError("conflict", "You have opened a vote in this phase. Wait for the next one.")


def _open_vote(session: Session, campaign_id: str, number: int) -> Vote:
    vote = session.get(Vote, (campaign_id, number))
    if vote is None:
        raise not_found("vote", number)
    if vote.outcome:
        raise PlayError("conflict", "This vote is over.")
    return vote


def _answer(
    ctx: AppContext,
    session: Session,
    may: Access,
    now_open: Open,
    vote: Vote,
    actor: Actor,
    seat: Seat,
    *,
    agrees: bool,
) -> None:
    campaign, now = may.campaign, ctx.now()
    kind = VOTED_YES if agrees else VOTED_NO
    if vote.answers.get(seat.player_id) is not agrees:
        note_intervention(session, campaign, actor, kind, "", now, number=vote.number, seat=seat.player_id)
    vote.answers = {**vote.answers, seat.player_id: agrees}
    if not agrees:
        _close(session, campaign, vote, REFUSED, actor, now)
        return
    living = [player.id for player in state_at(ctx, session, campaign, now_open.record).living()]
    asked = [player for player in _people(session, campaign, living) if player != vote.winner]
    if all(player in vote.answers for player in asked):
        _carry(ctx, session, campaign, now_open, vote, actor, living)


def _people(session: Session, campaign: Campaign, living: list[str]) -> list[str]:
    """Return the seats that a person plays: a bot may answer, but nobody waits for it."""
    playing = electorate(session, campaign, living)
    bots = set(session.scalars(select(User.id).where(User.id.in_(playing.values()), User.bot_owner_id.is_not(None))))
    return [player for player, user_id in playing.items() if user_id not in bots]


def _yes(vote: Vote, living: list[str]) -> list[str]:
    return [player for player in living if vote.answers.get(player) and player != vote.winner]


def _carry(
    ctx: AppContext, session: Session, campaign: Campaign, now_open: Open, vote: Vote, actor: Actor, living: list[str]
) -> None:
    yes = _yes(vote, living)
    absent = [player for player in living if player not in (*yes, vote.winner)]
    vote.outcome, vote.closed_at = CARRIED, ctx.now()
    details: dict[str, Any] = {"about": vote.about, "number": vote.number, "winner": vote.winner, "yes": yes,
                               "absent": absent}  # fmt: skip
    end_by(ctx, session, campaign, now_open, actor, details, ctx.now())


def _close(session: Session, campaign: Campaign, vote: Vote, outcome: str, actor: Actor, now: datetime) -> None:
    vote.outcome, vote.closed_at = outcome, now
    note_intervention(session, campaign, actor, CLOSED, "", now, number=vote.number, about=vote.about, outcome=outcome)
    told = {"vote": vote.number, "about": vote.about, "outcome": outcome}
    notify_everybody(session, campaign, now, "vote_closed", f"vote/{vote.number}/closed", **told)


def _info(ctx: AppContext, session: Session, campaign: Campaign, vote: Vote, seats: list[Seat]) -> VoteInfo:
    agreed = tuple(seat.player_id for seat in seats if vote.answers.get(seat.player_id))
    waiting: tuple[str, ...] = ()
    now_open = None if vote.outcome else open_phase(session, campaign)
    if now_open is not None:
        living = [player.id for player in state_at(ctx, session, campaign, now_open.record).living()]
        asked: Mapping[str, str] = electorate(session, campaign, living)
        waiting = tuple(player for player in asked if player not in (*vote.answers, vote.winner))
    return taken_from(vote, VoteInfo, winner=vote.winner or None, agreed=agreed, waiting_for=waiting)


def ended(before: State, details: Mapping[str, Any]) -> State:
    """Return the state as it is when that was agreed; *before* itself stays as it was.

    *details* are those of the intervention: ``about``, and of a vote ``number``, ``winner`` (of ``concede``), ``yes``
    and ``absent`` (players in seat order). Raise :class:`NotAgreed` if the players cannot have agreed like that.
    """
    if before.phase == OVER:
        raise NotAgreed("The campaign was over before.")
    about, living = details["about"], [player.id for player in before.living()]
    if about == ABANDONED:
        _expect(details, {"about"})
        winners: tuple[str, ...] = ()
    else:
        _expect(details, {"about", "number", "winner", "yes", "absent"})
        winners = _agreed(before, living, details)
    after = before.copy()
    after.phase, after.winners, after.ended_by = OVER, tuple(winners), about
    return after


def end_by(
    ctx: AppContext,
    session: Session,
    campaign: Campaign,
    now_open: Open,
    actor: Actor,
    details: dict[str, Any],
    now: datetime,
) -> None:
    """End a campaign as *details* say; write it down and tell everyone."""
    before = state_at(ctx, session, campaign, now_open.record)
    after = ended(before, details)
    told = {name: details[name] for name in ("about", "number", "winner", "yes", "absent") if name in details}
    made = note_intervention(session, campaign, actor, KIND, "", now, **told)
    note_position(campaign, made, details, after)
    save_position(session, campaign.id, before, after)
    notices = Notices(session, campaign, now)
    close_games(session, now_open.phase, notices)
    records.seal(ctx, session, campaign)
    end(session, campaign, now, notices, winners=list(after.winners), by=after.ended_by)


def electorate(session: Session, campaign: Campaign, living: list[str]) -> dict[str, str]:
    """Return the players whose word a vote waits for, each with the account: they are in, and someone plays there."""
    seats = {seat.player_id: seat.user_id for seat in access.seats_of(session, campaign.id)}
    return {player: user_id for player in living if (user_id := seats.get(player)) is not None}


def _expect(details: Mapping[str, Any], names: set[str]) -> None:
    if {*details} != names:
        raise NotAgreed("The end by agreement does not say what it should.")


def _agreed(before: State, living: list[str], details: Mapping[str, Any]) -> tuple[str, ...]:
    about, winner = details["about"], details["winner"]
    yes, absent = list(details["yes"]), list(details["absent"])
    if about not in VOTES or (about == CONCEDE) != (winner in living) or (about != CONCEDE and winner):
        raise NotAgreed("That is not what players can agree on.")
    asked = [player for player in living if player != winner]
    if [player for player in asked if player in (*yes, *absent)] != asked or len(yes) + len(absent) != len(asked):
        raise NotAgreed("Those who agreed and those who were absent are not the players who were in.")
    if not yes:
        raise NotAgreed("Nobody agreed.")
    if about == DRAW:
        return tuple(living)
    return (winner,) if about == CONCEDE else tuple(leaders(before))
