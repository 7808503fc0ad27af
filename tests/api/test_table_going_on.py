"""Continuing without the other player, and armies beyond the limits, over HTTP (N-61, N-91)."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import RLock
from typing import Any, cast

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server import missions
from server.api import following
from server.core.dice import SeededDice
from server.play.tables.acts import too_soon
from server.play.tables.folding import Folded
from server.referee.beginning import read_beginning
from server.referee.fold import begin
from server.referee.reading import Found
from tests.api.serving import serving
from tests.api.tables import Game, acts_to_the_stage, first_acts, get_ready, guest
from tests.play.conftest import Clock

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
    assert game.view("red")["awaiting"]["passed"] == "blue"
    game.act("blue", do="take_back")  # who was offline takes their moment back alone
    assert game.view("blue")["view"]["stage"] == "both_deployed"
    assert game.view("red")["awaiting"]["passed"] == ""
    assert "end_phase" in [option["do"] for option in game.view("blue")["open"]]


def test_a_player_who_is_offline_is_said_to_be(client: TestClient, wait: Callable[[float], None]) -> None:
    """Those who take part know; reading and acting say that somebody is there. Seen to fail without either."""
    game = Game(client, "ambush")

    def online(side: str = "red") -> dict[str, bool | None]:
        return {seat["side"]: seat["online"] for seat in game.people[side].get(game.path)["seats"]}

    game.view("red")
    game.view("blue")
    assert online() == {"red": True, "blue": True}
    wait(39)
    game.view("red")
    assert online() == {"red": True, "blue": True}
    wait(1)
    assert online() == {"red": True, "blue": False}
    seen = {seat["side"]: seat["seen_at"] for seat in game.red.get(game.path)["seats"]}
    assert seen["blue"] < seen["red"]
    assert online("blue")["blue"] is False  # to look who plays is not to be at the table
    wait(40)
    (by, act), *_ = first_acts(cast(Any, client.app).state.server.ctx.database, game.id, 1)
    game.people[by].post(f"{game.path}/acts", {"expected": 0, "act": act})
    assert online()[by] is True
    watcher = guest(client, "Eve").get(f"{game.path}?watch={game.made['watch_code']}")
    assert [(seat["online"], seat["seen_at"]) for seat in watcher["seats"]] == [(None, None)] * 2


def test_an_open_stream_says_that_its_player_is_there(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail with a stream that says so only when it opens."""
    monkeypatch.setattr(following, "ASK_AGAIN", 0.02)
    with serving(url, Clock()) as server, httpx2.Client(base_url=server.base_url, timeout=30) as http:
        game = Game(cast(Any, http), "ambush")

        def online() -> bool:
            return bool(game.red.get(game.path)["seats"][1]["online"])

        headers = {"Authorization": f"Bearer {game.blue.secret}"}
        with http.stream("GET", f"/api/v1{game.path}/stream", headers=headers) as stream:
            lines = stream.iter_lines()
            assert next(lines)
            server.clock.forward(minutes=2)
            for _ in range(500):
                if online():
                    break
                time.sleep(0.02)
            assert online()
        offline = 0
        for _ in range(500):  # the server notices in its own time that nobody listens
            server.clock.forward(minutes=2)
            time.sleep(0.04)
            offline = 0 if online() else offline + 1
            if offline == 3:
                break
        assert offline == 3


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


def test_the_clock_charges_whoever_is_awaited_and_stands_still_in_a_pause(
    client: TestClient, wait: Callable[[float], None]
) -> None:
    """Also while the other's report waits to be checked. Seen to fail where the time belonged to whoever acted."""
    game = Game(client, "clash_of_patrols", minutes=30)
    database = cast(Any, client.app).state.server.ctx.database
    for by, act in acts_to_the_stage(database, game.id, "battle"):
        game.act(by, **act)
    turn = game.view("red")["view"]["turn"]
    other = "blue" if turn == "red" else "red"
    game.act(turn, do="control", markers={})
    wait(30)
    assert game.view(turn)["awaiting"]["side"] == other
    game.act(turn, do="gain", cp=1)
    assert game.red.get(f"{game.path}/acts?after={game.view(turn)['acts'] - 2}")["items"][-1]["awaited"] == other
    paused = game.blue.put(f"{game.path}/clock", {"paused": True})["setup"]["pauses"]
    wait(60)
    again = game.blue.put(f"{game.path}/clock", {"paused": False})["setup"]["pauses"]
    assert (paused[0][1], len(again)) == (None, 1)
    assert datetime.fromisoformat(again[0][1]) - datetime.fromisoformat(again[0][0]) == timedelta(seconds=60)
    clockless = Game(client, "clash_of_patrols")
    assert clockless.red.put(f"{clockless.path}/clock", {"paused": True}, status=409)["code"] == "conflict"
