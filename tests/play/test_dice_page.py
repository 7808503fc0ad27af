"""``docs/dice.md``: its test vectors, and the checker that was written from it alone."""

from __future__ import annotations

import ast
import copy
import re
from pathlib import Path
from typing import Any

import pytest

from server.core import dice
from server.play.archive.record_files import export, read
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.game_masters import rollback
from tests import dice_checker
from tests.dice_checker import Checker
from tests.play.campaigns import club

PAGE = (Path(__file__).parents[2] / "docs" / "dice.md").read_text(encoding="utf-8")
CHECKER = Path(dice_checker.__file__)
SECRET, SALTS = bytes(range(32)), ["pepper", "", "Zürich"]
BIG = 9223372036854775809


def vectors() -> list[str]:
    table = PAGE.partition("## Test vectors")[2].partition("\n## ")[0]
    return [found.replace("\\|", "|") for found in re.findall(r"\| `([^`]+)` \|$", table, re.M)]


def words(faces: list[int]) -> str:
    return " ".join(map(str, faces))


def test_the_servers_code_gives_the_vectors() -> None:
    links = dice.chain(SECRET)
    seed = dice.phase_seed(links[2], "k7m2", 1, 1, "build", SALTS)
    key = dice.seat_key(SECRET, "p1")
    sub = dice.seat_seed(seed, "p1", key)
    assert vectors() == [
        *(links[number].hex() for number in (1000, 2, 1, 0)),
        dice.commitment(b"pepper"),
        dice.salted(["k7m2", "1", "1", "build"], SALTS).decode(),
        seed.hex(),
        key.hex(),
        dice.commitment(key),
        sub.hex(),
        words([dice.face(seed, "initiative/p2", each) for each in range(6)]),
        words([dice.face(sub, "discovery/0405", each) for each in range(6)]),
        words([dice.face(seed, "corruption/p3", each, 20) for each in range(4)]),
        words([dice.face(seed, "big", each, BIG) for each in range(3)]),
    ]


def test_the_other_checker_gives_the_vectors() -> None:
    links = dice_checker.links(SECRET)
    seed = dice_checker.seed_of(links[2], "k7m2", 1, 1, "build", SALTS)
    key = dice_checker.seat_key(SECRET, "p1")
    sub = dice_checker.sub_seed(seed, "p1", key)
    given = vectors()
    assert [each.hex() for each in (links[1000], links[2], links[1], links[0])] == given[:4]
    assert [seed.hex(), key.hex(), sub.hex()] == [given[6], given[7], given[9]]
    assert dice_checker.sha256(key).hex() == given[8]
    assert words([dice_checker.face(sub, "discovery/0405", each, 6) for each in range(6)]) == given[11]
    assert words([dice_checker.face(seed, "big", each, BIG) for each in range(3)]) == given[13]


def test_the_other_checker_shares_nothing_with_the_server() -> None:
    source = CHECKER.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 150
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not [each for each in imported if each.split(".")[0] in ("server", "sealed_orders", "tests")]


@pytest.fixture
def record(ctx: AppContext) -> dict[str, Any]:
    """A record with hidden rolls, a rollback and a salt that nobody sent."""
    made = club(ctx, phases=7)
    rollback.roll_back(ctx, made.gm, made.id, 5, "Once more.")
    made.play_phase()
    made.play_phase()
    campaigns.finish(ctx, made.gm, made.id)
    return read(export(ctx, made.gm, made.id))


def test_the_other_checker_agrees(record: dict[str, Any]) -> None:
    """Seen to fail with hidden rolls taken from the phase's seed, and with branches that go on with their own links."""
    checker = Checker(record)
    assert checker.run() == []
    assert checker.rolls > 50


@pytest.mark.parametrize("what", ["salt", "commitment", "link", "seed", "face", "hidden face", "secret"])
def test_it_finds_what_was_changed(record: dict[str, Any], what: str) -> None:
    changed = copy.deepcopy(record)
    _change(changed, what)
    assert Checker(changed).run()


def _change(record: dict[str, Any], what: str) -> None:
    if what in ("salt", "commitment"):
        next(salt for salt in record["salts"] if salt["phase_number"] == 3)[what] = "0" * 64
    elif what in ("link", "seed"):
        next(phase for phase in record["phases"] if phase["number"] == 3)[what] = "0" * 64
    elif what == "secret":
        record["campaign"]["dice_secret"] = "AAAA"
    else:
        wanted = "initiative" if what == "face" else "discovery/"
        rolled = next(
            event["fields"]
            for event in record["events"]
            if event["type"] == "dice" and event["fields"]["label"].startswith(wanted)
        )
        rolled["faces"] = [face % 6 + 1 for face in rolled["faces"]]
