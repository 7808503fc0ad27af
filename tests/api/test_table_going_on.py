"""Continuing without the other player, and armies beyond the limits, over HTTP (N-61, N-91)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import RLock
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from server import missions
from server.core.dice import SeededDice
from server.play.tables.acts import too_soon
from server.play.tables.folding import Folded
from server.referee.beginning import read_beginning
from server.referee.fold import begin
from server.referee.reading import Found
from tests.api.tables import Game, acts_to_the_stage, get_ready, guest

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def wait(client: TestClient) -> Callable[[float], None]:
    """Let seconds pass for the server."""
    ctx = cast(Any, client.app).state.server.ctx
    now = [ctx.now()]
    object.__setattr__(ctx, "clock", lambda: now[0])

    def pass_by(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    return pass_by


def test_after_20_seconds_a_player_continues_without_the_other(
    client: TestClient, wait: Callable[[float], None]
) -> None:
    """Their time starts when their moment comes. Seen to fail with the time left out, and with 19 seconds."""
    game = Game(client, "ambush")
    database = cast(Any, client.app).state.server.ctx.database
    for by, act in acts_to_the_stage(database, game.id, "both_deployed"):
        game.act(by, **act)
    wait(15)
    done = game.act("red", do="end_phase")
    awaiting = done["position"]["awaiting"]
    assert (awaiting["side"], list(awaiting["since"])) == ("blue", ["blue"])
    wait(4)
    refused = game.act("red", status=422, do="go_on")
    assert refused["problems"][0]["code"] == "wrong_moment"
    assert refused["problems"][0]["params"] == {"seconds": 1}
    wait(1)
    assert game.view("red")["view"]["stage"] == "both_deployed"
    game.act("red", do="go_on")
    assert game.view("red")["view"]["stage"] == "battle"
    game.act("blue", do="take_back")  # who was offline wants their moment back, and the other agrees
    game.act("red", do="take_back")
    assert game.view("blue")["view"]["stage"] == "both_deployed"
    assert "end_phase" in [option["do"] for option in game.view("blue")["open"]]


def test_each_thing_a_player_is_awaited_for_has_its_20_seconds() -> None:
    """Seen to fail when the first thing's time runs on for the second."""
    found: Found = []
    units = [{"id": "r1"}, {"id": "r2"}]
    beginning = read_beginning(
        {
            "game": "blitz",
            "players": {"red": {"units": units, "cp": 0}, "blue": {"units": [{"id": "b1"}], "cp": 3}},
            "start": {"round": 2, "turn": "red", "first": "red", "phase": "movement", "tracked": {"attacker": "red"}},
        },
        missions.library(),
        found,
    )
    assert beginning is not None, found
    table = begin(beginning, SeededDice(b"going on"))
    folded = Folded(RLock(), table, "", [len(table.events)])
    assert folded.play("red", {"do": "enters", "unit": "r1", "zone": "front_line"}, NOON) == []
    assert folded.play("red", {"do": "moved", "unit": "r1"}, NOON + timedelta(seconds=10)) == []
    assert folded.waits_since == {"blue": NOON}
    later = NOON + timedelta(seconds=30)
    assert folded.play("red", {"do": "enters", "unit": "r2", "zone": "front_line"}, later) == []
    assert folded.waits_since == {"blue": later}
    assert too_soon(folded, "red", {"do": "go_on"}, later + timedelta(seconds=19)) != []
    assert too_soon(folded, "red", {"do": "go_on"}, later + timedelta(seconds=20)) == []
    assert folded.play("blue", {"do": "pass", "stratagem": "proximity_mines"}, later) == []
    assert folded.waits_since == {}


@pytest.mark.parametrize(
    ("mission", "side", "unit", "code"),
    [
        ("sabotage", "blue", {"id": "guard", "models": 11, "flags": ["sentries"]}, "too_many_models"),
        ("sabotage", "blue", {"id": "guard", "models": 5, "power": 11, "flags": ["sentries"]}, "too_powerful"),
        ("sabotage", "blue", {"id": "guard", "models": 5, "role": "elites", "flags": ["sentries"]}, "not_troops"),
        ("rescue", "red", {"id": "spy", "models": 1, "wounds": 5, "flags": ["spy"]}, "not_allowed"),
        ("rescue", "red", {"id": "spy", "models": 1, "keywords": ["vehicle"], "flags": ["spy"]}, "not_allowed"),
    ],
)
def test_a_game_does_not_start_with_sentries_or_a_spy_beyond_the_limits(
    client: TestClient, mission: str, side: str, unit: dict[str, Any], code: str
) -> None:
    """Seen to fail with the limits of either left out (N-91)."""
    red, blue = guest(client, "Ann"), guest(client, "Bob")
    made = red.post("/tables", {"mission": mission})
    path = f"/tables/{made['id']}"
    blue.post("/tables/join", {"code": made["join_code"]}, status=200)
    others = [{"id": f"{side[0]}1"}] if mission == "sabotage" or side == "blue" else [{"id": "r1"}]
    get_ready({"red": red, "blue": blue}, path, {side: {"army": {"units": [*others, unit]}}})
    refused = red.post(f"{path}/start", status=422)
    assert (refused["code"], refused["problems"][0]["code"]) == ("army_refused", code)
    assert red.get(path)["status"] == "open"
