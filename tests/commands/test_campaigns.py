"""``sealed-orders campaign``: a campaign from its beginning to another server, by its operator."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from server.play.accounts import accounts
from server.play.archive.record_files import pack, read_file
from server.play.archive.verification import verify
from server.play.campaigns import campaigns
from server.play.context import NOBODY, AppContext
from server.play.game_masters import handover
from server.play.operating import example
from server.play.views import history
from server.settings import Settings
from server.store.database import Database
from tests.commands.conftest import json_of, run
from tests.play.campaigns import Club, club
from tests.play.conftest import person


@pytest.fixture
def empty(url: URL) -> Iterator[AppContext]:
    own = AppContext(Database(url), Settings())
    yield own
    own.database.close()


@pytest.fixture
def ctx(empty: AppContext) -> AppContext:
    accounts.make_user(empty, "Root", admin=True)
    return empty


@pytest.fixture
def march(empty: AppContext) -> Club:
    """A campaign of four in its third phase."""
    made = club(empty, options={"deadlines": {"kind": "rolling", "hours": 48}}, phases=2)
    accounts.make_user(empty, "Root", admin=True)
    return made


def test_one_is_made_for_its_game_master(ctx: AppContext) -> None:
    accounts.make_user(ctx, "Gwen")
    made = json_of(
        "campaign",
        "create",
        "A [bold]Duel[/]",
        "--scenario",
        "the-pass",
        "--gm",
        "gwen",
        "--hours",
        24,
        "--hidden",
        "--rule",
        "turn_limit=10",
        "--rule",
        "battles=quick",
        "--option",
        "anonymous=true",
    )
    assert (made["name"], made["status"], made["gm"], made["scenario"]) == (
        "A [bold]Duel[/]",
        "open",
        "Gwen",
        "the-pass",
    )
    assert made["page"].endswith(f"/campaigns/{made['id']}")
    told = run("campaign", "list").stdout
    assert "A [bold]Duel[/]" in told
    assert f"open: 0 of {len(made['seats'])} seats taken" in told
    assert "run by Root" in run("campaign", "create", "Mine").stdout


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        (["--scenario", "atlantis"], "scenario: Must be one of: five-shores, four-corners", 1),
        (["--ruleset", "chess"], "no such ruleset", 1),
        (["--gm", "Nobody"], "no account Nobody", 1),
        (["--as", "Gwen"], "No open account Gwen runs this server", 1),
        (["--rule", "turn_limit=-1"], "whole number", 1),
        (["--rule", "turn_limit"], "NAME=VALUE", 2),
        (["--option", "colour=red"], "no such field", 1),
        (["--hours", "-1"], "Invalid value", 2),
    ],
)
def test_what_makes_no_campaign(ctx: AppContext, words: list[str], says: str, code: int) -> None:
    accounts.make_user(ctx, "Gwen")
    result = run("campaign", "create", "X", *words, code=code)
    assert says in result.stderr
    assert json_of("campaign", "list") == {"campaigns": []}


def test_an_operator_is_needed(url: URL) -> None:
    assert "sealed-orders user add NAME --admin" in run("campaign", "create", "X", code=1).stderr
    assert run("campaign", "list").stdout == "There are no campaigns.\n"


def test_where_a_campaign_stands(march: Club) -> None:
    march.order("p1")
    march.order("p2", final=False)
    told = json_of("campaign", "status", march.id)
    assert (told["number"], told["turn"]) == (3, 1)
    orders = {seat["player_id"]: (seat["handed_in"], seat["final"]) for seat in told["seats"]}
    assert orders == {"p1": (True, True), "p2": (True, False), "p3": (False, False), "p4": (False, False)}
    assert told["waits_for"] == ["p2", "p3", "p4"]
    text = run("campaign", "status", "long march").stdout
    assert "Phase 3, until" in text
    assert text.count("none yet") == 2
    assert max(map(len, text.splitlines())) <= 80
    assert "1 of 4" in run("campaign", "list", "--status", "running").stdout
    assert run("campaign", "list", "--status", "paused").stdout == "There are no such campaigns.\n"


def test_which_campaign_is_meant(march: Club) -> None:
    assert "no campaign 'short'" in run("campaign", "status", "short", code=1).stderr
    run("campaign", "create", "The Long March Home")
    assert json_of("campaign", "status", "the long march")["id"] == march.id  # the whole name counts first
    assert march.id in run("campaign", "status", "long", code=1).stderr
    assert json_of("campaign", "status", "long", code=1)["error"]["code"] == "conflict"


def test_advancing_says_first_what_it_does(march: Club) -> None:
    march.order("p1")
    march.order("p2", final=False)
    refused = run("campaign", "advance", march.id, code=1)
    assert "phase 3 (turn 1, movement) is resolved now" in refused.stderr
    assert "It does not wait for Bob (not final), Cyd (no orders), Dan (no orders)." in refused.stderr
    assert march.info.phase_number == 3
    assert json_of("campaign", "advance", march.id, "--yes", "--why", "Enough.")["number"] > 3
    made = history.interventions(march.ctx, march.gm, march.id)
    assert [(each.kind, each.why) for each in made] == [("advance", "Enough.")]


def test_deadlines(march: Club) -> None:
    before = march.info.deadline
    assert before is not None
    run("campaign", "extend", march.id, "--hours", 24, "--why", "Ada is ill.")
    assert march.info.deadline == before + timedelta(hours=24)
    to = datetime.now().replace(second=0, microsecond=0) + timedelta(days=9)
    run("campaign", "extend", march.id, "--to", to.strftime("%Y-%m-%d %H:%M"))
    assert march.info.deadline == to.astimezone(UTC)
    run("campaign", "extend", march.id, "--never")
    assert march.info.deadline is None
    run("campaign", "extend", march.id, code=2)
    run("campaign", "extend", march.id, "--never", "--hours", 3, code=2)
    assert "Must be in the future" in run("campaign", "extend", march.id, "--to", "2001-01-01 10:00", code=1).stderr


def test_pausing(march: Club) -> None:
    assert "paused" in run("campaign", "pause", march.id).stdout
    assert march.info.status == "paused"
    assert "The campaign is paused" in run("campaign", "pause", march.id, code=1).stderr
    assert json_of("campaign", "resume", march.id)["status"] == "running"


def test_rolling_back_says_first_what_it_does(march: Club) -> None:
    words = ("campaign", "rollback", march.id, 2, "--why", "A wrong map.")
    assert "phase 2 (turn 1, build) opens anew" in run(*words, code=1).stderr
    assert march.info.branch == 1
    told = json_of(*words, "--yes")
    assert (told["branch"], told["number"]) == (2, 2)
    assert "no phase 99" in run("campaign", "rollback", march.id, 99, "--why", "x", "--yes", code=1).stderr
    run("campaign", "rollback", march.id, 1, code=2)


def test_handing_over(march: Club) -> None:
    hal = person(march.ctx, "Hal")
    told = run("campaign", "hand-over", march.id, "Hal", "--why", "Gwen has moved away.").stdout
    assert f"Hal is asked at {march.ctx.settings.public_url}/campaigns/{march.id}/offer" in told
    offer = march.info.offer
    assert offer is not None
    assert (offer.to, offer.why) == ("Hal", "Gwen has moved away.")
    json_of("campaign", "hand-over", march.id, "--take-back")
    assert march.info.offer is None
    assert json_of("campaign", "hand-over", march.id, "Hal")["gm"] == "Gwen"
    handover.accept(march.ctx, hal, march.id)
    assert json_of("campaign", "status", march.id)["gm"] == "Hal"
    run("campaign", "hand-over", march.id, "Nobody", code=1)
    run("campaign", "hand-over", march.id, code=2)
    run("campaign", "hand-over", march.id, "Hal", "--take-back", code=2)


def test_running_it_together(march: Club) -> None:
    hal, eve = person(march.ctx, "Hal"), person(march.ctx, "Eve")
    run("campaign", "hand-over", march.id, "Hal", "--role", "partner")
    handover.accept(march.ctx, hal, march.id)
    run("campaign", "hand-over", march.id, "Eve", "--role", "successor")
    handover.accept(march.ctx, eve, march.id)
    assert json_of("campaign", "status", march.id)["game_masters"] == ["Gwen", "Hal"]
    assert "run by Gwen, Hal;" in run("campaign", "status", march.id).stdout
    roles = [(each.name, each.role) for each in handover.game_masters(march.ctx, hal, march.id)]
    assert roles == [("Gwen", "gm"), ("Hal", "partner"), ("Eve", "successor")]
    for name in ("Hal", "Eve"):
        run("campaign", "hand-over", march.id, name, "--remove")
    assert "run by Gwen;" in run("campaign", "status", march.id).stdout
    run("campaign", "hand-over", march.id, "Hal", "--remove", code=1)
    run("campaign", "hand-over", march.id, "Hal", "--role", "king", code=1)


def test_a_seat_changes_hands(march: Club) -> None:
    """The orders that were saved count, but are not final by the predecessor's word; dropped ones do not count."""
    person(march.ctx, "Newt")
    march.order("p2")
    told = json_of("campaign", "seat", march.id, "p2", "Newt", "--why", "Bob has moved away.")
    p2 = next(seat for seat in told["seats"] if seat["player_id"] == "p2")
    assert (p2["user"], p2["handed_in"], p2["final"]) == ("Newt", True, False)
    run("campaign", "seat", march.id, "p2", "--nobody", "--drop-orders")
    assert "nobody" in run("campaign", "status", march.id).stdout
    p2 = next(seat for seat in json_of("campaign", "status", march.id)["seats"] if seat["player_id"] == "p2")
    assert (p2["user"], p2["handed_in"], p2["final"]) == (None, False, False)
    done = history.interventions(march.ctx, march.gm, march.id)
    assert [(each.kind, each.why) for each in done] == [
        ("replace_player", "Bob has moved away."),
        ("replace_player", ""),
    ]
    for words in (("p2", "Nobody"), ("p2", "Ada"), ("p9", "Newt")):
        run("campaign", "seat", march.id, *words, code=1)
    run("campaign", "seat", march.id, "p2", code=2)
    run("campaign", "seat", march.id, "p2", "Newt", "--nobody", code=2)


