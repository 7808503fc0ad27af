"""Everything that goes into a phase's resolution, read at one moment: orders, reports, salts, stand-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.bots import commander
from server.play import access
from server.play.context import AppContext
from server.play.options import Options
from server.play.records import Open, link, link_number, open_phase, seed_of, state_at
from server.rules.sight import GM, view_for
from server.rules.state import State
from server.store.tables import BattleReport, Campaign, OrderSet, Phase, Seat

ALL_FINAL, DEADLINE, BY_GM = "all_final", "deadline", "gm"
SETTLED = ("confirmed", "decided")


@dataclass(frozen=True, slots=True)
class ResolutionInput:
    """A phase that is to be resolved, and all that decides what comes of it."""

    campaign: Campaign
    phase: Phase
    before: State
    """Shared: not to be changed."""
    chained: str
    """The chain's hash before it."""
    why: str
    orders: dict[str, list[Any]]
    """Per player, and the GM under ``gm``; those without any left out."""
    sources: Mapping[str, str]
    """Per player where his orders came from; ``bot`` and ``defaults`` for stand-ins."""
    salts: tuple[str, ...]
    """In seat order."""
    link: bytes
    seed: bytes
    fingerprint: tuple[object, ...]
    """Equal to another one's when both gathered the same."""


def gather(
    ctx: AppContext, session: Session, campaign: Campaign, now: datetime, *, by_gm: bool = False
) -> ResolutionInput | None:
    """Return the open phase if it is to be resolved now, else None."""
    if campaign.status != "running":
        return None
    now_open = open_phase(session, campaign)
    if now_open is None:
        return None
    rows = _order_sets(session, now_open.phase)
    reports = _reports(session, now_open.phase)
    why = BY_GM if by_gm else _why(now_open, rows, now)
    if why is None:
        return None
    state = state_at(ctx, session, campaign, now_open.record)
    seats = {each.player_id: each for each in access.seats_of(session, campaign.id)}
    chosen = _Chosen(state, access.options_of(campaign), seats, now)
    for row in rows:
        chosen.take(row)
    chosen.add_reports(reports)
    salts = tuple(next((row.salt for row in rows if row.player_id == id_), "") for id_ in state.players)
    its_link = link(campaign.dice_secret, link_number(session, campaign.id, campaign.branch, now_open.phase.turn))
    seed = seed_of(its_link, campaign.id, now_open.phase.turn, now_open.phase.phase, salts)
    return ResolutionInput(
        campaign, now_open.phase, state, now_open.record.chain_hash, why, chosen.orders, chosen.sources, salts,
        its_link, seed, _fingerprint(now_open, rows, reports, why),
    )  # fmt: skip


def due_reason(session: Session, campaign: Campaign, now: datetime) -> str | None:
    """Return why the open phase is to be resolved now, None if it is not."""
    now_open = open_phase(session, campaign) if campaign.status == "running" else None
    return None if now_open is None else _why(now_open, _order_sets(session, now_open.phase), now)


def _order_sets(session: Session, phase: Phase) -> list[OrderSet]:
    mine = (OrderSet.campaign_id == phase.campaign_id, OrderSet.branch == phase.branch,
            OrderSet.phase_number == phase.number)  # fmt: skip
    query = select(OrderSet).where(*mine).order_by(OrderSet.player_id).execution_options(populate_existing=True)
    return list(session.scalars(query))


def _reports(session: Session, phase: Phase) -> list[BattleReport]:
    mine = (BattleReport.campaign_id == phase.campaign_id, BattleReport.branch == phase.branch,
            BattleReport.phase_number == phase.number, BattleReport.status.in_(SETTLED))  # fmt: skip
    return list(session.scalars(select(BattleReport).where(*mine).order_by(BattleReport.reported_at, BattleReport.id)))


def _why(now_open: Open, rows: Sequence[OrderSet], now: datetime) -> str | None:
    if all(row.final for row in rows if row.wanted):
        return ALL_FINAL
    deadline = now_open.phase.deadline
    return DEADLINE if deadline is not None and deadline <= now else None


def _fingerprint(
    now_open: Open, rows: Sequence[OrderSet], reports: Sequence[BattleReport], why: str
) -> tuple[object, ...]:
    phase = now_open.phase
    given = tuple((row.player_id, row.revision, row.final) for row in rows)
    told = tuple((each.id, each.revision) for each in reports)
    return phase.branch, phase.number, now_open.record.chain_hash, given, told, why


class _Chosen:
    """The orders that count, and where they come from."""

    def __init__(self, state: State, options: Options, seats: Mapping[str, Seat], now: datetime) -> None:
        self.state = state
        self.options = options
        self.seats = seats
        self.now = now
        self.orders: dict[str, list[Any]] = {}
        self.sources: dict[str, str] = {}

    def take(self, row: OrderSet) -> None:
        """Take what a player has handed in; for one who has not, what his stand-in orders (D-10)."""
        if row.revision or not row.wanted:
            orders, source = list(row.orders), row.source
        elif row.final:
            orders, source = [], row.source or "none"
        else:
            orders, source = self._stand_in(row.player_id)
        self.sources[row.player_id] = source
        if orders:
            self.orders[row.player_id] = orders

    def _stand_in(self, player_id: str) -> tuple[list[Any], str]:
        seat = self.seats.get(player_id)
        if seat is None:
            return [], "defaults"
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        kind = seat.stand_in or self.options.stand_in
        if kind != "bot" or not (away or seat.missed_in_a_row + 1 >= self.options.stand_in_after):
            return [], "defaults"
        view = view_for(self.state, (), player_id)
        return commander.choose(view), "bot"

    def add_reports(self, reports: Sequence[BattleReport]) -> None:
        """Put settled results in front of their reporter's orders."""
        for each in reversed(reports):
            reporter = each.reported_by or GM
            self.orders[reporter] = [dict(each.content), *self.orders.get(reporter, [])]
