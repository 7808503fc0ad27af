"""``leave``, ``join``, ``away`` and ``vote`` at a real server: players come and go, and end a campaign together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.commands import logins
from server.commands.logins import Login
from tests.client.club import PASSWORD, Club, found, new_name
from tests.client.test_commands import run, told
from tests.e2e.processes import ServerProcess


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def ann(club: Club) -> Club:
    assert club.players[0].token is not None
    logins.keep(Login(club.url, "Ann", club.players[0].token))
    return club


@pytest.fixture
def three(server: ServerProcess) -> Iterator[Club]:
    with found(server.base_url, 3) as club:
        yield club


def as_(club: Club, player: int) -> tuple[object, ...]:
    return ("--server", club.url, "--token", club.players[player].token)


def test_a_seat_is_left_and_taken_over(ann: Club) -> None:
    from sealed_orders import Client

    info = ann.of(ann.gm).info()
    assert "Your forces stay for whoever takes the seat" in run("leave", ann.id, code=1).output
    assert ann.of(ann.players[0]).info().your_seats == ("p1",)
    with Client(ann.url) as cat:
        cat.sign_up(new_name("Cat"), PASSWORD)
        at = ("--server", ann.url, "--token", cat.token)
        assert told("join", ann.id, *at, code=1)["error"]["code"] == "wrong_status"
        assert told("leave", ann.id, "--yes") == {"campaign": ann.id, "left": True}
        assert told("leave", ann.id, "--yes", code=1)["error"]["code"] == "forbidden"
        assert told("join", ann.id, "--seat", "p2", *at, code=1)["error"]["code"] == "seat_taken"
        assert f"You play p1 in {info.name}" in run("join", ann.id, "--seat", "p1", *at).stdout
    assert told("join", ann.id, code=1)["error"]["code"] == "wrong_status"


def test_a_holiday_begins_and_ends(ann: Club) -> None:
    until = (datetime.now() + timedelta(days=5)).replace(hour=12, minute=0, second=0, microsecond=0)
    ends = told("away", ann.id, "--until", f"{until:%Y-%m-%dT%H:%M}")["holiday_until"]
    assert datetime.fromisoformat(ends) == until.astimezone(UTC)
    assert ann.of(ann.players[0]).info().seat("p1").holiday_until == until.astimezone(UTC)
    assert "Welcome back" in run("away", ann.id, "--back").stdout
    assert ann.of(ann.players[0]).info().seat("p1").holiday_until is None
    assert f"until {until:%d %b %Y}" in run("away", ann.id, "--until", f"{until:%Y-%m-%dT%H:%M}").stdout
    assert told("away", ann.id, "--until", "2001-01-01", code=1)["error"]["field"] == "until"
    run("away", ann.id, code=2)
    run("away", ann.id, "--back", "--until", "2001-01-01", code=2)
    at = ("--server", ann.url, "--token", ann.gm.token)
    assert told("away", ann.id, "--back", *at, code=1)["error"]["code"] == "forbidden"


def test_a_longer_holiday_ends_when_the_days_are_used_up(ann: Club) -> None:
    now = datetime.now(UTC)
    far = datetime(now.year + 1, 12, 30)
    ends = datetime.fromisoformat(told("away", ann.id, "--until", f"{far:%Y-%m-%d}")["holiday_until"])
    assert timedelta(0) < ends - now <= timedelta(days=60, minutes=1), "30 days of this year, and of the next"


def test_a_draw_by_commands_alone(three: Club) -> None:
    assert "no votes on its end" in run("vote", three.id, *as_(three, 0)).stdout
    assert told("vote", three.id, "--agree", *as_(three, 0), code=1)["error"]["message"].startswith("no vote is open")
    run("vote", three.id, "--agree", "--refuse", *as_(three, 0), code=2)
    made = told("vote", three.id, "--propose", "draw", "--why", "The club moves on.", *as_(three, 0))
    assert [(vote["about"], vote["agreed"], vote["outcome"]) for vote in made["votes"]] == [("draw", ["p1"], "")]
    assert told("vote", three.id, "--propose", "peace", *as_(three, 1), code=1)["error"]["code"] == "conflict"
    names = {seat.player_id: seat.name for seat in three.of(three.gm).info().seats}
    text = run("vote", three.id, "--agree", *as_(three, 1)).stdout
    assert f"1. draw, proposed by {names['p1']}: open until" in text
    assert f"Agreed: {names['p1']}, {names['p2']}." in text
    ended = told("vote", three.id, "--agree", *as_(three, 2))
    assert (ended["status"], ended["votes"][0]["outcome"]) == ("finished", "carried")
    done = told("api", "GET", f"/campaigns/{three.id}/view", *as_(three, 0))
    assert done["state"]["ended_by"] == "draw"


def test_votes_are_refused_and_withdrawn(three: Club) -> None:
    assert told("vote", three.id, "--propose", "chess", *as_(three, 0), code=1)["error"]["field"] == "about"
    assert told("vote", three.id, "--propose", "concede", *as_(three, 0), code=1)["error"]["field"] == "winner"
    run("vote", three.id, "--propose", "concede", "--to", "p3", *as_(three, 0))
    names = {seat.player_id: seat.name for seat in three.of(three.gm).info().seats}
    assert f"concede to {names['p3']}" in run("vote", three.id, *as_(three, 1)).stdout
    assert told("vote", three.id, "--withdraw", *as_(three, 1), code=1)["error"]["code"] == "forbidden"
    assert told("vote", three.id, "--withdraw", *as_(three, 0))["votes"][0]["outcome"] == "withdrawn"
    run("vote", three.id, "--propose", "peace", *as_(three, 1))
    refused = told("vote", three.id, "--refuse", *as_(three, 2))
    assert (refused["status"], refused["votes"][1]["outcome"]) == ("running", "refused")
