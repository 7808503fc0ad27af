"""The campaign's past, phase by phase, as one saw it then; after the end, everything."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import and_, select
from sqlalchemy.orm import Session, undefer

from server.core import dice_scheme_1
from server.core.events import Event
from server.play.access import Access
from server.play.context import Actor, AppContext, taken_from
from server.play.dice import salt_keeping
from server.play.errors import not_found
from server.play.records.phase_dice import scheme_of
from server.play.records.records import Record, lineage, of_phase, on_line, record_of, view_at
from server.play.views.positions import reader, written
from server.rules.codec import event_to_json
from server.rules.sight import GM, SPECTATOR, View
from server.store.phase_events import WITH_EVENTS, events_of
from server.store.phase_orders import orders_of
from server.store.tables import Branch, Intervention, Phase, PhaseStanding, User

MAX_PAGE_SIZE = 201
"""One more than a page has: it says whether another follows."""


@dataclass(frozen=True, slots=True)
class PhaseInfo:
    """A phase as everyone may know it."""

    branch: int
    number: int
    turn: int
    phase: str
    opened_at: datetime
    deadline: datetime | None
    resolved_at: datetime | None
    why: str | None
    rules_version: str | None
    link: str | None
    """Link of the dice chain; published when the turn is over (D-81)."""
    seed: str | None
    """With the link."""
    salts: tuple[str, ...] | None
    """With the link, in seat order; empty: no salt."""
    commitments: tuple[str, ...] | None
    """SHA-256 of each salt, in seat order, from the opening on; empty: none was made in time. None in scheme 1."""
    state_hash: str | None
    """For the GM, and for all after the end: it is computed from hidden data."""
    chain_hash: str | None
    """Likewise."""


@dataclass(frozen=True, slots=True)
class PastPhase:
    """A finished phase as one viewer saw it when it was over."""

    info: PhaseInfo
    viewer: str
    view: View
    """The position after it. Shared: not to be changed."""
    events: tuple[Event, ...]
    orders: dict[str, Any]
    """Per player; only the viewer's own, all after the end and for the GM."""
    problems: dict[str, Any]
    """Likewise: what was refused."""
    body: bytes
    """All of it as canonical JSON."""


@dataclass(frozen=True, slots=True)
class PhaseHistory:
    """A viewer's events, phase by phase."""

    viewer: str
    phases: tuple[tuple[PhaseInfo, tuple[Event, ...]], ...]


@dataclass(frozen=True, slots=True)
class InterventionInfo:
    """What a GM did by hand."""

    branch: int
    number: int
    turn: int
    phase: str
    """The phase that was open, as *number* is."""
    seq: int
    kind: str
    made_at: datetime
    why: str
    public: dict[str, Any]
    details: dict[str, Any] | None
    """For the GM, and for all after the end."""


@dataclass(frozen=True, slots=True)
class BranchInfo:
    """A branch."""

    number: int
    from_branch: int | None
    from_phase: int | None
    made_at: datetime
    why: str
    abandoned_at: datetime | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's standing after a phase."""

    number: int
    player_id: str
    vp: int
    hexes: int
    bp: int | None
    """What only the player and the GM know, before the end; likewise the two below."""
    points: int | None
    ready_points: int | None


def phases(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    *,
    branch: int | None = None,
    after: int = -1,
    limit: int = MAX_PAGE_SIZE,
) -> list[PhaseInfo]:
    """Return the phases of a branch (by default the current one), first to last."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id).require_visible()
        query = (
            _on(session, may, branch)
            .where(Phase.number > after)
            .order_by(Phase.number)
            .limit(min(limit, MAX_PAGE_SIZE))
        )
        told = _PhaseReader(session, may)
        return [told.info(phase) for phase in session.scalars(query.options(undefer(Phase.salts)))]


def past(
    ctx: AppContext, actor: Actor, campaign_id: str, number: int, *, branch: int | None = None, as_: str | None = None
) -> PastPhase:
    """Return a finished phase: its events and the position after it, as a viewer saw them."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        viewer = may.viewer(as_)
        loaded = (undefer(Phase.orders), undefer(Phase.problems), undefer(Phase.salts), WITH_EVENTS)
        phase, record = _finished(session, may, number, branch, *loaded)
        view = view_at(ctx, session, may.campaign, record, viewer)
        events = tuple(_told_to(viewer, events_of(session, [phase])[phase.branch, phase.number]))
        own = viewer not in (GM, SPECTATOR)
        orders = _share(orders_of(session, phase) if number else {}, viewer, own)
        problems = _share(phase.problems, viewer, own)
        info = _PhaseReader(session, may).info(phase)
        body = _body(info, viewer, events, orders, problems, written(ctx, campaign_id, record.state_hash, view).body)
        return PastPhase(info, viewer, view, events, orders, problems, body)


