"""What hexes are called: the same for everyone, from the map alone, and on pages as on the server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from server.render.naming import BEARINGS, bearing, place
from server.rules.board import Board
from server.scenarios import library

SCRIPT = Path(__file__).parents[2] / "server/web/static/table"


def test_a_hex_has_its_own_name_or_a_direction_from_the_nearest() -> None:
    board = library.load("the-pass").board
    at = {name: hex_ for hex_, name in board.names}
    pass_ = at["Carrick Pass"]
    assert place(board, pass_, "en") == "Carrick Pass (0706)"
    east, south_east, _, west, _, north_east = board.neighbours[pass_]
    assert place(board, east, "en") == "0806 (east of Carrick Pass)"
    assert place(board, west, "de") == "0606 (westlich von Carrick Pass)"
    assert bearing(board, south_east) == ("se", "Carrick Pass")
    assert bearing(board, north_east) == ("ne", "Carrick Pass")
    assert all(bearing(board, hex_)[1] for hex_ in range(board.size)), "each hex has a name"


def test_a_map_without_names_has_numbers() -> None:
    board = Board(3, 3, ("plains",) * 9)
    assert place(board, 4, "en") == "0202"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_pages_call_hexes_the_same() -> None:
    """Every hex of every map that comes with the server."""
    boards = {}
    for name in library.names():
        board = library.load(name).board
        found = [bearing(board, hex_) for hex_ in range(board.size)]
        assert {key for key, _ in found} <= {"", *BEARINGS}
        named = {str(hex_): called for hex_, called in board.names}
        boards[name] = {"size": [board.columns, board.rows], "names": named, "found": found}
    program = f"""
      globalThis.document = {{ getElementById: () => null, querySelectorAll: () => [] }};
      const {{ Grid }} = await import("{(SCRIPT / "geometry.js").as_uri()}");
      const {{ bearing }} = await import("{(SCRIPT / "places.js").as_uri()}");
      let text = "";
      for await (const piece of process.stdin) text += piece;
      for (const [name, {{ size, names, found }}] of Object.entries(JSON.parse(text))) {{
        const grid = new Grid(...size), called = new Map(Object.entries(names).map(([hex, one]) => [Number(hex), one]));
        found.forEach((each, hex) => {{
          const ours = JSON.stringify(bearing(grid, called, hex));
          if (ours !== JSON.stringify(each)) throw new Error(`${{name}} ${{hex}}: ${{ours}}, not ${{each}}`);
        }});
      }}
    """
    node = ["node", "--input-type=module", "-e", program]
    done = subprocess.run(node, input=json.dumps(boards), text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
