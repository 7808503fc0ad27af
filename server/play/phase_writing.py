"""Writing down a resolved phase: record, events, position, standings, missed deadlines, the next phase."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from server.core.events import Event
from server.play import access
from server.play.engine import Outcome
from server.play.notices import Notices
from server.play.phase_opening import open_next
from server.play.records import next_link, phase_inputs
from server.play.resolution_input import DEADLINE, ResolutionInput
from server.play.versions import RULES_VERSION
from server.rules.codec import event_to_json
from server.rules.state import OVER, Force, State
from server.store.position import save_position
from server.store.snapshots import pack
from server.store.tables import EventRow, OrderSet, Phase, PhaseStanding, Seat


@dataclass(frozen=True, slots=True)
class Written:
    """A phase that was resolved."""

    campaign_id: str
    branch: int
    number: int
    why: str
    state_hash: str
    chain_hash: str
    over: bool
    """The campaign has ended."""


def write_down(
    session: Session, found: ResolutionInput, outcome: Outcome, now: datetime, *, by: str | None, took: float
) -> Written:
    """Write what came of a phase, in the transaction that has claimed the campaign."""
    campaign, phase = found.campaign, found.phase
    hashed = hashlib.sha256(outcome.written).hexdigest()
    inputs = phase_inputs(found.seed.hex(), found.salts, found.orders, outcome.problems, outcome.events)
    chained = next_link(found.chained, inputs, hashed)
    phase.resolved_at, phase.resolved_by, phase.why, phase.took_ms = now, by, found.why, round(took * 1000)
    phase.link, phase.seed, phase.salts = found.link.hex(), found.seed.hex(), list(found.salts)
    phase.ruleset_digest, phase.rules_version = campaign.ruleset_digest, RULES_VERSION
    phase.orders, phase.problems = found.orders, outcome.problems
    phase.state_hash, phase.chain_hash, phase.snapshot = hashed, chained, pack(outcome.written)
    session.flush()
    _insert_events(session, phase, outcome.events)
    _insert_standings(session, phase, outcome.state)
    save_position(session, campaign.id, found.before, outcome.state)
    seats = access.seats_of(session, campaign.id)
    notices = Notices(session, campaign, now)
    _note_sources(session, found)
    _count_missed(found, seats, notices, now)
    over = outcome.state.phase == OVER
    campaign.revision += 1
    if over:
        _end(session, found, outcome.state, seats, notices, now)
    else:
        open_next(session, campaign, seats, outcome.state, phase.number + 1, notices)
    notices.send()
    return Written(campaign.id, phase.branch, phase.number, found.why, hashed, chained, over)


def _insert_events(session: Session, phase: Phase, events: Sequence[Event]) -> None:
    rows = [
        {
            "campaign_id": phase.campaign_id,
            "branch": phase.branch,
            "phase_number": phase.number,
            "seq": seq,
            "type": each.type,
            "fields": event_to_json(each)["fields"],
            "told": each.to,
            "public": each.public,
        }
        for seq, each in enumerate(events)
    ]
    if rows:
        session.execute(insert(EventRow), rows)


def _insert_standings(session: Session, phase: Phase, state: State) -> None:
    place = {"campaign_id": phase.campaign_id, "branch": phase.branch, "phase_number": phase.number}
    rows = [place | {"player_id": player} | standing for player, standing in standings_of(state).items()]
    session.execute(insert(PhaseStanding), rows)


def standings_of(state: State) -> dict[str, dict[str, int]]:
    """Return for each player what the charts show of him."""
    return {each.id: {"vp": each.vp, **_standing(state, each.id)} for each in state.players.values()}


def _standing(state: State, player: str) -> dict[str, int]:
    own = [at for at, owner in enumerate(state.owner) if owner == player]
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    forces = [each for each in forces if each.owner == player]
    stored = sum(state.store.get(at, 0) + state.harvest.get(at, 0) for at in own)
    return {
        "hexes": len(own),
        "bp": stored + sum(each.bp for each in state.convoys.values() if each.owner == player),
        "points": sum(each.points for each in forces),
        "ready_points": sum(map(state.ready_points, forces)),
    }


def _note_sources(session: Session, found: ResolutionInput) -> None:
    """Write down which order sets were not the player's own."""
    phase = found.phase
    for player_id, source in found.sources.items():
        if source in ("bot", "defaults"):
            mine = (OrderSet.campaign_id == phase.campaign_id, OrderSet.branch == phase.branch,
                    OrderSet.phase_number == phase.number, OrderSet.player_id == player_id)  # fmt: skip
            session.execute(update(OrderSet).where(*mine).values(source=source))


def _count_missed(found: ResolutionInput, seats: Sequence[Seat], notices: Notices, now: datetime) -> None:
    """D-10: a deadline that passed without orders is counted, unless the player had said he would be away."""
    for seat in seats:
        source = found.sources.get(seat.player_id)
        if source is None:
            continue
        if source not in ("bot", "defaults"):
            seat.missed_in_a_row = 0
        elif found.why == DEADLINE and seat.user_id is not None and not _away(seat, now):
            seat.missed += 1
            seat.missed_in_a_row += 1
            key = f"missed/{found.phase.branch}/{found.phase.number}/{seat.player_id}"
            told = {"player": seat.player_id, "number": found.phase.number, "missed": seat.missed}
            notices.game_master("missed_deadline", key, **told)


def _away(seat: Seat, now: datetime) -> bool:
    return seat.holiday_until is not None and seat.holiday_until > now


def _end(
    session: Session, found: ResolutionInput, state: State, seats: Sequence[Seat], notices: Notices, now: datetime
) -> None:
    campaign = found.campaign
    campaign.status, campaign.finished_at = "finished", now
    session.flush()
    notices.everybody(
        "finished", f"finished/{found.phase.branch}", seats, winners=list(state.winners), by=state.ended_by
    )
