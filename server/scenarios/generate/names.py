"""Names for places and starts of generated maps: made up from syllables."""

from __future__ import annotations

from collections.abc import Iterable

from server.rules.board import Board, Hex
from server.scenarios.generate.seeded_random import SeededRandom
from server.scenarios.generate.starts import Layout

_BEGIN = (
    "Kar", "Bel", "Tor", "Vel", "Os", "Mar", "Dun", "Har", "Lin", "Sar", "Gol", "Ash", "Bran", "Cor", "Del", "Er",
    "Fal", "Gar", "Hol", "Is", "Jor", "Kel", "Lor", "Mor", "Nor", "Orm", "Per", "Ros", "Sten", "Tal", "Ul", "Wen",
)  # fmt: skip
_END = (
    "en", "ick", "ova", "ham", "mark", "dal", "essa", "un", "by", "stad", "ar", "eth", "or", "ia", "ow", "gate",
    "ness", "wick", "ford", "ine", "ost", "ude",
)  # fmt: skip
_KINDS = {
    "mountains": ("Mount {}", "{} Peaks", "{} Pass"),
    "hills": ("{} Hills", "{} Downs", "{} Ridge"),
    "forest": ("{} Wood", "{} Forest"),
    "jungle": ("{} Jungle", "The {} Tangle"),
    "swamp": ("{} Fen", "{} Marsh"),
    "sea": ("Lake {}", "{} Water", "{} Sound"),
}
_PLAIN = ("{} Plain", "{} Field", "{}")
_HEXES_A_NAME = 45
_MAX_NAMES = 60


class _Names:
    """Gives every name once."""

    def __init__(self, lot: SeededRandom, taken: Iterable[str] = ()) -> None:
        self._lot = lot
        self._given = {*taken}

    def new(self) -> str:
        """Return a name nothing else has."""
        name = self._lot.pick(_BEGIN) + self._lot.pick(_END)
        while name in self._given:
            name = self._lot.pick(_BEGIN) + self._lot.pick(_END)
        self._given.add(name)
        return name


def name_starts(layout: Layout, lot: SeededRandom) -> list[str]:
    """Return a name for each start."""
    names = _Names(lot)
    return [names.new() for _ in layout.centres]


def name_places(board: Board, lot: SeededRandom, taken: Iterable[str] = ()) -> Board:
    """Return the board with names for a few of its places, by their terrain, well apart from each other."""
    names = _Names(lot, taken)
    wanted = min(_MAX_NAMES, max(3, board.size // _HEXES_A_NAME))
    chosen: list[Hex] = []
    places: list[tuple[Hex, str]] = []
    for hex_ in lot.shuffled(range(board.size)):
        if len(places) == wanted:
            break
        inner = sum(board.terrain[neighbour] == board.terrain[hex_] for neighbour in board.adjacent[hex_])
        if inner < 2 or any(board.distance(hex_, other) < 4 for other in chosen):
            continue
        chosen.append(hex_)
        places.append((hex_, lot.pick(_KINDS.get(board.terrain[hex_], _PLAIN)).format(names.new())))
    return Board(board.columns, board.rows, board.terrain, tuple(sorted(places)))
