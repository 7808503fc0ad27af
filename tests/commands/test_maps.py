"""The map commands: what they print, as JSON too, what they write, and their exit codes."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from server.cli import main
from server.scenarios import library
from server.scenarios.exchange import EXPORTS, IMPORTS
from server.scenarios.report import Progress
from server.scenarios.writer import FILE, save
from tests.scenarios.strategies import facts
from tests.scenarios.tmx import pack, tmx

OK, PROBLEMS, UNREADABLE = 0, 1, 2


def run(*words: str | Path, code: int = OK) -> Result:
    result = CliRunner().invoke(main, ["map", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


def json_of(*words: str | Path, code: int = OK) -> Any:
    return json.loads(run(*words, "--json", code=code).stdout)


def broken(folder: Path) -> Path:
    folder.mkdir()
    (folder / FILE).write_text(
        '{"format": 1, "title": "", "terrain": {".": "plains"}, "board": ["..", "."], "starts": []}'
    )
    return folder


# --- list ---


def test_list() -> None:
    assert [scenario["id"] for scenario in json_of("list")["scenarios"]] == list(library.names())
    assert "Four Corners" in run("list").stdout


# --- validate ---


def test_validate_shipped_scenarios() -> None:
    assert run("validate").stdout.count(": good") == len(library.names())
    report = json_of("validate", "four-corners")["scenarios"]
    assert [(each["path"], each["ok"], each["problems"]) for each in report] == [("four-corners", True, [])]
    assert [each["players"] for each in report[0]["fairness"]] == [2, 4]


def test_validate_shows_what_every_start_is_worth() -> None:
    text = run("validate", "the-pass", "--fairness").stdout
    assert "Northmarch" in text
    assert "differ by" in text


def test_validate_says_everything_that_is_wrong(tmp_path: Path) -> None:
    folder = broken(tmp_path / "bad")
    lines = run("validate", folder, "four-corners", code=PROBLEMS).stdout.splitlines()
    assert len(lines) == 4
    assert lines[2] == f"{folder}: broken"
    assert lines[0].startswith(f"{folder}: error: title: ")
    assert lines[1].startswith(f"{folder}: error: board[1]: ")
    report = json_of("validate", folder, code=PROBLEMS)["scenarios"][0]
    assert {problem["where"] for problem in report["problems"]} == {"title", "board[1]"}


def test_validate_tells_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    assert "line 1" in run("validate", tmp_path, broken(tmp_path / "bad"), code=UNREADABLE).stdout
    assert "no such file" in run("validate", tmp_path / "none", code=UNREADABLE).stdout
    assert "no ruleset" in run("validate", "--ruleset", "chess", code=UNREADABLE).stderr


def test_validate_strictly(tmp_path: Path) -> None:
    run("import", wesnoth(tmp_path), "--to", tmp_path / "hills")
    scenario = library.load_folder(tmp_path / "hills")
    run("validate", tmp_path / "hills", code=PROBLEMS)
    assert scenario.starts[0].name == "Side 1"
    run("generate", "--size", "20x16", "--players", "2", "--seed", "1", "--to", tmp_path / "new")
    data = json.loads((tmp_path / "new" / FILE).read_text())
    data["starts"][0]["radius"] = 2
    (tmp_path / "new" / FILE).write_text(json.dumps(data))
    run("validate", tmp_path / "new")
    run("validate", tmp_path / "new", "--strict", code=PROBLEMS)


def test_validate_with_another_ruleset() -> None:
    run("validate", "--ruleset", "frontier")


# --- generate ---


def test_generate_prints_a_scenario() -> None:
    words = ("generate", "--size", "16x14", "--players", "2", "--seed", "7")
    result = run(*words)
    assert json.loads(result.stdout)["format"] == 1
    assert result.stderr == "seed 7\n"
    assert run(*words).stdout == result.stdout
    assert run("generate", "--size", "16X14", "--players", "2").stdout != result.stdout


def test_generate_into_a_folder(tmp_path: Path) -> None:
    words = ("generate", "--size", "24x20", "--players", "4", "--symmetry", "best", "--bp", "900", "--urban", "2")
    more = ("--share", "sea=20", "--share", "forest=25%", "--title", "Isle", "--to", tmp_path / "isle")
    data = json_of(*words, *more, "--resources", "1", "--radius", "2")
    assert data["id"] == "isle"
    assert data["written"] == str(tmp_path / "isle" / FILE)
    assert all(each["fair"] for each in data["fairness"])
    scenario = library.load_folder(tmp_path / "isle")
    assert (scenario.title, scenario.conditions.bp, scenario.player_counts) == ("Isle", 900, (2, 4))
    assert data["seed"] in scenario.summary
    run("validate", tmp_path / "isle")
    assert "--force" in run(*words, *more, code=UNREADABLE).stderr
    run(*words, *more, "--force")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--size", "twelve"), UNREADABLE, "--size must be like 24x20"),
        (("--size", "3x3"), UNREADABLE, "columns: must be 7 to 500"),
        (("--share", "forest"), UNREADABLE, "--share must be like forest=20"),
        (("--share", "lava=3"), UNREADABLE, "no such terrain"),
        (("--symmetry", "round"), UNREADABLE, "--symmetry must be one of"),
        (("--players", "5", "--symmetry", "half"), UNREADABLE, "cannot sit the same way"),
        (("--players", "25"), UNREADABLE, ""),
        (("--title", ""), UNREADABLE, "title"),
        (("--size", "9x9", "--players", "12"), PROBLEMS, "no room for a fair map"),
    ],
)
def test_generate_refuses(words: tuple[str, ...], code: int, said: str) -> None:
    assert said in run("generate", *words, code=code).stderr


def test_generate_says_no_room_to_scripts() -> None:
    error = json_of("generate", "--size", "9x9", "--players", "12", code=PROBLEMS)["error"]
    assert error["code"] == error["problems"][0]["code"] == "no_room"
    assert "no room for a fair map" in error["message"]


# --- import ---


def wesnoth(folder: Path) -> Path:
    file = folder / "Hills.map"
    row = "Gg, " * 11 + "Gg\n"
    file.write_text(row * 2 + "Gg, Gg, 1 Kh, " + "Hh, " * 6 + "2 Kh, Gg, Gg\n" + row * 2)
    return file


def test_import_into_a_folder(tmp_path: Path) -> None:
    result = run("import", wesnoth(tmp_path), "--to", tmp_path / "hills")
    assert result.stdout == f"{tmp_path / 'hills' / FILE}\n"
    assert "warning: board: its columns are shoved" in result.stderr
    assert library.load_folder(tmp_path / "hills").title == "Hills"
    told = json_of("import", wesnoth(tmp_path), "--to", tmp_path / "hills", "--force")
    assert all(f"{problem['severity']}: {problem['where']}" in result.stderr for problem in told["problems"])
    assert len(told["problems"]) == len(result.stderr.splitlines()) > 1
    assert "already exists" in run("import", wesnoth(tmp_path), "--to", tmp_path / "hills", code=UNREADABLE).stderr


def test_import_lists_what_was_not_understood(tmp_path: Path) -> None:
    file = tmp_path / "map.tmx"
    file.write_bytes(tmx(pack([1, 2, 3, 9, 9, 8], "zstd", 3)))
    result = run("import", file, "--to", tmp_path / "map", code=PROBLEMS)
    assert "hex 0102): the terrain 'land:8' of 2 hexes was not understood" in result.stderr
    assert not (tmp_path / "map").exists()
    suggested = result.stderr[result.stderr.index("[terrain]") :]
    error = json_of("import", file, code=PROBLEMS)["error"]
    assert error["code"] == error["problems"][0]["code"] == "not_understood"
    assert error["not_understood"][0] == {"terrain": "land:8", "hexes": 2, "first": "0102"}
    assert "land:8" in error["message"]
    assert "[terrain]" not in error["message"]
    mapping = tmp_path / "terrains.toml"
    mapping.write_text(suggested.replace('= ""', '= "hills"'))
    assert json_of("import", file, "--mapping", mapping)["scenario"]["board"] == [". f ^", " h h h"]


@pytest.mark.parametrize(("content", "said"), [("x = 1", "no such key"), ("[", "no mapping file")])
def test_import_with_a_broken_mapping_file(tmp_path: Path, content: str, said: str) -> None:
    mapping = tmp_path / "terrains.toml"
    mapping.write_text(content)
    assert said in run("import", wesnoth(tmp_path), "--mapping", mapping, code=UNREADABLE).stderr


def test_import_of_what_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "map.tmx"
    file.write_text("<map/>")
    assert "only hexagonal" in run("import", file, code=UNREADABLE).stderr
    assert json_of("import", file, code=UNREADABLE)["error"]["code"] == "unreadable"
    assert "no such file" in run("import", tmp_path / "none.tmx", code=UNREADABLE).stderr
    assert "known endings" in run("import", tmp_path / "none.jpg", code=UNREADABLE).stderr
    assert "there are: tiled" in run("import", file, "--format", "jpg", code=UNREADABLE).stderr


def test_import_by_format(tmp_path: Path) -> None:
    file = tmp_path / "grid"
    file.write_text("..f\n^^~\n")
    assert json_of("import", file, "--format", "csv")["scenario"]["board"] == [". . f", " ^ ^ ~"]


# --- export ---


@pytest.mark.parametrize("format", EXPORTS)
def test_export(tmp_path: Path, format: str) -> None:
    data = json_of("export", "the-pass", "--format", format, "--to", tmp_path / "out")
    assert data["written"]
    assert all(Path(each).stat().st_size for each in data["written"])
    assert (
        "already exists"
        in run("export", "the-pass", "--format", format, "--to", tmp_path / "out", code=UNREADABLE).stderr
    )
    run("export", "the-pass", "--format", format, "--to", tmp_path / "out", "--force")


def test_export_and_import_again(tmp_path: Path) -> None:
    save(library.load("six-banners"), tmp_path / "mine")
    written = run("export", tmp_path / "mine", "--to", tmp_path).stdout.splitlines()
    assert written == [str(tmp_path / "mine.tmx"), str(tmp_path / "mine-tiles.png")]
    run("import", tmp_path / "mine.tmx", "--to", tmp_path / "again")
    assert facts(library.load_folder(tmp_path / "again")) == facts(library.load("six-banners"))


def test_export_of_what_cannot_be_read(tmp_path: Path) -> None:
    assert "title" in run("export", broken(tmp_path / "bad"), code=PROBLEMS).stderr
    assert "no such file" in run("export", "atlantis", code=UNREADABLE).stderr
    assert "there are: tiled" in run("export", "the-pass", "--format", "jpg", code=UNREADABLE).stderr
    (tmp_path / "file").write_text("")
    assert "file: File exists" in run("export", "the-pass", "--to", tmp_path / "file", code=UNREADABLE).stderr


# --- all of them ---


@pytest.mark.parametrize(
    "words",
    [
        "validate --ruleset chess",
        "generate --size twelve",
        "import none.tmx",
        "export atlantis",
        "export the-pass --format jpg",
    ],
)
def test_whatever_is_not_understood_is_one_object_for_scripts(words: str) -> None:
    assert {*json_of(*words.split(), code=UNREADABLE)} == {"error"}
    assert json_of(*words.split(), code=UNREADABLE)["error"]["message"]


@pytest.mark.parametrize("command", ["list", "validate", "generate", "import", "export"])
def test_every_command_has_help_with_an_example(command: str) -> None:
    text = " ".join(re.sub(r"[│─╭╮╰╯]", " ", run(command, "--help").stdout).split())
    assert f"sealed-orders map {command}" in text
    assert "--json" in text


def test_formats_are_named_in_the_help() -> None:
    assert all(import_ in run("import", "--help").stdout for import_ in IMPORTS)
    assert all(export in run("export", "--help").stdout for export in EXPORTS)


def test_progress_is_shown_only_when_it_takes_long() -> None:
    said: list[str] = []
    with Progress(said.append, after=0.05) as progress:
        progress.start_step("quick")
    assert said == []
    with Progress(said.append, after=0.01) as progress:
        progress.start_step("slow")
        time.sleep(0.1)
        progress.start_step("slower")
    assert said == ["... slow", "... slower"]
