"""Rows that tests need before they can write their own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from server.rules.board import Board
from server.rules.state import Detachment, Player, Settings, State, Unit
from server.rulesets import load
from server.store.database import Database
from server.store.position import save_position
from server.store.tables import Branch, Campaign, Phase

NOW = datetime(2031, 5, 17, 12, 30, 15, 250_000, tzinfo=UTC)


RULESET = load("wh40k-2001")


def campaign(**more: Any) -> Campaign:
    """Return a campaign that is not yet stored."""
    values: dict[str, Any] = {
        "name": "The Long March",
        "scenario_id": "duel",
        "board": {"columns": 1, "rows": 1},
        "board_digest": "b" * 64,
        "ruleset_id": "frontier",
        "ruleset_version": "1",
        "ruleset_digest": "r" * 64,
        "rules_version": "1",
        "settings": {},
        "options": {},
        "dice_secret": b"secret",
        "link0": "00",
        "created_at": NOW,
    }
    return Campaign(**values | more)


def stored(database: Database, state: State | None = None) -> str:
    """Store a campaign, with its position where one is given; return its id."""
    with database.write() as session:
        made = campaign()
        session.add(made)
        session.flush()
        if state is not None:
            save_position(session, made.id, None, state)
        return made.id


def with_phase(database: Database, number: int = 1) -> str:
    """Store a campaign with one open phase; return its id."""
    campaign_id = stored(database)
    with database.write() as session:
        session.add(Branch(campaign_id=campaign_id, number=1, made_at=NOW))
        session.flush()
        session.add(Phase(campaign_id=campaign_id, branch=1, number=number, turn=1, phase="build", opened_at=NOW))
    return campaign_id


def army(detachments: int, units: int, side: int = 12) -> State:
    """A campaign of two players with many detachments."""
    board = Board(side, side, ("plains",) * (side * side))
    players = {id_: Player(id_, "none", 2) for id_ in ("red", "blue")}
    state = State(board, RULESET, Settings(), players, turn=3, phase="movement", id_key=b"key")
    for number in range(detachments):
        id_, owner = f"{number:04x}", ("red", "blue")[number % 2]
        squads = tuple(Unit(f"{id_}-{n}", "Squad", "troops", 10, 100, "infantry", (), 0, 10) for n in range(units))
        state.add_detachment(Detachment(id_, owner, f"Detachment {number}", "standard", number, squads))
        state.owner[number] = owner
    return state
