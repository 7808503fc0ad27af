"""The odds of quick battles: of this turn's, and of those the player's orders would open."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play.access import Access
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.records.records import Open, open_phase, view_at
from server.play.text_input import check_order_list
from server.play.views.positions import own_view, reader
from server.rules.odds import Odds, odds
from server.rules.orders.battles import Fight
from server.rules.orders.sets import read_set
from server.rules.outlook import Attempt, Prospect, attempt, outlook
from server.rules.quick_battle import Wishes
from server.rules.sight import View
from server.store.tables import OrderSet


def of_battle(ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, *, as_: str | None = None) -> Odds:
    """Return the odds of a battle that is still to be fought. What the other side ordered is never asked."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        now_open = open_phase(session, may.campaign)
        if now_open is None:
            raise PlayError("phase_closed")
        view = view_at(ctx, session, may.campaign, now_open.record, may.viewer(as_))
        orders = _own_orders(session, may, now_open, view)
    at = view.state.board.find(hex_)
    battle = view.state.battles.get(at) if at is not None else None
    if battle is None:
        raise not_found("hex", hex_)
    if battle.winner:
        raise PlayError("phase_closed", say("The battle in {hex} has been fought.", hex=hex_), field="hex", value=hex_)
    mine = None
    for order in read_set(view.state, view.viewer, view.state.phase, orders).accepted:
        if isinstance(order, Fight) and order.battle == battle.hex:
            mine = Wishes(order.casualties, order.picks)
    attacking = battle.attacking == view.viewer
    key = (campaign_id, now_open.record.state_hash, view.viewer, "odds", hex_, mine)
    return ctx.caches.views.get(
        key, lambda: odds(view.state, battle, mine if attacking else None, None if attacking else mine)
    )


def of_orders(
    ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None
) -> list[Prospect]:
    """Return the battles that orders for Battle movement would open, by the player's view, if nobody else moved."""
    actor.require("read")
    check_order_list(orders)
    return outlook(own_view(ctx, actor, campaign_id, seat), orders)


def of_attempt(
    ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, attacker: str, target: str, *, seat: str | None = None
) -> Attempt | None:
    """Return the odds of an attack not yet ordered, together with these orders, by the player's view."""
    actor.require("read")
    check_order_list(orders)
    return attempt(own_view(ctx, actor, campaign_id, seat), orders, attacker, target)


def _own_orders(session: Session, may: Access, now_open: Open, view: View) -> list[object]:
    """Return what the viewer has ordered, if they look as themselves."""
    own = [seat.player_id for seat in (may.seat, *may.substitutes) if seat is not None]
    if view.viewer not in own:
        return []
    phase = now_open.phase
    row = session.get(OrderSet, (phase.campaign_id, phase.branch, phase.number, view.viewer))
    return list(row.orders) if row is not None else []
