"""Programs from outside in a tournament: they play over the API, and what is wrong with one is said."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from server.cli import main
from server.settings import Settings
from server.tournament.contestants import OutsideError
from server.tournament.game import Fixture
from server.tournament.over_api import club

PLAYS = """
    import os
    from sealed_orders import Client

    with Client(os.environ["SEALED_ORDERS_SERVER"], os.environ["SEALED_ORDERS_TOKEN"]) as client:
        for turn in client.turns():
            place = [option.order for option in turn.campaign.legal_orders() if option.order["type"] == "place"]
            orders = place[:1] if turn.orders.phase == "setup" else []
            turn.campaign.send(orders, number=turn.orders.number, final=True, lenient=True)
"""


def program(folder: Path, source: str) -> str:
    path = folder / "program.py"
    path.write_text(textwrap.dedent(source))
    return f"{sys.executable} {path}"


def test_a_program_plays_all_its_seats_and_is_in_the_table(tmp_path: Path) -> None:
    """Seen to fail when a second seat of a name gets no program of its own."""
    arguments = ["--maps", "four-corners", "--players", "greedy", "--games", "1", "--turns", "1", "--json"]
    result = CliRunner().invoke(main, ["tournament", *arguments, "--outside", f"mine={program(tmp_path, PLAYS)}"])
    assert result.exit_code == 0, result.output
    data = orjson.loads(result.stdout)
    assert [(line["name"], line["games"]) for line in data["players"]] == [("greedy", 1), ("mine", 1)]
    assert sum(line["wins"] for line in data["players"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("source", "says"),
    [("raise SystemExit('no head for it')", "has ended with 1: no head for it"),
     ("import time\ntime.sleep(600)", "gave no final orders in 2 s")],
)  # fmt: skip
def test_a_program_that_fails_ends_the_tournament_with_a_reason(tmp_path: Path, source: str, says: str) -> None:
    """Seen to fail when nobody looks whether the process has ended."""
    fixture = Fixture("the-pass", "wh40k-2001", ("greedy", "mine"), ("orks", "eldar"), 1, "seed")
    with (
        pytest.raises(OutsideError, match=says),
        club({"mine": program(tmp_path, source)}, Settings(), patience=2) as play,
    ):
        play(fixture)


@pytest.mark.parametrize("given", ["mine", "=python bot.py", "mine=", "greedy=python bot.py", "veteran=python bot.py"])
def test_what_is_no_program_is_refused(given: str) -> None:
    arguments = ["--maps", "the-pass", "--players", "regular", "--games", "1", "--outside", given]
    assert CliRunner().invoke(main, ["tournament", *arguments]).exit_code == 2


def test_a_command_that_does_not_exist_is_said_to_be_so() -> None:
    arguments = ["--maps", "the-pass", "--players", "greedy", "--games", "1", "--turns", "1"]
    result = CliRunner().invoke(main, ["tournament", *arguments, "--outside", "mine=/no/such/program"])
    assert result.exit_code == 1
    assert "The program of mine cannot be started" in result.output
