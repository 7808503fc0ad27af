"""How many statements it takes to resolve a phase: a few, however many play, and whatever they have asked for.

Seen to fail with salts that are drawn one by one, and with a look at each stand-in's memory by itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from server.play import campaign_start, campaigns, seats, webhooks
from server.play.background import Background
from server.play.campaigns import NewCampaign
from server.play.context import AppContext
from server.play.resolution import resolve_once
from server.store.position.rows import SHEETS
from tests.play.campaigns import Club, club, factions
from tests.play.conftest import Clock, person

POSITION = {sheet.table.name for sheet in SHEETS}
BEGINNINGS = ("BEGIN", "PRAGMA")


@contextmanager
def statements(ctx: AppContext) -> Iterator[list[str]]:
    """Note the statements that are carried out."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if not statement.startswith(BEGINNINGS):
            found.append(" ".join(statement.split()))

    event.listen(ctx.database.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(ctx.database.engine, "before_cursor_execute", note)


class Later(Background):
    """Leaves what is due to the test."""

    def soon(self, key: str, work: Callable[[], object], *, long: bool = False) -> None:
        """Do nothing."""


def club_of(ctx: AppContext, players: int, stand_in: str) -> Club:
    """Start a campaign of so many, each with a webhook of their own; phases end at their deadlines."""
    made = Club(ctx, person(ctx, f"Gwen {players}"))
    options = {"deadlines": {"kind": "rolling", "hours": 24}, "stand_in": stand_in}
    made.id = campaigns.create(ctx, made.gm, NewCampaign(f"Club of {players}", "four-corners", options=options)).id
    for number in range(1, players + 1):
        seat = f"p{number}"
        made.players[seat] = person(ctx, f"Player {number} of {players}")
        seats.join(ctx, made.players[seat], made.id, faction=factions(ctx, made)[number], seat=seat)
        webhooks.create(ctx, made.players[seat], f"https://hooks.example.org/{players}/{number}")
    campaign_start.start(ctx, made.gm, made.id)
    return made


def resolved(ctx: AppContext, made: Club) -> int:
    """Resolve the open phase at its deadline; returns the statements besides those that write the position."""
    with statements(ctx) as found:
        assert resolve_once(ctx, made.id) is not None
    of = [re.match(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)", each) for each in found]
    return sum(each is None or each[1] not in POSITION for each in of)


def test_a_resolution_takes_fifteen_statements_at_most(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, phases=2)
    clock.forward(minutes=5)
    for _ in range(6):
        resolutions = AppContext(ctx.database, ctx.settings, ctx.clock, Later(), caches=ctx.caches)
        Club(resolutions, made.gm, made.players, made.id).play_phase()
        assert resolved(ctx, made) <= 15


@pytest.mark.parametrize(("stand_in", "maximum"), [("defaults", 18), ("bot", 21)])
def test_nobody_adds_one_who_plays_misses_a_deadline_or_has_a_webhook(
    ctx: AppContext, clock: Clock, stand_in: str, maximum: int
) -> None:
    few, many = (club_of(ctx, players, stand_in) for players in (2, 4))
    for _ in range(6):
        clock.forward(hours=25)
        counted = [resolved(ctx, made) for made in (few, many)]
        assert max(counted) <= maximum, counted
        if few.info.phase == many.info.phase:
            assert counted[0] == counted[1]
