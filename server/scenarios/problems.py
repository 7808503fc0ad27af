"""What can be wrong with a map: problems with a place, all of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

ERROR, WARNING = "error", "warning"
MAX_PROBLEMS = 500
"""Nobody reads more of them."""


CODES = {
    "unreadable": "The file cannot be read, or is not of its format.",
    "too_large": "The file, or what it says it holds, is larger than any map.",
    "hostile": "The file holds what no map has a use for: a document type, data that unpacks to more than it says.",
    "external": "The file refers to other files; nothing is read but the file itself.",
    "newer_format": "The file is of a format this server does not know yet.",
    "unknown_key": "There is no such key.",
    "missing_key": "A key is missing that must be there.",
    "bad_value": "A value is not of the kind it must be.",
    "bad_size": "The board has too many or too few columns or rows, or rows of different length.",
    "bad_hex": "There is no such hex on the map.",
    "unknown_letter": "A letter of the board is not in the table of terrains.",
    "not_adjacent": "A road joins hexes that are not adjacent.",
    "duplicate": "Something is there twice.",
    "unknown_scenario": "No scenario of that name comes with the server.",
    "unknown_ruleset": "No ruleset of that name comes with the server.",
    "unknown_terrain": "The ruleset has no such terrain.",
    "unknown_faction": "The ruleset has no such faction.",
    "no_road_terrain": "A road leads through terrain that can have none.",
    "no_starts": "Nobody can begin here: there are no start areas.",
    "overlap": "A hex belongs to two start areas.",
    "bad_centre": "The centre of a start area lies outside of it.",
    "no_capital_site": "A start area has no place for a capital.",
    "no_room": "There is no room: for what a player has to place, or for a fair map.",
    "no_picture": "The background picture is not beside the file.",
    "players": "The scenario is not for these players.",
    "symmetry": "So many players cannot sit the same way around the map.",
    "unreachable": "Infantry cannot walk to some of the land.",
    "parted": "The starts lie on different islands.",
    "unfair": "The starts differ by more than a tenth.",
    "not_understood": "Terrain of another program's map was not understood.",
    "left_out": "Something of another program's map was left out.",
    "filled": "Hexes another program's map does not have were filled up.",
    "turned": "Another program's map was turned a quarter to the left.",
    "moved": "Another program's map was moved down by one row.",
    "more": "There are more problems than are listed.",
}
"""What can be wrong, or strange: the stable words and what they stand for (docs/maps.md)."""


@dataclass(frozen=True, slots=True)
class MapProblem:
    """One thing that is wrong, or strange, and where."""

    code: str
    """What kind of problem it is: one of :data:`CODES`."""
    where: str
    """The key in the file, like ``starts[1].centre``, or the line of an imported file."""
    message: str
    """A sentence for people."""
    hex: str = ""
    """Label of the hex concerned (D-01), or empty."""
    severity: str = ERROR
    """``error``: the map cannot be used; ``warning``: it can."""

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"there is no problem {self.code!r}")

    def __str__(self) -> str:
        place = f"{self.where} (hex {self.hex})" if self.hex else self.where
        return f"{place}: {self.message}" if place else self.message

    def as_dict(self) -> dict[str, str]:
        """Return the problem as plain data."""
        return asdict(self)


class MapError(Exception):
    """A map that cannot be used, with everything that is wrong with it."""

    def __init__(self, problems: Iterable[MapProblem], source: str = "") -> None:
        self.problems = tuple(problems)
        self.source = source
        super().__init__(self.problems, source)

    def __str__(self) -> str:
        return "\n".join(f"{self.source}: {problem}" if self.source else str(problem) for problem in self.problems)


class Unreadable(MapError):
    """A file that cannot be read at all: missing, too large, not of its format, or hostile."""

    def __init__(self, message: str, source: str = "", code: str = "unreadable") -> None:
        super().__init__([MapProblem(code, "", message)], source)


class Notebook:
    """Collects problems while a file is read."""

    def __init__(self) -> None:
        self.problems: list[MapProblem] = []

    def error(self, code: str, where: str, message: str, hex_: str = "") -> None:
        """Note something that makes the map useless."""
        self._note(MapProblem(code, where, message, hex_))

    def warn(self, code: str, where: str, message: str, hex_: str = "") -> None:
        """Note something strange."""
        self._note(MapProblem(code, where, message, hex_, WARNING))

    def _note(self, problem: MapProblem) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        elif len(self.problems) == MAX_PROBLEMS:
            self.problems.append(MapProblem("more", "", f"there are more problems than these {MAX_PROBLEMS}"))

    @property
    def failed(self) -> bool:
        """True when there is at least one error."""
        return any(problem.severity == ERROR for problem in self.problems)
