"""One's orders for the open phase: read, replaced, patched, declared final, taken back.

What is handed in is checked against what the player knows; all problems come back at once, and nothing is kept
of a set that has any, unless the writer asks to keep what is good. ``final`` brings the phase's end forward once
everybody has declared it, and can be taken back until then. A *temporary* set counts at the deadline only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as with_fields
from datetime import datetime
from functools import partial
from typing import Any

import orjson
from sqlalchemy import Row
from sqlalchemy.orm import Session

from server.core.errors import Problem
from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access
from server.play.context import Actor, AppContext
from server.play.dice import receipts, salts
from server.play.errors import PlayError, check_revision, fault, invalid, stands_so
from server.play.notices.notices import finality_topic, player_topic, public_topic
from server.play.orders import checked, order_fast_path
from server.play.orders.patches import patched
from server.play.records.records import Open, open_phase, view_at, view_known
from server.play.resolution.resolution import resolve_when_due
from server.play.views import positions, reads
from server.rules import drafting
from server.rules.drafting import Draft
from server.rules.orders import sets
from server.rules.orders.battles.report import Report
from server.rules.sight import View
from server.store.live import News, publish
from server.store.tables import OrderSet, Seat

MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class OrderSetInfo:
    """An order set as its player sees it."""

    campaign_id: str
    player_id: str
    branch: int
    number: int
    turn: int
    phase: str
    deadline: datetime | None
    wanted: bool
    """There is something to order."""
    revision: int
    """0: nothing was handed in. The ETag."""
    final: bool
    temporary: bool
    source: str
    salt: str
    updated_at: datetime | None
    orders: tuple[Any, ...]
    receipt: str | None = None
    """For a write: what the server signed (:mod:`server.play.dice.receipts`)."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What became of a write."""

    orders: OrderSetInfo
    problems: tuple[Problem, ...]
    """What was refused; empty unless the writer asked to keep what is good."""