def record_after(session: Session, may: Access, number: int | None, branch: int | None) -> Record:
    """Return the record of a finished phase of a branch; the last one without a number."""
    return _finished(session, may, number, branch)[1]


def views(
    ctx: AppContext, actor: Actor, campaign_id: str, numbers: Collection[int], *, branch: int | None = None,
    as_: str | None = None,
) -> list[View]:  # fmt: skip
    """Return the positions after finished phases, first to last, as someone saw them. Shared: not to be changed."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        viewer = may.viewer(as_)
        done = _on(session, may, branch).where(Phase.number.in_(numbers), Phase.state_hash.is_not(None))
        records = [record_of(phase) for phase in session.scalars(done.order_by(Phase.number))]
        return [view_at(ctx, session, may.campaign, record, viewer) for record in records]


def last_told(
    ctx: AppContext, actor: Actor, campaign_id: str, number: int, *, types: Collection[str], branch: int | None = None,
    as_: str | None = None,
) -> tuple[Event, ...]:  # fmt: skip
    """Return a viewer's events of some types in the last phase up to *number* that has any.

    A turn has four phases: older events are not news.
    """
    found = read_phases(
        ctx, actor, campaign_id, types=types, since=max(0, number - 4), until=number, branch=branch, as_=as_
    )
    return next((events for _, events in reversed(found.phases) if events), ())


def read_phases(
    ctx: AppContext, actor: Actor, campaign_id: str, *, types: Collection[str] | None = None, since: int = 0,
    until: int | None = None, branch: int | None = None, as_: str | None = None,
) -> PhaseHistory:  # fmt: skip
    """Return a viewer's events in the finished phases of a branch, from *since* up to *until*."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        viewer = may.viewer(as_)
        between = [Phase.number >= since, Phase.resolved_at.is_not(None)]
        if until is not None:
            between.append(Phase.number <= until)
        told = _PhaseReader(session, may)
        query = _on(session, may, branch).where(*between).options(undefer(Phase.salts), WITH_EVENTS)
        phases_ = list(session.scalars(query.order_by(Phase.number)))
        happened = events_of(session, phases_)
        return PhaseHistory(viewer, tuple(
            (told.info(phase), tuple(
                event for event in _told_to(viewer, happened[phase.branch, phase.number])
                if types is None or event.type in types
            ))
            for phase in phases_
        ))  # fmt: skip


_NAMES_A_GM = ("handover", "succession", "gm_joined", "gm_left")


def interventions(ctx: AppContext, actor: Actor, campaign_id: str) -> list[InterventionInfo]:
    """Return what GMs did by hand, on all branches, in the order in which it was done."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id).require_visible()
        query = select(Intervention, Phase.turn, Phase.phase).join(Phase, and_(*of_phase(Intervention, Phase)))
        query = query.where(Intervention.campaign_id == campaign_id)
        rows = session.execute(query.order_by(Intervention.made_at, Intervention.branch, Intervention.seq))
        inner, done = may.sees_all or may.over, rows.all()
        took = select(User.id, User.name).where(
            User.id.in_([intervention.made_by for intervention, *_ in done if intervention.kind in _NAMES_A_GM])
        )
        names = {id_: {"gm": name} for id_, name in session.execute(took)}
        return [
            taken_from(
                intervention,
                InterventionInfo,
                number=intervention.phase_number,
                turn=turn,
                phase=phase,
                public=intervention.public
                | (names.get(intervention.made_by or "", {}) if intervention.kind in _NAMES_A_GM else {}),
                details=dict(intervention.details) if inner else None,
            )
            for intervention, turn, phase in done
        ]


def branches(ctx: AppContext, actor: Actor, campaign_id: str) -> list[BranchInfo]:
    """Return the branches, the first one first."""
    with ctx.database.read() as session:
        reader(session, actor, campaign_id).require_visible()
        rows = session.scalars(select(Branch).where(Branch.campaign_id == campaign_id).order_by(Branch.number))
        return [taken_from(branch, BranchInfo) for branch in rows]


def standings(ctx: AppContext, actor: Actor, campaign_id: str) -> list[Standing]:
    """Return everyone's standing after each phase of the current branch; for charts."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        viewer = may.viewer()
        line = lineage(session, campaign_id, may.campaign.branch)
        mine = (PhaseStanding.campaign_id == campaign_id, on_line(line, PhaseStanding))
        rows = session.scalars(
            select(PhaseStanding).where(*mine).order_by(PhaseStanding.phase_number, PhaseStanding.player_id)
        )
        return [_standing(standing, viewer) for standing in rows]


