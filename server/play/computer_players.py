"""Computer players in a stored campaign: their memory, and their moods turn by turn (P-30).

A memory is folded from the seat's views, phase by phase; nothing of it is stored.

At seats that nobody took they write letters, to people, in their own language. Where the campaign has chosen so they
give up, hopeless two turns in a row (P-37). That is an edit of the position as a game master makes them: written down,
told to everyone, verified with the record. The player's remains are those of an eliminated player (D-14).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from server.bots.diplomacy_action import KEPT, DiplomacyAction
from server.bots.letters import letter
from server.bots.levels import LEVELS, REGULAR
from server.bots.posture import gives_up
from server.play import access
from server.play.access import computers
from server.play.agenda import AGENDA
from server.play.context import Actor, AppContext
from server.play.edits import edits
from server.play.notices.notices import Notices, notify_everybody
from server.play.options import Options
from server.play.records.records import (
    Open,
    lineage,
    note_intervention,
    note_position,
    of_phase,
    on_line,
    open_phase,
    record_of,
    state_at,
    view_at,
)
from server.play.views.positions import reader
from server.rules.sight import View
from server.rules.state import BUILD, PlayerId, State
from server.store.database import lock_campaign
from server.store.phase_events import WITH_EVENTS, events_of
from server.store.position import save_position
from server.store.tables import Campaign, Intervention, Message, MessageRecipient, OrderSet, Phase, Seat, User

if TYPE_CHECKING:  # imported where it is needed: most phases wait for people alone
    from server.bots.commander import Mind
    from server.bots.memory import Memory
    from server.bots.posture import Evaluation

LAST_PHASES = 24
"""Finished phases that a stand-in remembers."""


@dataclass(frozen=True, slots=True)
class SeatPostures:
    """How a computer player felt, turn by turn."""

    seat: str
    turns: tuple[Evaluation, ...]


WHY = "P-37: the computer player gives up, hopeless two turns in a row."


def minds_of(
    ctx: AppContext, session: Session, campaign: Campaign, levels: Mapping[str, str], diplomats: Collection[str] = ()
) -> dict[str, Mind]:
    """Return who orders for seats as their stand-ins; *levels* are those of the seats.

    *diplomats* make and break alliances; those who stand in for someone leave that to them.
    """
    if not levels:
        return {}
    from server.bots.commander import Mind

    memories = _recall(ctx, session, campaign, list(levels), LAST_PHASES)

    def secret(seat: str) -> bytes:
        return hashlib.sha256(campaign.dice_secret + f"/computer player/{seat}".encode()).digest()

    return {
        seat: Mind(LEVELS[level or REGULAR], memories[seat], secret(seat), diplomatic=seat in diplomats)
        for seat, level in levels.items()
    }


def postures(ctx: AppContext, actor: Actor, campaign_id: str) -> list[SeatPostures]:
    """Return the postures of the computer players, for a GM who does not play; for all when the campaign is over.

    Others get none.
    """
    with ctx.database.read() as session:
        may = reader(session, actor, campaign_id)
        if not (may.sees_all or may.over):
            return []
        return evaluated(ctx, session, may.campaign, _computers(session, may.campaign))


def evaluated(ctx: AppContext, session: Session, campaign: Campaign, seats: Sequence[str]) -> list[SeatPostures]:
    """Return how computer players have felt at seats, turn by turn, as far as the campaign is played."""
    key = (campaign.id, campaign.branch, campaign.phase_number, campaign.status, tuple(seats))

    def make() -> list[SeatPostures]:
        memories = _recall(ctx, session, campaign, seats, None)
        theirs = _diplomats(session, campaign)
        return [SeatPostures(seat, own_history(memories[seat].history, seat in theirs)) for seat in seats]

    return ctx.caches.evaluations.get(key, make)


def own_history(history: tuple[Evaluation, ...], diplomat: bool) -> tuple[Evaluation, ...]:
    """Return how a seat felt; what it did about alliances is a computer player's only where nobody else did it."""
    return history if diplomat else tuple(replace(felt, acts=()) for felt in history)


def is_diplomat(options: Options, seat: Seat) -> bool:
    """Say whether a computer player has had a seat from the start, and so makes its alliances."""
    return options.computer_seats and seat.user_id is None and seat.stand_in == "bot"


def by_turn(found: Sequence[SeatPostures]) -> dict[int, list[tuple[str, Evaluation]]]:
    """Return who felt how at the end of each turn: the seats in order."""
    turns: dict[int, list[tuple[str, Evaluation]]] = {}
    for seat_postures in found:
        for evaluation in seat_postures.turns:
            turns.setdefault(evaluation.turn, []).append((seat_postures.seat, evaluation))
    return turns


def _diplomats(session: Session, campaign: Campaign) -> set[str]:
    """Return the seats whose alliances are a computer player's: those of bots, and those nobody took."""
    options = access.options_of(campaign)
    own = {seat.player_id for seat in access.seats_of(session, campaign.id) if is_diplomat(options, seat)}
    return own | set(session.scalars(_bots(campaign)))


def _bots(campaign: Campaign) -> Select[str]:
    """Return the query for the seats of a campaign in which bots sit."""
    sitting = select(Seat.player_id).join(User, User.id == Seat.user_id)
    return sitting.where(Seat.campaign_id == campaign.id, User.bot_owner_id.is_not(None))


def _computers(session: Session, campaign: Campaign) -> list[str]:
    """Return the seats that a bot or a computer player has played."""
    query = select(OrderSet.player_id).where(OrderSet.campaign_id == campaign.id, OrderSet.source == "bot").distinct()
    found = {*session.scalars(query), *session.scalars(_bots(campaign))}
    return [seat.player_id for seat in access.seats_of(session, campaign.id) if seat.player_id in found]


