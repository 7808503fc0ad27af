"""The program as a client of a real server: every command, its JSON, its errors and its exit codes."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sealed_orders import Client, Order
from server.cli import main
from server.commands import logins
from server.commands.logins import Login
from server.commands.remote import choose
from tests.client.club import PASSWORD, Club
from tests.client.wire import MOVED, WRONG, between
from tests.e2e.processes import ServerProcess, nobody

CAPITAL: Order = {"type": "place", "what": "capital", "at": "1004"}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has signed in."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


@pytest.fixture
def gone() -> Iterator[str]:
    """The address of no server."""
    with nobody() as address:
        yield address


@pytest.fixture
def ann(club: Club) -> Club:
    """A club whose first player is signed in on this machine."""
    assert club.players[0].token is not None
    logins.keep(Login(club.url, "Ann", club.players[0].token))
    return club


def run(*args: object, text: str | None = None, code: int = 0) -> Result:
    """Run a command, which must end with that code, and never with a traceback."""
    done = CliRunner().invoke(main, [str(each) for each in args], input=text)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code == code, done.output
    return done


def told(*args: object, text: str | None = None, code: int = 0) -> Any:
    """Return the one JSON object a command prints with ``--json``."""
    return json.loads(run(*args, "--json", text=text, code=code).stdout)


def written(folder: Path, content: object) -> Path:
    """Return a file that holds that."""
    file = folder / "orders.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


# --- signing in and out ---


def test_login_keeps_a_token_that_only_its_owner_reads(server: ServerProcess, club: Club) -> None:
    name = club.players[0].me().name
    said = run("login", server.base_url + "/", "--name", name, "--password-stdin", text=f"{PASSWORD}\n")
    assert name in said.stdout
    assert PASSWORD not in logins.path().read_text()
    assert stat.S_IMODE(logins.path().stat().st_mode) == 0o600
    known = logins.find()
    assert known is not None
    assert (known.server, known.name) == (server.base_url, name)
    with Client(known.server, known.token) as client:
        mine = [token for token in client.tokens() if token.kind == "personal"]
        assert mine[0].scopes == ("read", "orders", "gm")


def test_login_asks_for_what_is_not_given(server: ServerProcess, club: Club) -> None:
    name = club.players[0].me().name
    said = run("login", text=f"{server.base_url}\n{name}\n{PASSWORD}\n")
    assert PASSWORD not in said.output
    assert logins.find(server.base_url) is not None


def test_login_with_a_bots_token(server: ServerProcess, club: Club) -> None:
    bot = club.players[0].create_bot(f"Bot of {club.id}")
    secret = club.players[0].create_token("bot", bot=bot.id).secret
    answer = told("login", server.base_url, "--token-stdin", text=secret + "\n")
    assert answer["name"] == bot.name
    run("login", server.base_url, "--token-stdin", text="sot_wrong\n", code=1)


def test_logout_revokes_the_token(server: ServerProcess, club: Club) -> None:
    run("login", server.base_url, "--name", club.players[0].me().name, "--password-stdin", text=f"{PASSWORD}\n")
    known = logins.find()
    assert known is not None
    assert told("logout")["revoked"] is True
    assert logins.find() is None
    assert "bad_token" in run("status", "--json", "--server", server.base_url, "--token", known.token, code=1).stdout
    assert "not signed in" in run("logout", code=1).output


def test_logout_without_a_server(gone: str) -> None:
    logins.keep(Login(gone, "Ann", "sot_x"))
    run("logout", code=3)
    assert logins.find() is not None
    assert told("logout", "--forget")["revoked"] is False
    assert logins.find() is None


def test_what_goes_wrong_when_signing_in(server: ServerProcess, club: Club, gone: str) -> None:
    name = club.players[0].me().name
    error = told("login", server.base_url, "--name", name, "--password-stdin", text="wrong\n", code=1)["error"]
    assert error["code"] == "wrong_password"
    run("login", "ftp://example.org", "--name", name, "--password-stdin", text="x\n", code=2)
    assert "does not answer" in run("login", gone, "--name", "A", "--password-stdin", text="x\n", code=3).output
    logins.keep(Login(gone, "Ann", "sot_x"))
    logins.path().write_text("{")
    assert "cannot be read" in run("status", code=2).output


# --- which server, which campaign ---


def test_nobody_is_signed_in(server: ServerProcess) -> None:
    for command in (["status"], ["view"], ["orders", "show"], ["history"], ["watch"], ["bot"]):
        assert "sealed-orders login" in run(*command, code=1).output
        assert "sealed-orders login" in told(*command, code=1)["error"]["message"]


def test_the_server_is_away(gone: str) -> None:
    logins.keep(Login(gone, "Ann", "sot_x"))
    assert "does not answer" in told("status", code=3)["error"]["message"]


def test_something_else_answers(ann: Club) -> None:
    with between(ann.url) as wire:
        wire.next.extend([WRONG, MOVED])
        for why in ("no JSON", "https://play.example.org/"):
            error = told("status", "--server", wire.url, "--token", "sot_x", code=2)["error"]
            assert why in error["message"]


def test_server_and_token_by_the_environment(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEALED_ORDERS_SERVER", club.url)
    monkeypatch.setenv("SEALED_ORDERS_TOKEN", str(club.players[1].token))
    assert [campaign["id"] for campaign in told("status")["campaigns"]] == [club.id]


def test_campaigns_are_found_by_id_and_by_a_part_of_their_name(ann: Club) -> None:
    name = ann.of(ann.gm).info().name
    for wanted in (ann.id, name, name[3:].upper()):
        assert told("orders", "show", wanted)["campaign_id"] == ann.id
    assert "No campaign" in run("view", "nowhere", code=1).output


def test_which_of_several_campaigns(ann: Club) -> None:
    gm = ann.gm
    more = [gm.create_campaign(f"Another {ann.id} {each}", "the-pass") for each in "ab"]
    assert gm.token is not None
    logins.keep(Login(ann.url, "Gus", gm.token))
    said = run("history", f"Another {ann.id}", code=1)
    assert all(each.id in said.output for each in more)


def test_an_exact_name_wins_over_a_longer_one(ann: Club) -> None:
    gm = ann.gm
    exact, _longer = (gm.create_campaign(f"Exact {ann.id}{more}", "the-pass") for more in ("", " again"))
    assert choose(gm, f"exact {ann.id}").info.id == exact.id


# --- status, view, history ---


def test_status_says_what_is_wanted(ann: Club) -> None:
    (campaign,) = told("status")["campaigns"]
    assert (campaign["wants"], campaign["phase"], campaign["seat"]) == ("orders", "setup", "p1")
    assert "orders needed" in run("status").stdout
    ann.of(ann.players[0]).send([])
    assert told("status")["campaigns"][0]["wants"] == "final"
    ann.of(ann.players[0]).declare_final()
    (campaign,) = told("status")["campaigns"]
    assert (campaign["wants"], campaign["says"]) == ("", "0 orders, final")
    logins.keep(Login(ann.url, "Gus", str(ann.gm.token)))
    assert told("status")["campaigns"][0]["says"] == "game master: 1 of 2 final"


def test_view_draws_what_one_knows(ann: Club) -> None:
    ann.of(ann.players[0]).send([CAPITAL])
    ann.pass_phase()
    shown = run("view").stdout
    lines = shown.splitlines()
    labels = next(place for place, each in enumerate(lines) if " 1004 " in each)
    column = lines[labels].index(" 1004 ")
    assert lines[labels + 1][column : column + 6] == "[fa@ ]"  # in sight, forest, Ann's, her capital
    assert "(you)" in shown
    assert "\x1b" not in shown
    assert "BP" in shown
    position = told("view")
    assert (position["viewer"], position["phase"]) == ("p1", "build")
    assert position["state"]["urban"]["1004"]["capital"] == "p1"
    assert "p2" not in {detachment["owner"] for detachment in position["state"]["detachments"].values()}


def test_view_of_the_past_and_of_a_part(ann: Club) -> None:
    ann.pass_phase()
    assert "after setup" in run("view", "--phase", 1).stdout
    assert told("view", "--phase", 1)["number"] == 1
    part = run("view", "--around", "0702", "--width", 40).stdout
    assert " 0702 " in part
    assert " 1302 " not in part
    run("view", "--around", "9999", code=2)
    run("view", "--phase", 99, code=1)
    run("view", "--as", "p2", code=1)


def test_colours_only_where_they_are_wanted(ann: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in run("view").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[38" not in run("view").stdout


def test_history_in_sentences(ann: Club) -> None:
    ann.of(ann.players[0]).send([CAPITAL])
    ann.pass_phase()
    ann.pass_phase()
    said = run("history").stdout
    assert "Setup (phase 1)" in said
    assert "1004" in said
    numbers = [phase["number"] for phase in told("history", "--all")["phases"]]
    assert numbers == [*range(len(numbers))]
    assert len(numbers) >= 3
    assert [phase["number"] for phase in told("history", "--last", 1)["phases"]] == numbers[-1:]
    setup = told("history", "--turn", 0)["phases"]
    assert [(each["turn"], each["phase"]) for each in setup] == [(0, "start"), (0, "setup")]
    assert "no finished phases" in run("history", "--turn", 9).stdout


# --- orders ---


def test_orders_from_a_file_to_final_and_back(ann: Club, tmp_path: Path) -> None:
    file = written(tmp_path, [CAPITAL])
    assert told("orders", "check", file) == {"problems": []}
    sent = told("orders", "send", file)
    assert (sent["orders"]["orders"], sent["orders"]["final"]) == ([CAPITAL], False)
    assert "capital" in run("orders", "show").stdout
    assert told("orders", "final")["final"] is True
    assert "not final" in run("orders", "take-back").stdout
    shown = run("orders", "show", "--json").stdout
    again = told("orders", "send", "-", "--final", text=shown)  # what show prints, send takes
    assert (again["orders"]["orders"], again["orders"]["final"]) == ([CAPITAL], True)


def test_problems_stand_beside_their_orders(ann: Club, tmp_path: Path) -> None:
    file = written(tmp_path, [CAPITAL, {"type": "fly"}])
    lines = run("orders", "send", file, code=1).stdout.splitlines()
    assert lines[0].startswith("  1 ·")
    assert lines[1].startswith("  2 ✗")
    assert lines[2].strip() == "There is no order called fly."
    assert run("orders", "check", file, code=1).stdout.splitlines() == lines
    assert told("orders", "check", file, code=1)["problems"][0]["order"] == 1
    error = told("orders", "send", file, code=1)["error"]
    assert (error["code"], error["problems"][0]["code"]) == ("orders_refused", "unknown_type")
    assert told("orders", "show")["revision"] == 0
    kept = told("orders", "send", file, "--lenient", "--temporary")
    assert (len(kept["orders"]["orders"]), len(kept["problems"]), kept["orders"]["temporary"]) == (1, 1, True)


@pytest.mark.parametrize("content", ["{", '"orders"', '{"orders": 1}', "\x00"])
def test_a_file_that_holds_no_orders(ann: Club, tmp_path: Path, content: str) -> None:
    run("orders", "send", written(tmp_path, content), code=2)
    assert "cannot be read" in told("orders", "check", tmp_path / "nowhere.json", code=2)["error"]["message"]


def test_orders_for_another_phase(ann: Club, tmp_path: Path) -> None:
    file = written(tmp_path, [])
    assert told("orders", "send", file, "--phase", 7, code=1)["error"]["code"] == "wrong_phase"
    assert told("orders", "take-back", "--phase", 7, code=1)["error"]["code"] == "wrong_phase"


def test_nothing_is_declared_final_by_mistake(ann: Club) -> None:
    assert "--phase 1" in told("orders", "final", code=1)["error"]["message"]
    assert told("orders", "final", "--phase", 1)["final"] is True


def test_options_for_orders(ann: Club) -> None:
    assert "capital" in run("orders", "options").stdout
    found = told("orders", "options")["options"]
    capital = next(each for each in found if each["order"].get("what") == "capital")
    assert "1004" in capital["choices"]["at"]
    assert told("orders", "options", "--for", "p7")["options"] == []
    assert "You have no orders to give" in run("orders", "options", "--for", "p7").stdout


def test_another_seat_is_not_ones_own(ann: Club) -> None:
    assert told("orders", "show", "--seat", "p2", code=1)["error"]["code"] == "not_found"
    assert told("orders", "show", "--seat", "p1")["player_id"] == "p1"


def test_no_phase_is_open(ann: Club, tmp_path: Path) -> None:
    file = written(tmp_path, [])
    ann.of(ann.gm).finish()
    for command in (("final", "--phase", 1), ("take-back",), ("send", file, "--campaign")):
        assert told("orders", *command, ann.id, code=1)["error"]["code"] == "phase_closed"


# --- watching ---


def test_watch_prints_a_line_an_event(ann: Club, gone: str) -> None:
    ann.of(ann.gm).pause("Tea")
    said = run("watch", ann.id, "--count", 1).stdout
    assert "Watching" in said
    first = json.loads(run("watch", "--json", "--count", 1).stdout)
    assert first["kind"] == "state"
    run("watch", "nowhere", code=1)
    assert "does not answer" in told("watch", "--server", gone, "--token", "sot_x", code=3)["error"]["message"]


def started(*args: str) -> subprocess.Popen[str]:
    """Start a command of its own."""
    command = [sys.executable, "-m", "server", *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> int:
    """Press Ctrl-C, and return the exit code; no traceback may be shown."""
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    return process.returncode


def test_the_computer_player_as_a_command(ann: Club) -> None:
    with started("bot", "--json", "--campaign", ann.id) as process:
        assert process.stdout is not None
        done = json.loads(process.stdout.readline())
        assert (done["campaign_id"], done["phase"], done["refused"], done["why"]) == (ann.id, "setup", [], "")
        assert ended(process) == 130
    assert told("orders", "show")["final"] is True


def test_watching_until_ctrl_c(ann: Club) -> None:
    with started("watch", ann.id) as process:
        assert process.stdout is not None
        assert "Watching" in process.stdout.readline()
        ann.of(ann.gm).pause("Tea")
        assert "paused. Tea" in process.stdout.readline()
        assert ended(process) == 130


# --- from no campaign to the first phase ---


def test_create_join_and_start(server: ServerProcess, club: Club) -> None:
    """Two accounts begin a campaign by commands alone: one by its id, one by an invitation code."""
    ann, ben = (each.token for each in club.players[:2])
    at = ("--server", server.base_url, "--token")
    made = told("create", "By hand", "--map", "the-pass", "--faction", "orks", "--unlisted", *at, ann)
    assert (made["name"], made["your_seats"], made["status"]) == ("By hand", ["p1"], "open")
    assert told("start", made["id"], *at, ann, code=1)["error"]["code"]
    code = told("api", "POST", f"/campaigns/{made['id']}/invitation-code", *at, ann)["code"]
    wrong = told("join", "no-such-code", "--faction", "eldar", *at, ben, code=1)["error"]
    assert (wrong["code"], "no-such-code" in wrong["message"]) == ("refused", True)
    assert told("join", code, "--faction", "eldar", *at, ben)["your_seats"] == ["p2"]
    assert told("start", made["id"], *at, ann)["status"] == "running"


def test_create_says_what_comes_next(ann: Club) -> None:
    assert "sealed-orders start" in run("create", "Next", "--map", "the-pass").stdout
    assert told("create", "Nowhere", "--map", "no-such-map", code=1)["error"]["field"] == "scenario"


def test_any_request(ann: Club, home: Path) -> None:
    assert told("api", "GET", "/me")["name"] == json.loads(run("api", "get", "/api/v1/me").stdout)["name"]
    found = told("api", "GET", "campaigns", "--query", "mine=true", "--query", "limit=1")
    assert len(found["items"]) == 1
    assert (
        told("api", "PATCH", "/me", "--data", written(home, {"time_zone": "Europe/Berlin"}))["time_zone"]
        == "Europe/Berlin"
    )
    assert told("api", "PATCH", "/me", "--data", "-", text='{"time_zone": "UTC"}')["time_zone"] == "UTC"
    assert told("api", "GET", "/nothing", code=1)["error"]["code"] == "not_found"
    assert told("api", "TRACE", "/me", code=2)["error"]["code"] == "unusable"
    assert told("api", "GET", "/me", "--query", "mine", code=2)["error"]["code"] == "unusable"
    assert told("api", "PATCH", "/me", "--data", written(home, "{"), code=2)["error"]["code"] == "unusable"
