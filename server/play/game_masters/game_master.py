"""What a game master does by hand; all of it is written down and shown to everyone.

That a campaign uses the newest rules version from its next turn is such an act, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from server.core.sentences import say
from server.play import access, text_input
from server.play.access import Access, computers
from server.play.accounts.accounts import account_named
from server.play.battles import battles
from server.play.campaigns import takeover
from server.play.computer_players import notify_of_edit, write_edit
from server.play.context import Actor, AppContext
from server.play.dice import receipts, salt_keeping
from server.play.edits import edits
from server.play.errors import PlayError, invalid, not_found
from server.play.notices.notices import Notices, notify_everybody
from server.play.orders.orders import OrderSetInfo, info_of
from server.play.records.phase_dice import scheme_of
from server.play.records.records import (
    Open,
    note_intervention,
    note_position,
    of_phase,
    open_phase,
    set_deadline,
    state_at,
)
from server.play.resolution.phase_opening import wanted_from
from server.play.resolution.resolution import resolve_due, resolve_once
from server.play.resolution.resolution_input import Asked, gather
from server.rules.state import State
from server.rules.versions import NEWEST, VERSIONS
from server.store.position import save_position
from server.store.tables import Campaign, OrderSet, Seat, User

MAX_REASON_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class SeatWaited:
    """What a seat would do if the phase ended now."""

    player_id: str
    final: bool
    wanted: bool | None
    """There is something to order. None, like the two below: a game master who plays does not know."""
    handed_in: bool | None
    source: str | None
    """Where the orders that would count come from: how they were handed in (`api`, `web`, `mail`, `advance`), or
    `bot`, `defaults`, `none`; None, too, while the campaign is paused."""


@dataclass(frozen=True, slots=True)
class AdvancePreview:
    """What ending the open phase would mean."""

    number: int
    turn: int
    phase: str
    deadline: datetime | None
    waiting_for: tuple[str, ...] | None
    """Players with orders due who are not final."""
    seats: tuple[SeatWaited, ...]
    undecided: tuple[str, ...] | None
    """Hexes of the battles that the dice would decide, or that would wait for a result from the table."""


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What edits would do."""

    problems: tuple[dict[str, Any], ...]
    changes: tuple[edits.Change, ...]
    """Empty where there are problems."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of the position that was made."""

    number: int
    seq: int
    state_hash: str
    chain_hash: str


READINGS = "readings"
"""What the log of interventions calls it."""


def advance(ctx: AppContext, actor: Actor, campaign_id: str, *, number: int, why: str = "") -> None:
    """Resolve the open phase now, with the orders there are. *number* names the phase that is meant."""
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        now_open = _open(session, may)
        if may.campaign.status != "running":
            raise PlayError("wrong_status", "The campaign is paused; let it go on first.", field="status")
        if now_open.phase.number != number:
            message = say("Phase {number} is open, not {given}.", number=now_open.phase.number, given=number)
            raise PlayError("wrong_phase", message, field="number", value=number)
        note_intervention(session, may.campaign, actor, "advance", reason, ctx.now())
    resolve_once(ctx, campaign_id, by_gm=actor.user_id, number=number)
    resolve_due(ctx, [campaign_id])


def preview_advance(ctx: AppContext, actor: Actor, campaign_id: str) -> AdvancePreview:
    """Return the source of each seat's orders if the open phase ended now, and the players who are not final."""
    actor.require("gm")
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_gm()
        now_open = _open(session, may)
        phase, knows = now_open.phase, may.seat is None
        found = gather(ctx, session, [may.campaign.id], ctx.now(), Asked(actor.user_id)) if knows else []
        rows = list(session.scalars(_rows(now_open).order_by(OrderSet.player_id)))
        sources: Mapping[str, str] = found[0].sources if found else {}
        seats = tuple(
            # a player who finalises an empty set has submitted none
            SeatWaited(
                row.player_id,
                row.final,
                row.wanted,
                row.revision > 0,
                (sources[row.player_id] or "none") if row.player_id in sources else None,
            )
            if knows
            else SeatWaited(row.player_id, row.final, None, None, None)
            for row in rows
            if knows or may.options.shows_final_in(phase.phase)
        )
        waiting = tuple(seat.player_id for seat in seats if seat.wanted and not seat.final) if knows else None
        undecided = battles.undecided(ctx, session, may, now_open) if knows else None
    return AdvancePreview(phase.number, phase.turn, phase.phase, phase.deadline, waiting, seats, undecided)


