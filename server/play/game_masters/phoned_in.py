"""Orders that a game master enters for a player who phones them in: never over what the player handed in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext
from server.play.dice import receipts
from server.play.errors import PlayError, fault, not_found, stands_so
from server.play.notices.notices import Notices
from server.play.orders import orders, orders_in_advance
from server.play.orders.orders import OrderSetInfo
from server.play.orders.orders_as_text import ordered
from server.play.records.phase_dice import scheme_of
from server.play.records.records import Open, check_deadline, note_intervention, require_open, view_at
from server.play.resolution.phase_opening import only_repeated
from server.play.resolution.resolution import resolve_when_due
from server.play.views.positions import check_phase
from server.rules.sight import View
from server.store.live import publish
from server.store.tables import OrderSet, Seat

SOURCE = "gm"
MAX_REASON_LENGTH = 2000


def enter(
    ctx: AppContext, actor: Actor, campaign_id: str, player_id: str, given: Any, *, why: str = "", final: bool = False,
    number: int | None = None, repeats: Mapping[int, bool] = orders.NO_REPEATS,
) -> OrderSetInfo:  # fmt: skip
    """Hand in a whole set of orders for a seat. The log says that it was done, the player gets them and the receipt.

    *number* names the phase that is meant; *repeats* says of orders, by their places, whether the seat repeats them in
    later phases. Errors: ``conflict`` where the player has handed in orders or nobody sits
    there, ``forbidden`` for a game master who plays, and those of :func:`server.play.orders.orders.replace`.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    text_input.check_orders_size(given)
    view, state_hash = _view(ctx, actor, campaign_id, player_id)
    problems = orders.problems_of(view, given)
    if problems:
        raise PlayError("orders_refused", problems[0].message, problems=[fault(problem) for problem in problems])
    receipts.keys(ctx)  # drawn before the transaction below, where nobody has needed them yet
    with ctx.database.write() as session:
        may, now_open, seat = _may(session, access.load_exclusive(session, actor, campaign_id), player_id)
        _check_open(ctx, may, now_open, number, state_hash)
        row = _row(session, now_open, player_id)
        declared, scheme = row.final != final, scheme_of(session, may.campaign)
        place = (row.campaign_id, row.branch, row.phase_number)
        row.receipts = receipts.with_receipt(place, row, scheme, row.receipts)
        row.orders, row.final, row.temporary, row.source = list(given), final, False, SOURCE
        row.revision += 1
        row.updated_at, row.updated_by = ctx.now(), actor.user_id
        again = ((given[place], repeated) for place, repeated in repeats.items())
        orders_in_advance.change_repeated(session, seat, now_open.phase.phase, again, ctx.now())
        info = orders.info_of(now_open.phase, row)
        receipt = orders.receipt_for(ctx, info, scheme, row.receipts)
        _notify(session, may, seat, actor, info, reason, receipt, ctx.now(), declared=declared)
    if final:
        resolve_when_due(ctx, campaign_id)
    return info


def enter_text(
    ctx: AppContext, actor: Actor, campaign_id: str, player_id: str, text: str, *, why: str = "", final: bool = False,
    number: int | None = None,
) -> OrderSetInfo:  # fmt: skip
    """Do the same with orders as text, one a line; lines also say ``repeat`` and ``final``, as in a player's own."""
    view, _ = _view(ctx, actor.require("gm"), campaign_id, player_id)
    found = ordered(text, view)
    return enter(
        ctx, actor, campaign_id, player_id, list(found.orders), why=why, final=final or bool(found.final),
        number=number, repeats=found.repeats,
    )  # fmt: skip


# --- inside ---


def _may(session: Session, may: Access, player_id: str) -> tuple[Access, Open, Seat]:
    may.require_neutral_gm()
    seat = session.get(Seat, (may.campaign.id, player_id))
    if seat is None:
        raise not_found("seat", player_id)
    if seat.user_id is None:
        raise PlayError("conflict", "Nobody sits there: its stand-in orders.", field="seat", value=player_id)
    return may, require_open(session, may.campaign), seat


def _view(ctx: AppContext, actor: Actor, campaign_id: str, player_id: str) -> tuple[View, str]:
    with ctx.database.read() as session:
        may, now_open, _ = _may(session, access.load(session, actor, campaign_id), player_id)
        return view_at(ctx, session, may.campaign, now_open.record, player_id), now_open.record.state_hash


def _check_open(ctx: AppContext, may: Access, now_open: Open, number: int | None, state_hash: str) -> None:
    if may.campaign.status != "running":
        raise stands_so(may.campaign.status, "phase_closed")
    check_phase(now_open.phase.number, number)
    check_deadline(now_open.phase, ctx.now())
    if now_open.record.state_hash != state_hash:
        raise PlayError("stale_revision", "The position has changed since the orders were checked.")


def _row(session: Session, now_open: Open, player_id: str) -> OrderSet:
    phase = now_open.phase
    key = (phase.campaign_id, phase.branch, phase.number, player_id)
    row = session.get(OrderSet, key, with_for_update=True, populate_existing=True)
    if row is None:
        raise PlayError("phase_closed", "This player is out of the campaign.")
    if row.revision and row.source != SOURCE and not only_repeated(row):
        message = "The player has handed in orders; what they hand in counts."
        raise PlayError("conflict", message, field="seat", value=player_id)
    return row


def _notify(
    session: Session, may: Access, seat: Seat, actor: Actor, info: OrderSetInfo, why: str, receipt: str,
    now: datetime, *, declared: bool,
) -> None:  # fmt: skip
    made = note_intervention(session, may.campaign, actor, "orders", why, now, seat=seat.player_id)
    notices = Notices(session, may.campaign, now)
    key = f"phoned_in/{made.branch}/{made.phase_number}/{made.seq}"
    notices.seat(seat, "orders_entered", key, number=info.number, receipt=receipt)
    notices.send()
    news = [orders.changed_news(info.campaign_id, info.player_id, info.number, info.revision)]
    if declared:
        show = may.options.shows_final_in(info.phase)
        news.append(orders.finality_news(info.campaign_id, info.player_id, info.number, info.final, show=show))
    publish(session, news, now)