def test_a_campaign_is_deleted_and_brought_back(march: Club) -> None:
    asked = run("campaign", "delete", march.id, code=1).stderr
    assert "You can bring it back for 14 days" in asked
    assert "cannot be undone" not in asked
    assert march.info.status == "running"
    gone = json_of("campaign", "delete", "long march", "--yes")
    assert gone["campaign"] == march.id
    assert datetime.fromisoformat(gone["gone_at"]) > datetime.now(UTC) + timedelta(days=13)
    assert march.info.status == "deleted"
    assert json_of("campaign", "delete", march.id, "--restore")["status"] == "paused"
    assert "gone for good on" in run("campaign", "delete", march.id, "--yes").stdout
    run("campaign", "delete", "no such", "--yes", code=1)
    run("campaign", "delete", "no such", "--restore", code=1)


def test_a_campaign_moves(march: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "march.sealed"
    assert json_of("campaign", "export", march.id, file)["bytes"] == file.stat().st_size
    assert file.stat().st_mode & 0o077 == 0
    assert verify(file).ok
    assert "--force" in run("campaign", "export", march.id, file, code=2).stderr
    run("campaign", "export", march.id, file, "--force")
    assert "on this server already" in run("campaign", "import", file, code=1).stderr
    monkeypatch.setenv("SEALED_ORDERS_DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    run("db", "upgrade")
    run("user", "add", "Olga", "--admin", "--password-stdin", said="correct horse\n")
    record = read_file(file)
    next(phase for phase in record["phases"] if phase["number"] == 2)["seed"] = "00" * 32
    (tmp_path / "changed").write_bytes(pack(record))
    assert "phase 2" in run("campaign", "import", tmp_path / "changed", code=2).stderr
    moved = json_of("campaign", "import", file)
    assert (moved["id"], moved["status"], moved["number"], moved["gm"]) == (march.id, "paused", 3, "Olga")
    for wrong in (tmp_path / "missing", tmp_path):
        run("campaign", "import", wrong, code=2)


def test_a_campaign_that_has_not_begun_has_no_record(ctx: AppContext, tmp_path: Path) -> None:
    run("campaign", "create", "X")
    assert "has not started" in run("campaign", "export", "X", tmp_path / "x", code=1).stderr
    assert not (tmp_path / "x").exists()


def test_on_a_terminal_one_is_asked(march: Club) -> None:
    """A real terminal: the answer no changes nothing, the answer yes does."""
    for answer, code, number in ((b"n\n", 1, 3), (b"y\n", 0, 4)):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "server", "campaign", "advance", march.id]
        with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, answer)
            _, said = process.communicate(timeout=60)
        os.close(ours)
        assert b"is resolved now" in said
        assert process.returncode == code
        assert (march.info.phase_number >= 4) == (number >= 4)


