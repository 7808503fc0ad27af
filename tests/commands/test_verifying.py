"""``sealed-orders verify``: good records, changed ones, and files that are none."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from server.play import context
from server.play.archive.record_files import pack, read_file
from tests.commands.conftest import json_of, run


def changed(file: Path, to: Path, **values: Any) -> Path:
    """Write a record in which phase 3 says something else."""
    record = read_file(file)
    next(phase for phase in record["phases"] if phase["number"] == 3).update(values)
    to.write_bytes(pack(record))
    return to


def bomb() -> bytes:
    """Return the little that 900 million bytes become, without packing them: one block, many times."""
    packer, nothing = zlib.compressobj(), bytes(1_000_000)
    first, block = (packer.compress(nothing) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + block * 899


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the record after its campaign, which the tests' clock plays years from now."""
    monkeypatch.setattr(context, "utc_now", lambda: datetime(2031, 7, 1, tzinfo=UTC))


def test_a_good_record(record_file: Path) -> None:
    result = run("verify", record_file)
    assert result.stdout.startswith("The Long March: verified, no differences.\n")
    assert read_file(record_file)["campaign"]["link0"] in result.stdout
    assert result.stderr == ""


def test_a_good_record_as_json(record_file: Path) -> None:
    record = read_file(record_file)
    told = json_of("verify", record_file)
    assert (told["ok"], told["first_difference"], told["campaign"]) == (True, None, record["campaign"]["id"])
    assert told["checked"] == told["total"] == sum(phase["resolved_at"] is not None for phase in record["phases"])
    assert told["rolls"] > 0


def test_the_first_phase_that_differs_is_named(record_file: Path, tmp_path: Path) -> None:
    file = changed(record_file, tmp_path / "changed", state_hash="00" * 32)
    phase = next(each for each in read_file(file)["phases"] if each["number"] == 3)
    result = run("verify", file, code=1)
    name = f"phase 3 (turn {phase['turn']}, {phase['phase'].replace('_', ' ')}) differs"
    assert name in result.stdout
    assert "another state" in result.stdout
    told = json_of("verify", file, code=1)["first_difference"]
    assert (told["branch"], told["number"], told["phase"], told["what"]) == (1, 3, phase["phase"], "state")


def test_the_dice_are_those_that_were_published(record_file: Path) -> None:
    link0 = read_file(record_file)["campaign"]["link0"]
    run("verify", record_file, "--link0", link0.upper())
    assert "do not match the published link 0" in run("verify", record_file, "--link0", "ab" * 32, code=1).stdout
    assert json_of("verify", record_file, "--link0", "ab" * 32, code=1)["link0_as_published"] is False


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cut off"),
        (b"hello", "something else"),
        (json.dumps({"format": "sealed-orders-campaign"}).encode(), "plain JSON"),
        (b"PK\x03\x04" + bytes(90), "zip archive"),
        (gzip.compress(bytes(1000)), "gzip"),
        (b"\x28\xb5\x2f\xfd" + bytes(90), "zstd"),
        (zlib.compress(b"[" * 5_000_000), "something else"),
        (zlib.compress(b"[]"), "Not a campaign's record"),
        (zlib.compress(b'{"format": "sealed-orders-campaign", "version": 99}'), "99"),
        (bomb(), "far more"),
    ],
    ids=["empty", "text", "json", "zip", "gzip", "zstd", "deep", "list", "version", "bomb"],
)
def test_files_that_are_no_record(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    result = run("verify", file, code=2)
    assert says in result.stderr
    assert result.stderr.count("\n") == 1
    assert json_of("verify", file, code=2)["error"]["code"] == "bad_record"


def test_a_record_that_is_cut_off_or_goes_on(record_file: Path, tmp_path: Path) -> None:
    data, file = record_file.read_bytes(), tmp_path / "file"
    for wrong in (data[:-7], data[: len(data) // 2], data + b"more"):
        file.write_bytes(wrong)
        assert "cut off, or something follows" in run("verify", file, code=2).stderr


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("missing", "", "pipe"):
        assert str(tmp_path) in run("verify", tmp_path / name, code=2).stderr


def test_a_branch_that_was_made_up_is_found_at_once(record_file: Path, tmp_path: Path) -> None:
    file = changed(record_file, tmp_path / "far", branch=sys.maxsize)
    assert "branches" in run("verify", file, code=1).stdout


def test_a_record_from_the_future_is_none(record_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "utc_now", lambda: datetime(2026, 1, 1, tzinfo=UTC))
    result = run("verify", record_file, code=1)
    assert "still to come" in result.output
