"""Battles on the table: reported by one side, confirmed or disputed by the other, decided by the GM.

A settled result enters the phase's resolution as a ``report`` order of who reported it (of ``gm`` for a decision).
Where nothing is settled by the deadline, dice decide (D-60).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext, taken_from
from server.play.errors import PlayError, check_revision, fault, not_found
from server.play.notices.notices import Notices
from server.play.records.records import Open, check_deadline, note_intervention, of_phase, open_phase, view_at
from server.play.resolution.resolution import resolve_when_due
from server.play.tables.battle_opening import confirm_games, games_of
from server.rules.orders import sets
from server.rules.sight import GM, View
from server.rules.state import BATTLES, REPORTS, Battle, State
from server.store.tables import BattleReport, OrderSet, TableGameRow

_OPEN = ("open", "disputed", "confirmed", "decided")
_FIELDS = ("winner", "retreated", "losses", "took_part", "withheld", "bombarded", "works")


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """A result as someone reported it, and what the other side says."""

    id: str
    hex: str
    reported_by: str | None
    """None: the GM."""
    content: dict[str, Any]
    note: str
    status: str
    """``open``, ``confirmed``, ``disputed``, ``decided`` or ``withdrawn``."""
    reported_at: datetime
    answered_by: str | None
    answer: str
    revision: int


@dataclass(frozen=True, slots=True)
class BattleInfo:
    """A battle of this turn that the viewer knows of."""

    hex: str
    attacking: str
    defended_by: str
    kind: str
    tabletop: bool
    winner: str
    yours: bool
    reports: tuple[ReportInfo, ...]
    """For both sides and the GM, likewise the next one."""
    table: str | None
    """Id of its table game; None: there is none."""


def listed(ctx: AppContext, actor: Actor, campaign_id: str, *, as_: str | None = None) -> list[BattleInfo]:
    """Return the battles one knows of; details stand in the position."""
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        now_open = open_phase(session, may.campaign)
        if now_open is None:
            return []
        viewer = may.viewer(as_)
        view = view_at(ctx, session, may.campaign, now_open.record, viewer)
        reports, games = _reports(session, now_open), games_of(session, now_open.phase)
        return [_battle(view, battle, viewer, reports, games) for battle in view.state.battles.values()]


def report(
    ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, result: Mapping[str, Any], *, note: str = "",
    seat: str | None = None,
) -> ReportInfo:  # fmt: skip
    """Report a result: ``winner``, ``retreated``, ``losses`` per unit. It replaces the player's earlier one."""
    actor.require("orders")
    words = text_input.lines(note, "note", 4000)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = _open(session, may, ctx)
        order = _order(ctx, session, may, now_open, chosen.player_id, hex_, result)
        _lock(session, now_open)
        if any(report.status in ("confirmed", "decided") for report in _on(_reports(session, now_open), hex_)):
            raise PlayError("report_closed", field="hex", value=hex_)
        _withdraw(session, now_open, hex_, by=chosen.player_id)
        row = _store(session, ctx, now_open, hex_, order, words, chosen.player_id, "open")
        _notify(session, ctx, may, now_open, row, "battle_reported")
        return _info(row)


