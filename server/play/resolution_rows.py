"""What a resolution reads of the database: all of an open phase in a few statements, however many play.

It is read twice: before the rules run, and again by who has claimed the campaign. Equal fingerprints say that nothing
has changed between, so that what the rules made of the first holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, bindparam, exists, or_, select
from sqlalchemy.orm import Session, aliased, defer

from server.core import dice_scheme_1
from server.play import salt_keeping
from server.play.phase_dice import PhaseDice, keys_of, link, link_number
from server.play.records import Record, last_record
from server.store.tables import (
    AdvanceOrders,
    BattleReport,
    Campaign,
    CampaignDice,
    Intervention,
    OrderSet,
    Phase,
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
    salts: dict[str, Salt]
    """By player's id."""
    waiting: tuple[Salt, ...]
    """Salts that have no phase yet, by player's id and serial number."""
    advance: bool
    """Somebody has left orders for a phase to come."""
    reports: tuple[BattleReport, ...]
    """In the order in which they came; those that were withdrawn left out."""

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Return what is equal to another's where nothing has changed that decides what comes of the phase."""
        return (
            self.phase.branch,
            self.phase.number,
            self.record.chain_hash,
            self.campaign.options,
            [(each.player_id, each.revision, each.final, each.wanted, each.salt) for each in self.orders],
            [(each.id, each.revision, each.status, each.answered_by) for each in self.reports],
            [(each.player_id, each.user_id, each.stand_in, each.holiday_until, each.missed_in_a_row)
             for each in self.seats],
            [(player, salt.serial, salt.salt) for player, salt in self.salts.items()],
        )  # fmt: skip

    def dice(self, players: list[str]) -> PhaseDice:
        """Return the dice of the open phase; *players* in seat order. In scheme 1 the salts came with the orders."""
        phase, secret = self.phase, self.campaign.dice_secret
        if self.scheme == dice_scheme_1.SCHEME:
            given = {row.player_id: row.salt for row in self.orders}
            salts: tuple[str, ...] = tuple(given.get(each, "") for each in players)
            commitments: tuple[str, ...] = ()
        else:
            salts, commitments = salt_keeping.in_seat_order(self.salts, players)
        keys = keys_of(secret, players, self.scheme)
        return PhaseDice(
            self.scheme, phase.campaign_id, phase.branch, phase.turn, phase.phase, link(secret, self.link), salts,
            commitments, keys,
        )  # fmt: skip


def read_rows(session: Session, campaign: Campaign, *, without_orders: bool = False) -> Rows | None:
    """Return the rows of a campaign's open phase, None where none is open.

    *without_orders*: what is ordered is loaded only where somebody asks for it.
    """
    if campaign.status != "running":
        return None
    found = session.execute(_OPEN, {"of": campaign.id, "on": campaign.branch, "at": campaign.phase_number}).first()
    if found is None:
        return None
    phase, state_hash, chain_hash, edit, edited_hash, edited_chain, dice, advance, reported = found
    if edit is not None:
        record = Record(phase.branch, phase.number, edit, edited_hash or "", edited_chain or "")
    elif state_hash is not None:
        record = Record(phase.branch, phase.number - 1, None, state_hash, chain_hash or "")
    else:  # the first phase of a branch begins from a record of the branch that it leaves
        record = last_record(session, campaign, before=phase)
    scheme = dice_scheme_1.SCHEME if dice is None else dice
    seats, orders, salts = _handed_in(session, phase, without_orders)
    waiting = sorted(
        (each for each in salts if each.phase_number is None), key=lambda each: (each.player_id, each.serial)
    )
    return Rows(
        campaign, phase, record, scheme, link_number(session, campaign, phase.branch, phase.turn, scheme),
        seats, orders, {each.player_id: each for each in salts if each.phase_number is not None}, tuple(waiting),
        advance, _reports(session, phase) if reported else (),
    )  # fmt: skip


def _handed_in(
    session: Session, phase: Phase, without_orders: bool
) -> tuple[tuple[Seat, ...], tuple[OrderSet, ...], list[Salt]]:
    query = _HANDED_IN_LEAN if without_orders else _HANDED_IN
    rows = session.execute(query, {"of": phase.campaign_id, "on": phase.branch, "at": phase.number}).all()
    seats = {row[0].player_id: row[0] for row in rows}  # a row for each of a seat's salts
    orders = {row[1].player_id: row[1] for row in rows if row[1] is not None}
    return tuple(seats.values()), tuple(orders[each] for each in sorted(orders)), [row[2] for row in rows if row[2]]


def _reports(session: Session, phase: Phase) -> tuple[BattleReport, ...]:
    mine = (BattleReport.campaign_id == phase.campaign_id, BattleReport.branch == phase.branch,
            BattleReport.phase_number == phase.number, BattleReport.status != "withdrawn")  # fmt: skip
    query = select(BattleReport).where(*mine).order_by(BattleReport.reported_at, BattleReport.id)
    return tuple(session.scalars(query))


def _open_phase() -> Any:
    """Return the statement for an open phase: also what it began from, the scheme of its dice, what else there is."""
    before, edit = aliased(Phase), aliased(Intervention)
    its_before = and_(before.campaign_id == Phase.campaign_id, before.branch == Phase.branch,
                      before.number == Phase.number - 1)  # fmt: skip
    its_edit = and_(edit.campaign_id == Phase.campaign_id, edit.branch == Phase.branch,
                    edit.phase_number == Phase.number, edit.chain_hash.is_not(None))  # fmt: skip
    reported = and_(BattleReport.campaign_id == Phase.campaign_id, BattleReport.branch == Phase.branch,
                    BattleReport.phase_number == Phase.number)  # fmt: skip
    return (
        select(
            Phase, before.state_hash, before.chain_hash, edit.seq, edit.state_hash, edit.chain_hash,
            CampaignDice.scheme, exists().where(AdvanceOrders.campaign_id == Phase.campaign_id),
            exists().where(reported, BattleReport.status != "withdrawn"),
        )
        .outerjoin(before, its_before)
        .outerjoin(edit, its_edit)
        .outerjoin(CampaignDice, CampaignDice.campaign_id == Phase.campaign_id)
        .where(Phase.campaign_id == bindparam("of"), Phase.branch == bindparam("on"), Phase.number == bindparam("at"),
               Phase.resolved_at.is_(None))
        .order_by(edit.seq.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    )  # fmt: skip


def _seats() -> Any:
    """Return the statement for the seats, each with its orders for a phase, its salt, and those that wait."""
    ordered = and_(OrderSet.campaign_id == Seat.campaign_id, OrderSet.player_id == Seat.player_id,
                   OrderSet.branch == bindparam("on"), OrderSet.phase_number == bindparam("at"))  # fmt: skip
    salted = and_(Salt.campaign_id == Seat.campaign_id, Salt.player_id == Seat.player_id,
                  or_(Salt.phase_number.is_(None),
                      and_(Salt.branch == bindparam("on"), Salt.phase_number == bindparam("at"))))  # fmt: skip
    query = select(Seat, OrderSet, Salt).outerjoin(OrderSet, ordered).outerjoin(Salt, salted)
    query = query.where(Seat.campaign_id == bindparam("of")).order_by(Seat.number)
    return query.execution_options(populate_existing=True)


_OPEN = _open_phase()
_HANDED_IN = _seats()
_HANDED_IN_LEAN = _HANDED_IN.options(defer(OrderSet.orders))
"""Made once: making a statement takes longer than carrying it out."""
