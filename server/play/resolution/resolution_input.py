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
from server.play.agenda import waits_for_orders
from server.play.computer_players import is_diplomat, minds_of
from server.play.context import AppContext
from server.play.options import Options
from server.play.records.records import state_at
from server.play.resolution.engine import Given, is_large
from server.play.resolution.phase_opening import only_repeated
from server.play.resolution.resolution_rows import SETTLED, Rows, read_all
from server.play.tables.battle_opening import waits_until
from server.rules.sight import GM
from server.rules.state import BUILD, SETUP, State
from server.store.tables import Campaign, OrderSet, Phase, Seat

if TYPE_CHECKING:
    from server.bots.commander import Mind

ALL_FINAL, DEADLINE, BY_GM = "all_final", "deadline", "gm"


@dataclass(frozen=True, slots=True)
class Asked:
    """The reason for a resolution, other than a due phase."""

    by_gm: str | None = None
    """The game master who ends the phase."""
    number: int | None = None
    """The phase that is meant; another one stays as it is."""


DUE = Asked()
"""A phase is resolved if it is due."""


@dataclass(frozen=True, slots=True)
class ResolutionInput:
    """A phase to resolve, with all inputs of its result."""

    rows: Rows
    before: State
    """Shared: not to be changed."""
    why: str
    given: Given
    large: bool
    """Another process plays it."""
    sources: Mapping[str, str]
    """Per player where their orders came from; ``bot`` and ``defaults`` for stand-ins."""
    as_handed_in: frozenset[str]
    """The players whose orders are those of their order set, as they are there."""
    acts: Mapping[str, tuple[DiplomacyAction, ...]]
    """What computer players do about alliances in this phase, by seat; they write letters about it."""

    @property
    def takes_long(self) -> bool:
        """True where computer players think, or the position is large."""
        return self.large or bool(self.given.minds)

    @property
    def spoken(self) -> frozenset[tuple[str, str]]:
        """Battles by the label of their hex, each with a player who has reported its result or answered a report."""
        reports = self.rows.reports
        return frozenset(
            (row.hex, player) for row in reports for player in (row.reported_by, row.answered_by) if player
        )


def gather(
    ctx: AppContext, session: Session, campaign_ids: Sequence[str], now: datetime, asked: Asked
) -> list[ResolutionInput]:
    """Return the open phases of campaigns that are to be resolved now."""
    all_rows = ((rows, why_now(ctx, session, rows, now, asked)) for rows in read_all(session, campaign_ids))
    return [input_of(ctx, session, rows, why, now) for rows, why in all_rows if why is not None]


def input_of(ctx: AppContext, session: Session, rows: Rows, why: str, now: datetime) -> ResolutionInput:
    """Return all inputs of a phase's result; stand-ins order for players without orders."""
    state = state_at(ctx, session, rows.campaign, rows.record)
    chosen = _Chosen(state, rows, now)
    minds = minds_of(ctx, session, rows.campaign, chosen.levels(), chosen.diplomats())
    settled = [report for report in rows.reports if report.status in SETTLED]
    results = [(report.reported_by or GM, dict(report.content)) for report in settled]
    given = Given(chosen.orders, minds, results, rows.dice([*state.players]))
    unchanged = frozenset(chosen.as_handed_in) - {reporter for reporter, _ in results}
    return ResolutionInput(rows, state, why, given, is_large(state), chosen.sources, unchanged, chosen.acts(minds))


def why_now(ctx: AppContext, session: Session, rows: Rows, now: datetime, asked: Asked) -> str | None:
    """Return why a phase ends now, None where it does not: a deadline waits for the games on the table."""
    if asked.number not in (None, rows.phase.number):
        return None
    if asked.by_gm is not None:
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
    waits = waits_for_orders(Phase).where(OrderSet.campaign_id == campaign_id)
    return bool(session.scalar(select(exists().where(*mine, ~waits))))


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

    def _take(self, row: OrderSet) -> None:
        """Take the orders a player has submitted, or else those of their stand-in (D-10).

        Untouched repeated orders count, but a computer player that is due orders in their place.
        """
        seat = self.seats.get(row.player_id)
        computer = self.options.computer_seats and seat is not None and seat.user_id is None and not row.revision
        alone = row.wanted and only_repeated(row)
        if not computer and (row.revision or not row.wanted) and not alone:
            self.sources[row.player_id] = row.source
            if row.orders:
                self.orders[row.player_id] = list(row.orders)
                self.as_handed_in.add(row.player_id)
        elif not computer and row.final:
            self.sources[row.player_id] = row.source or "none"
        else:
            self._stand_in(row.player_id, seat)
            if alone and row.player_id not in self.bots:
                self.sources[row.player_id] = row.source
                self.orders[row.player_id] = list(row.orders)
                self.as_handed_in.add(row.player_id)

    def _stand_in(self, player_id: str, seat: Seat | None) -> None:
        self.sources[player_id] = "defaults"
        if seat is None:
            return
        away = seat.user_id is None or (seat.holiday_until is not None and seat.holiday_until > self.now)
        kind = seat.stand_in or self.options.stand_in
        if kind == "bot" and (away or seat.missed_in_a_row + 1 >= self.options.stand_in_after):
            self.sources[player_id] = "bot"
            self.bots[player_id] = seat
