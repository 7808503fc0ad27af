"""Which of our terrains another program's terrain is: built-in knowledge, and a mapping file on top."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from server.rules.ruleset import Ruleset
from server.scenarios.exchange.layout import LAYOUTS
from server.scenarios.fields import Fields, is_text, shown
from server.scenarios.library import read_bytes
from server.scenarios.problems import MapError, Notebook, Unreadable
from server.scenarios.writer import LETTERS

_MAX_BYTES = 200_000
_OPTIONS = ("unknown", "outside", "layer", "layout", "radius")

ALIASES = {
    "plains": (
        "plain",
        "grass",
        "grassland",
        "field",
        "flat",
        "open",
        "clear",
        "steppe",
        "savanna",
        "road",
        "snow",
        "sand",
    ),
    "forest": ("wood", "woods", "trees", "woodland", "grove", "taiga"),
    "hills": ("hill", "downs", "rough", "dunes", "rocks", "rocky"),
    "sea": ("water", "ocean", "lake", "deep", "shallow", "coast", "river"),
    "jungle": ("rainforest", "tropical", "thicket"),
    "mountains": ("mountain", "mount", "peak", "peaks", "cliff", "impassable"),
    "swamp": ("marsh", "bog", "mire", "fen", "wetland", "moor"),
}
"""Other words for terrains, where the ruleset has one of that name."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A mapping file."""

    terrain: Mapping[str, str] = field(default_factory=dict)
    """Another program's terrain to ours; a key that ends in ``*`` stands for all that begin like it."""
    unknown: str = ""
    """The terrain for whatever is not understood; empty: that is an error."""
    outside: str = ""
    """The terrain for hexes the other map does not have; empty: water."""
    layer: str = ""
    """Tiled: the only tile layer with terrain; empty: all of them, the uppermost first."""
    layout: str = ""
    """Text and CSV grids: odd-r, even-r, odd-q or even-q."""
    radius: int = 3
    """Of start areas, where the other map only has start positions."""


def read_rules(path: str | Path) -> Rules:
    """Return the rules of a TOML file, or raise with all that is wrong with it."""
    path = Path(path)
    try:
        data = tomllib.loads(read_bytes(path, _MAX_BYTES).decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"is no mapping file: {error}", str(path)) from error
    notes = Notebook()
    top = Fields(data, "", notes, ("terrain", "options"))
    terrain = {}
    for where, key, value in top.entries("terrain", 10_000, "terrains"):
        if is_text(value, 40) and value:
            terrain[key] = value
        else:
            notes.error("bad_value", where, f"must be the name of a terrain, not {shown(value)}")
    given = Fields(data.get("options", {}), "options", notes, _OPTIONS)
    layout = given.text("layout", 10, "")
    if layout and layout not in LAYOUTS:
        given.wrong("layout", f"one of {', '.join(LAYOUTS)}")
    rules = Rules(
        terrain,
        given.text("unknown", 40, ""),
        given.text("outside", 40, ""),
        given.text("layer", 100, ""),
        layout,
        given.integer("radius", 1, 20, 3),
    )
    if notes.failed:
        raise MapError(notes.problems, str(path))
    return rules


class Dictionary:
    """Looks up terrains, the mapping file first, then what is known about the format, then common words."""

    def __init__(self, rules: Rules, ruleset: Ruleset, builtin: Mapping[str, str]) -> None:
        words = {terrain.name.lower(): id_ for id_, terrain in ruleset.terrain.items()}
        words |= {alias: name for name, aliases in ALIASES.items() for alias in aliases if name in ruleset.terrain}
        words |= {name: name for name in ruleset.terrain}
        letters = {letter: name for name, letter in LETTERS.items() if name in ruleset.terrain}
        self._steps = (_Step(rules.terrain), _Step(builtin), _Step(letters), _Step(words, any_case=True))
        self._known: dict[Sequence[str], str] = {}

    def find(self, keys: Sequence[str]) -> str:
        """Return the terrain for what has these names, the most exact first; empty where it is not known."""
        if keys not in self._known:
            self._known[keys] = next((found for step in self._steps if (found := step.find(keys))), "")
        return self._known[keys]


class _Step:
    """One table of names, with its wildcards."""

    def __init__(self, table: Mapping[str, str], any_case: bool = False) -> None:
        self._any_case = any_case
        self._exact = {key: value for key, value in table.items() if not key.endswith("*")}
        self._starts = sorted(
            ((key[:-1], value) for key, value in table.items() if key.endswith("*")),
            key=lambda entry: (-len(entry[0]), entry[0]),
        )

    def find(self, keys: Sequence[str]) -> str:
        """Return the terrain of the first name that is known, else of the longest beginning of any; or empty."""
        if self._any_case:
            keys = [key.strip().lower() for key in keys]
        exact = next((self._exact[key] for key in keys if key in self._exact), "")
        return exact or next((value for start, value in self._starts if any(key.startswith(start) for key in keys)), "")


def suggestion(keys: Iterable[str]) -> str:
    """Return a mapping file to be filled in for what was not understood."""
    lines = [f'{_quoted(key)} = ""' for key in keys]
    return "\n".join(["[terrain]", *lines, ""])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
