"""All games of a tournament, on all cores; the order of the results is that of the schedule."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from server import rulesets
from server.scenarios.problems import MapError, MapProblem
from server.tournament.contestants import seat
from server.tournament.game import Arena, Fixture, Result, fixtures, play, scenario_of
from server.tournament.standings import Standings

Progress = Callable[[int, int], None]
"""Called with how many games are done, and of how many."""


def arena(name: str, ruleset: str = "", seats: int = 0) -> Arena:
    """Return a map for a schedule, with all factions of its ruleset but the one without an army list.

    *seats*: how many play; 0: as many as can. Raises :class:`MapError` where the map is not made for so many.
    """
    scenario = scenario_of(name)
    rules = rulesets.load(ruleset or scenario.ruleset)
    if seats and seats not in scenario.player_counts:
        counts = ", ".join(map(str, scenario.player_counts))
        message = f"{scenario.title} is for {counts} players, not {seats}."
        raise MapError([MapProblem("players", "players", message)], name)
    return Arena(name, seats or scenario.max_players, rules.id, tuple(id_ for id_ in rules.factions if id_ != "none"))


def tournament(
    maps: Sequence[str], names: Sequence[str], games: int, turns: int, seed: int, *, ruleset: str = "", seats: int = 0,
    processes: int | None = None, on_progress: Progress = lambda _done, _of: None, outside: Container[str] = (),
    playing: Callable[[Fixture], Result] | None = None,
) -> Standings:  # fmt: skip
    """Play *games* games on each map and return the table; the same arguments give the same table.

    *outside* names contestants who are programs from outside. *playing* plays a game in this process if they take part.

    Raises :class:`~server.tournament.contestants.UnknownContestant` and :class:`~server.scenarios.problems.MapError`.
    """
    for name in names:
        if name not in outside:
            seat(name, "known")
    arenas = [arena(name, ruleset, seats) for name in dict.fromkeys(maps)]
    planned = [fixture for place in arenas for fixture in fixtures(place, names, games, turns, seed)]
    results: list[Result] = []
    played = map(playing, planned) if playing else _played(planned, processes or os.cpu_count() or 1)
    for result in played:
        results.append(result)
        on_progress(len(results), len(planned))
    starts = {
        place.name: tuple(start.name for start in scenario_of(place.name).starts_for(place.seats)) for place in arenas
    }
    return Standings(seed, tuple(results), tuple(dict.fromkeys(names)), starts)


def _played(planned: Sequence[Fixture], processes: int) -> Iterator[Result]:
    if processes <= 1:
        yield from map(play, planned)
        return
    with ProcessPoolExecutor(min(processes, len(planned))) as pool:
        yield from pool.map(play, planned)
