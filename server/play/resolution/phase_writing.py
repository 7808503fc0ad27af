"""Writing down a resolved phase: record, events, position, standings, missed deadlines, the next phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from server.play import access
from server.play.computer_players import send_letters
from server.play.context import AppContext
from server.play.notices.notices import Notices, send
from server.play.records.records import Record, next_link, phase_inputs, set_position, written_before
from server.play.resolution.engine import Outcome
from server.play.resolution.phase_opening import REPEATED, begin_next, only_repeated
from server.play.resolution.resolution_input import DEADLINE, ResolutionInput
from server.play.resolution.version import RULES_VERSION
from server.play.tables.battle_opening import close_games
from server.rules.board import Hex
from server.rules.state import BATTLES, BUILD, OVER, REPORTS, Force, State
from server.store import phase_events, phase_orders
from server.store.position import Save, save_positions
from server.store.position.changes import Changes
from server.store.position.rows import table
from server.store.snapshots import pack
from server.store.tables import PhaseStanding, Seat


@dataclass(frozen=True, slots=True)
class Resolved:
    """A phase that was resolved."""

    campaign_id: str
    branch: int
    number: int
    why: str
    state_hash: str
    chain_hash: str
    over: bool
    """The campaign has ended."""
    awaits: bool
    """There is nothing to resolve before someone orders: the phase that was opened awaits them, or none was."""
    turn_over: bool = False
    """A turn has started in a campaign whose computer players may give up (P-37)."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a phase, and what of."""

    found: ResolutionInput
    outcome: Outcome
    took: float
    """Seconds that the rules needed."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """The rows to write for a phase, together with those of others."""

    done: Resolved
    save: Save
    notices: Notices


def write_down(
    ctx: AppContext, session: Session, phases: Sequence[Played], now: datetime, *, by: str | None = None
) -> list[Resolved]:
    """Write the results of phases of different campaigns, in the transaction that has claimed these.

    *by* is the game master who ended them.
    It takes as many statements as a single phase, except for rare cases.
    """
    changes = Changes()
    drafts = [_draft(ctx, session, played, now, changes, by) for played in phases]
    save_positions(session, [draft.save for draft in drafts], changes)
    send([draft.notices for draft in drafts])
    return [draft.done for draft in drafts]


def _draft(
    ctx: AppContext, session: Session, played: Played, now: datetime, changes: Changes, by: str | None
) -> _Draft:
    found, outcome = played.found, played.outcome
    before = written_before(ctx, found.rows.phase, found.rows.record, found.before)
    campaign, phase = found.rows.campaign, found.rows.phase
    inputs = phase_inputs(found.given.dice, outcome.orders, outcome.problems, outcome.events)
    chained = next_link(found.rows.record.chain_hash, inputs, outcome.state_hash)
    phase.resolved_at, phase.resolved_by, phase.why = now, by, found.why
    phase.took_ms = round(played.took * 1000)
    dice = found.given.dice
    phase.link, phase.seed, phase.salts = dice.link.hex(), dice.seed.hex(), list(dice.salts)
    phase.ruleset_digest, phase.rules_version = campaign.ruleset_digest, RULES_VERSION
    phase.orders, phase.problems = phase_orders.column_of(outcome.orders, found.as_handed_in), outcome.problems
    phase.events = phase_events.column_of(outcome.events)
    phase.state_hash, phase.chain_hash, phase.snapshot = outcome.state_hash, chained, pack(outcome.written, before)
    set_position(campaign, Record(phase.branch, phase.number, None, outcome.state_hash, chained))
    seats = found.rows.seats
    notices = Notices(session, campaign, now)
    _note_sources(found)
    _count_missed(found, notices, now)
    send_letters(session, campaign, phase, seats, found.acts, notices)
    if phase.phase == REPORTS:
        close_games(session, phase, notices)
    over = outcome.state.phase == OVER
    campaign.revision += 1
    awaits = True
    place: dict[str, Any] = {"campaign_id": phase.campaign_id, "branch": phase.branch, "phase_number": phase.number}
    stand = standings_of(outcome.state).items()
    changes.insert(table(PhaseStanding), (place | {"player_id": player} | standing for player, standing in stand))
    if over:
        _end(session, found, outcome.state, notices, now)
    else:
        number = phase.number + 1
        awaits = begin_next(session, campaign, seats, outcome.state, number, notices, changes, found.rows).awaits
    turn_over = outcome.state.phase == BUILD and access.options_of(campaign).computers_give_up
    done = Resolved(
        campaign.id, phase.branch, phase.number, found.why, outcome.state_hash, chained, over, awaits, turn_over
    )
    return _Draft(done, Save(campaign.id, found.before, outcome.state), notices)


def standings_of(state: State) -> dict[str, dict[str, int]]:
    """Return for each player what the charts show of them."""
    hexes = Counter(state.owner)
    found = {
        player.id: {"vp": player.vp, "hexes": hexes[player.id], "bp": 0, "points": 0, "ready_points": 0}
        for player in state.players.values()
    }
    for at, bp in (*state.store.items(), *state.harvest.items()):
        if state.owner[at]:
            found[state.owner[at]]["bp"] += bp
    for convoy in state.convoys.values():
        found[convoy.owner]["bp"] += convoy.bp
    forces: list[Force] = [*state.detachments.values(), *state.garrisons.values()]
    for force in forces:
        theirs = found[force.owner]
        theirs["points"] += force.points
        theirs["ready_points"] += state.ready_points(force)
    return found


def _note_sources(found: ResolutionInput) -> None:
    """Write down which order sets were not the player's own."""
    for row in found.rows.orders:
        source = found.sources[row.player_id]
        if source in ("bot", "defaults"):
            row.source = source


