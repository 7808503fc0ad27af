"""A reader's view of a campaign now: position, final players, legal orders, effects of an order, chances in battles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from server.core.errors import Problem
from server.core.sentences import say
from server.play import access
from server.play.access import Access, Rights
from server.play.context import Actor, AppContext
from server.play.errors import PlayError, not_found
from server.play.options import stored_options
from server.play.records.records import Open, Record, current_record, open_phase, require_open, view_at
from server.play.text_input import check_order_list
from server.play.views import reads
from server.play.views.reads import KeptBytes, Standing
from server.rules import drafting
from server.rules.codec import encode
from server.rules.odds import Odds, odds
from server.rules.options import legal_orders
from server.rules.orders.base import Option
from server.rules.orders.battles import Fight, Report
from server.rules.orders.sets import read_set
from server.rules.outlook import Attempt, Prospect, attempt, outlook
from server.rules.quick_battle import Wishes
from server.rules.sight import View
from server.store.tables import OrderSet, Phase


@dataclass(frozen=True, slots=True)
class Position:
    """The position as one viewer knows it."""

    campaign_id: str
    viewer: str
    """A player, ``gm`` or ``spectator``."""
    branch: int
    number: int
    """Of the phase that is open, or of the last one."""
    turn: int
    phase: str
    deadline: datetime | None
    view: View
    """Shared: not to be changed."""
    state_hash: str
    """Of the whole position; for this package alone."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The position as one viewer knows it, written."""

    branch: int
    number: int
    turn: int
    phase: str
    deadline: datetime | None
    campaign_id: str
    viewer: str
    rights: Rights
    state_hash: str
    """Of the whole position; for this package alone."""
    view: KeptBytes
    """JSON, canonical: equal for equal knowledge, so that an ETag of it tells nothing."""

    @property
    def head(self) -> bytes:
        """What may change while the position stays, as a JSON object."""
        return orjson.dumps({
            "campaign_id": self.campaign_id, "branch": self.branch, "number": self.number, "turn": self.turn,
            "phase": self.phase, "deadline": self.deadline,
        })  # fmt: skip

    @property
    def body(self) -> bytes:
        """All of it as one JSON object."""
        return joined(self.head, self.view.body)

    @property
    def etag(self) -> str:
        """The ETag of the body, without quotes. Nobody has to build the body for it."""
        return hashlib.sha256(self.head + self.view.digest.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Finality:
    """Whether a seat's orders are final."""

    player_id: str
    final: bool
    handed_in: bool | None
    """Something was handed in; for the GM, and for the seat itself."""
    wanted: bool | None
    """There is something to order; for the GM, and for the seat itself."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What an order would do."""

    said: dict[str, Any]
    problems: tuple[Problem, ...]


def position(ctx: AppContext, actor: Actor, campaign_id: str, *, as_: str | None = None) -> Position:
    """Return the reader's view of the position; *as_* selects another viewer, if allowed."""
    _may_read(actor)
    now = reads.standing(ctx, actor, campaign_id)
    viewer = now.rights.viewer(as_)
    view = reads.view_of(ctx, now, viewer)
    return Position(
        campaign_id, viewer, now.branch, now.number, view.state.turn, view.state.phase, now.deadline, view,
        now.state_hash,
    )  # fmt: skip


def shown(ctx: AppContext, actor: Actor, campaign_id: str, *, as_: str | None = None) -> Shown:
    """Return the same as bytes, written once for each position and viewer."""
    _may_read(actor)
    now = reads.standing(ctx, actor, campaign_id)
    viewer = now.rights.viewer(as_)
    body = reads.known(ctx, campaign_id, now.state_hash, viewer, "view") or written(
        ctx, campaign_id, now.state_hash, reads.view_of(ctx, now, viewer)
    )
    return Shown(
        now.branch, now.number, now.turn, now.phase, now.deadline, campaign_id, viewer, now.rights, now.state_hash, body
    )


def finality(ctx: AppContext, actor: Actor, campaign_id: str) -> list[Finality]:
    """Return the final seats of the open phase, if the campaign and the phase show them."""
    _may_read(actor)
    now = reads.standing(ctx, actor, campaign_id)
    rights = now.rights
    if not actor.admin:
        rights.viewer()
    shows = stored_options(now.options).shows_final_in(now.phase)
    found = []
    for row in ctx.database.ask(_SETS, {"campaign": campaign_id, "branch": now.branch, "number": now.number}):
        inner = rights.sees_all or row.player_id in rights.seats()
        if inner or rights.public or shows:
            known = (row.revision > 0, row.wanted) if inner or rights.public else (None, None)
            found.append(Finality(row.player_id, row.final, *known))
    return found


def legal(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> list[dict[str, Any]]:
    """Return everything a seat may order now; battles are reported on their own page."""
    actor.require("read")
    return [*by_orders(legal_orders(own_view(ctx, actor, campaign_id, seat)))]


def by_orders(options: Iterable[Option]) -> Iterator[Option]:
    """Yield the options that are orders: results of the table are not (:mod:`server.play.battles.battles`)."""
    return (option for option in options if option["order"]["type"] != Report.TYPE)


def named(option: Option) -> Option:
    """Return an option as programs get it: its type beside it tells them which fields it has."""
    return {"type": option["order"]["type"], "choices": {}} | option


def legal_shown(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> KeptBytes:
    """Return the same as JSON, written once for each position and player: ``items``, and ``next``, which is null."""
    actor.require("read")
    now = reads.standing(ctx, actor, campaign_id, not_begun="phase_closed")
    player = orders_as(now, seat)
    kept = reads.known(ctx, campaign_id, now.state_hash, player, "legal")
    if kept is not None:
        return kept
    items = [named(option) for option in by_orders(legal_orders(reads.view_of(ctx, now, player)))]
    body = orjson.dumps({"items": items, "next": None})
    return reads.keep(ctx, campaign_id, now.state_hash, player, "legal", body)


def preview(
    ctx: AppContext, actor: Actor, campaign_id: str, order: Any, before: Sequence[Any] = (), *, seat: str | None = None
) -> Preview:
    """Return what an order would do after those *before* it in the set."""
    actor.require("read")
    said, problems = drafting.preview(own_view(ctx, actor, campaign_id, seat), order, before)
    return Preview(said, tuple(problems))


# --- for the rest of this package ---


def here(session: Session, may: Access) -> tuple[Phase, Record]:
    """Return the phase the campaign stands at and the record of its position."""
    now_open = open_phase(session, may.campaign)
    if now_open is not None:
        return now_open.phase, now_open.record
    return standing_at(session, may), current_record(may.campaign)


def standing_at(session: Session, may: Access) -> Phase:
    """Return the phase the campaign stands at: the one that is open, or the last one."""
    phase = session.get(Phase, (may.campaign.id, may.campaign.branch, may.campaign.phase_number))
    if phase is None:
        raise PlayError("wrong_status", "The campaign has not begun.", field="status")
    return phase


def written(ctx: AppContext, campaign_id: str, state_hash: str, view: View) -> KeptBytes:
    """Return a view of a position as canonical JSON."""
    kept = reads.known(ctx, campaign_id, state_hash, view.viewer, "view")
    if kept is not None:
        return kept
    return reads.keep(ctx, campaign_id, state_hash, view.viewer, "view", view_bytes(view))


def view_bytes(view: View) -> bytes:
    """Return a view as canonical JSON."""
    labels = [view.state.board.label(hex_) for hex_ in view.sees]
    parts = {"sees": labels, "state": orjson.Fragment(encode(view.state)), "viewer": view.viewer}
    return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)


def joined(head: bytes, view: bytes) -> bytes:
    """Return two JSON objects as one."""
    return head[:-1] + b"," + view[1:]


def reader(session: Session, actor: Actor, campaign_id: str) -> Access:
    """Return what someone who reads is in a campaign."""
    _may_read(actor)
    return access.load(session, actor, campaign_id)


def own_view(ctx: AppContext, actor: Actor, campaign_id: str, seat: str | None) -> View:
    """Return what the seat one orders for knows at the open phase."""
    now = reads.standing(ctx, actor, campaign_id, not_begun="phase_closed")
    return reads.view_of(ctx, now, orders_as(now, seat))


def orders_as(now: Standing, seat: str | None) -> str:
    """Return the player that a person orders for in the open phase."""
    player = now.rights.seat_for(seat)
    if not now.open:
        raise PlayError("phase_closed")
    return player


def check_phase(now_open: int, number: int | None) -> None:
    """Refuse a write that is meant for another phase than the open one."""
    if number is not None and number != now_open:
        message = say("Phase {number} is open, not {given}.", number=now_open, given=number)
        raise PlayError("wrong_phase", message, field="number", value=number)


# --- inside ---


def _may_read(actor: Actor) -> None:
    if actor.signed_in:
        actor.require("read")


def odds_of_battle(ctx: AppContext, actor: Actor, campaign_id: str, hex_: str, *, as_: str | None = None) -> Odds:
    """Return the odds of a battle that is still to be fought. What the other side ordered is never asked."""
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        now_open = require_open(session, may.campaign)
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


def odds_of_orders(
    ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None
) -> list[Prospect]:
    """Return the battles that orders for Battle movement would open, by the player's view, if nobody else moved."""
    actor.require("read")
    check_order_list(orders)
    return outlook(own_view(ctx, actor, campaign_id, seat), orders)


def odds_of_attempt(
    ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, attacker: str, target: str, *, seat: str | None = None
) -> Attempt | None:
    """Return the odds of an attack not yet ordered, together with these orders, by the player's view."""
    actor.require("read")
    check_order_list(orders)
    return attempt(own_view(ctx, actor, campaign_id, seat), orders, attacker, target)


def _own_orders(session: Session, may: Access, now_open: Open, view: View) -> list[object]:
    """Return what the viewer has ordered, if they look as themselves."""
    if view.viewer not in may.rights.seats():
        return []
    phase = now_open.phase
    row = session.get(OrderSet, (phase.campaign_id, phase.branch, phase.number, view.viewer))
    return list(row.orders) if row is not None else []


_sets: Any = OrderSet.__table__
_SETS = (
    select(_sets.c.player_id, _sets.c.revision, _sets.c.wanted, _sets.c.final)
    .where(
        _sets.c.campaign_id == bindparam("campaign"),
        _sets.c.branch == bindparam("branch"),
        _sets.c.phase_number == bindparam("number"),
    )
    .order_by(_sets.c.player_id)
)
"""Made once: it is asked with every map page."""
