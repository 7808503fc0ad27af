"""A player's orders for the open phase: read, replace, patch, finalise, reopen.

Submitted orders are checked against the player's view; all problems come back at once, and nothing is stored
of a set that has any, unless the writer asks to keep what is good. ``final`` brings the phase's end forward once
everyone is final, and can be undone until then. A *temporary* set counts at the deadline only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_fields
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, exists, or_, select, update
from sqlalchemy.orm import Session

from server.bots.suggest import detachments, suggest
from server.core.errors import Problem
from server.core.sentences import say
from server.play import access, text_input
from server.play.agenda import AGENDA
from server.play.context import Actor, AppContext
from server.play.dice import receipts, salts
from server.play.errors import PlayError, check_revision, fault, stands_so
from server.play.notices.notices import finality_topic, player_topic, public_topic
from server.play.options import stored_options
from server.play.orders import orders_in_advance
from server.play.orders.patches import patched
from server.play.resolution import engine
from server.play.resolution.resolution import resolve_when_due
from server.play.text_input import check_order_list, check_orders_size
from server.play.views import positions, reads
from server.play.views.reads import Standing
from server.rules import drafting
from server.rules.drafting import Draft
from server.rules.orders import sets
from server.rules.orders.battles import Report
from server.rules.orders.sets import MAX_ORDERS, closed
from server.rules.sight import View
from server.rules.state import BUILD
from server.store.live import News, publish
from server.store.position.rows import table
from server.store.tables import Campaign, OrderSet, Phase, Seat

NO_REPEATS: Mapping[int, bool] = {}
Found = tuple[Standing, reads.OrderRows]
"""Where a campaign stands, and the order sets of the seats one orders for."""
MAX_TRIES = 5
"""Times that a writer who names no revision writes over someone who was faster."""


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
class Suggestions:
    """What may be added to orders that are being written."""

    orders: list[dict[str, Any]]
    detachments: list[dict[str, Any]]
    """Detachments to choose one from."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The result of a write."""

    orders: OrderSetInfo
    problems: tuple[Problem, ...]
    """Refused orders; empty unless the player asked to save the good ones."""


def read(ctx: AppContext, actor: Actor, campaign_id: str, *, seat: str | None = None) -> OrderSetInfo:
    """Return the player's orders for the open phase."""
    actor.require("read")
    now, sets = reads.standing_with_orders(ctx, actor, campaign_id)
    return _info(now, _own_set(sets, positions.orders_as(now, seat)))


def check(ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None) -> list[Problem]:
    """Return everything that is wrong with a set, without handing it in."""
    actor.require("read")
    return problems_of(positions.own_view(ctx, actor, campaign_id, seat), orders)


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
    source: str = "",
    seat: str | None = None,
    repeats: Mapping[int, bool] = NO_REPEATS,
    known: Callable[[HandedIn], None] = lambda _: None,
) -> HandedIn:
    """Submit a whole set; without *final* it reopens final orders.

    *number* names the phase it is meant for; *lenient* keeps the orders that are good. *repeats* says of orders, by
    their places, whether they are repeated in later phases; those of others stay as they are. *known* gets
    the result before it is stored; if storing fails, the last call did not happen.
    """
    actor.require("orders")
    check_orders_size(orders)
    now, sets = reads.standing_with_orders(ctx, actor, campaign_id)
    player = positions.orders_as(now, seat)
    positions.check_phase(now.number, number)
    view = reads.view_of(ctx, now, player)
    problems = _with_reports(engine.check(ctx, campaign_id, now.state_hash, view, orders), orders)
    if problems and not lenient:
        raise PlayError("orders_refused", _summary(problems), problems=[fault(problem) for problem in problems])
    refused = {problem.order for problem in problems}
    kept = [order for place, order in enumerate(orders if isinstance(orders, list) else []) if place not in refused]
    again = tuple((orders[place], repeated) for place, repeated in repeats.items() if place not in refused)
    write = _Write(
        ctx, actor, campaign_id, seat, revision, number, lambda info: known(HandedIn(info, tuple(problems))),
        now.state_hash, again,
    )  # fmt: skip
    info = write.store((now, sets), kept, final=final, temporary=temporary, salt=salt, source=source)
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
    source: str = "",
    seat: str | None = None,
    known: Callable[[HandedIn], None] = lambda _: None,
) -> HandedIn:
    """Change single orders: ``add``, ``replace``, ``remove``, ``move`` (:mod:`server.play.orders.patches`)."""
    actor.require("orders")
    before = read(ctx, actor, campaign_id, seat=seat)
    positions.check_phase(before.number, number)
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
    """Finalise the orders as they are; the phase ends with the last player who does. Twice is once."""
    actor.require("orders")
    info = _Write(ctx, actor, campaign_id, seat, revision, number, known).finality(final=True)
    resolve_when_due(ctx, campaign_id)
    return info


