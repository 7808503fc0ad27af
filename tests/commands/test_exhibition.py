"""``sealed-orders exhibition``."""

from __future__ import annotations

from pathlib import Path

import orjson
from typer.testing import CliRunner

from server.cli import main
from server.tournament.exhibition import play


def test_the_same_seed_gives_the_same_campaign() -> None:
    first, second = ([step.frame for step in play("the-pass", "frontier", 3, 7)] for _ in range(2))
    assert first == second


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "new folder" / "page.html"
    result = CliRunner().invoke(main, ["exhibition", "--page", str(page), "--turns", "2"])
    assert result.exit_code == 0, result.output
    assert page.as_uri() in result.output.replace("\n", "")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_unknown_scenario_is_a_clear_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["exhibition", "--scenario", "atlantis", "--page", str(tmp_path / "page.html")])
    assert result.exit_code == 2
    assert "atlantis" in result.output
    assert "four-corners" in result.output
    assert not list(tmp_path.iterdir())


def test_computer_players_deal_with_each_other() -> None:
    """Seen to fail when nobody in an exhibition is diplomatic."""
    steps = play("four-corners", "frontier", 2, 1)
    assert any(event.type == "alliance_declared" for step in steps for event in step.view.events)


def test_computer_players_write_to_each_other(tmp_path: Path) -> None:
    """Seen to fail without letters in the frames, and where the page's script gets none."""
    letters = [letter for step in play("four-corners", "frontier", 4, 1) for letter in step.frame.letters]
    writers = {writer for writer, _, _ in letters}
    assert len(writers) > 1
    assert len({text for _, _, text in letters}) > 2
    page = tmp_path / "page.html"
    CliRunner().invoke(main, ["exhibition", "--page", str(page), "--turns", "4"])
    assert orjson.dumps(list(letters[0])).decode() in page.read_text("utf-8")
