"""Order sets that were checked as they were handed in are not checked once more by the resolution, which is the same.

Seen to fail with a key without the position's hash: orders to forces that an edit has taken away were accepted.
"""

from __future__ import annotations

from typing import Any

import pytest

from server.play.archive import record_files
from server.play.archive.verification import verify_bytes
from server.play.context import Actor, AppContext
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.resolution.engine import key_of
from server.play.resolution.resolution import resolve_once
from server.play.views import positions
from server.rules.orders import sets
from server.rules.sight import GM
from tests.play.campaigns import Club, club


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note whose sets are read."""
    found: list[str] = []
    read_set = sets.read_set

    def noted(known: Any, player: str, *more: Any) -> Any:
        found.append(player)
        return read_set(known, player, *more)

    monkeypatch.setattr(sets, "read_set", noted)
    return found


def verified(made: Club) -> None:
    """The record, resolved anew from its orders, comes to the same states."""
    operator = Actor(made.gm.user_id, made.gm.name, admin=True, session=True)
    report = verify_bytes(record_files.export(made.ctx, operator, made.id))
    assert report.first is None, report


def test_what_was_checked_is_not_checked_again(ctx: AppContext, read: list[str]) -> None:
    made = club(ctx, phases=2).resolved_by_hand()
    for _ in range(6):
        made.play_phase()
        assert read
        read.clear()
        assert resolve_once(ctx, made.id) is not None
        assert read == []
    verified(made)


def test_another_process_checks_them(ctx: AppContext, read: list[str]) -> None:
    made = club(ctx, phases=2).resolved_by_hand()
    made.play_phase()
    ctx.caches.checked.clear()
    read.clear()
    assert resolve_once(ctx, made.id) is not None
    assert read
    verified(made)


def test_after_an_edit_they_are_checked_against_what_there_is_now(ctx: AppContext) -> None:
    made = club(ctx, phases=2).resolved_by_hand()
    while made.info.phase != "movement":
        made.play_phase()
        resolve_once(ctx, made.id)
    state = positions.position(ctx, made.gm, made.id, as_=GM).view.state
    mine = next(one for one in state.detachments.values() if one.owner == "p1" and not one.ready_in)
    given = [{"type": "guard", "detachment": mine.id}]
    orders.replace(made.ctx, made.players["p1"], made.id, given)
    game_master.edit(made.ctx, made.gm, made.id, [{"do": "remove", "what": "detachment", "id": mine.id}], "Lost.")
    game_master.advance(made.ctx, made.gm, made.id, number=made.info.phase_number)
    resolve_once(ctx, made.id)
    verified(made)


def test_values_that_only_look_alike_are_others() -> None:
    keys = {key_of("c", "h", "p1", [{"type": "path", "unload": value}]) for value in (True, 1, 1.0, "1")}
    assert len(keys) == 4
