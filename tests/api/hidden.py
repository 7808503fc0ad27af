"""Changing everything in the database that one player may not know of, and nothing else."""

from __future__ import annotations

from random import Random
from secrets import token_bytes
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session, undefer

from server.play.context import AppContext
from server.play.records.records import Record, open_phase, set_position, state_at, written_at
from server.rules.codec import decode, encode, state_hash
from server.rules.sight import SPECTATOR
from server.rules.state import State
from server.store.position import save_position
from server.store.snapshots import pack
from server.store.tables import (
    AdvanceOrders,
    BattleReport,
    Campaign,
    Declaration,
    Handover,
    Intervention,
    Message,
    MessageRecipient,
    OrderSet,
    Phase,
    PhaseStanding,
    RepeatedOrders,
    Salt,
    Seat,
    Webhook,
)
from tests.rules.properties.secrets import CHANGES, Secret

NOISE = {"noise": "nobody knows"}


def alter(ctx: AppContext, campaign_id: str, viewer: str, seed: int) -> int:
    """Change a campaign where the viewer (a player, or ``spectator``) cannot see; returns how many positions."""
    with ctx.database.write() as session:
        campaign = session.get_one(Campaign, campaign_id)
        count = _positions(ctx, session, campaign, viewer, seed)
        _records(session, campaign, viewer)
        _salts(session, campaign, viewer)
        _what_others_write(session, campaign, viewer)
        return count


def alter_dice_secret(ctx: AppContext, campaign_id: str) -> None:
    """Give a campaign another secret of its dice: the keys of its seats and all links to come are others then.

    Link 0 stays, which is kept apart; the commitments to the keys are told to everybody, and so change.
    """
    with ctx.database.write() as session:
        session.get_one(Campaign, campaign_id).dice_secret = token_bytes(32)


def _positions(ctx: AppContext, session: Session, campaign: Campaign, viewer: str, seed: int) -> int:
    """Change the position after each phase; the last is what stands in the tables, too."""
    now_open = open_phase(session, campaign)
    assert now_open is not None
    current = state_at(ctx, session, campaign, now_open.record)
    count = 0
    rows = select(Phase).where(Phase.campaign_id == campaign.id, Phase.resolved_at.is_not(None))
    phases = session.scalars(rows).all()
    written = [written_at(session, campaign.id, Record(phase.branch, phase.number, None, "", "")) for phase in phases]
    for phase, before in zip(phases, written, strict=True):
        after = _changed(decode(before, current.board, current.ruleset), viewer, seed + phase.number)
        phase.snapshot, phase.state_hash, phase.chain_hash = pack(encode(after)), state_hash(after), f"{seed:064d}"
        if (phase.branch, phase.number) == (now_open.record.branch, now_open.record.number):
            save_position(session, campaign.id, current, after)
            set_position(campaign, Record(phase.branch, phase.number, None, phase.state_hash, phase.chain_hash))
        count += encode(after) != before
    return count


def _changed(state: State, viewer: str, seed: int) -> State:
    secret = Secret(state, viewer, Random(seed))
    for change in CHANGES * 3:
        change(secret)
    return state


def _records(session: Session, campaign: Campaign, viewer: str) -> None:
    """Change others' orders and events of finished phases, and the dice that are not published yet."""
    mine = Phase.campaign_id == campaign.id
    loaded = (undefer(Phase.orders), undefer(Phase.problems), undefer(Phase.salts), undefer(Phase.events))
    newest = max(each.turn for each in session.scalars(select(Phase).where(mine)))
    for phase in session.scalars(select(Phase).where(mine).options(*loaded)):
        if phase.number and phase.orders is not None:
            phase.orders = _mine(phase.orders, viewer) | {"px": [NOISE]}
            phase.problems = _mine(phase.problems or {}, viewer) | {"px": [NOISE]}
        if phase.turn == newest and phase.number and phase.resolved_at is not None:
            phase.link, phase.seed, phase.salts = "0" * 64, "0" * 64, ["salt"]
        if phase.resolved_at is not None:
            phase.took_ms = 77_777
            phase.events = [
                event if event[3] or viewer in event[2] else ["moved", NOISE, *event[2:]]
                for event in phase.events or ()
            ]
    for row in session.scalars(select(PhaseStanding).where(PhaseStanding.campaign_id == campaign.id)):
        if row.player_id != viewer:
            row.bp, row.points, row.ready_points = row.bp + 77, row.points + 77, row.ready_points + 77
    for done in session.scalars(select(Intervention).where(Intervention.campaign_id == campaign.id)):
        done.details = NOISE


