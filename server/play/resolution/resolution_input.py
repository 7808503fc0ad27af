"""Everything that goes into a phase's resolution, read at one moment: orders, reports, salts, stand-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from server.bots.diplomacy_action import GREETED, DiplomacyAction
from server.play import access
from server.play.computers.computer_players import is_diplomat, minds_of
from server.play.context import AppContext
from server.play.dice.phase_dice import PhaseDice
from server.play.options import Options
from server.play.records.records import state_at
from server.play.resolution.phase_opening import waits_for_orders
from server.play.resolution.resolution_rows import SETTLED, Rows, read_rows
from server.play.tables.battle_waiting import waits_until
from server.rules.sight import GM, view_for
from server.rules.state import BUILD, SETUP, State
from server.store.tables import BattleReport, Campaign, OrderSet, Phase, Seat

if TYPE_CHECKING:
    from server.bots.commander import Mind

ALL_FINAL, DEADLINE, BY_GM = "all_final", "deadline", "gm"
LONG = 250
"""Forces from which on a phase takes long; a hundred hexes count as one."""


@dataclass(frozen=True, slots=True)
class ResolutionInput:
    """A phase that is to be resolved, and all that decides what comes of it."""

    rows: Rows
    before: State
    """Shared: not to be changed."""
    why: str
    orders: dict[str, list[Any]]
    """Per player, and the GM under ``gm``; those without any left out."""
    sources: Mapping[str, str]
    """Per player where their orders came from; ``bot`` and ``defaults`` for stand-ins."""
    as_handed_in: frozenset[str]
    """The players whose orders are those of their order set, as they are there."""
    dice: PhaseDice
    acts: Mapping[str, tuple[DiplomacyAction, ...]]
    """What computer players do about alliances in this phase, by seat; they write letters about it."""

    @property
    def spoken(self) -> frozenset[tuple[str, str]]:
        """Battles by the label of their hex, each with a player who has reported its result or answered a report."""
        reports = self.rows.reports
        return frozenset(
            (row.hex, player) for row in reports for player in (row.reported_by, row.answered_by) if player
        )


def gather(
    ctx: AppContext, session: Session, campaign_id: str, now: datetime, *, by_gm: bool = False
) -> ResolutionInput | None:
    """Return the open phase if it is to be resolved now, else None."""
    rows = read_rows(session, campaign_id)
    why = None if rows is None else why_now(ctx, session, rows, now, by_gm=by_gm)
    return None if rows is None or why is None else input_of(ctx, session, rows, why, now)


class TakesLong(Exception):
    """Computer players have to think about a phase, or its campaign is large."""


def input_of(
    ctx: AppContext, session: Session, rows: Rows, why: str, now: datetime, *, only_short: bool = False
) -> ResolutionInput:
    """Return all that decides what comes of a phase; for those who have ordered nothing their stand-ins order.

    *only_short*: raises :class:`TakesLong` where the phase does.
    """
    state = state_at(ctx, session, rows.campaign, rows.record)
    chosen = _Chosen(state, rows, now)
    if chosen.bots or longer(len(state.detachments) + len(state.garrisons), state.board.size):
        ctx.caches.slow.put(rows.campaign.id, True)
        if only_short:
            raise TakesLong
    else:
        ctx.caches.slow.forget(rows.campaign.id)
    minds = minds_of(ctx, session, rows.campaign, chosen.levels(), chosen.diplomats())
    chosen.add_stand_ins(minds)
    chosen.add_reports([report for report in rows.reports if report.status in SETTLED])
    return ResolutionInput(
        rows, state, why, chosen.orders, chosen.sources, frozenset(chosen.as_handed_in),
        rows.dice([*state.players]), chosen.acts(minds),
    )  # fmt: skip


def longer(forces: Any, hexes: Any) -> Any:
    """Compare a size with :data:`LONG`: of numbers, or of columns of a statement."""
    return forces + hexes // 100 > LONG


def why_now(ctx: AppContext, session: Session, rows: Rows, now: datetime, *, by_gm: bool = False) -> str | None:
    """Return why a phase ends now, None where it does not: a deadline waits for the games on the table."""
    if by_gm:
        return BY_GM
    deadline = rows.phase.deadline
    early = deadline is None or access.options_of(rows.campaign).ends_early(rows.phase.phase)
    if early and all(row.final for row in rows.orders if row.wanted):
        return ALL_FINAL
    if ctx.settings.hold or deadline is None or deadline > now:
        return None
    return DEADLINE if waits_until(session, rows.campaign, rows.phase, now) is None else None


def waits_for_nobody(session: Session, campaign_id: str) -> bool:
    """Say whether the open phase may end before its deadline; the deadline itself is the ticker's to look at."""
    mine = (
        Campaign.id == campaign_id,
        Campaign.status == "running",
        Phase.campaign_id == Campaign.id,
        Phase.branch == Campaign.branch,
        Phase.number == Campaign.phase_number,
        Phase.resolved_at.is_(None),
    )
    return bool(session.scalar(select(exists().where(*mine, ~waits_for_orders(Phase)))))


