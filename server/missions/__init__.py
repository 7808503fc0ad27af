"""The missions that come with the program: one TOML file each, read by :mod:`server.referee.reader`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from server.core.errors import Problem
from server.referee.mission import Mission, PaidStratagem
from server.referee.reader import read_mission, read_paid

FOLDER = Path(__file__).parent
SAMPLES = FOLDER / "samples"
CORE_STRATAGEMS = FOLDER / "core_stratagems"
"""By family: stratagems of the core rules, by name and cost."""


class BrokenMission(Exception):
    """A mission file that cannot be played; says everything that is wrong with it."""

    def __init__(self, path: Path, problems: list[Problem]) -> None:
        super().__init__(
            "; ".join(f"{path.name}: {problem.field or 'file'}: {problem.message}" for problem in problems)
        )
        self.path, self.problems = path, problems


def read_file(path: Path) -> Mission:
    """Return the mission of a file; raises :class:`BrokenMission` with all that is wrong with it."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenMission(path, [Problem("bad_value", error.strerror or str(error))]) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BrokenMission(path, [Problem("bad_value", f"not TOML: {error}")]) from error
    mission, problems = read_mission(values)
    if mission is None:
        raise BrokenMission(path, problems)
    return mission


@cache
def library() -> Mapping[str, Mission]:
    """Return every mission that comes with the program, by id, in the order of their ids."""
    missions = [read_file(path) for path in sorted(FOLDER.glob("*.toml"))]
    return {mission.id: mission for mission in missions}


def load(id_: str) -> Mission:
    """Return a mission. Raise ``KeyError`` if there is none."""
    return library()[id_]


def sample(mission: Mission) -> dict[str, Any]:
    """Return a sample beginning of a game: two armies of our own, and a battle where the mission needs one.

    The file is the mission's own (by its id), its family's, or that of Combat Patrol; the same shape as a game's file.
    """
    names = [f"{name}.toml" for name in (mission.id, mission.family, "combat_patrol")]
    path = next(SAMPLES / name for name in names if (SAMPLES / name).is_file())
    return {"game": mission.id, **tomllib.loads(path.read_text(encoding="utf-8"))}


def paid_stratagems(mission: Mission) -> tuple[PaidStratagem, ...]:
    """Return the stratagems of other books that players may pay for: of the core rules, and those of the club."""
    path = CORE_STRATAGEMS / f"{mission.family}.toml"
    core = read_paid(tomllib.loads(path.read_text(encoding="utf-8"))["stratagems"]) if path.is_file() else ()
    return (*(one for one in core if one.id not in {own.id for own in mission.paid}), *mission.paid)
