"""Opening a phase: its deadline, an order set for each living player, with the orders that were prepared for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from server.core import dice_scheme_1
from server.play.access import computers, options_of
from server.play.dice import salt_keeping
from server.play.notices.notices import Notices
from server.play.options import ASKS_SOME
from server.play.records.phase_dice import scheme_of
from server.play.records.pointer import set_phase
from server.play.resolution.prepared_orders import NOTHING, prepared
from server.play.resolution.resolution_rows import Rows
from server.play.tables.battle_opening import open_games
from server.rules.board import ORBIT
from server.rules.state import BATTLE_MOVEMENT, BATTLES, MOVEMENT, REPORTS, PlayerId, State
from server.store.position.changes import Changes
from server.store.position.rows import table
from server.store.tables import Campaign, Deadline, OrderSet, Phase, Seat


@dataclass(frozen=True, slots=True)
class Opened:
    """A phase that has been opened."""

    phase: Phase
    awaits: bool
    """It awaits someone's orders; otherwise it may end at once."""


def open_next(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, number: int, notices: Notices
) -> Opened:
    """Open the phase a state stands at, as the number of the campaign's branch; tells everyone."""
    changes = Changes()
    opened = begin_next(session, campaign, seats, state, number, notices, changes)
    session.flush()
    changes.write(session.connection())
    return opened


def begin_next(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, number: int, notices: Notices,
    changes: Changes, known: Rows | None = None,
) -> Opened:  # fmt: skip
    """Open a phase as :func:`open_next` does, but add its deadline, order sets and salts to *changes*.

    *known* is what has been read already in the same transaction.
    """
    now = notices.now
    phase = Phase(
        campaign_id=campaign.id,
        branch=campaign.branch,
        number=number,
        turn=state.turn,
        phase=state.phase,
        opened_at=now,
    )
    rhythm = options_of(campaign).deadlines
    phase.deadline = rhythm.due(now, phase.phase)
    session.add(phase)
    set_phase(campaign, phase, phase.deadline)
    place: dict[str, Any] = {"campaign_id": campaign.id, "branch": phase.branch, "phase_number": number}
    kind = "grid" if rhythm.kind == "grid" else "rolling"
    deadline = place | {"seq": 0, "due_at": phase.deadline, "kind": kind, "set_at": now, "set_by": None, "why": ""}
    sealed = (scheme_of(session, campaign) if known is None else known.scheme) != dice_scheme_1.SCHEME
    if sealed:
        waiting = None if known is None else known.waiting
        living = [player.id for player in state.living()]
        salt_keeping.take(session, campaign.id, phase.branch, number, living, now, changes, waiting)
    wanted = wanted_from(state) | dict.fromkeys(computers(campaign, seats), False)
    ahead = NOTHING if known is not None and not known.prepared else prepared(session, campaign.id, state)
    order_sets = [
        _NO_ORDERS
        | place
        | {"player_id": player.id, "wanted": wanted[player.id]}
        | {"salt": "" if sealed else salt_keeping.of_scheme_1()}
        | ahead.order_set(state, player.id, number, now)
        for player in state.living()
    ]
    key = f"opened/{phase.branch}/{number}"
    sitting = [seat for seat in seats if wanted.get(seat.player_id)]
    open_games(session, campaign, seats, state, phase, notices)
    due = None if phase.deadline is None else phase.deadline.isoformat()
    notices.everybody(
        "phase_opened",
        key,
        sitting,
        in_chats=any(wanted.values()),  # what nobody is wanted for passes at once
        turn=phase.turn,
        phase=phase.phase,
        number=number,
        deadline=due,
    )
    changes.insert(table(Deadline), [deadline])
    changes.insert(table(OrderSet), order_sets)
    return Opened(phase, any(wanted.values()))


_NO_ORDERS: dict[str, Any] = {
    "revision": 0, "final": False, "temporary": False, "source": "", "updated_at": None, "updated_by": None,
    "orders": [], "missed": False,
}  # fmt: skip


def wanted_from(state: State) -> dict[PlayerId, bool]:
    """Return for each living player whether they have something to order; alliances alone do not count."""
    wanted = {player.id: state.phase not in ASKS_SOME for player in state.living()}
    found: set[PlayerId] = set()
    if state.phase in (MOVEMENT, BATTLE_MOVEMENT):
        found = {
            detachment.owner
            for detachment in state.detachments.values()
            if not detachment.ready_in and _moves(state, detachment)
        }
    if state.phase == MOVEMENT:
        found |= {convoy.owner for convoy in state.convoys.values()}
    if state.phase in (BATTLES, REPORTS):
        for battle in state.battles.values():
            if not battle.winner:
                found |= {battle.attacking, battle.defended_by}
    return {id_: asked or id_ in found for id_, asked in wanted.items()}


def _moves(state: State, detachment: Any) -> bool:
    return state.phase == BATTLE_MOVEMENT or detachment.at != ORBIT