def read(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> OrderSetInfo:
    """Return one's orders for the open phase."""
    actor.require("read")
    with ctx.database.read() as session:
        found = reads.standing_with_orders(session, actor, campaign_id)
        if found is not None and found[0].open:
            now, sets = found
            player = now.rights.seat_for(seat)
            if player in sets:
                return _info(campaign_id, now.turn, now.phase, now.deadline, sets[player])
        may = access.load(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = _open(session, may)
        return info_of(now_open, _row(session, may, now_open, chosen))


def check(ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None) -> list[Problem]:
    """Return everything that is wrong with a set, without handing it in."""
    actor.require("read")
    view, _ = _known(ctx, actor, campaign_id, seat)
    return problems_of(view, orders)


def replace(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    orders: Any,
    *,
    revision: int | None = None,
    final: bool = False,
    temporary: bool = False,
    salt: str | None = None,
    lenient: bool = False,
    number: int | None = None,
    source: str = "api",
    seat: str | None = None,
    known: Callable[[HandedIn], None] = lambda _: None,
) -> HandedIn:
    """Hand in a whole set; without *final* it takes an earlier *final* back.

    *number* names the phase it is meant for; *lenient* keeps the orders that are good. *known* is told what came of it
    before it is kept; where that fails, the last call did not happen.
    """
    actor.require("orders")
    check_size(orders)
    problems: list[Problem] = []
    write = partial(
        _Write, ctx, actor, campaign_id, seat, revision, number, lambda info: known(HandedIn(info, tuple(problems)))
    )
    guess = _guess(ctx, actor, campaign_id, seat)
    if guess is not None and not _checked(ctx, campaign_id, *guess, orders):
        done = write(guess[1]).store_usually(orders, final, temporary, salt, source)
        if done is not None:
            if done.final:
                resolve_when_due(ctx, campaign_id)
            return HandedIn(done, ())
    view, state_hash = _known(ctx, actor, campaign_id, seat, number)
    problems += _checked(ctx, campaign_id, view, state_hash, orders)
    if problems and not lenient:
        raise PlayError("orders_refused", _summary(problems), problems=[fault(problem) for problem in problems])
    refused = {problem.order for problem in problems}
    kept = [order for place, order in enumerate(orders if isinstance(orders, list) else []) if place not in refused]
    info = write(state_hash).store(kept, final=final, temporary=temporary, salt=salt, source=source)
    if info.final:
        resolve_when_due(ctx, campaign_id)
    return HandedIn(info, tuple(problems))


def patch(
    ctx: AppContext,
    actor: Actor,
    campaign_id: str,
    changes: Sequence[Mapping[str, Any]],
    *,
    revision: int | None = None,
    number: int | None = None,
    source: str = "api",
    seat: str | None = None,
    known: Callable[[HandedIn], None] = lambda _: None,
) -> HandedIn:
    """Change single orders: ``add``, ``replace``, ``remove``, ``move`` (:mod:`server.play.orders.patches`)."""
    actor.require("orders")
    before = read(ctx, actor, campaign_id, seat=seat)
    check_phase(before.number, number)
    check_revision(revision, before.revision)
    after = patched(list(before.orders), changes)
    return replace(
        ctx,
        actor,
        campaign_id,
        after,
        revision=before.revision,
        final=before.final,
        temporary=before.temporary,
        number=before.number if number is None else number,
        source=source,
        seat=seat,
        known=known,
    )


def declare_final(
    ctx: AppContext, actor: Actor, campaign_id: str, *, revision: int | None = None, number: int | None = None,
    seat: str | None = None, known: Callable[[OrderSetInfo], None] = lambda _: None,
) -> OrderSetInfo:  # fmt: skip
    """Say that the orders as they are shall count; the phase ends with the last who says so. Twice is once."""
    actor.require("orders")
    info = _Write(ctx, actor, campaign_id, seat, revision, number, known, None).finality(final=True)
    resolve_when_due(ctx, campaign_id)
    return info


def take_back(
    ctx: AppContext, actor: Actor, campaign_id: str, *, revision: int | None = None, number: int | None = None,
    seat: str | None = None, known: Callable[[OrderSetInfo], None] = lambda _: None,
) -> OrderSetInfo:  # fmt: skip
    """Take *final* back, as long as the phase is open. The orders stay."""
    actor.require("orders")
    return _Write(ctx, actor, campaign_id, seat, revision, number, known, None).finality(final=False)


def receipt_for(ctx: AppContext, info: OrderSetInfo) -> str:
    """Return the server's receipt for a set that was accepted; the same set has the same receipt."""
    return receipts.issue(
        ctx,
        receipts.ORDERS,
        info.updated_at,
        campaign=info.campaign_id,
        seat=info.player_id,
        branch=info.branch,
        number=info.number,
        revision=info.revision,
        final=info.final,
        orders=receipts.digest(info.orders),
    )


def problems_of(view: View, orders: Any) -> list[Problem]:
    """Return everything that is wrong with a set; battles are reported on their own page, not here."""
    return _with_reports(sets.check(view, orders), orders)


def _checked(ctx: AppContext, campaign_id: str, view: View, state_hash: str, orders: Any) -> list[Problem]:
    """Return the same of a set that is handed in: what came of it is kept for the resolution."""
    return _with_reports(checked.check(ctx, campaign_id, state_hash, view, orders), orders)


def _with_reports(problems: Sequence[Problem], orders: Any) -> list[Problem]:
    found = list(problems)
    for place, order in enumerate(orders if isinstance(orders, list) else ()):
        if isinstance(order, Mapping) and order.get("type") == Report.TYPE:
            message = "Results are reported with the battle, where the other side confirms them."
            found.append(Problem("not_allowed", message, "type", Report.TYPE, "6.2.3", place))
    return sorted(found, key=lambda problem: problem.order)


# --- inside ---


@dataclass(frozen=True, slots=True)
class _Write:
    """One write to an order set: everything that is asked of it, checked in one transaction."""

    ctx: AppContext
    actor: Actor
    campaign_id: str
    seat: str | None
    revision: int | None
    number: int | None
    known: Callable[[OrderSetInfo], None]
    state_hash: str | None
    """The state the orders were checked against."""

    def store(self, orders: list[Any], *, final: bool, temporary: bool, salt: str | None, source: str) -> OrderSetInfo:
        with self._transaction() as session:
            may, now_open, row = self._writable(session)
            row.orders, row.temporary, row.source = orders, temporary and not final, source
            if salt is not None:
                phase = now_open.phase
                words = text_input.line(salt, "salt", salts.MAX_LENGTH, minimum=0)
                row.salt = salts.with_orders(
                    session, self.campaign_id, phase.branch, phase.number, row.player_id, words
                )
            return self._written(session, may, now_open, row, final)

    def store_usually(
        self, orders: list[Any], final: bool, temporary: bool, salt: str | None, source: str
    ) -> OrderSetInfo | None:
        """Do the same with few statements; None where anything is not usual, with nothing done."""
        if salt is not None:
            salt = text_input.line(salt, "salt", salts.MAX_LENGTH, minimum=0)
        try:
            with self._transaction() as session:
                return self._usually(session, orders, final, temporary and not final, salt, source)
        except order_fast_path.NotOnFastPath:
            return None

    def _usually(
        self, session: Session, orders: list[Any], final: bool, temporary: bool, salt: str | None, source: str
    ) -> OrderSetInfo:
        found = order_fast_path.find(session, self.actor, self.campaign_id, self.seat)
        now = self.ctx.now()
        late = found.deadline is not None and found.deadline <= now
        if late or found.state_hash != self.state_hash:
            raise order_fast_path.NotOnFastPath
        if self.number not in (None, found.number) or self.revision not in (None, found.revision):
            raise order_fast_path.NotOnFastPath
        kept = found.salt
        if salt is not None:
            kept = salts.with_orders(session, self.campaign_id, found.branch, found.number, found.player_id, salt)
        news = [changed_news(self.campaign_id, found.player_id, found.number, found.revision + 1)]
        if found.final != final:
            news.append(finality_news(self.campaign_id, found.player_id, found.number, final, show=found.show_final))
        order_fast_path.write(
            session,
            self.campaign_id,
            found,
            news,
            now,
            orders=orders,
            temporary=temporary,
            source=source,
            salt=kept,
            final=final,
            updated_at=now,
            updated_by=self.actor.user_id,
        )
        info = OrderSetInfo(
            self.campaign_id,
            found.player_id,
            found.branch,
            found.number,
            found.turn,
            found.phase,
            found.deadline,
            found.wanted,
            found.revision + 1,
            final,
            temporary,
            source,
            kept,
            now,
            tuple(orders),
        )
        return self._done(info)

    def finality(self, *, final: bool) -> OrderSetInfo:
        with self._transaction() as session:
            may, now_open, row = self._writable(session)
            if row.final == final:
                return self._done(info_of(now_open, row))
            if final:
                row.temporary = False
            return self._written(session, may, now_open, row, final)

    @contextmanager
    def _transaction(self) -> Iterator[Session]:
        receipts.get_ready(self.ctx)
        with self.ctx.database.write() as session:
            yield session

    def _done(self, info: OrderSetInfo) -> OrderSetInfo:
        """Return what was done, with its receipt, and tell it before it is kept."""
        receipted = with_fields(info, receipt=receipt_for(self.ctx, info))
        self.known(receipted)
        return receipted

    def _writable(self, session: Session) -> tuple[Access, Open, OrderSet]:
        may = access.load_shared(session, self.actor, self.campaign_id)
        chosen = may.seat_for(self.seat)
        if may.campaign.status != "running":
            raise stands_so(may.campaign.status, "phase_closed")
        now_open = _open(session, may)
        check_phase(now_open.phase.number, self.number)
        if now_open.phase.deadline is not None and now_open.phase.deadline <= self.ctx.now():
            raise PlayError("deadline_passed")
        if self.state_hash is not None and now_open.record.state_hash != self.state_hash:
            raise PlayError("stale_revision", "The position has changed since the orders were checked.")
        row = _row(session, may, now_open, chosen, lock=True)
        check_revision(self.revision, row.revision)
        return may, now_open, row

    def _written(self, session: Session, may: Access, now_open: Open, row: OrderSet, final: bool) -> OrderSetInfo:
        told_final = row.final != final
        row.final = final
        row.revision += 1
        row.updated_at, row.updated_by = self.ctx.now(), self.actor.user_id
        session.flush()
        self._notify(session, may, now_open.phase.phase, row, told_final)
        return self._done(info_of(now_open, row))

    def _notify(self, session: Session, may: Access, phase: str, row: OrderSet, told_final: bool) -> None:
        news = [changed_news(self.campaign_id, row.player_id, row.phase_number, row.revision)]
        if told_final:
            show = may.options.shows_final_in(phase)
            news.append(finality_news(self.campaign_id, row.player_id, row.phase_number, row.final, show=show))
        publish(session, news, self.ctx.now())


def changed_news(campaign_id: str, player_id: str, number: int, revision: int) -> News:
    """Return what tells a seat's pages that its orders are others now."""
    return News(player_topic(campaign_id, player_id), "orders_changed", {"number": number, "revision": revision})


def finality_news(campaign_id: str, player_id: str, number: int, final: bool, *, show: bool) -> News:
    """Return what tells that a seat's orders are final, or not any more: to everybody (*show*), or who sees all."""
    topic = public_topic if show else finality_topic
    return News(topic(campaign_id), "finality", {"number": number, "player": player_id, "final": final})


def _known(
    ctx: AppContext, actor: Actor, campaign_id: str, seat: str | None, number: int | None = None
) -> tuple[View, str]:
    """Return what the player knows at the open phase, and the hash of the state it is computed from.

    Orders meant for another phase (*number*) are refused as such, not for what is wrong with them in this one.
    """
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id)
        chosen = may.seat_for(seat)
        now_open = _open(session, may)
        check_phase(now_open.phase.number, number)
        view, state_hash = (
            view_at(ctx, session, may.campaign, now_open.record, chosen.player_id),
            now_open.record.state_hash,
        )
        ctx.caches.order_states.put((campaign_id, actor.user_id, seat), (state_hash, chosen.player_id))
        return view, state_hash


def _guess(ctx: AppContext, actor: Actor, campaign_id: str, seat: str | None) -> tuple[View, str] | None:
    """Return the same as it was the last time, without asking; a writer must look whether it still is so."""
    kept = ctx.caches.order_states.known((campaign_id, actor.user_id, seat))
    view = None if kept is None else view_known(ctx, campaign_id, *kept)
    return None if kept is None or view is None else (view, kept[0])


def _open(session: Session, may: Access) -> Open:
    now_open = open_phase(session, may.campaign)
    if now_open is None:
        raise PlayError("phase_closed")
    return now_open


def check_phase(now_open: int, number: int | None) -> None:
    """Refuse a write that is meant for another phase than the open one."""
    if number is not None and number != now_open:
        message = say("Phase {number} is open, not {given}.", number=now_open, given=number)
        raise PlayError("wrong_phase", message, field="number", value=now_open)


def _row(session: Session, may: Access, now_open: Open, seat: Seat, *, lock: bool = False) -> OrderSet:
    phase = now_open.phase
    key = (may.campaign.id, phase.branch, phase.number, seat.player_id)
    row = session.get(OrderSet, key, with_for_update=True if lock else None, populate_existing=lock)
    if row is None:
        raise PlayError("phase_closed", "This player is out of the campaign.")
    return row


def info_of(now_open: Open, row: OrderSet) -> OrderSetInfo:
    """Return an order set as its player sees it."""
    phase = now_open.phase
    return _info(row.campaign_id, phase.turn, phase.phase, phase.deadline, row)


def _info(campaign_id: str, turn: int, phase: str, deadline: datetime | None, row: OrderSet | Row[Any]) -> OrderSetInfo:
    return OrderSetInfo(
        campaign_id,
        row.player_id,
        row.branch,
        row.phase_number,
        turn,
        phase,
        deadline,
        row.wanted,
        row.revision,
        row.final,
        row.temporary,
        row.source,
        row.salt,
        row.updated_at,
        tuple(row.orders),
    )


def check_size(orders: Any) -> None:
    """Refuse what is too large to be kept, or no JSON at all."""
    try:
        size = len(orjson.dumps(orders))
    except (orjson.JSONEncodeError, RecursionError):
        raise invalid("orders", "This cannot be written as JSON.") from None
    if size > MAX_BYTES:
        raise PlayError("too_large", say("A set has at most {most} bytes.", most=MAX_BYTES), field="orders", value=size)


def _summary(problems: Sequence[Problem]) -> str:
    number, first = problems[0].order + 1, problems[0].message
    if len(problems) == 1:
        return say("Order {number}: {problem}", number=number, problem=first)
    return say("Order {number}: {problem} ({n} problems in all)", number=number, problem=first, n=len(problems))


def draft(ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None) -> Draft:
    """Return what each order of a set would do, what is wrong with it, and what may be ordered besides."""
    actor.require("read")
    if not isinstance(orders, list):
        raise invalid("orders", "Orders are a list.")
    check_size(orders)
    found = drafting.draft(positions.own_view(ctx, actor, campaign_id, seat), orders)
    return with_fields(found, options=tuple(positions.by_orders(found.options)))