def set_due(ctx: AppContext, actor: Actor, campaign_id: str, due: datetime | None, why: str = "") -> None:
    """Move the open phase's deadline, or take it away (None)."""
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        phase = _open(session, may).phase
        now = ctx.now()
        if due is not None and due.tzinfo is not None and due <= now:
            raise invalid("due", "A time to come; to end the phase now, advance it.", due.isoformat())
        if due is not None:
            text_input.instant(due, "due", now)
        extended = phase.deadline is not None and due is not None and due > phase.deadline
        set_deadline(
            session, may.campaign, phase, due, "extended" if extended else "gm", now, by=actor.user_id, why=reason
        )
        told = None if due is None else due.isoformat()
        made = note_intervention(session, may.campaign, actor, "extend", reason, now, deadline=told)
        key = f"deadline/{made.branch}/{made.phase_number}/{made.seq}"
        notify_everybody(session, may.campaign, now, "deadline_changed", key, deadline=told, why=reason)


def edit(ctx: AppContext, actor: Actor, campaign_id: str, given: Sequence[Any], why: str = "") -> Edit:
    """Change the position (:mod:`server.play.edits.edits`): all of it or, with every problem named, nothing.

    Orders stay, but nobody's are final any more: they were given for another position.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH, minimum=1)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_neutral_gm()
        now_open = _open(session, may)
        before = state_at(ctx, session, may.campaign, now_open.record)
        done = edits.apply(before, given)
        if done.problems:
            raise PlayError("edits_refused", done.problems[0]["message"], problems=done.problems)
        made = write_edit(ctx, session, may.campaign, actor, list(given), done.state, reason)
        save_position(session, campaign_id, before, done.state)
        _reopen_orders(session, now_open, done.state)
        notify_of_edit(ctx, session, may.campaign, made)
        return Edit(now_open.phase.number, made.seq, made.state_hash or "", made.chain_hash or "")


def preview_edits(ctx: AppContext, actor: Actor, campaign_id: str, given: Sequence[Any]) -> EditPreview:
    """Return everything that is wrong with edits, or all that they would change, without making them."""
    actor.require("gm")
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_neutral_gm()
        before = state_at(ctx, session, may.campaign, _open(session, may).record)
    done = edits.apply(before, given)
    return EditPreview(done.problems, () if done.problems else tuple(edits.changes(before, done.state)))


def replace_player(
    ctx: AppContext, actor: Actor, campaign_id: str, seat: str, name: str | None, why: str = "",
    *, drop_orders: bool = False,
) -> None:  # fmt: skip
    """Put someone else into a seat, or nobody (None: its stand-in orders).

    The orders of the player who had it count unless the new player changes them; with *drop_orders* they do not count.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        chosen = session.get(Seat, (campaign_id, seat))
        if chosen is None:
            raise not_found("seat", seat)
        user = None if name is None else _user(session, may, name)
        now, before = ctx.now(), chosen.user_id
        takeover.get_up(session, may.campaign, chosen, now)
        takeover.dismiss_substitute(session, may.campaign, chosen, now)
        if drop_orders:
            may.require_neutral_gm()
            takeover.drop_orders(session, may.campaign, chosen)
        if user is not None:
            takeover.sit_down(ctx, session, may.campaign, chosen, user, may.options)
        else:
            salt_keeping.hand_over(session, campaign_id, seat, now)
        dropped = {"orders": "dropped"} if drop_orders else {}
        made = note_intervention(session, may.campaign, actor, "replace_player", reason, now, seat=seat, **dropped)
        notices = Notices(session, may.campaign, now)
        key = f"seat/{made.branch}/{made.phase_number}/{made.seq}"
        others = [other for other in access.seats_of(session, campaign_id) if other is not chosen]
        notices.everybody("seat_changed", key, others, seat=seat, why=reason)
        if before is not None:
            notices.user(before, "seat_changed", key, seat=seat, you="left", why=reason)
        if user is not None:
            notices.user(user.id, "seat_changed", key, seat=seat, you="plays", why=reason)
            takeover.give_time(session, may.campaign, may.options, notices)
        notices.send()


