"""Trains the dictionary of :mod:`server.store.packing`: ``python -m bench.dictionary FILE``.

Computer players play some turns on several maps, by the rules alone. What is kept of each phase goes into the
training: each player's orders, the events, pieces of the state. The same program gives the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import zstandard

from server import rulesets
from server.bots import commander
from server.core.dice import SeededDice
from server.rules.codec import encode
from server.rules.phases import begin, resolve
from server.rules.sight import views_for
from server.rules.state import BUILD, OVER, Settings
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.store.phase_events import column_of

SIZE = 32 * 1024
PIECE = 4096
"""Bytes of a piece of a state, or of a long list of events."""
GAMES = (("four-corners", 4, 6), ("five-shores", 5, 4), ("six-banners", 6, 3))
"""Map, players, turns."""


def samples(map_: str, players: int, turns: int) -> Iterator[bytes]:
    """Yield what is kept of a campaign, in pieces."""
    scenario = library.load(map_)
    ruleset = rulesets.load(scenario.ruleset)
    lists = [faction for faction in ruleset.factions if faction != "none"]
    seats = [(f"p{place}", lists[place % len(lists)]) for place in range(1, players + 1)]
    state = initial_state(scenario, ruleset, Settings(turn_limit=turns), seats, b"dictionary")
    state = begin(state, SeededDice(map_.encode())).state
    views = views_for(state, ())
    while state.phase != OVER:
        orders = {player.id: commander.choose(views[player.id]) for player in state.living()}
        done = resolve(state, orders, SeededDice(f"{map_}/{state.turn}/{state.phase}".encode()))
        yield from (orjson.dumps(given) for given in orders.values() if given)
        yield from _pieces(orjson.dumps(column_of(done.events)))
        state, views = done.state, views_for(done.state, done.events)
        if state.phase == BUILD:
            yield from _pieces(encode(state))


def _pieces(text: bytes) -> Iterator[bytes]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


def main(to: str) -> None:
    """Train a dictionary and write it to a file."""
    found: list[bytes | bytearray | memoryview[int]] = [sample for game in GAMES for sample in samples(*game)]
    made = zstandard.train_dictionary(SIZE, found, level=9, dict_id=1)
    Path(to).write_bytes(made.as_bytes())
    print(f"{len(found)} samples of {sum(map(len, found))} bytes: {len(made.as_bytes())} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
