"""``sealed-orders bot --engine``: programs of any kind play, and bad ones do no harm."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sealed_orders import Client, Refused
from server.commands.engine import Engine, EnginePlayer, command_words
from server.commands.terminal import Wrong
from server.computer_player import Ordered
from tests.client.club import Club
from tests.client.test_docs import PAGE

GOOD = """
import json, sys
for line in sys.stdin:
    if json.loads(line)["kind"] == "turn":
        print('{"orders": []}', flush=True)
"""


class Enough(Exception):
    """Ends the endless loop of a player."""


def play(club: Club, source: str, *, seconds: float = 20.0, folder: Path) -> Ordered:
    """Let the club's first player order for Setup with a program; return what is shown of it."""
    file = folder / "engine.py"
    file.write_text(source)
    shown: list[Ordered] = []

    def show(ordered: Ordered) -> None:
        shown.append(ordered)
        raise Enough

    with _client(club) as client, pytest.raises(Enough):
        EnginePlayer(client, Engine([sys.executable, str(file)], seconds), show, {club.id}).play()
    return shown[0]


@contextmanager
def _client(club: Club) -> Iterator[Client]:
    with Client(club.url, club.players[0].token, patience=5) as client:
        yield client


def test_the_engine_of_the_guide_orders(club: Club, tmp_path: Path) -> None:
    found = re.search(r"<!-- engine.py;.*?-->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    done = play(club, found[1], folder=tmp_path)
    assert (done.phase, done.why) == ("setup", "")
    assert done.orders > 0
    assert club.of(club.players[0]).orders().final


def test_wrong_orders_are_left_out(club: Club, tmp_path: Path) -> None:
    done = play(club, GOOD.replace("[]", '[{"type": "dance"}, 7]'), folder=tmp_path)
    assert (done.orders, len(done.refused)) == (0, 2)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("", "ended"),
        ("print('hello', flush=True); import time; time.sleep(60)", "not a line of JSON"),
        ("print('[]', flush=True); import time; time.sleep(60)", "must be an object"),
        ("import time; time.sleep(60)", "no answer within"),
    ],
)
def test_a_bad_engine_is_asked_twice_and_leaves_the_orders_alone(
    source: str, why: str, club: Club, tmp_path: Path
) -> None:
    done = play(club, source, seconds=1.0, folder=tmp_path)
    assert (done.orders, why in done.why) == (0, True), done.why
    assert not club.of(club.players[0]).orders().final


def test_an_engine_that_fails_once_is_started_again(club: Club, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    fails_first = f"import sys\nfrom pathlib import Path\nmark = Path({str(mark)!r})\n"
    fails_first += "if not mark.exists():\n    mark.touch()\n    sys.exit(1)\n"
    assert play(club, fails_first + GOOD, folder=tmp_path).why == ""


def test_commands_that_are_none() -> None:
    assert command_words("python 'my engine.py'") == ["python", "my engine.py"]
    for bad in ("", "python 'engine.py"):
        with pytest.raises(Wrong):
            command_words(bad)
    with pytest.raises(Wrong):
        Engine(["no-such-program-anywhere"], 1.0).start()


def test_a_revoked_token_ends_it(club: Club, tmp_path: Path) -> None:
    engine = Engine([sys.executable, "-c", GOOD], 5.0)
    with Client(club.url, "sot_wrong", patience=0) as client, pytest.raises(Refused):
        EnginePlayer(client, engine, lambda _: None).play()