def take_back(
    ctx: AppContext, actor: Actor, campaign_id: str, *, revision: int | None = None, number: int | None = None,
    seat: str | None = None, known: Callable[[OrderSetInfo], None] = lambda _: None,
) -> OrderSetInfo:  # fmt: skip
    """Take *final* back, as long as the phase is open. The orders stay."""
    actor.require("orders")
    return _Write(ctx, actor, campaign_id, seat, revision, number, known).finality(final=False)


def receipt_for(ctx: AppContext, info: OrderSetInfo, scheme: int | None, chain: bytes | None) -> str:
    """Return the server's receipt for a set that was accepted, which has a *chain*; the same has the same receipt."""
    return receipts.sign(ctx, receipts.said((info.campaign_id, info.branch, info.number), info, scheme, chain))


def problems_of(view: View, orders: Any) -> list[Problem]:
    """Return everything that is wrong with a set; battles are reported on their own page, not here."""
    return _with_reports(sets.check(view, orders), orders)


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
    """One write to an order set: it is written where everything that was read to check it still holds."""

    ctx: AppContext
    actor: Actor
    campaign_id: str
    seat: str | None
    revision: int | None
    number: int | None
    known: Callable[[OrderSetInfo], None]
    state_hash: str | None = None
    """The state the orders were checked against."""
    repeats: tuple[tuple[Any, bool], ...] = ()
    """Orders that the seat repeats from now on, or no longer."""

    def store(
        self, found: Found, orders: list[Any], *, final: bool, temporary: bool, salt: str | None, source: str
    ) -> OrderSetInfo:
        """Write a whole set."""
        if salt is not None:
            salt = text_input.line(salt, "salt", salts.MAX_LENGTH, minimum=0)
        temporary = temporary and not final
        source = source or ("web" if self.actor.session else "api")  # people have a session, programs a token
        return self._write(found, final, salt, {"orders": orders, "temporary": temporary, "source": source})

    def finality(self, *, final: bool) -> OrderSetInfo:
        """Write whether the set is final."""
        found = reads.standing_with_orders(self.ctx, self.actor, self.campaign_id)
        return self._write(found, final, None, {"temporary": False} if final else {}, unless_so=True)

    def _write(
        self, found: Found, final: bool, salt: str | None, values: dict[str, Any], *, unless_so: bool = False
    ) -> OrderSetInfo:
        """Change the set in a transaction; *unless_so*: not where it is as final as it should be."""
        receipts.get_ready(self.ctx)
        now, row = self._writable(found)
        with self.ctx.database.write() as session:
            if salt is not None:  # its rows come after the campaign's, as where a phase ends
                now, row = self._writable(self._locked(session))
                values["salt"] = salts.with_orders(
                    session, self.campaign_id, now.branch, now.number, row.player_id, salt
                )
            for _ in range(MAX_TRIES):
                if unless_so and row.final == final:
                    return self._done(_info(now, row), row.scheme, row.receipts)
                place = (self.campaign_id, now.branch, now.number)
                chain = receipts.with_receipt(place, row, row.scheme, row.receipts)
                changed = {"final": final, "updated_at": self.ctx.now(), "updated_by": self.actor.user_id, **values}
                if self._update(session, now, row, changed | {"receipts": chain}):
                    if self.repeats:
                        seat = session.get_one(Seat, (self.campaign_id, row.player_id))
                        orders_in_advance.change_repeated(session, seat, now.phase, self.repeats, self.ctx.now())
                    self._notify(session, now, row, final)
                    info = _info(now, row)
                    fields = {name: value for name, value in changed.items() if name not in ("updated_by", "orders")}
                    given = tuple(changed.get("orders", row.orders))
                    done = with_fields(info, revision=row.revision + 1, orders=given, **fields)
                    return self._done(done, row.scheme, chain)
                now, row = self._writable(self._locked(session))
            raise PlayError("stale_revision")

    def _locked(self, session: Session) -> Found:
        return reads.standing_to_write(session, self.actor, self.campaign_id)

    def _writable(self, found: Found) -> tuple[Standing, Row[Any]]:
        """Return where the campaign stands, and the set that may be written."""
        now, sets = found
        player = now.rights.seat_for(self.seat)
        if now.status != "running":
            raise stands_so(now.status, "phase_closed")
        positions.check_phase(now.number, self.number)
        if now.deadline is not None and now.deadline <= self.ctx.now():
            raise PlayError("deadline_passed")
        if self.state_hash is not None and now.state_hash != self.state_hash:
            raise PlayError("stale_revision", "The position has changed since the orders were checked.")
        row = _own_set(sets, player)
        check_revision(self.revision, row.revision)
        return now, row

    def _update(self, session: Session, now: Standing, row: Row[Any], changed: dict[str, Any]) -> bool:
        """Write the set where all stands as it was read; says whether it does.

        Nobody can end the phase or change the position then until the transaction ends.
        """
        whole = {**row._mapping, **changed}
        written = {f"new_{name}": whole[name] for name in _WRITTEN}
        seen = {"of_campaign": self.campaign_id, "of_branch": now.branch, "of_phase": now.number,
                "of_player": row.player_id, "seen": row.revision, "position": now.state_hash,
                "user": self.actor.user_id, "now": self.ctx.now()}  # fmt: skip
        done: Any = session.connection().execute(_UPDATE, written | seen)
        return bool(done.rowcount)

    def _done(self, info: OrderSetInfo, scheme: int | None, chain: bytes | None) -> OrderSetInfo:
        """Return the result with its receipt, and announce it before it is stored."""
        receipted = with_fields(info, receipt=receipt_for(self.ctx, info, scheme, chain))
        self.known(receipted)
        return receipted

    def _notify(self, session: Session, now: Standing, row: Row[Any], final: bool) -> None:
        news = [changed_news(self.campaign_id, row.player_id, now.number, row.revision + 1)]
        if row.final != final:
            show = stored_options(now.options).shows_final_in(now.phase)
            news.append(finality_news(self.campaign_id, row.player_id, now.number, final, show=show))
            AGENDA.touch(session, self.campaign_id)
        publish(session, news, self.ctx.now())


