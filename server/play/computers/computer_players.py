"""Computer players in a stored campaign: their memory, and their moods turn by turn (P-30).

A memory is folded from the seat's views, phase by phase; nothing of it is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.bots.levels import LEVELS, REGULAR
from server.play import access
from server.play.context import Actor, AppContext
from server.play.options import Options
from server.play.records.pointer import Record
from server.play.records.records import lineage, on_line, view_at
from server.play.views.positions import reader
from server.rules.sight import View
from server.store.phase_events import WITH_EVENTS, events_of
from server.store.tables import Campaign, OrderSet, Phase, Seat, User

if TYPE_CHECKING:  # imported where it is needed: most phases wait for people alone
    from server.bots.commander import Mind
    from server.bots.memory import Memory
    from server.bots.posture import Evaluation

LAST_PHASES = 24
"""Finished phases that a stand-in remembers."""


@dataclass(frozen=True, slots=True)
class SeatPostures:
    """How a computer player felt, turn by turn."""

    seat: str
    turns: tuple[Evaluation, ...]


def minds_of(
    ctx: AppContext, session: Session, campaign: Campaign, levels: Mapping[str, str], diplomats: Collection[str] = ()
) -> dict[str, Mind]:
    """Return who orders for seats as their stand-ins; *levels* are those of the seats.

    *diplomats* make and break alliances; those who stand in for someone leave that to them.
    """
    if not levels:
        return {}
    from server.bots.commander import Mind

    memories = _recall(ctx, session, campaign, list(levels), LAST_PHASES)

    def secret(seat: str) -> bytes:
        return hashlib.sha256(campaign.dice_secret + f"/computer player/{seat}".encode()).digest()

    return {
        seat: Mind(LEVELS[level or REGULAR], memories[seat], secret(seat), diplomatic=seat in diplomats)
        for seat, level in levels.items()
    }


def postures(ctx: AppContext, actor: Actor, campaign_id: str) -> list[SeatPostures]:
    """Return the postures of the computer players, for a GM who does not play; for all when the campaign is over.

    Others get none.
    """
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        if not (may.sees_all or may.over):
            return []
        return evaluated(ctx, session, may.campaign, _computers(session, may.campaign))


def evaluated(ctx: AppContext, session: Session, campaign: Campaign, seats: Sequence[str]) -> list[SeatPostures]:
    """Return how computer players have felt at seats, turn by turn, as far as the campaign is played."""
    key = (campaign.id, campaign.branch, campaign.phase_number, campaign.status, tuple(seats))

    def make() -> list[SeatPostures]:
        memories = _recall(ctx, session, campaign, seats, None)
        theirs = _diplomats(session, campaign)
        return [SeatPostures(seat, own_history(memories[seat].history, seat in theirs)) for seat in seats]

    return ctx.caches.evaluations.get(key, make)


def own_history(history: tuple[Evaluation, ...], diplomat: bool) -> tuple[Evaluation, ...]:
    """Return how a seat felt; what it did about alliances is a computer player's only where nobody else did it."""
    return history if diplomat else tuple(replace(felt, acts=()) for felt in history)


def is_diplomat(options: Options, seat: Seat) -> bool:
    """Say whether a computer player has had a seat from the start, and so makes its alliances."""
    return options.computer_seats and seat.user_id is None and seat.stand_in == "bot"


def by_turn(found: Sequence[SeatPostures]) -> dict[int, list[tuple[str, Evaluation]]]:
    """Return who felt how at the end of each turn: the seats in order."""
    turns: dict[int, list[tuple[str, Evaluation]]] = {}
    for seat_postures in found:
        for evaluation in seat_postures.turns:
            turns.setdefault(evaluation.turn, []).append((seat_postures.seat, evaluation))
    return turns


def _diplomats(session: Session, campaign: Campaign) -> set[str]:
    """Return the seats whose alliances are a computer player's: those of bots, and those nobody took."""
    options = access.options_of(campaign)
    own = {seat.player_id for seat in access.seats_of(session, campaign.id) if is_diplomat(options, seat)}
    bots = select(Seat.player_id).join(User, User.id == Seat.user_id)
    mine = (Seat.campaign_id == campaign.id, User.bot_owner_id.is_not(None))
    return own | set(session.scalars(bots.where(*mine)))


def _computers(session: Session, campaign: Campaign) -> list[str]:
    """Return the seats that a bot or a computer player has played."""
    query = select(OrderSet.player_id).where(OrderSet.campaign_id == campaign.id, OrderSet.source == "bot").distinct()
    stood_in = set(session.scalars(query))
    bots = select(Seat.player_id).join(User, User.id == Seat.user_id)
    mine = bots.where(Seat.campaign_id == campaign.id, User.bot_owner_id.is_not(None))
    found = stood_in | set(session.scalars(mine))
    return [seat.player_id for seat in access.seats_of(session, campaign.id) if seat.player_id in found]


def _recall(
    ctx: AppContext, session: Session, campaign: Campaign, seats: Sequence[str], last: int | None
) -> dict[str, Memory]:
    """Return what seats remember of the finished phases of the line that is played on."""
    from server.bots.memory import Memory, remember

    line = lineage(session, campaign.id, campaign.branch)
    if not line or not seats:
        return {seat: Memory() for seat in seats}
    mine = (Phase.campaign_id == campaign.id, on_line(line, Phase, Phase.number), Phase.state_hash.is_not(None))
    wanted = select(Phase).where(*mine).order_by(Phase.number.desc()).limit(last).options(WITH_EVENTS)
    done = [*session.scalars(wanted)][::-1]
    told = events_of(session, done)
    memories = {seat: Memory() for seat in seats}
    for phase in done:
        record = Record(phase.branch, phase.number, None, phase.state_hash or "", phase.chain_hash or "")
        for seat in seats:
            view: View = view_at(ctx, session, campaign, record, seat)
            events = tuple(event for event in told[phase.branch, phase.number] if seat in event.to)
            memories[seat] = remember(memories[seat], replace(view, events=events))
    return memories
