"""The pointer: a campaign's row always says what its phases, edits and branches say together.

Every other test of the use cases looks, too, when it is over (the fixture ``ctx``). It is written by
a start, a resolved phase, the end, an edit, new readings, a rollback, a deadline, an import.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import delete, update

from server.play.archive import record_files, record_import
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.errors import PlayError
from server.play.game_masters import game_master, rollback
from server.play.resolution.resolution import resolve_due
from server.store import migrate
from server.store.database import Database
from server.store.tables import Campaign
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.standing import COLUMNS, check_pointers, pointer_of

STEPS = 25


@pytest.mark.parametrize("seed", range(3))
def test_it_equals_what_the_other_tables_say(ctx: AppContext, clock: Clock, seed: int) -> None:
    random = Random(seed)
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 24}})
    actions = _actions(ctx, clock, made, random)
    done: list[str] = []
    for _ in range(STEPS):
        name = random.choice(list(actions))
        clock.forward(minutes=1)
        try:
            actions[name]()
        except PlayError as refused:
            name += f" ({refused.code})"
        done.append(name)
        check_pointers(ctx.database)
    assert sum("(" not in name for name in done) > STEPS // 3, done


def _actions(ctx: AppContext, clock: Clock, made: Club, random: Random) -> dict[str, Callable[[], object]]:
    def number() -> int:
        return made.info.phase_number

    def due() -> None:
        clock.forward(hours=100)
        resolve_due(ctx, made.id)

    given = [{"do": "set", "what": "vp", "player": "p1", "vp": random.randrange(100)}]
    return {
        "play": made.play_phase,
        "advance": lambda: game_master.advance(ctx, made.gm, made.id, number=number()),
        "due": due,
        "edit": lambda: game_master.edit(ctx, made.gm, made.id, given, "a test"),
        "readings": lambda: game_master.choose_readings(ctx, made.gm, made.id, 0),
        "deadline": lambda: game_master.set_due(ctx, made.gm, made.id, clock() + timedelta(days=2)),
        "no deadline": lambda: game_master.set_due(ctx, made.gm, made.id, None),
        "roll back": lambda: rollback.roll_back(ctx, made.gm, made.id, random.randint(1, number()), "a test"),
        "pause": lambda: campaigns.pause(ctx, made.gm, made.id),
        "resume": lambda: campaigns.resume(ctx, made.gm, made.id),
        "finish": lambda: campaigns.finish(ctx, made.gm, made.id, "a test"),
        "remove": lambda: campaigns.remove(ctx, made.gm, made.id),
        "restore": lambda: campaigns.restore(ctx, made.gm, made.id),
    }


def _edit(ctx: AppContext, made: Club) -> None:
    game_master.edit(ctx, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p1", "vp": 7}], "a test")


BEFORE: dict[str, Callable[[AppContext, Club], object]] = {
    "runs": lambda ctx, made: None,
    "edited": _edit,
    "rolled back": lambda ctx, made: rollback.roll_back(ctx, made.gm, made.id, 2, "a test"),
    "over": lambda ctx, made: campaigns.finish(ctx, made.gm, made.id, "a test"),
}


@pytest.mark.parametrize("what", BEFORE)
def test_campaigns_get_it_when_the_database_is_migrated(ctx: AppContext, what: str) -> None:
    made = club(ctx, phases=2, options={"deadlines": {"kind": "rolling", "hours": 24}})
    BEFORE[what](ctx, made)
    before = _pointer(ctx.database, made.id)
    with ctx.database.write() as session:
        session.execute(update(Campaign).values(dict.fromkeys(COLUMNS)))
    while ctx.database.engine.pool.checkedout():  # type: ignore[attr-defined]
        time.sleep(0.01)  # a thread announces the news
    ctx.database.engine.dispose()
    url = ctx.database.url
    migrate.downgrade(url, "0020")
    migrate.upgrade(url)
    assert _pointer(ctx.database, made.id) == before
    assert before["position_hash"]


def test_campaigns_get_it_when_they_are_imported(ctx: AppContext) -> None:
    made = club(ctx, phases=2)
    _edit(ctx, made)
    root = person(ctx, "Root", admin=True)
    data = record_files.export(ctx, root, made.id)
    assert not set(COLUMNS) & set(record_files.read(data)["campaign"])
    before = _pointer(ctx.database, made.id)
    with ctx.database.write() as session:
        session.execute(delete(Campaign).where(Campaign.id == made.id))
    record_import.import_(ctx, root, data)
    assert _pointer(ctx.database, made.id) == before


def _pointer(database: Database, campaign_id: str) -> dict[str, object]:
    with database.read() as session:
        return pointer_of(session.get_one(Campaign, campaign_id))
