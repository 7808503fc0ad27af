"""Ends by agreement: what a vote, or the leaving of everyone, makes of a position. ``verify`` makes it again.

Such an end is an intervention that is a link of the record's chain: its details name the agreement and its voters, the
state that it holds is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from server.play import access
from server.play.campaigns.campaigns import end
from server.play.context import Actor, AppContext
from server.play.notices.notices import Notices
from server.play.records import sealing
from server.play.records.records import Open, note_intervention, note_position, state_at
from server.play.tables.battle_opening import close_games
from server.rules.elimination import leaders
from server.rules.state import OVER, State
from server.store.position import save_position
from server.store.tables import VOTES, Campaign

KIND = "agreement"
"""What the log of interventions calls the end itself."""
PROPOSED, AGREED, REFUSED, CLOSED = "vote", "vote_yes", "vote_no", "vote_closed"
"""Interventions before it: a vote opened, a player agreed or did not, the vote ended without an end of the campaign."""
DRAW, PEACE, CONCEDE = VOTES
ABANDONED = "abandoned"
"""Everyone had left."""


class NotAgreed(ValueError):
    """The stated agreement does not end the campaign."""


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
    sealing.seal(ctx, session, campaign)
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
