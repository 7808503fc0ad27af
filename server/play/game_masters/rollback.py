"""Going back to an earlier phase: a new branch begins there, what was played since stays readable on the old one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from server.core.dice import CHAIN_LENGTH
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found, stands_so
from server.play.notices.notices import Notices
from server.play.records.phase_dice import link_number
from server.play.records.records import (
    Record,
    current_record,
    lineage,
    note_intervention,
    of_phase,
    on_line,
    open_phase,
    phase_on,
    record_of,
    set_position,
    state_at,
)
from server.play.resolution.phase_opening import open_next
from server.play.tables.battle_opening import close_games
from server.play.views import history
from server.play.views.history import PhaseInfo
from server.store.position import save_position
from server.store.tables import Branch, Campaign, OrderSet, Phase, Seat


@dataclass(frozen=True, slots=True)
class RollbackPreview:
    """What a rollback would do."""

    branch: int
    """The branch that would start."""
    number: int
    turn: int
    phase: str
    """The phase that would be open again."""
    abandoned: tuple[PhaseInfo, ...]
    """The phases that would no longer count, the open one included; they stay readable on their branch."""
    orders_given: int
    """How many players have handed in orders for the open phase, which would be void."""
    reopens: bool
    """The campaign is over, and would not be any more."""


def preview(ctx: AppContext, actor: Actor, campaign_id: str, number: int) -> RollbackPreview:
    """Say what :func:`roll_back` would do, without doing it."""
    actor.require("gm")
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_gm()
        campaign = _ran(may)
        record = _before(session, campaign, number)
        after = state_at(ctx, session, campaign, record)
        newest, over = _newest(session, campaign_id), campaign.finished_at is not None
        _check_dice(session, campaign, newest + 1, after.turn)
        mine = (OrderSet.campaign_id == campaign_id, OrderSet.branch == campaign.branch,
                OrderSet.phase_number == campaign.phase_number, OrderSet.revision > 0)  # fmt: skip
        given = session.scalar(select(func.count()).where(*mine)) if open_phase(session, campaign) else 0
    abandoned: list[PhaseInfo] = []
    while page := history.phases(ctx, actor, campaign_id, after=abandoned[-1].number if abandoned else number - 1):
        abandoned += page
    return RollbackPreview(newest + 1, number, after.turn, after.phase, tuple(abandoned), given or 0, over)


def roll_back(ctx: AppContext, actor: Actor, campaign_id: str, number: int, why: str) -> int:
    """Open phase *number* of the line that is played on again, as it was when it first opened; returns the branch.

    Its turn uses a link of the dice chain that nobody has seen: known dice are not rolled again.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", 2000, minimum=1)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        campaign = _ran(may)
        record = _before(session, campaign, number)
        now_open = open_phase(session, campaign)
        current = current_record(campaign)
        before, after = state_at(ctx, session, campaign, current), state_at(ctx, session, campaign, record)
        branch = _branch(session, ctx, actor, campaign, number, reason)
        save_position(session, campaign_id, before, after)
        campaign.branch, campaign.status = branch, "running"
        set_position(campaign, record)
        campaign.finished_at = campaign.paused_at = None
        campaign.revision += 1
        seats = access.seats_of(session, campaign_id)
        recount(session, campaign_id, branch, number, seats)
        notices = Notices(session, campaign, ctx.now())
        if now_open is not None:
            close_games(session, now_open.phase, notices)
        notices.everybody("rolled_back", f"rolled_back/{branch}", seats, branch=branch, number=number, why=reason)
        phase = open_next(session, campaign, seats, after, number, notices).phase
        _check_dice(session, campaign, branch, phase.turn)
        note_intervention(session, campaign, actor, "rollback", reason, ctx.now(), number=number)
        notices.send()
        return branch


def _ran(may: Access) -> Campaign:
    campaign = may.campaign
    if campaign.finished_at is not None:
        may.require_neutral_gm()
    if may.over:
        raise PlayError("record_public")
    if campaign.status not in ("running", "paused", "finished") or campaign.started_at is None:
        raise stands_so(campaign.status)
    return campaign


def _check_dice(session: Session, campaign: Campaign, branch: int, turn: int) -> None:
    if link_number(session, campaign, branch, turn) > CHAIN_LENGTH // 2:
        raise PlayError("chain_used_up")


def _newest(session: Session, campaign_id: str) -> int:
    return session.scalar(select(func.max(Branch.number)).where(Branch.campaign_id == campaign_id)) or 0


def _before(session: Session, campaign: Campaign, number: int) -> Record:
    """Return the record that the phase began from."""
    if type(number) is not int or not 1 <= number <= campaign.phase_number:
        raise not_found("number", number)
    phase = phase_on(session, campaign.id, campaign.branch, number - 1)
    if phase is None or phase.state_hash is None:
        raise not_found("number", number)
    return record_of(phase)


def _branch(session: Session, ctx: AppContext, actor: Actor, campaign: Campaign, number: int, why: str) -> int:
    newest = _newest(session, campaign.id)
    old = session.get_one(Branch, (campaign.id, campaign.branch))
    old.abandoned_at = ctx.now()
    made = Branch(
        campaign_id=campaign.id,
        number=newest + 1,
        from_branch=campaign.branch,
        from_phase=number - 1,
        made_at=ctx.now(),
        made_by=actor.user_id,
        why=why,
    )
    session.add(made)
    session.flush()
    return made.number


def recount(session: Session, campaign_id: str, branch: int, before: int, seats: Sequence[Seat]) -> None:
    """Set the counts of seats from the branch's phases before number *before*."""
    line = on_line(lineage(session, campaign_id, branch), Phase)
    query = select(OrderSet, Phase.resolved_at).join(Phase, and_(*of_phase(OrderSet, Phase)))
    mine = (Phase.campaign_id == campaign_id, Phase.number < before, line)
    past = session.execute(query.where(*mine).order_by(Phase.number.desc())).all()
    for seat in seats:
        own = [(row, resolved_at) for row, resolved_at in past if row.player_id == seat.player_id]
        joined = seat.joined_at
        own = [] if joined is None else [(row, at) for row, at in own if at is None or at > joined]
        seat.missed = sum(row.missed for row, _ in own)
        seat.missed_in_a_row = 0
        for row, _ in own:
            if row.source not in ("", "bot", "defaults") and not row.missed:
                break
            seat.missed_in_a_row += row.missed
