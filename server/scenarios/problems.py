"""What can be wrong with a map: problems with a place, all of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

ERROR, WARNING = "error", "warning"
MOST_PROBLEMS = 500
"""Nobody reads more of them."""


@dataclass(frozen=True, slots=True)
class MapProblem:
    """One thing that is wrong, or strange, and where."""

    code: str
    """Stable word: what kind of problem it is (docs/maps.md)."""
    where: str
    """The key in the file, like ``starts[1].centre``, or the line of an imported file."""
    message: str
    """A sentence for people."""
    hex: str = ""
    """Label of the hex concerned (D-01), or empty."""
    severity: str = ERROR
    """``error``: the map cannot be used; ``warning``: it can."""

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
        return "\n".join(f"{self.source}: {each}" if self.source else str(each) for each in self.problems)


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
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
        elif len(self.problems) == MOST_PROBLEMS:
            self.problems.append(MapProblem("more", "", f"there are more problems than these {MOST_PROBLEMS}"))

    @property
    def failed(self) -> bool:
        """True when there is at least one error."""
        return any(each.severity == ERROR for each in self.problems)