def _recall(
    ctx: AppContext, session: Session, campaign: Campaign, seats: Sequence[str], last: int | None
) -> dict[str, Memory]:
    """Return what seats remember of the finished phases of the line that is played on."""
    from server.bots.memory import Memory, remember

    line = lineage(session, campaign.id, campaign.branch)
    if not line or not seats:
        return {seat: Memory() for seat in seats}
    mine = (Phase.campaign_id == campaign.id, on_line(line, Phase), Phase.state_hash.is_not(None))
    wanted = select(Phase).where(*mine).order_by(Phase.number.desc()).limit(last).options(WITH_EVENTS)
    done = [*session.scalars(wanted)][::-1]
    told = events_of(session, done)
    memories = {seat: Memory() for seat in seats}
    for phase in done:
        for seat in seats:
            view: View = view_at(ctx, session, campaign, record_of(phase), seat)
            events = tuple(event for event in told[phase.branch, phase.number] if seat in event.to)
            memories[seat] = remember(memories[seat], replace(view, events=events))
    return memories


def send_letters(
    session: Session, campaign: Campaign, phase: Phase, seats: Sequence[Seat],
    acts: Mapping[str, tuple[DiplomacyAction, ...]], notices: Notices,
) -> None:  # fmt: skip
    """Write a letter about each act that people are concerned by, from its seat. Keeping a promise needs none.

    Messages do not belong to the record: they decide nothing.
    """
    told = [(writer, act) for writer, theirs in acts.items() for act in theirs if act.kind != KEPT]
    by_id = {seat.player_id: seat for seat in seats}
    told = [(writer, act) for writer, act in told if by_id[act.toward].user_id is not None]
    if not told:
        return
    readers = {by_id[act.toward].user_id for _, act in told}
    found = session.scalars(select(User).where(User.id.in_(readers)))
    languages: dict[str | None, str] = {user.id: user.locale for user in found}
    names = {seat.player_id: seat.name for seat in seats}
    for writer, act in told:
        seat = by_id[act.toward]
        body = letter(act, by_id[writer].faction or "", names, languages.get(seat.user_id, "en"))
        message = Message(
            campaign_id=campaign.id,
            sender=writer,
            in_character=True,
            body=body,
            turn=phase.turn,
            phase=phase.phase,
            sent_at=notices.now,
        )
        session.add(message)
        session.flush()
        session.add(MessageRecipient(message_id=message.id, player_id=act.toward, campaign_id=campaign.id))
        notices.seat(seat, "message", f"message/{message.id}/{act.toward}", message=message.id)
    session.flush()


def give_up_where_due(ctx: AppContext, campaign_id: str) -> list[PlayerId]:
    """Let the computer players give up who are hopeless as a turn begins; return their seats."""
    with ctx.database.read() as session:
        found = session.get(Campaign, campaign_id)
        if found is None or not _hopeless(ctx, session, found):
            return []
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id, wait=True)
        if campaign is None:
            return []
        gone = _hopeless(ctx, session, campaign)
        now_open = open_phase(session, campaign)
        if gone and now_open is not None:
            before = state_at(ctx, session, campaign, now_open.record)
            given = [{"do": "remove", "what": "player", "player": seat} for seat in gone]
            done = edits.apply(before, given)
            made = write_edit(ctx, session, campaign, Actor(), given, done.state, WHY)
            save_position(session, campaign_id, before, done.state)
            _wait_for_nobody(session, now_open, gone)
            notify_of_edit(ctx, session, campaign, made)
        return gone


def _hopeless(ctx: AppContext, session: Session, campaign: Campaign) -> list[PlayerId]:
    """Return the computer seats that give up now; one who would leave nobody to play on stays."""
    if campaign.status != "running" or not access.options_of(campaign).computers_give_up:
        return []
    now_open = open_phase(session, campaign)
    # the game master's own bots too, as in the demo; bots of others are not ours to end
    own_bots = _bots(campaign).where(User.bot_owner_id == campaign.gm_user_id).order_by(Seat.number)
    seats = [*computers(campaign, access.seats_of(session, campaign.id)), *session.scalars(own_bots)]
    if now_open is None or now_open.phase.phase != BUILD or not seats:
        return []
    state = state_at(ctx, session, campaign, now_open.record)
    felt = {postures.seat: postures.turns for postures in evaluated(ctx, session, campaign, seats)}
    gone = [seat for seat in seats if not state.players[seat].eliminated and gives_up(felt[seat])]
    return gone if len(gone) < len(state.living()) else []


def _wait_for_nobody(session: Session, now_open: Open, gone: list[PlayerId]) -> None:
    """Nobody waits for the orders of those who are out."""
    mine = (*of_phase(OrderSet, now_open.phase), OrderSet.player_id.in_(gone))
    session.execute(update(OrderSet).where(*mine).values(wanted=False))
    AGENDA.touch(session, now_open.phase.campaign_id)


# --- edits of the GM and of the server ---


def write_edit(
    ctx: AppContext, session: Session, campaign: Campaign, actor: Actor, given: list[dict[str, str]], after: State,
    why: str,
) -> Intervention:  # fmt: skip
    """Write an edit down as a link of the record's chain."""
    made = note_intervention(session, campaign, actor, "edit", why, ctx.now(), edits=len(given))
    return note_position(campaign, made, {"edits": given}, after)


def notify_of_edit(ctx: AppContext, session: Session, campaign: Campaign, made: Intervention) -> None:
    """Tell everyone of an edit, and of the GM's reason."""
    why = made.why if made.made_by is not None else ""
    key = f"edit/{made.branch}/{made.phase_number}/{made.seq}"
    notify_everybody(session, campaign, ctx.now(), "intervention", key, number=made.phase_number, why=why)
