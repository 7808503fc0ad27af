"""Does a scenario make sense under a ruleset? All problems at once, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from server.core.errors import RulesError
from server.rules.board import Board, Hex
from server.rules.ruleset import Ruleset
from server.rulesets import load as load_ruleset
from server.scenarios.fairness import Ground, capital_sites, fairness, resource_sites
from server.scenarios.library import load_folder
from server.scenarios.problems import MapError, MapProblem, Notebook
from server.scenarios.scenario import Scenario, land

_MAX_TRIES = 20_000


def validate(path: str | Path, ruleset: Ruleset | None = None) -> tuple[Scenario | None, list[MapProblem]]:
    """Read and check the scenario in a folder. Returns it, unless it cannot be read, and all problems."""
    notes = Notebook()
    try:
        scenario = load_folder(path, notes)
    except MapError as error:
        return None, list(error.problems)
    return scenario, [*notes.problems, *check(scenario, ruleset)]


def check(scenario: Scenario, ruleset: Ruleset | None = None) -> list[MapProblem]:
    """Return everything that is wrong or strange; *ruleset*: the scenario's own where None is given."""
    notes = Notebook()
    if ruleset is None:
        try:
            ruleset = load_ruleset(scenario.ruleset)
        except RulesError as error:
            notes.error("unknown_ruleset", "ruleset", str(error))
            return notes.problems
    _terrain(scenario, ruleset, notes)
    _areas(scenario, notes)
    _roads(scenario, ruleset, notes)
    _background(scenario, notes)
    if not notes.failed:
        _room(scenario, ruleset, notes)
        _reachable(scenario, ruleset, notes)
        _fair(scenario, ruleset, notes)
    return notes.problems


def _terrain(scenario: Scenario, ruleset: Ruleset, notes: Notebook) -> None:
    board = scenario.board
    for name in sorted({*board.terrain} - {*ruleset.terrain}):
        first = board.label(board.terrain.index(name))
        message = f"the ruleset {ruleset.id} has no terrain {name!r}; it has {', '.join(ruleset.terrain)}"
        notes.error("unknown_terrain", "terrain", message, first)


def _areas(scenario: Scenario, notes: Notebook) -> None:
    if not scenario.starts:
        notes.error("no_starts", "starts", "there is no start area, so nobody can play here")
    board = scenario.board
    taken: dict[Hex, str] = {}
    for number, start in enumerate(scenario.starts):
        where = f"starts[{number}]"
        for hex_ in start.area:
            if hex_ in taken:
                message = f"belongs to the start areas of {taken[hex_]} and of {start.name}"
                notes.error("overlap", where, message, board.label(hex_))
            taken.setdefault(hex_, start.name)
        if start.centre not in start.area:
            notes.error("bad_centre", f"{where}.centre", "is not in its start area", board.label(start.centre))
    names = [start.name for start in scenario.starts]
    for name in sorted({name for name in names if names.count(name) > 1}):
        notes.error("duplicate", "starts", f"two starts are called {name!r}")


def _roads(scenario: Scenario, ruleset: Ruleset, notes: Notebook) -> None:
    board = scenario.board
    for edge in scenario.roads:
        for hex_ in edge:
            terrain = ruleset.terrain.get(board.terrain[hex_])
            if terrain is not None and not terrain.road:
                message = f"no road can lead through {terrain.name.lower()}"
                notes.error("no_road_terrain", "roads", message, board.label(hex_))


def _background(scenario: Scenario, notes: Notebook) -> None:
    picture = scenario.background
    if picture is None or scenario.folder is None:
        return
    file = scenario.folder / picture.file
    if not file.is_file() or file.resolve().parent != scenario.folder.resolve():
        notes.error("no_picture", "background.file", f"there is no picture {picture.file!r} beside scenario.json")


def _room(scenario: Scenario, ruleset: Ruleset, notes: Notebook) -> None:
    """Every player must be able to place what they begin with."""
    wanted = scenario.conditions
    urban = ruleset.start_urban_count if wanted.urban is None else wanted.urban
    resources = ruleset.start_resource_count if wanted.resources is None else wanted.resources
    for number, start in enumerate(scenario.starts):
        area = land(scenario.board, ruleset, start.area)
        where, centre = f"starts[{number}]", scenario.board.label(start.centre)
        if not capital_sites(scenario.board, area):
            message = f"{start.name} has no land hex with six adjacent land hexes of its own: no place for a capital"
            notes.error("no_capital_site", where, message, centre)
        elif not can_place(scenario.board, ruleset, area, urban, resources):
            message = f"{start.name} has no room for a capital, {urban} more urban and {resources} resource hexes"
            notes.error("no_room", where, message, centre)


def can_place(board: Board, ruleset: Ruleset, area: Sequence[Hex], urban: int, resources: int) -> bool:
    """Say whether everything can be placed in an area under the restrictions of "Placement"."""
    for capital in capital_sites(board, area):
        far = {hex_: board.distance(capital, hex_) for hex_ in area}
        sites = [site for site in resource_sites(board, area) if far[site] >= ruleset.resource_capital_distance]
        chosen = _pick(board, [site for site in sites if site != capital], resources, ruleset.resource_distance)
        if chosen is None:
            continue
        free = [hex_ for hex_ in area if far[hex_] >= max(ruleset.urban_capital_distance, 1) and hex_ not in chosen]
        if len(free) >= urban:
            return True
    return False


def _pick(board: Board, sites: Sequence[Hex], count: int, apart: int) -> list[Hex] | None:
    """Return *count* sites that lie far enough apart, or None; tries the first ones first."""
    stack: list[tuple[list[Hex], int]] = [([], 0)]
    for _ in range(_MAX_TRIES):
        if not stack:
            return None
        chosen, begin = stack.pop()
        if len(chosen) == count:
            return chosen
        for place in range(len(sites) - 1, begin - 1, -1):
            if all(board.distance(sites[place], other) >= apart for other in chosen):
                stack.append(([*chosen, sites[place]], place + 1))
    return None


def _reachable(scenario: Scenario, ruleset: Ruleset, notes: Notebook) -> None:
    parts = Ground(scenario.board, ruleset, scenario.roads).parts()
    where_starts = {start.centre for start in scenario.starts}
    for part in parts:
        if not where_starts.intersection(part):
            message = f"infantry cannot get to the {len(part)} land hexes around here from any start"
            notes.warn("unreachable", "board", message, scenario.board.label(min(part)))
    homes = [part for part in parts if where_starts.intersection(part)]
    if len(homes) > 1:
        notes.warn("parted", "board", "the starts lie on different islands: infantry cannot get to all rivals")


def _fair(scenario: Scenario, ruleset: Ruleset, notes: Notebook) -> None:
    for players in scenario.player_counts:
        for measure in fairness(scenario, ruleset, players).measures:
            if not measure.fair:
                values = ", ".join(f"{value:g}" for value in measure.values)
                message = (
                    f"with {players} players, {measure.title.lower()} differ by {measure.difference:.0%}: {values}"
                )
                notes.warn("unfair", "starts", message)
