"""The record of a campaign: which phases follow each other, the states between them, the chain over all.

A record is a phase that was resolved or an edit of the position by the GM. The chain goes through both:
``chain_hash(chain_hash(before, inputs), state)``. The inputs (orders, salts, seed, problems, events, or the
edits) are a link of their own, so that an order without effect cannot be changed afterwards either.

Where a campaign stands is in its row: which phase is open until when, which record holds the position. Functions of
this file alone write that, in the transaction that opens or ends a phase, moves its deadline or changes the position.

After the end the record is sealed for some time, in which the game master may go back, then public for good (D-81).
While it is sealed, everyone knows what they knew before; the dice's secret and the seat keys stay secret.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.core.events import Event
from server.play import access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found, stands_so
from server.play.game_data import game_data_of
from server.play.records.phase_dice import PhaseDice
from server.rules.codec import chain_hash, decode, encode, event_to_json, state_hash
from server.rules.sight import GM, SPECTATOR, View, view_for
from server.rules.state import State
from server.store.database import lock_campaign
from server.store.snapshots import first_needed, pack, stands_alone, unpack, unpack_last
from server.store.tables import Branch, Campaign, CampaignDice, Deadline, Intervention, Phase

START = "start"
"""Name of phase 0, before Setup."""
FIRST_BRANCH = 1
"""The number of the branch a campaign begins with; it follows no other."""
PRACTICE = "practice"
"""Where phase 0 of a practice says what it begins from."""


@dataclass(frozen=True, slots=True)
class Open:
    """The phase that is open, and the record it began from or the last edit since."""

    phase: Phase
    record: Record


@dataclass(frozen=True, slots=True)
class Record:
    """Where a state was written down."""

    branch: int
    number: int
    """Of the phase."""
    edit: int | None
    """Which edit of the position during the phase; None: the phase itself, resolved."""
    state_hash: str
    chain_hash: str


# --- branches ---


def lineage(session: Session, campaign_id: str, branch: int) -> list[tuple[int, int | None]]:
    """Return branches and the last phase that counts of each (None: all), from the given one back to the first."""
    if branch == FIRST_BRANCH:
        return [(FIRST_BRANCH, None)]
    branches = {
        branch.number: branch for branch in session.scalars(select(Branch).where(Branch.campaign_id == campaign_id))
    }
    found: list[tuple[int, int | None]] = []
    upto: int | None = None
    at: int | None = branch
    while at is not None and at in branches:
        found.append((at, upto))
        left = branches[at]
        if left.from_phase is not None:
            upto = left.from_phase if upto is None else min(upto, left.from_phase)
        at = left.from_branch
    return found


def on_line(line: Sequence[tuple[int, int | None]], table: Any) -> Any:
    """Return the condition that a row of *table* is part of a branch."""
    number = table.number if table is Phase else table.phase_number
    parts = [
        table.branch == branch if upto is None else and_(table.branch == branch, number <= upto)
        for branch, upto in line
    ]
    return or_(*parts)


# --- the last record, and its state ---


def open_phase(session: Session, campaign: Campaign) -> Open | None:
    """Return the phase that is open, None before the start and after the end."""
    phase = session.get(Phase, (campaign.id, campaign.branch, campaign.phase_number), populate_existing=True)
    if phase is None or phase.resolved_at is not None:
        return None
    return Open(phase, current_record(campaign))


def require_open(session: Session, campaign: Campaign) -> Open:
    """Return the phase that is open; refuse (``phase_closed``) where none is."""
    now_open = open_phase(session, campaign)
    if now_open is None:
        raise PlayError("phase_closed")
    return now_open


def check_deadline(phase: Phase, now: datetime) -> None:
    """Refuse (``deadline_passed``) what comes after a phase's deadline."""
    if phase.deadline is not None and phase.deadline <= now:
        raise PlayError("deadline_passed")


def phase_on(session: Session, campaign_id: str, branch: int, number: int) -> Phase | None:
    """Return the phase of that number as the branch knows it."""
    line = lineage(session, campaign_id, branch)
    mine = (Phase.campaign_id == campaign_id, Phase.number == number, on_line(line, Phase))
    return session.scalars(select(Phase).where(*mine).order_by(Phase.branch.desc()).limit(1)).first()


def state_at(ctx: AppContext, session: Session, campaign: Campaign, record: Record) -> State:
    """Return the state that was written down; shared, so it must not be changed."""
    key = (campaign.id, record.state_hash)

    def read() -> State:
        world = game_data_of(ctx, campaign)
        written = written_at(session, campaign.id, record)
        ctx.caches.written.put(key, written)
        return decode(written, world.board, world.ruleset)

    return ctx.caches.states.get(key, read)