# --- inside ---


def _on(session: Session, may: Access, branch: int | None) -> Any:
    line = lineage(session, may.campaign.id, may.campaign.branch if branch is None else branch)
    if not line:
        raise not_found("branch", branch)
    return select(Phase).where(Phase.campaign_id == may.campaign.id, on_line(line, Phase))


def _finished(
    session: Session, may: Access, number: int | None, branch: int | None, *loaded: Any
) -> tuple[Phase, Record]:
    """Return a finished phase and its record; ``not_found`` if there is none of that number."""
    query = _on(session, may, branch).where(Phase.resolved_at.is_not(None), Phase.state_hash.is_not(None))
    if number is not None:
        query = query.where(Phase.number == number)
    phase = session.scalars(query.order_by(Phase.number.desc()).limit(1).options(*loaded)).first()
    if phase is None:
        raise not_found("number", number)
    return phase, record_of(phase)


class _PhaseReader:
    """A viewer's events of the phases of a campaign."""

    def __init__(self, session: Session, may: Access) -> None:
        self.may = may
        self.newest = {} if may.over else _newest_turns(session, may.campaign.id)
        self.sealed = scheme_of(session, may.campaign) != dice_scheme_1.SCHEME
        self.commitments = salt_keeping.commitments(session, may.campaign.id) if self.sealed else {}

    def info(self, phase: Phase) -> PhaseInfo:
        """Return a phase as everyone may know it; its dice once the turn is over."""
        may = self.may
        published = phase.resolved_at is not None and (may.over or phase.turn < self.newest.get(phase.branch, 0))
        published = published or (phase.number == 0 and not self.sealed)
        inner = may.sees_all or may.over
        return taken_from(
            phase, PhaseInfo, link=phase.link if published else None, seed=phase.seed if published else None,
            salts=tuple(phase.salts or ()) if published else None,
            commitments=self.commitments.get((phase.branch, phase.number), ()) if self.sealed else None,
            state_hash=phase.state_hash if inner else None, chain_hash=phase.chain_hash if inner else None,
        )  # fmt: skip


def _newest_turns(session: Session, campaign_id: str) -> dict[int, int]:
    """Return the newest turn of each branch: those before it are over."""
    rows = session.execute(select(Phase.branch, Phase.turn).where(Phase.campaign_id == campaign_id))
    newest: dict[int, int] = {}
    for branch, turn in rows:
        newest[branch] = max(newest.get(branch, 0), turn)
    return newest


def _told_to(viewer: str, events: Sequence[Event]) -> Iterator[Event]:
    """Yield a viewer's events: all for the GM, public ones for spectators."""
    for event in events:
        if viewer == GM or (event.public if viewer == SPECTATOR else viewer in event.to):
            yield event


def _share(kept: dict[str, Any] | None, viewer: str, own: bool) -> dict[str, Any]:
    found = dict(kept or {})
    if viewer == GM:
        return found
    return {viewer: found[viewer]} if own and viewer in found else {}


def _standing(row: PhaseStanding, viewer: str) -> Standing:
    known = viewer in (GM, row.player_id)
    hidden = (row.bp, row.points, row.ready_points) if known else (None, None, None)
    return Standing(row.phase_number, row.player_id, row.vp, row.hexes, *hidden)


def _body(
    info: PhaseInfo,
    viewer: str,
    events: tuple[Event, ...],
    orders: dict[str, Any],
    problems: dict[str, Any],
    view: bytes,
) -> bytes:
    told = []
    for event in events:
        plain = event_to_json(event)
        told.append(plain if viewer == GM else {"type": plain["type"], "fields": plain["fields"]})
    parts = {
        "branch": info.branch, "number": info.number, "turn": info.turn, "phase": info.phase, "viewer": viewer,
        "events": told, "orders": orders, "problems": problems, "view": orjson.Fragment(view),
    }  # fmt: skip
    return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
