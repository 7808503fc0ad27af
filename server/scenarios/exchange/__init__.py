"""Exchange with other programs: read Tiled, Wesnoth and text maps, write Tiled, GeoJSON and CSV.

Every reader turns a file into a :class:`~server.scenarios.exchange.raw.RawMap` and refuses what is too
large or refers to other files before doing any work with it; :func:`server.scenarios.exchange.raw.build` makes
a scenario of it, in the layout of D-01, and lists everything that was not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from server.rules.ruleset import Ruleset
from server.scenarios.exchange.geojson import write_geojson
from server.scenarios.exchange.mapping import Rules
from server.scenarios.exchange.raw import Imported, RawMap, build
from server.scenarios.exchange.table import read_table, write_table
from server.scenarios.exchange.tiled_in import read_tiled
from server.scenarios.exchange.tiled_out import write_tiled
from server.scenarios.exchange.wesnoth import read_wesnoth
from server.scenarios.library import read_bytes
from server.scenarios.problems import Unreadable
from server.scenarios.scenario import Scenario

IMPORTS: Mapping[str, tuple[tuple[str, ...], Callable[[bytes, str, Rules], RawMap]]] = {
    "tiled": ((".tmx", ".xml"), read_tiled),
    "wesnoth": ((".map",), read_wesnoth),
    "csv": ((".csv", ".tsv", ".txt"), read_table),
}
"""By format: endings of its files, and what reads them."""

EXPORTS: Mapping[str, Callable[[Scenario, Ruleset], dict[str, bytes]]] = {
    "tiled": write_tiled,
    "geojson": write_geojson,
    "csv": write_table,
}
"""By format: what gives its files by their endings."""


def import_map(path: str | Path, ruleset: Ruleset, rules: Rules | None = None, format: str = "") -> Imported:
    """Read another program's map; *format* as by the file's ending where it is not said."""
    path = Path(path)
    format = format or guess_format(path)
    if format not in IMPORTS:
        raise Unreadable(f"there is no format {format!r} to import; there are: {', '.join(IMPORTS)}", str(path))
    rules = rules or Rules()
    try:
        raw = IMPORTS[format][1](read_bytes(path), str(path), rules)
    except Unreadable as error:
        error.source = error.source or str(path)
        raise
    return build(raw, rules, ruleset, path.stem)


def guess_format(path: Path) -> str:
    """Return the format a file's ending stands for, or raise."""
    for name, (endings, _) in IMPORTS.items():
        if path.suffix.lower() in endings:
            return name
    known = ", ".join(ending for endings, _ in IMPORTS.values() for ending in endings)
    raise Unreadable(f"cannot tell its format by its name; known endings: {known}", str(path))


def export_map(scenario: Scenario, ruleset: Ruleset, format: str) -> dict[str, bytes]:
    """Return the files of a scenario in another format by their ending: ``{".csv": ...}``."""
    if format not in EXPORTS:
        raise Unreadable(f"there is no format {format!r} to export; there are: {', '.join(EXPORTS)}")
    return EXPORTS[format](scenario, ruleset)
