"""``sealed-orders cases``: what it prints, and how it exits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from server.cli import main
from server.commands import cases
from tests.cases import writing
from tests.cases.writing import write

GOOD = writing.text("[expect.players.red]\nvp = 0\n", "build")
BAD = writing.text("[expect.players.red]\nvp = 1\neliminated = true\n", "build").replace("a title", "red has a VP")
INVALID = GOOD + "colour = 1\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["cases", *map(str, arguments)])


def test_all_pass(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", GOOD)
    write(tmp_path / "deep" / "b.toml", GOOD)
    write(tmp_path / "notes.txt", "no case")
    result = run(tmp_path)
    assert (result.stdout, result.stderr, result.exit_code) == ("2 passed, 0 failed\n", "", 0)


def test_a_failing_case_is_one_line_and_exit_1(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", GOOD)
    bad = write(tmp_path / "b.toml", BAD)
    result = run(tmp_path)
    told = "players.red.vp: expected 1, got 0; players.red.eliminated: expected true, got false"
    assert result.stdout == f"{bad}: red has a VP: {told}\n1 passed, 1 failed\n"
    assert result.exit_code == 1


def test_a_file_that_is_no_case_is_exit_2_and_the_others_still_run(tmp_path: Path) -> None:
    invalid = write(tmp_path / "a.toml", INVALID)
    no_toml = write(tmp_path / "b.toml", "rule = ")
    write(tmp_path / "c.toml", BAD)
    write(tmp_path / "d.toml", GOOD)
    result = run(tmp_path)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[-1] == "1 passed, 1 failed"
    lines = result.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{invalid}: expect.players.red.colour: unknown key")
    assert lines[1].startswith(f"{no_toml}: not TOML: ")


def test_rolls_that_are_not_written_down_are_exit_2(tmp_path: Path) -> None:
    path = write(tmp_path / "a.toml", writing.text(phase="movement"))
    result = run(path)
    assert result.exit_code == 2
    assert result.stderr.startswith(f'{path}: dice: "initiative/')


def test_a_path_that_does_not_exist_is_exit_2(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", GOOD)
    result = run(tmp_path / "missing", tmp_path)
    assert result.exit_code == 2
    assert result.stdout == "1 passed, 0 failed\n"
    assert result.stderr == f"{tmp_path / 'missing'}: there is no such file or folder\n"


def test_a_folder_without_cases_says_so(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.stdout == "0 passed, 0 failed\n"
    assert result.stderr == "there are no *.toml files below the paths given\n"
    assert result.exit_code == 0


def test_without_a_path_it_is_a_usage_error() -> None:
    assert run().exit_code == 2


def test_json(tmp_path: Path) -> None:
    good = write(tmp_path / "a.toml", GOOD)
    bad = write(tmp_path / "b.toml", BAD)
    invalid = write(tmp_path / "c.toml", INVALID)
    result = run("--json", tmp_path)
    told = json.loads(result.stdout)
    assert result.exit_code == 2
    assert (told["passed"], told["failed"]) == (1, 1)
    assert [each["path"] for each in told["invalid"]] == [str(invalid)]
    assert [(case["path"], case["title"], case["rule"]) for case in told["cases"]] == [
        (str(good), "a title", "3.1"),
        (str(bad), "red has a VP", "3.1"),
    ]
    assert told["cases"][1]["failures"][0] == "players.red.vp: expected 1, got 0"


def test_progress_goes_to_stderr_and_only_to_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "MANY_CASES", 1)
    write(tmp_path / "a.toml", GOOD)
    assert run(tmp_path).stderr == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = run(tmp_path)
    assert result.stdout == "1 passed, 0 failed\n"
    assert "Cases" in result.stderr


def test_as_a_command(tmp_path: Path) -> None:
    write(tmp_path / "a.toml", BAD)
    command = [sys.executable, "-c", "from server.cli import main; main()", "cases", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.endswith("0 passed, 1 failed\n")
    assert done.stderr == ""