class _Chosen:
    """The orders that count, and where they come from."""

    def __init__(self, state: State, rows: Rows, now: datetime) -> None:
        self.state = state
        self.options: Options = access.options_of(rows.campaign)
        self.seats = {seat.player_id: seat for seat in rows.seats}
        self.now = now
        self.orders: dict[str, list[Any]] = {}
        self.sources: dict[str, str] = {}
        self.as_handed_in: set[str] = set()
        self.bots: dict[str, Seat] = {}
        """The seats for which a computer player orders."""
        for row in rows.orders:
            if state.players[row.player_id].eliminated:  # by an edit, since the phase was opened
                self.sources[row.player_id] = row.source or "none"
            else:
                self._take(row)

    def levels(self) -> dict[str, str]:
        """Return how well each computer player plays that orders for a seat."""
        return {bot: self.options.seat_levels.get(bot, self.options.bot_level) for bot in self.bots}

    def diplomats(self) -> list[str]:
        """Return the computer players who make alliances of their own."""
        return [player for player, seat in self.bots.items() if is_diplomat(self.options, seat)]

    def acts(self, minds: Mapping[str, Mind]) -> dict[str, tuple[DiplomacyAction, ...]]:
        """Return what they do about alliances where the phase is a Build phase; a greeting as the first orders go."""
        if self.state.phase == SETUP:
            people = [player for player, seat in self.seats.items() if seat.user_id is not None]
            return {
                player: tuple(DiplomacyAction(0, GREETED, other) for other in people) for player in self.diplomats()
            }
        if self.state.phase != BUILD:
            return {}
        plans = {player: minds[player].memory.relations.plans for player in self.diplomats()}
        return {player: tuple(act for act in acts if act.turn == self.state.turn) for player, acts in plans.items()}

    def add_stand_ins(self, minds: Mapping[str, Mind]) -> None:
        """Have the computer players order for their seats."""
        if not self.bots:
            return
        from server.bots import commander  # here: most phases wait for people alone

        for player_id in self.bots:
            if orders := commander.choose(view_for(self.state, (), player_id), minds[player_id]):
                self.orders[player_id] = orders

    def add_reports(self, reports: Sequence[BattleReport]) -> None:
        """Put settled results in front of their reporter's orders."""
        for report in reversed(reports):
            reporter = report.reported_by or GM
            self.as_handed_in.discard(reporter)
            self.orders[reporter] = [dict(report.content), *self.orders.get(reporter, [])]

    def _take(self, row: OrderSet) -> None:
        """Take what a player has handed in; for one who has not, what their stand-in orders (D-10)."""
        seat = self.seats.get(row.player_id)
        computer = self.options.computer_seats and seat is not None and seat.user_id is None and not row.revision
        if not computer and (row.revision or not row.wanted):
            self.sources[row.player_id] = row.source
            if row.orders:
                self.orders[row.player_id] = list(row.orders)
                self.as_handed_in.add(row.player_id)
        elif not computer and row.final:
            self.sources[row.player_id] = row.source or "none"
        else:
            self._stand_in(row.player_id, seat)

    def _stand_in(self, player_id: str, seat: Seat | None) -> None:
        self.sources[player_id] = "defaults"
        if seat is None:
            return
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        kind = seat.stand_in or self.options.stand_in
        if kind == "bot" and (away or seat.missed_in_a_row + 1 >= self.options.stand_in_after):
            self.sources[player_id] = "bot"
            self.bots[player_id] = seat