def written_at(session: Session, campaign_id: str, record: Record) -> bytes:
    """Return the canonical bytes of a record's state, in one statement."""
    if record.edit is not None:
        query = select(Intervention.snapshot).where(
            Intervention.campaign_id == campaign_id,
            Intervention.branch == record.branch,
            Intervention.phase_number == record.number,
            Intervention.seq == record.edit,
        )
        if (edited := session.scalar(query)) is not None:
            return unpack(edited)
    else:
        kept = session.execute(
            select(Phase.number, Phase.snapshot)
            .where(
                Phase.campaign_id == campaign_id,
                Phase.branch == record.branch,
                Phase.snapshot.is_not(None),
                Phase.number.between(first_needed(record.number), record.number),
            )
            .order_by(Phase.number)
        ).all()
        if kept and kept[-1][0] == record.number:
            return unpack_last([snapshot for _, snapshot in kept if snapshot is not None])
    raise LookupError(f"the campaign {campaign_id} has no snapshot of phase {record.number}")


def written_before(ctx: AppContext, phase: Phase, record: Record, state: State) -> bytes | None:
    """Return the bytes that the snapshot of a phase may build upon, None where it has to stand alone.

    *record*, *state*: what the phase began from.
    """
    if stands_alone(phase.number) or record.edit is not None or record.branch != phase.branch:
        return None
    known: bytes | None = ctx.caches.written.known((phase.campaign_id, record.state_hash))
    if known is not None:
        return known
    written = encode(state)  # of a state that an earlier version wrote, it may be other bytes than were kept
    return written if hashlib.sha256(written).hexdigest() == record.state_hash else None


# --- what somebody knows at a record: the one way from a state to a reader ---


def view_at(ctx: AppContext, session: Session, campaign: Campaign, record: Record, viewer: str) -> View:
    """Return what a viewer (player, GM, spectator) knows of the position at a record; without events."""
    state = state_at(ctx, session, campaign, record)
    if viewer not in (*state.players, GM, SPECTATOR):
        raise not_found("as", viewer)
    key = (campaign.id, record.state_hash, viewer)
    return ctx.caches.views.get(key, lambda: view_for(state, (), viewer))


def view_known(ctx: AppContext, campaign_id: str, state_hash: str, viewer: str) -> View | None:
    """Return the same where it is at hand, None where it has to be made."""
    found: View | None = ctx.caches.views.known((campaign_id, state_hash, viewer))
    return found


# --- what a game master did by hand ---


def note_intervention(
    session: Session, campaign: Campaign, actor: Actor, kind: str, why: str, now: datetime, **public: Any
) -> Intervention:
    """Write down what a GM did by hand; everyone may read it."""
    mine = (Intervention.campaign_id == campaign.id, Intervention.branch == campaign.branch)
    seqs = session.scalars(select(Intervention.seq).where(*mine, Intervention.phase_number == campaign.phase_number))
    made = Intervention(
        campaign_id=campaign.id,
        branch=campaign.branch,
        phase_number=campaign.phase_number,
        seq=max(seqs, default=-1) + 1,
        kind=kind,
        made_at=now,
        made_by=actor.user_id or None,
        why=why,
        public=public,
        details={},
    )
    session.add(made)
    session.flush()
    return made


def note_position(campaign: Campaign, made: Intervention, details: dict[str, Any], after: State) -> Intervention:
    """Make an intervention a link of the record's chain: the state it holds is the position now."""
    made.details, made.state_hash, made.snapshot = details, state_hash(after), pack(encode(after))
    made.chain_hash = next_link(campaign.position_chain or "", edit_inputs(details), made.state_hash)
    set_position(campaign, Record(made.branch, made.phase_number, made.seq, made.state_hash, made.chain_hash))
    return made


# --- the chain over the record ---


def phase_inputs(
    dice: PhaseDice, orders: Mapping[str, Any], problems: Mapping[str, Any], events: Iterable[Event]
) -> str:
    """Return the digest of a phase's inputs and its public report."""
    told = [event_to_json(event) for event in events]
    return _digest({**dice.inputs(), "orders": orders, "problems": problems, "events": told})


def edit_inputs(details: Mapping[str, Any]) -> str:
    """Return the digest of an edit of the position."""
    return _digest({"edits": details})


def next_link(before: str, inputs: str, state_hash: str) -> str:
    """Return the chain's hash of a record."""
    return chain_hash(chain_hash(before, inputs), state_hash)


