"""Table games of a campaign's battles: opened with the phase that awaits their results, closed with it.

Both happen in the transaction that opens or resolves the phase, so there is a game for every battle that both sides
want on the table, and none for any other. The rules of the table are imported with the first game.

Dice do not decide a battle at the deadline while it is being played: the phase waits for its table game. Games without
a campaign close automatically when nobody has spoken against their result for a week.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session

from server.play import access
from server.play.agenda import waits_for_orders
from server.play.context import AppContext
from server.play.notices.notices import Notices
from server.play.records.records import of_phase, open_phase, phase_on, set_deadline
from server.play.tables.telling import announce
from server.rules.state import BATTLE_MOVEMENT, REPORTS, Battle, State
from server.store.database import lock_campaign
from server.store.phase_orders import orders_of
from server.store.tables import Campaign, Deadline, Phase, Seat, TableBattleRow, TableGameRow, TableSeatRow
from server.store.tables.base import new_id

NORMAL_BATTLE = "normal_battle"
"""The mission of a battle for which no other was agreed: its dice and its situation table say what is fought (4.2)."""
MAX_NAME_LENGTH = 80
BEING_PLAYED = timedelta(hours=24)
"""A game is being played while its last action is at most this old."""
WHY_DATE, WHY_WAITING = "The date of a game on the table.", "A game on the table is being played."
"""Why the server has moved a deadline, as the record has it."""
CLOSES_BY_ITSELF = timedelta(days=7)
"""After the last act: who says nothing against a result has confirmed it."""


def open_games(
    session: Session, campaign: Campaign, seats: Sequence[Seat], state: State, phase: Phase, notices: Notices
) -> None:
    """Open a table game for each battle whose result the phase awaits; tells both sides."""
    if phase.phase != REPORTS:
        return
    from server.play.tables.battle_facts import players_of

    given = _battle_orders(session, phase)
    by_player = {seat.player_id: seat for seat in seats}
    for battle in state.battles.values():
        if battle.tabletop and not battle.winner:
            game = _open(session, campaign, by_player, state, battle, phase, given, notices)
            for player in players_of(battle).values():
                if player in by_player:
                    key = f"table_opened/{game.id}/{player}"
                    notices.seat(by_player[player], "table_opened", key, hex=game.hex, table=game.id)


def close_games(session: Session, phase: Phase, notices: Notices) -> None:
    """Close the table games of a phase that is over, or whose branch is abandoned; one without a start is deleted."""
    mine = (*_of_turn(phase), TableGameRow.status != "closed")
    games = session.scalars(select(TableGameRow).where(*mine).order_by(TableGameRow.id).with_for_update()).all()
    for game in games:
        if game.status == "open":
            session.execute(delete(TableGameRow).where(TableGameRow.id == game.id))
        else:
            game.status, game.closed_at = "closed", notices.now
            game.revision += 1
    if games:
        session.flush()
        announce(session, [game.id for game in games], "closed", notices.now)


# --- inside ---


def _open(
    session: Session, campaign: Campaign, seats: Mapping[str, Seat], state: State, battle: Battle, phase: Phase,
    given: Mapping[str, Sequence[Any]], notices: Notices,
) -> TableGameRow:  # fmt: skip
    from server.play.tables.battle_facts import facts_of, players_of
    from server.play.tables.missions import CHOSEN
    from server.play.tables.setting_up import distinct_name

    facts = facts_of(state, battle, _withdraws(battle, given))
    secret = secrets.token_bytes(32)
    label = state.board.label(battle.hex)
    game = TableGameRow(
        name=f"{campaign.name[: MAX_NAME_LENGTH - len(label) - 3]} · {label}",
        mission=NORMAL_BATTLE,
        campaign_id=campaign.id,
        branch=phase.branch,
        turn=phase.turn,
        hex=label,
        setup={"how": CHOSEN, "table": {}, "settings": {}, "minutes": None, "solo": False, "battle": facts.shared},
        watch_code=new_id(),
        dice_secret=secret,
        commitment=hashlib.sha256(secret).hexdigest(),
        created_at=notices.now,
    )
    session.add(game)
    session.flush()
    players = players_of(battle)
    names: list[str] = []
    for side, player in players.items():
        name = distinct_name(seats[player].name if player in seats else player, names)
        names.append(name)
        session.add(TableSeatRow(game_id=game.id, side=side, name=name, army=facts.armies[side]))
    battle_row = TableBattleRow(
        game_id=game.id,
        red_player=players["red"],
        blue_player=players["blue"],
        units=facts.units,
        secret=facts.secret,
        keeps_models={},
        moved={},
    )
    session.add(battle_row)
    session.flush()
    return game


def _withdraws(battle: Battle, given: Mapping[str, Sequence[Any]]) -> bool:
    """Say whether the primary defender was ordered to withdraw, though the attack cancelled that (T-65)."""
    orders = given.get(battle.defended_by, ())
    return any(
        isinstance(order, Mapping) and order.get("type") == "withdraw" and order.get("detachment") == battle.defender
        for order in orders
    )


def _battle_orders(session: Session, phase: Phase) -> Mapping[str, Sequence[Any]]:
    """Return the orders of this turn's battle movement."""
    for number in range(phase.number - 1, 0, -1):
        before = phase_on(session, phase.campaign_id, phase.branch, number)
        if before is None or before.turn != phase.turn:
            break
        if before.phase == BATTLE_MOVEMENT:
            return orders_of(session, before)
    return {}


