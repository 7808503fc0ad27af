"""``sealed-orders mission``: missions are listed, checked, shown, drawn and printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server import missions
from server.cli import main

MISSION = Path(__file__).parents[2] / "server/missions/clash_of_patrols.toml"


def run(*args: str) -> tuple[int, str]:
    """Return how a command ends and what it prints."""
    result = CliRunner().invoke(main, ["mission", *args])
    return result.exit_code, result.output


def test_missions_are_listed_and_shown() -> None:
    assert "clash_of_patrols" in run("list")[1]
    code, text = run("show", "clash_of_patrols")
    assert code == 0
    assert "Marker 3: 22, 9" in text
    assert json.loads(run("show", str(MISSION), "--json")[1])["width"] == 44


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("width = 44", "width = -1"), "width"),
        (('rule = "control"', 'rule = "magic"'), "rules.11.rule"),
        (('defender = "north"', 'defender = "up"'), "edges.defender"),
        (("at = [12, 15]", "at = [12, 99]"), "markers.0.at"),
    ],
)
def test_all_that_is_wrong_is_named_with_its_place(tmp_path: Path, change: tuple[str, str], place: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(MISSION.read_text(encoding="utf-8").replace(*change, 1), encoding="utf-8")
    code, text = run("validate", str(path), str(MISSION))
    assert code == 1
    assert f"broken.toml: {place}: " in text
    assert f"{MISSION.name}: good" in text


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no.toml"
    assert run("validate", str(path))[0] == 2
    path.write_bytes(b"\xff\xfe")
    assert run("show", str(path))[0] == 2
    code, text = run("show", "nothing")
    assert code == 2
    assert "There is no mission nothing" in text


@pytest.mark.parametrize(("name", "starts"), [("m.svg", b"<svg"), ("m.png", b"\x89PNG")])
def test_maps_are_drawn(tmp_path: Path, name: str, starts: bytes) -> None:
    assert run("render", "clash_of_patrols", "--to", str(tmp_path / name))[0] == 0
    assert (tmp_path / name).read_bytes().startswith(starts)


@pytest.mark.parametrize(("name", "starts"), [("s.pdf", b"%PDF"), ("s.html", b"<!doctype html>")])
def test_sheets_are_written(tmp_path: Path, name: str, starts: bytes) -> None:
    army = tmp_path / "army.toml"
    army.write_text('[[units]]\nid = "r1"\nname = "Iron Guard"\nmodels = 7\n', encoding="utf-8")
    assert run("sheet", "clash_of_patrols", "--to", str(tmp_path / name), "--armies", str(army))[0] == 0
    written = (tmp_path / name).read_bytes()
    assert written.startswith(starts)
    assert name.endswith("pdf") or b"Iron Guard" in written


def test_other_kinds_of_files_are_refused(tmp_path: Path) -> None:
    assert run("render", "clash_of_patrols", "--to", str(tmp_path / "m.gif"))[0] == 2
    assert run("sheet", "clash_of_patrols", "--to", str(tmp_path / "s.doc"))[0] == 2


@pytest.mark.parametrize("mission", sorted(missions.library()))
def test_every_mission_is_shown(mission: str) -> None:
    code, text = run("show", mission)
    assert code == 0
    for stratagem in missions.load(mission).stratagems:
        assert f"{stratagem.name.en} (" in text
