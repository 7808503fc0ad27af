"""``sealed-orders orders text`` and ``orders json``: orders translated without a server."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from server.commands.ordering import app

ORDERS = [
    {"type": "attack", "detachment": "r1", "target": "0505", "planned": True},
    {"type": "fight", "battle": "0505", "casualties": ["s1:half", "s2"]},
    {"type": "dance", "with": "\u2028"},
]
VIEW = {
    "viewer": "red",
    "state": {
        "players": [{"id": "red"}],
        "garrisons": {},
        "convoys": {},
        "detachments": {"r1": {"name": "1st Company", "owner": "red", "units": []}},
    },
}


def run(*words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout, done.stderr


def test_there_and_back(tmp_path: Path) -> None:
    (tmp_path / "orders.json").write_text(json.dumps({"orders": ORDERS}))
    code, text, _ = run("text", tmp_path / "orders.json")
    assert code == 0
    assert text.startswith("r1: attack 0505 planned\n")
    (tmp_path / "orders.txt").write_text(text)
    code, found, _ = run("json", tmp_path / "orders.txt")
    assert (code, json.loads(found)) == (0, ORDERS)


def test_a_view_gives_the_names(tmp_path: Path) -> None:
    (tmp_path / "orders.json").write_text(json.dumps(ORDERS[:1]))
    (tmp_path / "view.json").write_text(json.dumps(VIEW))
    (tmp_path / "orders.txt").write_text("1st comp: attack 0505 planned\nfinal\n")
    assert run("text", tmp_path / "orders.json", "--view", tmp_path / "view.json")[1] == (
        "1st Company: attack 0505 planned\n"
    )
    code, found, _ = run("json", tmp_path / "orders.txt", "--view", tmp_path / "view.json", "--json")
    assert (code, json.loads(found)) == (0, {"orders": ORDERS[:1], "final": True, "repeats": {}, "problems": []})


def test_what_is_not_understood_is_named_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / "orders.txt").write_text("r1: atack 0505\nr2: guard\n")
    code, found, said = run("json", tmp_path / "orders.txt")
    assert (code, [order["detachment"] for order in json.loads(found)]) == (1, ["r2"])
    assert "Line 1" in said
    assert '"attack"' in said


def test_files_that_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"\xff\x00[1")
    (tmp_path / "orders.txt").write_text("r2: guard\n")
    assert run("text", tmp_path / "bad")[0] != 0
    assert run("json", tmp_path / "none")[0] != 0
    assert run("json", tmp_path / "orders.txt", "--view", tmp_path / "bad")[0] != 0
    assert run("json", tmp_path / "bad")[0] == 1