def confirm_games(session: Session, phase: Phase, hex_: str, now: datetime) -> None:
    """Close the table game of a battle whose result both sides have confirmed on its page."""
    game = games_of(session, phase).get(hex_)
    if game is None or game.status != "over":
        return
    for seat in session.scalars(select(TableSeatRow).where(TableSeatRow.game_id == game.id)):
        seat.confirmed_at = now
    game.status, game.closed_at = "closed", now
    game.revision += 1
    announce(session, [game.id], "closed", now)


def games_of(session: Session, phase: Phase) -> dict[str, TableGameRow]:
    """Return the table games of a phase's battles by hex."""
    return {str(game.hex): game for game in session.scalars(select(TableGameRow).where(*_of_turn(phase)))}


def last_act_in(session: Session, phase: Phase) -> datetime | None:
    """Return when the last act was done at a table of a phase whose game is not over; None: there is none."""
    mine = (*_of_turn(phase), TableGameRow.status.in_(("playing", "over")))
    return session.scalar(select(func.max(TableGameRow.last_act_at)).where(*mine))


def _of_turn(phase: Phase) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a game is of a battle of a phase's turn."""
    row = TableGameRow
    its_turn = (row.campaign_id == phase.campaign_id, row.branch == phase.branch, row.turn == phase.turn)
    return *its_turn, row.id.in_(select(TableBattleRow.game_id))


def own_deadline(session: Session, phase: Phase) -> datetime | None:
    """Return a phase's deadline as it was before table games moved it."""
    return _deadline_without(session, phase, (WHY_DATE, WHY_WAITING))


def waits_until(session: Session, campaign: Campaign, phase: Phase, now: datetime) -> datetime | None:
    """Return how long a phase whose deadline has come waits for its table games; None: it does not."""
    if phase.phase != REPORTS or phase.deadline is None or phase.deadline > now:
        return None
    last = last_act_in(session, phase)
    if last is None:
        return None
    since = _deadline_without(session, phase, (WHY_WAITING,)) or phase.deadline
    maximum = timedelta(days=access.options_of(campaign).table_wait_days)
    until: datetime = min(last + BEING_PLAYED, since + maximum)
    return until if until > now else None


def wait(ctx: AppContext, campaign_id: str) -> bool:
    """Move the deadline of a phase that waits for its table games, and tell the game master; false: it does not."""
    with ctx.database.read() as session:
        campaign = session.get(Campaign, campaign_id)
        if campaign is None or _waits(session, campaign, ctx.now()) is None:
            return False
    with ctx.database.write() as session:
        campaign = lock_campaign(session, campaign_id)
        now = ctx.now()
        found = None if campaign is None else _waits(session, campaign, now)
        if campaign is None or found is None:
            return False
        phase, until = found
        set_deadline(session, campaign, phase, until, "extended", now, why=WHY_WAITING)
        notices = Notices(session, campaign, now)
        seats = access.seats_of(session, campaign_id)
        key = f"table_waits/{phase.branch}/{phase.number}/{until.timestamp():.0f}"
        notices.everybody("deadline_changed", key, seats, deadline=until.isoformat(), tabletop=True)
        notices.game_master("table_waits", key, number=phase.number, deadline=until.isoformat())
        notices.send()
        return True


def _waits(session: Session, campaign: Campaign, now: datetime) -> tuple[Phase, datetime] | None:
    """Return the open phase and until when it waits; None where it does not, or nobody has anything left to say."""
    now_open = open_phase(session, campaign) if campaign.status == "running" else None
    until = None if now_open is None else waits_until(session, campaign, now_open.phase, now)
    if now_open is None or until is None:
        return None
    phase = now_open.phase
    return (phase, until) if session.scalar(select(waits_for_orders(phase))) else None


def _deadline_without(session: Session, phase: Phase, whys: tuple[str, ...]) -> datetime | None:
    """Return the last deadline of a phase that the server has not moved for one of these reasons."""
    rows = session.scalars(select(Deadline).where(*of_phase(Deadline, phase)).order_by(Deadline.seq.desc()))
    own = next((row for row in rows if row.set_by is not None or row.why not in whys), None)
    return own.due_at if own is not None else phase.deadline


def close_what_is_over(ctx: AppContext) -> int:
    """Close games whose result nobody has spoken against for a week; called by the ticker. Returns how many."""
    before = ctx.now() - CLOSES_BY_ITSELF
    alone = TableGameRow.campaign_id.is_(None)  # a campaign's battle is settled by its phase
    due = (alone, TableGameRow.status == "over", TableGameRow.last_act_at <= before)
    with ctx.database.read() as session:
        found = session.scalars(select(TableGameRow.id).where(*due)).all()
    for game_id in found:
        with ctx.database.write() as session:
            query = select(TableGameRow).where(TableGameRow.id == game_id, *due).with_for_update()
            row = session.scalars(query).one_or_none()
            if row is not None:
                close_game(row, ctx.now())
                row.revision += 1
                announce(session, [game_id], "closed", ctx.now(), row.acts)
    return len(found)


def close_game(row: TableGameRow, now: datetime) -> None:
    """Close a game: nothing can be undone any longer, so the dice may be published."""
    row.status, row.closed_at, row.address = "closed", now, None