def answer(
    ctx: AppContext, actor: Actor, campaign_id: str, report_id: str, *, confirm: bool, text: str = "",
    revision: int | None = None, seat: str | None = None,
) -> ReportInfo:  # fmt: skip
    """Confirm or dispute what the other side reported. Confirmed is settled; a dispute is for the GM to decide."""
    actor.require("orders")
    words = text_input.lines(text, "text", 4000)
    with ctx.database.write() as session:
        may = access.load_shared(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = _open(session, may, ctx)
        _lock(session, now_open)
        row = next((report for report in _reports(session, now_open) if report.id == report_id), None)
        state = view_at(ctx, session, may.campaign, now_open.record, chosen.player_id).state
        battle = None if row is None else _battle_at(state, row.hex)
        if row is None or battle is None or chosen.player_id not in (battle.attacking, battle.defended_by):
            raise not_found("report", report_id)
        if row.reported_by == chosen.player_id:
            raise PlayError("forbidden", "The other side confirms what you report.")
        check_revision(revision, row.revision)
        if row.status not in ("open", "disputed"):
            raise PlayError("report_closed", value=row.status)
        row.status = "confirmed" if confirm else "disputed"
        row.answered_by, row.answered_at, row.answer = chosen.player_id, ctx.now(), words
        row.revision += 1
        session.flush()
        if confirm:
            _withdraw(session, now_open, row.hex, but=row.id)
            _settle(session, may, ctx, now_open)
            confirm_games(session, now_open.phase, row.hex, ctx.now())
        _notify(session, ctx, may, now_open, row, "battle_settled" if confirm else "battle_reported")
        info = _info(row)
    if confirm:
        resolve_when_due(ctx, campaign_id)
    return info


def take_from_table(
    ctx: AppContext, session: Session, may: Access, player: str, hex_: str, result: Mapping[str, Any]
) -> bool:
    """Take what a side confirms at its table; true when the other side says the same, so that it is settled."""
    now_open = _open(session, may, ctx)
    order = _order(ctx, session, may, now_open, player, hex_, result)
    _lock(session, now_open)
    there = _on(_reports(session, now_open), hex_)
    if any(report.status in ("confirmed", "decided") for report in there):
        return False  # the game master was faster
    same = next(
        (report for report in there if report.reported_by not in (None, player) and report.content == order), None
    )
    if same is None:
        _withdraw(session, now_open, hex_, by=player)
        row = _store(session, ctx, now_open, hex_, order, "", player, "open")
        _notify(session, ctx, may, now_open, row, "battle_reported")
        return False
    same.status, same.answered_by, same.answered_at = "confirmed", player, ctx.now()
    same.revision += 1
    session.flush()
    _withdraw(session, now_open, hex_, but=same.id)
    _settle(session, may, ctx, now_open)
    _notify(session, ctx, may, now_open, same, "battle_settled")
    return True


def decide(
    ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, result: Mapping[str, Any], why: str = ""
) -> ReportInfo:
    """Enter a result as the GM, over whatever was reported; shown to all as an intervention."""
    actor.require("gm")
    words = text_input.lines(why, "why", 4000)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_neutral_gm()
        now_open = _open(session, may, ctx)
        order = _order(ctx, session, may, now_open, GM, hex_, result)
        _withdraw(session, now_open, hex_)
        row = _store(session, ctx, now_open, hex_, order, words, None, "decided")
        made = note_intervention(session, may.campaign, actor, "battle", words, ctx.now())
        made.details = {"report": order}
        _settle(session, may, ctx, now_open)
        _notify(session, ctx, may, now_open, row, "battle_settled")
        info = _info(row)
    resolve_when_due(ctx, campaign_id)
    return info


def undecided(ctx: AppContext, session: Session, may: Access, now_open: Open) -> tuple[str, ...]:
    """Return the hexes of battles that are neither fought nor settled."""
    settled = {report.hex for report in _reports(session, now_open) if report.status in ("confirmed", "decided")}
    state = view_at(ctx, session, may.campaign, now_open.record, GM).state
    left = (state.board.label(battle.hex) for battle in state.battles.values() if not battle.winner)
    return tuple(label for label in left if label not in settled)


# --- inside ---


def _open(session: Session, may: Access, ctx: AppContext) -> Open:
    now_open = open_phase(session, may.campaign)
    if now_open is None or may.campaign.status != "running" or now_open.phase.phase not in (BATTLES, REPORTS):
        raise PlayError("phase_closed", "No battles are reported now.")
    check_deadline(now_open.phase, ctx.now())
    return now_open


def _lock(session: Session, now_open: Open) -> None:
    """Let one report or answer of a phase be written at a time."""
    rows = select(OrderSet.player_id).where(*of_phase(OrderSet, now_open.phase))
    session.execute(rows.order_by(OrderSet.player_id).with_for_update()).all()


def _order(
    ctx: AppContext, session: Session, may: Access, now_open: Open, player: str, hex_: str, result: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the result as an order, or refuse it with everything that is wrong."""
    given = dict(result) if isinstance(result, Mapping) else {}
    unknown = [name for name in given if name not in _FIELDS]
    if unknown:
        raise PlayError(
            "report_refused",
            say("A result has no field {name}.", name=repr(str(unknown[0])[:40])),
            field=str(unknown[0])[:40],
        )
    order = {"type": "report", "battle": hex_} | given
    view = view_at(ctx, session, may.campaign, now_open.record, player)
    problems = sets.check(view, [order])
    if problems:
        told = [fault(problem) for problem in problems]
        raise PlayError("report_refused", problems[0].message, field=problems[0].field, problems=told)
    return order


def _battle_at(state: State, hex_: str) -> Battle | None:
    at = state.board.find(hex_)
    return None if at is None else state.battles.get(at)


def _store(
    session: Session,
    ctx: AppContext,
    now_open: Open,
    hex_: str,
    order: dict[str, Any],
    note: str,
    by: str | None,
    status: str,
) -> BattleReport:
    phase = now_open.phase
    row = BattleReport(
        campaign_id=phase.campaign_id,
        branch=phase.branch,
        phase_number=phase.number,
        hex=hex_,
        reported_by=by,
        content=order,
        note=note,
        status=status,
        reported_at=ctx.now(),
    )
    session.add(row)
    session.flush()
    return row


def _withdraw(session: Session, now_open: Open, hex_: str, *, by: str | None = None, but: str = "") -> None:
    """Take reports on a battle back: one player's, or all but one."""
    mine = [*of_phase(BattleReport, now_open.phase), BattleReport.hex == hex_, BattleReport.status != "withdrawn",
            BattleReport.id != but]  # fmt: skip
    if by is not None:
        mine.append(BattleReport.reported_by == by)
    session.execute(update(BattleReport).where(*mine).values(status="withdrawn", revision=BattleReport.revision + 1))


def _settle(session: Session, may: Access, ctx: AppContext, now_open: Open) -> None:
    """While only results are awaited: a player whose results are all settled has nothing more to say."""
    if now_open.phase.phase != REPORTS:
        return
    left = undecided(ctx, session, may, now_open)
    state = view_at(ctx, session, may.campaign, now_open.record, GM).state
    waiting = [battle for battle in state.battles.values() if state.board.label(battle.hex) in left]
    busy = {player for battle in waiting for player in (battle.attacking, battle.defended_by)}
    for row in session.scalars(select(OrderSet).where(*of_phase(OrderSet, now_open.phase), OrderSet.wanted)):
        if row.player_id not in busy and not row.final:
            row.final = True
            row.revision += 1
    session.flush()


def _reports(session: Session, now_open: Open) -> list[BattleReport]:
    mine = (*of_phase(BattleReport, now_open.phase), BattleReport.status.in_(_OPEN))
    query = select(BattleReport).where(*mine).order_by(BattleReport.reported_at, BattleReport.id)
    return list(session.scalars(query.execution_options(populate_existing=True)))


def _on(reports: list[BattleReport], hex_: str) -> list[BattleReport]:
    return [report for report in reports if report.hex == hex_]


def _notify(session: Session, ctx: AppContext, may: Access, now_open: Open, row: BattleReport, kind: str) -> None:
    """Tell both sides and a GM who does not play: nobody else need know that there is a battle."""
    battle = _battle_at(view_at(ctx, session, may.campaign, now_open.record, GM).state, row.hex)
    notices = Notices(session, may.campaign, ctx.now())
    key = f"{kind}/{row.id}/{row.revision}"
    for seat in access.seats_of(session, may.campaign.id):
        if battle is not None and seat.player_id in (battle.attacking, battle.defended_by):
            notices.seat(seat, kind, f"{key}/{seat.player_id}", hex=row.hex, status=row.status)
    notices.neutral_game_masters(kind, f"{key}/gm", hex=row.hex, status=row.status)
    notices.send()


def _battle(
    view: View, battle: Battle, viewer: str, reports: list[BattleReport], games: Mapping[str, TableGameRow]
) -> BattleInfo:
    label = view.state.board.label(battle.hex)
    party = viewer in (battle.attacking, battle.defended_by, GM)
    told = tuple(_info(report) for report in _on(reports, label)) if party else ()
    table = games[label].id if party and label in games else None
    yours = viewer in (battle.attacking, battle.defended_by)
    return taken_from(battle, BattleInfo, hex=label, yours=yours, reports=told, table=table)


def _info(row: BattleReport) -> ReportInfo:
    return taken_from(row, ReportInfo, content={name: row.content[name] for name in _FIELDS if name in row.content})