def _digest(value: object) -> str:
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()


def record_of(phase: Phase) -> Record:
    """Return the record that a finished phase is."""
    return Record(phase.branch, phase.number, None, phase.state_hash or "", phase.chain_hash or "")


def of_phase(table: Any, phase: Phase | type[Phase]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a row of *table* belongs to a phase, or to those of a query."""
    return table.campaign_id == phase.campaign_id, table.branch == phase.branch, table.phase_number == phase.number


def current_record(campaign: Campaign) -> Record:
    """Return the record that holds the position of a campaign that has started."""
    if campaign.position_hash is None or campaign.position_branch is None or campaign.position_phase is None:
        raise LookupError(f"the campaign {campaign.id} has no position")
    return Record(
        campaign.position_branch, campaign.position_phase, campaign.position_edit, campaign.position_hash,
        campaign.position_chain or "",
    )  # fmt: skip


def set_position(campaign: Campaign, record: Record) -> None:
    """Say that a record holds the position."""
    campaign.position_branch, campaign.position_phase, campaign.position_edit = (
        record.branch,
        record.number,
        record.edit,
    )
    campaign.position_hash, campaign.position_chain = record.state_hash, record.chain_hash


def set_phase(campaign: Campaign, phase: Phase, deadline: datetime | None) -> None:
    """Say which phase is open, or was the last one (then without a deadline)."""
    campaign.branch, campaign.phase_number = phase.branch, phase.number
    campaign.turn, campaign.phase, campaign.deadline = phase.turn, phase.phase, deadline


def set_deadline(
    session: Session,
    campaign: Campaign,
    phase: Phase,
    due: datetime | None,
    kind: str,
    now: datetime,
    *,
    by: str | None = None,
    why: str = "",
) -> None:
    """Give an open phase a deadline, or take it away; every one it had stays on record."""
    mine = (Deadline.campaign_id == phase.campaign_id, Deadline.branch == phase.branch)
    seqs = session.scalars(select(Deadline.seq).where(*mine, Deadline.phase_number == phase.number)).all()
    place = {"campaign_id": phase.campaign_id, "branch": phase.branch, "phase_number": phase.number}
    seq = max(seqs, default=-1) + 1
    session.add(Deadline(**place, seq=seq, due_at=due, kind=kind, set_at=now, set_by=by, why=why))
    phase.deadline = campaign.deadline = due
    session.flush()


def seal(ctx: AppContext, session: Session, campaign: Campaign) -> None:
    """Seal the record of a campaign that has just ended; with no time set, and of a practice, it is public at once."""
    row = session.get(CampaignDice, campaign.id)
    if row is None:
        row = CampaignDice(campaign_id=campaign.id, scheme=dice_scheme_1.SCHEME)
        session.add(row)
    sealed = ctx.settings.seal_hours and not campaign.options.get("practice")
    row.published_at = None if sealed else ctx.now()
    session.flush()


def publish(ctx: AppContext, actor: Actor, campaign_id: str) -> None:
    """Make the record of a campaign that is over public; nobody can go back any more."""
    actor.require("gm")
    with ctx.database.write() as session:
        campaign = access.load_exclusive(session, actor, campaign_id).require_neutral_gm().campaign
        if campaign.finished_at is None:
            raise stands_so(campaign.status)
        row = session.get(CampaignDice, campaign_id)
        if row is None or row.published_at is not None:
            raise PlayError("record_public")
        open_record(session, campaign, ctx.now())
        note_intervention(session, campaign, actor, "publish", "", ctx.now())


def open_record(session: Session, campaign: Campaign, now: datetime) -> None:
    """Make a record public, in a transaction that has the campaign."""
    row = session.get(CampaignDice, campaign.id)
    if row is not None and row.published_at is None:
        row.published_at = now
        campaign.revision += 1
        session.flush()


def publish_if_due(ctx: AppContext, campaign_id: str) -> int:
    """Publish the record of a campaign if its time is over; called by the ticker. Returns how many were."""
    before = ctx.now() - timedelta(hours=ctx.settings.seal_hours)
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None or campaign.finished_at is None or campaign.finished_at > before:
            return 0
        open_record(session, campaign, ctx.now())
        return 1


def sealed_until(ctx: AppContext, campaign: Campaign, *, public: bool) -> datetime | None:
    """Return the end of a record's seal; None if the campaign is not over or the record is public."""
    if campaign.finished_at is None or public:
        return None
    return campaign.finished_at + timedelta(hours=ctx.settings.seal_hours)
