"""Rows that a resolution reads: everything about open phases in one statement, for any number of players.

They are read twice: before the rules run, and again by the process that has claimed the campaign. Equal fingerprints
show that nothing has changed meanwhile, so the result of the first reading holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Row, and_, exists, or_, select
from sqlalchemy.orm import Session, defer

from server.core import dice_scheme_1
from server.play.dice import salt_keeping
from server.play.records.phase_dice import PhaseDice, keys_of, link, link_number
from server.play.records.records import Record, current_record, of_phase
from server.store.groups import GIVEN, of_given
from server.store.tables import (
    AdvanceOrders,
    BattleReport,
    Campaign,
    CampaignDice,
    OrderSet,
    Phase,
    RepeatedOrders,
    Salt,
    Seat,
)

SETTLED = ("confirmed", "decided")


@dataclass(frozen=True, slots=True)
class Rows:
    """An open phase and all that was handed in for it."""

    campaign: Campaign
    phase: Phase
    record: Record
    """What it began from, or the last edit since."""
    scheme: int
    """Of the campaign's dice."""
    link: int
    """Which link of the dice chain its turn uses."""
    seats: tuple[Seat, ...]
    """In seat order."""
    orders: tuple[OrderSet, ...]
    """By player's id."""
    salts: dict[str, Row[Any]]
    """By player's id."""
    waiting: tuple[Row[Any], ...]
    """Salts that have no phase yet, by player's id and serial number."""
    prepared: bool
    """Someone has left orders for a phase to come, or repeats some."""
    reports: tuple[BattleReport, ...]
    """In the order in which they came; those that were withdrawn left out."""

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Return a fingerprint: equal for two readings if no input of the phase's result has changed."""
        return (
            self.phase.branch,
            self.phase.number,
            self.record.chain_hash,
            self.campaign.options,
            [
                (order_set.player_id, order_set.revision, order_set.final, order_set.wanted, order_set.salt)
                for order_set in self.orders
            ],
            [(report.id, report.revision, report.status, report.answered_by) for report in self.reports],
            [
                (seat.player_id, seat.user_id, seat.stand_in, seat.holiday_until, seat.missed_in_a_row)
                for seat in self.seats
            ],
            [(player, salt.serial, salt.salt) for player, salt in self.salts.items()],
        )

    def dice(self, players: list[str]) -> PhaseDice:
        """Return the dice of the open phase; *players* in seat order. In scheme 1 the salts came with the orders."""
        phase, secret = self.phase, self.campaign.dice_secret
        if self.scheme == dice_scheme_1.SCHEME:
            given = {row.player_id: row.salt for row in self.orders}
            salts: tuple[str, ...] = tuple(given.get(player, "") for player in players)
            commitments: tuple[str, ...] = ()
        else:
            salts, commitments = salt_keeping.in_seat_order(self.salts, players)
        keys = keys_of(secret, players, self.scheme)
        return PhaseDice(
            self.scheme, phase.campaign_id, phase.branch, phase.turn, phase.phase, link(secret, self.link), salts,
            commitments, keys,
        )  # fmt: skip


def read_all(session: Session, campaign_ids: Sequence[str], *, without_orders: bool = False) -> list[Rows]:
    """Return the rows of the open phases of campaigns.

    *without_orders*: what is ordered is loaded only where someone asks for it.
    """
    found = session.execute(_LEAN if without_orders else _WHOLE, {"of": campaign_ids})
    return [_rows_of(session, list(rows)) for _, rows in groupby(found, lambda row: row[0].id)]


def _rows_of(session: Session, rows: Sequence[Any]) -> Rows:
    campaign, phase, dice, prepared, reported = rows[0][:5]
    scheme = dice_scheme_1.SCHEME if dice is None else dice
    seats = {row.Seat.player_id: row.Seat for row in rows if row.Seat is not None}
    orders = {row.OrderSet.player_id: row.OrderSet for row in rows if row.OrderSet is not None}
    salts = sorted((row for row in rows if row.salt is not None), key=lambda row: (row.player_id, row.serial))
    return Rows(
        campaign, phase, current_record(campaign), scheme,
        link_number(session, campaign, phase.branch, phase.turn, scheme),
        tuple(seats.values()), tuple(orders[player] for player in sorted(orders)),
        {salt.player_id: salt for salt in salts if salt.phase_number is not None},
        tuple(salt for salt in salts if salt.phase_number is None),
        prepared, _reports(session, phase) if reported else (),
    )  # fmt: skip


def _reports(session: Session, phase: Phase) -> tuple[BattleReport, ...]:
    mine = (*of_phase(BattleReport, phase), BattleReport.status != "withdrawn")
    query = select(BattleReport).where(*mine).order_by(BattleReport.reported_at, BattleReport.id)
    return tuple(session.scalars(query))


def _statement() -> Any:
    """Return the statement for open phases: a row for each seat and each of its salts, campaign by campaign.

    Its columns: the campaign, the phase, the scheme of its dice, what else there is, a seat,
    its orders, and those of the salt: one for the phase, others that wait. The seats are in their order.
    """
    current = (of_given(Phase), Phase.branch == Campaign.branch,
               Phase.number == Campaign.phase_number, Phase.resolved_at.is_(None))  # fmt: skip
    reported = and_(of_given(BattleReport), BattleReport.branch == Phase.branch,
                    BattleReport.phase_number == Phase.number)  # fmt: skip
    ordered = and_(of_given(OrderSet), OrderSet.player_id == Seat.player_id,
                   OrderSet.branch == Phase.branch, OrderSet.phase_number == Phase.number)  # fmt: skip
    salted = and_(of_given(Salt), Salt.player_id == Seat.player_id,
                  or_(Salt.phase_number.is_(None),
                      and_(Salt.branch == Phase.branch, Salt.phase_number == Phase.number)))  # fmt: skip
    return (
        select(
            Campaign, Phase, CampaignDice.scheme,
            or_(exists().where(of_given(AdvanceOrders)), exists().where(of_given(RepeatedOrders))),
            exists().where(reported, BattleReport.status != "withdrawn"), Seat, OrderSet,
            *salt_keeping.SALTS.c,
        )
        .join(Phase, and_(*current))
        .outerjoin(CampaignDice, of_given(CampaignDice))
        .outerjoin(Seat, of_given(Seat))
        .outerjoin(OrderSet, ordered)
        .outerjoin(Salt, salted)
        .where(Campaign.id.in_(GIVEN), Campaign.status == "running")
        .order_by(Campaign.id, Seat.number)
        .execution_options(populate_existing=True)
    )  # fmt: skip


_WHOLE = _statement()
_LEAN = _WHOLE.options(defer(OrderSet.orders))
"""Made once: making a statement takes longer than carrying it out."""
