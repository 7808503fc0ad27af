"""``sealed-orders replay``: told, as a moving picture, as a page; through whose eyes; and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from server.play.archive.record_files import pack, read_file
from tests.commands.conftest import json_of, run


def phases(file: Path) -> int:
    """How many phases there are to be seen: Setup and all that were played after it."""
    return sum(phase["resolved_at"] is not None and phase["number"] > 0 for phase in read_file(file)["phases"])


def test_it_is_told(record_file: Path) -> None:
    told = run("replay", record_file).stdout
    assert told.startswith("The Long March\n")
    assert "Turn 2, movement" in told
    assert re.search(r"Dan claims \d+ hex", told)
    assert "Score" in told


def test_it_is_told_as_json(record_file: Path) -> None:
    told = json_of("replay", record_file)
    assert (told["name"], told["viewer"], len(told["phases"])) == ("The Long March", "gm", phases(record_file) + 1)
    assert [each["name"] for each in told["phases"][-1]["score"]] == ["Ada", "Bob", "Cyd", "Dan"]


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_a_moving_picture_has_a_picture_for_each_phase(record_file: Path, tmp_path: Path, kind: str) -> None:
    to = tmp_path / f"march.{kind}"
    told = json_of("replay", record_file, "--picture", to, "--size", 300, "--pace", 0.5)
    assert (told["phases"], told["bytes"]) == (phases(record_file), to.stat().st_size)
    with Image.open(to) as picture:
        assert (picture.n_frames, picture.width) == (told["phases"], 300)  # type: ignore[attr-defined]
        pictures, times = [], []
        for number in range(told["phases"]):
            picture.seek(number)
            pictures.append(picture.convert("RGB").tobytes())
            times.append(picture.info["duration"])
    assert len({*pictures}) == len(pictures)  # the heading alone differs each time
    assert times == [500] * (len(times) - 1) + [2000]
    assert [each.name for each in tmp_path.iterdir()] == [to.name]


def test_a_page_needs_no_other_file(record_file: Path, tmp_path: Path) -> None:
    to = tmp_path / "march.html"
    run("replay", record_file, "--picture", to)
    page = to.read_text(encoding="utf-8")
    assert page.count('"heading"') == phases(record_file)
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_a_seat_sees_what_it_saw_then(record_file: Path, tmp_path: Path) -> None:
    by_id, by_name, all_ = tmp_path / "id.html", tmp_path / "name.html", tmp_path / "all.html"
    run("replay", record_file, "--picture", all_)
    run("replay", record_file, "--picture", by_id, "--seat", "p2")
    run("replay", record_file, "--picture", by_name, "--seat", "bob")
    assert by_id.read_bytes() == by_name.read_bytes()
    assert "The Long March, as Bob saw it" in by_id.read_text(encoding="utf-8")
    counters = [each.read_text(encoding="utf-8").count(" points<") for each in (by_id, all_)]
    assert 0 < counters[0] < counters[1]
    assert json_of("replay", record_file, "--seat", "spectator")["viewer"] == "spectator"
    assert "p1 (Ada)" in run("replay", record_file, "--seat", "p9", code=1).stderr


def test_what_cannot_be_is_said_and_nothing_is_written(record_file: Path, tmp_path: Path) -> None:
    assert ".gif, .webp, .html" in run("replay", record_file, "--picture", tmp_path / "a.avi", code=2).stderr
    assert "nowhere" in run("replay", record_file, "--picture", tmp_path / "nowhere" / "a.html", code=2).stderr
    (tmp_path / "none").write_text("hello")
    run("replay", tmp_path / "none", code=2)
    assert [each.name for each in tmp_path.iterdir()] == ["none"]


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("phases", "snapshot", "AAAA"),
        ("phases", "snapshot", 7),
        ("phases", "number", "x"),
        ("events", "fields", None),
        ("events", "seq", []),
        ("seats", "player_id", "p9"),
        ("campaign", "board", {}),
        ("campaign", "branch", 3),
        ("campaign", "name", None),
    ],
)
def test_a_record_that_makes_no_sense(record_file: Path, tmp_path: Path, table: str, name: str, value: object) -> None:
    record = read_file(record_file)
    (record[table] if table == "campaign" else record[table][1])[name] = value
    file = tmp_path / "file"
    file.write_bytes(pack(record))
    result = run("replay", file, code=0 if name in ("player_id", "name") else 2)
    assert "Traceback" not in result.output