def _update() -> Any:
    mine, campaign = table(OrderSet), table(Campaign)
    values = {name: bindparam(f"new_{name}", type_=mine.c[name].type) for name in _WRITTEN}
    here: Any = bindparam("of_campaign")
    stands = (
        select(campaign.c.id)
        .where(
            campaign.c.id == here,
            campaign.c.status == "running",
            campaign.c.branch == bindparam("of_branch"),
            campaign.c.phase_number == bindparam("of_phase"),
            campaign.c.position_hash == bindparam("position"),
            or_(campaign.c.deadline.is_(None), campaign.c.deadline > bindparam("now")),
        )
        .with_for_update(read=True)
    )
    sits = exists().where(
        Seat.campaign_id == here, Seat.player_id == bindparam("of_player"), access.orders_for(bindparam("user"))
    )
    return (
        update(mine)
        .values(revision=mine.c.revision + 1, **values)
        .where(
            mine.c.campaign_id == here,
            mine.c.branch == bindparam("of_branch"),
            mine.c.phase_number == bindparam("of_phase"),
            mine.c.player_id == bindparam("of_player"),
            mine.c.revision == bindparam("seen"),
            exists(stands),
            sits,
        )
    )


_WRITTEN = ("orders", "temporary", "source", "salt", "final", "updated_at", "updated_by", "receipts")
_UPDATE = _update()
"""Made once: it is executed with every write."""


def changed_news(campaign_id: str, player_id: str, number: int, revision: int) -> News:
    """Return what tells a seat's pages that its orders are others now."""
    return News(player_topic(campaign_id, player_id), "orders_changed", {"number": number, "revision": revision})


def finality_news(campaign_id: str, player_id: str, number: int, final: bool, *, show: bool) -> News:
    """Return what tells that a seat's orders are final, or not any more: to everyone (*show*), or who sees all."""
    topic = public_topic if show else finality_topic
    return News(topic(campaign_id), "finality", {"number": number, "player": player_id, "final": final})


def _own_set(sets: Mapping[str, Row[Any]], player: str) -> Row[Any]:
    if player not in sets:
        raise PlayError("phase_closed", "This player is out of the campaign.")
    return sets[player]


def info_of(phase: Phase, row: OrderSet) -> OrderSetInfo:
    """Return an order set as its player sees it."""
    return _info_of(row.campaign_id, phase.turn, phase.phase, phase.deadline, row.branch, row.phase_number, row)


def _info(now: Standing, row: Row[Any]) -> OrderSetInfo:
    return _info_of(now.campaign_id, now.turn, now.phase, now.deadline, now.branch, now.number, row)


def _info_of(
    campaign_id: str, turn: int, phase: str, deadline: datetime | None, branch: int, number: int,
    row: OrderSet | Row[Any],
) -> OrderSetInfo:  # fmt: skip
    return OrderSetInfo(
        campaign_id, row.player_id, branch, number, turn, phase, deadline, row.wanted, row.revision, row.final,
        row.temporary, row.source, row.salt, row.updated_at, tuple(row.orders),
    )  # fmt: skip


def _summary(problems: Sequence[Problem]) -> str:
    number, first = problems[0].order + 1, problems[0].message
    if len(problems) == 1:
        return say("Order {number}: {problem}", number=number, problem=first)
    return say("Order {number}: {problem} ({n} problems in all)", number=number, problem=first, n=len(problems))


def draft(ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None) -> Draft:
    """Return the effect and problems of each order of a set, and all further legal orders."""
    actor.require("read")
    check_order_list(orders)
    found = drafting.draft(positions.own_view(ctx, actor, campaign_id, seat), orders)
    return with_fields(found, options=tuple(positions.by_orders(found.options)))


def suggestions(
    ctx: AppContext, actor: Actor, campaign_id: str, orders: Any, *, seat: str | None = None
) -> Suggestions:
    """Return the orders a computer player would add: everything left to place in Setup."""
    actor.require("read")
    check_order_list(orders)
    view = positions.own_view(ctx, actor, campaign_id, seat)
    if closed(view.state, view.viewer):
        return Suggestions([], [])
    written = orders[:MAX_ORDERS]
    return Suggestions(suggest(view, written), detachments(view, written) if view.state.phase == BUILD else [])
