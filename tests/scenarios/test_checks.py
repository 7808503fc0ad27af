"""Whether a scenario makes sense: all problems at once, each with its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from server.rules.board import Board
from server.rulesets import load as load_ruleset
from server.scenarios.checks import can_place, check, validate
from server.scenarios.library import load
from server.scenarios.scenario import Background, Conditions, Scenario, Start, disc
from server.scenarios.writer import save

RULES = load_ruleset("wh40k-2001")


def island(*terrain: str, columns: int = 9, rows: int = 9) -> Scenario:
    """Two starts on plains; further arguments are hexes like "0101=sea"."""
    names = ["plains"] * (columns * rows)
    board = Board(columns, rows, tuple(names))
    for each in terrain:
        label, _, name = each.partition("=")
        names[board.find(label) or 0] = name
    board = Board(columns, rows, tuple(names))
    west, east = board.find("0305") or 0, board.find("0705") or 0
    starts = (Start("West", west, disc(board, west, 1)), Start("East", east, disc(board, east, 1)))
    return Scenario("island", "Island", board, starts, conditions=Conditions(urban=0, resources=0))


def codes(scenario: Scenario) -> list[tuple[str, str, str, str]]:
    return [(each.severity, each.code, each.where, each.hex) for each in check(scenario)]


def test_a_good_one() -> None:
    assert codes(island()) == []


def test_all_errors_at_once() -> None:
    scenario = island("0101=lava", "0202=sea")
    board = scenario.board
    clash = replace(scenario.starts[1], name="West", area=scenario.starts[0].area[:1])
    found = codes(
        replace(
            scenario, starts=(scenario.starts[0], clash), roads=((board.find("0201") or 0, board.find("0202") or 0),)
        )
    )
    assert found == [
        ("error", "unknown_terrain", "terrain", "0101"),
        ("error", "overlap", "starts[1]", "0204"),
        ("error", "bad_centre", "starts[1].centre", "0705"),
        ("error", "duplicate", "starts", ""),
        ("error", "no_road_terrain", "roads", "0202"),
    ]


def test_what_a_scenario_cannot_do_without() -> None:
    assert codes(replace(island(), starts=())) == [("error", "no_starts", "starts", "")]
    assert codes(replace(island(), ruleset="chess")) == [("error", "unknown_ruleset", "ruleset", "")]


def test_a_capital_must_have_a_place() -> None:
    found = codes(island("0304=sea"))
    assert ("error", "no_capital_site", "starts[0]", "0305") in found


def test_everything_must_have_room() -> None:
    assert codes(replace(island(), conditions=Conditions(urban=1, resources=0))) == [
        ("error", "no_room", "starts[0]", "0305"),
        ("error", "no_room", "starts[1]", "0705"),
    ]


@pytest.mark.parametrize(("urban", "resources", "fits"), [(1, 3, True), (6, 6, True), (7, 6, False), (0, 7, False)])
def test_room_under_the_restrictions_of_placement(urban: int, resources: int, fits: bool) -> None:
    board = Board(9, 9, ("plains",) * 81)
    area = disc(board, board.find("0505") or 0, 2)
    assert can_place(board, RULES, area, urban, resources) is fits


def test_islands_nobody_can_walk_to() -> None:
    ring = [f"{each}=sea" for each in ("0201", "0102", "0202")]
    assert codes(island(*ring))[0] == ("warning", "unreachable", "board", "0101")
    wall = [f"05{row:02d}=sea" for row in range(1, 10)] + [f"04{row:02d}=sea" for row in range(2, 10, 2)]
    assert ("warning", "parted", "board", "") in codes(island(*wall))


def test_unfair_starts() -> None:
    mountains = [f"{label}=mountains" for label in ("0204", "0304", "0205", "0405", "0206", "0306")]
    found = [each for each in check(island(*mountains)) if each.code == "unfair"]
    assert found
    assert "with 2 players, land hexes infantry can reach" in found[0].message


def test_the_picture_must_be_beside_the_file(tmp_path: Path) -> None:
    scenario = replace(load("the-pass"), background=Background("scan.png"))
    save(scenario, tmp_path / "pass")
    _, found = validate(tmp_path / "pass")
    assert [each.code for each in found] == ["no_picture"]
    (tmp_path / "pass" / "scan.png").symlink_to("/etc/hostname")
    _, found = validate(tmp_path / "pass")
    assert [each.code for each in found] == ["no_picture"]
    (tmp_path / "pass" / "scan.png").unlink()
    (tmp_path / "pass" / "scan.png").write_bytes(b"picture")
    assert validate(tmp_path / "pass")[1] == []


def test_validate_tells_what_cannot_be_read(tmp_path: Path) -> None:
    scenario, found = validate(tmp_path / "nothing")
    assert scenario is None
    assert [each.code for each in found] == ["unreadable"]