def _count_missed(found: ResolutionInput, notices: Notices, now: datetime) -> None:
    """D-10: a deadline that passed without orders is counted, unless the player had said they would be away.

    Where a phase asked a player nothing, or only for results of the table that they have reported or answered, it
    counts neither for them nor against them.
    """
    phase = found.rows.phase
    orders = {row.player_id: row for row in found.rows.orders}
    for seat in found.rows.seats:
        source = found.sources.get(seat.player_id, "")
        if source not in ("", "bot", "defaults") and not (source == REPEATED and only_repeated(orders[seat.player_id])):
            seat.missed_in_a_row = 0
        elif _missed(found, seat, source) and (seat.holiday_until is None or seat.holiday_until <= now):
            seat.missed += 1
            seat.missed_in_a_row += 1
            orders[seat.player_id].missed = True
            key = f"missed/{phase.branch}/{phase.number}/{seat.player_id}"
            told = {"player": seat.player_id, "number": phase.number, "missed": seat.missed}
            notices.game_master("missed_deadline", key, **told)


def _missed(found: ResolutionInput, seat: Seat, source: str) -> bool:
    if found.why != DEADLINE or not source or seat.user_id is None:
        return False
    return found.rows.phase.phase not in (BATTLES, REPORTS) or bool(_unanswered(found, seat.player_id))


def _unanswered(found: ResolutionInput, player: str) -> list[Hex]:
    """Return the battles of a player that wait, and of which they have said nothing."""
    label = found.before.board.label
    mine = [battle for battle in found.before.battles.values()
            if not battle.winner and player in (battle.attacking, battle.defended_by)]  # fmt: skip
    return [battle.hex for battle in mine if (label(battle.hex), player) not in found.spoken]


def _end(session: Session, found: ResolutionInput, state: State, notices: Notices, now: datetime) -> None:
    campaign = found.rows.campaign
    campaign.status, campaign.finished_at, campaign.deadline = "finished", now, None
    session.flush()
    key = f"finished/{found.rows.phase.branch}"
    notices.everybody("finished", key, found.rows.seats, winners=list(state.winners), by=state.ended_by)