def _salts(session: Session, campaign: Campaign, viewer: str) -> None:
    """Change all salts that are not published yet, who keeps others', and what others commit for phases to come.

    What is committed for a phase is published as soon as that opens; of their own salts players see that earlier.
    """
    phases = list(session.scalars(select(Phase).where(Phase.campaign_id == campaign.id)))
    newest = max(phase.turn for phase in phases)
    turns = {(phase.branch, phase.number): phase.turn for phase in phases}
    for row in list(session.scalars(select(Salt).where(Salt.campaign_id == campaign.id))):
        turn = None if row.branch is None or row.phase_number is None else turns[row.branch, row.phase_number]
        values: dict[str, str] = {}
        if turn is None or turn == newest:
            values["salt"] = "another salt"
        if row.player_id != viewer:
            values["kept_by"] = "player"
            if turn is None:
                values["commitment"] = "0" * 64
        if values:  # past ``tests.dice``, which would draw what is written to a row
            this = (Salt.campaign_id == row.campaign_id, Salt.player_id == row.player_id, Salt.serial == row.serial)
            session.execute(update(Salt).where(*this).values(values).execution_options(synchronize_session=False))


def _mine(kept: dict[str, Any], viewer: str) -> dict[str, Any]:
    return {player: value for player, value in kept.items() if player == viewer}


def _what_others_write(session: Session, campaign: Campaign, viewer: str) -> None:
    """Change others' orders, letters, reports and plans for the open phase, and who stands in for them,
    and who is asked to run the campaign.
    """
    id_ = campaign.id
    for row in session.scalars(select(OrderSet).where(OrderSet.campaign_id == id_, OrderSet.player_id != viewer)):
        row.orders, row.revision, row.salt, row.source = [NOISE], row.revision + 7, "salt", "mail"
    seats = list(session.scalars(select(Seat).where(Seat.campaign_id == id_).order_by(Seat.number)))
    others = [each for each in seats if each.player_id != viewer]
    for seat in others:
        seat.missed, seat.missed_in_a_row, seat.stand_in, seat.holiday_until = 7, 7, "bot", campaign.created_at
    one, two = others[0].player_id, others[1].player_id
    now = campaign.created_at
    message = Message(
        campaign_id=id_,
        sender=one,
        to_all=False,
        to_gm=True,
        in_character=True,
        subject="",
        body="Against them.",
        turn=1,
        phase="build",
        sent_at=now,
    )
    session.add(message)
    session.flush()
    session.add_all(
        [
            MessageRecipient(message_id=message.id, player_id=two, campaign_id=id_),
            Declaration(
                campaign_id=id_, player_id=one, toward=two, kind="alliance", public=False, body="", turn=1,
                phase="build", made_at=now,
            ),
            AdvanceOrders(
                campaign_id=id_, player_id=one, turn=99, phase="build", revision=1, orders=[NOISE], updated_at=now
            ),
            RepeatedOrders(
                campaign_id=id_, player_id=one, phase="reports", orders=[NOISE], left_out=[NOISE], updated_at=now
            ),
            Webhook(
                campaign_id=id_, url="https://example.org/", format="standard", secret="x", kinds=(), created_at=now
            ),
            Handover(campaign_id=id_, user_id=others[0].user_id, made_at=now, why="He is ill.", accepted_at=None),
        ]
    )  # fmt: skip
    for report in session.scalars(select(BattleReport).where(BattleReport.campaign_id == id_)):
        if viewer == SPECTATOR:
            report.note, report.revision = "changed", report.revision + 1