def test_a_position_is_practised(march: Club) -> None:
    made = json_of("campaign", "practise", "long", "--phase", 1, "--level", "recruit", "--give-up")
    assert (made["status"], made["gm"], made["name"]) == ("running", "Root", "The Long March · 1")
    assert made["page"].endswith(f"/campaigns/{made['id']}")
    refused = run("campaign", "practise", march.id, "--seat", "p2", code=1)
    assert "Not found, or not visible to you" in refused.stderr


def test_an_example_is_played_for_the_start_page(march: Club) -> None:
    """Public and over, so that visitors may watch it; the start page offers it where the setting names it."""
    made = json_of("campaign", "example", "--turns", 1, "--scenario", "the-pass", "--name", "To watch")
    assert (made["status"], made["name"]) == ("finished", "To watch")
    seen = campaigns.get(march.ctx, NOBODY, made["id"])
    assert seen.public
    assert seen.open_to_you
    chosen = march.ctx.settings.model_copy(update={"example_campaign": made["id"]})
    assert example.to_watch(replace(march.ctx, settings=chosen)) == seen
    assert example.to_watch(march.ctx) is None
    unknown = march.ctx.settings.model_copy(update={"example_campaign": "nowhere"})
    assert example.to_watch(replace(march.ctx, settings=unknown)) is None
    assert run("campaign", "example", "--scenario", "atlantis", code=1).stderr
