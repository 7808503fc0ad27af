"""Table games of a campaign's battles: opened with the phase that awaits their results, closed with it.

Both happen in the transaction that opens or resolves the phase, so there is a game for every battle that both sides
want on the table, and none for any other. The rules of the table are imported with the first game.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from server.play.notices.notices import Notices
from server.play.records.records import phase_on
from server.play.tables.telling import announce
from server.rules.state import BATTLE_MOVEMENT, REPORTS, Battle, State
from server.store.phase_orders import orders_of
from server.store.tables import Campaign, Phase, Seat, TableBattleRow, TableGameRow, TableSeatRow
from server.store.tables.base import new_id

NORMAL_BATTLE = "normal_battle"
"""The mission of a battle for which no other was agreed: its dice and its situation table say what is fought (4.2)."""
MAX_NAME_LENGTH = 80


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
    mine = (TableGameRow.campaign_id == phase.campaign_id, TableGameRow.branch == phase.branch,
            TableGameRow.turn == phase.turn, TableGameRow.status != "closed",
            TableGameRow.id.in_(select(TableBattleRow.game_id)))  # fmt: skip
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
    mine = (TableGameRow.campaign_id == phase.campaign_id, TableGameRow.branch == phase.branch,
            TableGameRow.turn == phase.turn, TableGameRow.id.in_(select(TableBattleRow.game_id)))  # fmt: skip
    return {str(game.hex): game for game in session.scalars(select(TableGameRow).where(*mine))}


def last_act_in(session: Session, phase: Phase) -> datetime | None:
    """Return when the last act was done at a table of a phase whose game is not over; None: there is none."""
    mine = (TableGameRow.campaign_id == phase.campaign_id, TableGameRow.branch == phase.branch,
            TableGameRow.turn == phase.turn, TableGameRow.status.in_(("playing", "over")),
            TableGameRow.id.in_(select(TableBattleRow.game_id)))  # fmt: skip
    return session.scalar(select(func.max(TableGameRow.last_act_at)).where(*mine))