def order_sets(ctx: AppContext, actor: Actor, campaign_id: str) -> list[OrderSetInfo]:
    """Return everyone's orders for the open phase; only where the campaign lets its GM see them."""
    actor.require("gm")
    with ctx.database.read() as session:
        may = access.load(session, actor, campaign_id).require_neutral_gm()
        if not may.options.gm_sees_orders:
            raise PlayError("forbidden", "In this campaign the game master does not see orders.")
        now_open = _open(session, may)
        rows = session.scalars(_rows(now_open).order_by(OrderSet.player_id))
        return [
            replace(info_of(now_open.phase, row), salt="") for row in rows
        ]  # salts are nobody's to see before the end


# --- inside ---


def _open(session: Session, may: Access) -> Open:
    now_open = open_phase(session, may.campaign)
    if now_open is None or may.campaign.status not in access.UNDER_WAY:
        raise PlayError("phase_closed")
    return now_open


def _rows(now_open: Open) -> Select[OrderSet]:
    return select(OrderSet).where(*of_phase(OrderSet, now_open.phase))


def _reopen_orders(session: Session, now_open: Open, state: State) -> None:
    campaign = session.get_one(Campaign, now_open.phase.campaign_id)
    nobodys = dict.fromkeys(computers(campaign, access.seats_of(session, campaign.id)), False)
    wanted = wanted_from(state) | nobodys
    for row in session.scalars(_rows(now_open)):
        row.wanted = wanted.get(row.player_id, False)
        wanted.pop(row.player_id, None)
        if row.final:
            here = (row.campaign_id, row.branch, row.phase_number)
            row.receipts = receipts.with_receipt(here, row, scheme_of(session, campaign), row.receipts)
            row.final = False
            row.revision += 1
    phase = now_open.phase
    place = {"campaign_id": phase.campaign_id, "branch": phase.branch, "phase_number": phase.number}
    for player_id, wants in wanted.items():  # who was out and is not any more
        session.add(OrderSet(**place, player_id=player_id, wanted=wants, orders=[]))
    session.flush()


def _user(session: Session, may: Access, name: str) -> User:
    user = account_named(session, name)
    if any(seat.user_id == user.id for seat in access.seats_of(session, may.campaign.id)):
        raise PlayError("already_joined", "That player has a seat in this campaign.", field="name")
    run = user.id in access.game_masters_of(session, may.campaign)
    if run and not may.options.gm_plays:
        raise PlayError("forbidden", "The game master of this campaign does not play.", field="name")
    if run and may.campaign.started_at is not None:
        raise PlayError(
            "forbidden", "A game master without a seat sees everything, and takes none any more.", field="name"
        )
    return user


def choose_readings(ctx: AppContext, actor: Actor, campaign_id: str, version: int, why: str = "") -> Edit:
    """Let the campaign use a later rules version from its next turn; 0: keep the current one.

    Nothing else changes: orders stay, and stay final. All players are notified. Raise ``invalid_request`` for a version
    that does not exist or is not later than the campaign's own.
    """
    actor.require("gm")
    reason = text_input.lines(why, "why", MAX_REASON_LENGTH)
    with ctx.database.write() as session:
        may = access.load_exclusive(session, actor, campaign_id).require_gm()
        now_open = _open(session, may)
        before = state_at(ctx, session, may.campaign, now_open.record)
        _check_readings(version, before.settings.readings)
        after = with_next_readings(before, version)
        made = note_intervention(session, may.campaign, actor, READINGS, reason, ctx.now(), version=version)
        note_position(may.campaign, made, {"version": version}, after)
        save_position(session, campaign_id, before, after)
        may.campaign.revision += 1
        key = f"readings/{made.branch}/{made.phase_number}/{made.seq}"
        notify_everybody(session, may.campaign, ctx.now(), "new_readings", key, version=version, why=reason)
        return Edit(now_open.phase.number, made.seq, made.state_hash or "", made.chain_hash or "")


def with_next_readings(state: State, version: int) -> State:
    """Return the state with the version that its next turn begins with; *state* itself stays as it was."""
    after = state.copy()
    after.settings = replace(state.settings, next_readings=version)
    return after


def _check_readings(version: int, current: int) -> None:
    if version and (type(version) is not int or version not in VERSIONS or version <= current):
        later = [str(number) for number in VERSIONS if number > current]
        if not later:
            raise invalid(
                "version", say("The campaign has the newest readings: version {n}.", n=NEWEST.version), version
            )
        raise invalid("version", say("One of: {words}.", words=", ".join(["0", *later])), version)
