"""Open a campaign on a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from server.rules.ruleset import Ruleset
from server.rules.state import Player, PlayerId, Settings, State
from server.scenarios.problems import MapError, MapProblem
from server.scenarios.scenario import Scenario, land


def initial_state(
    scenario: Scenario,
    ruleset: Ruleset,
    settings: Settings,
    players: Sequence[tuple[PlayerId, str]],
    id_key: bytes,
) -> State:
    """Return the state at the start of the Setup phase (D-11); the sizes of D-12 are still to be rolled.

    *players* are ids and factions in seat order: the first begins at the scenario's first start. The caller
    assigns the seats, by lot if the scenario says "random". What the settings leave
    open (BP, urban hexes, resource hexes) the scenario decides, and what it leaves open the ruleset.
    """
    _refuse(scenario, ruleset, players)
    state = State(
        board=scenario.board,
        ruleset=ruleset,
        settings=settle(scenario, settings),
        players={id_: Player(id_, faction, ruleset.factions[faction].strategy) for id_, faction in players},
        roads=dict.fromkeys(scenario.roads),
        id_key=id_key,
    )
    for (id_, _), start in zip(players, scenario.starts_for(len(players)), strict=True):
        for hex_ in land(scenario.board, ruleset, start.area):
            state.owner[hex_] = id_
            state.discovered[hex_] = 1
    return state


def settle(scenario: Scenario, settings: Settings) -> Settings:
    """Return the settings with the scenario's starting conditions where they state none of their own."""
    ours = scenario.conditions
    return replace(
        settings,
        start_bp=ours.bp if settings.start_bp is None else settings.start_bp,
        start_urban_count=ours.urban if settings.start_urban_count is None else settings.start_urban_count,
        start_resource_count=(
            ours.resources if settings.start_resource_count is None else settings.start_resource_count
        ),
    )


def _refuse(scenario: Scenario, ruleset: Ruleset, players: Sequence[tuple[PlayerId, str]]) -> None:
    """Raise :class:`MapError` with all that keeps these players from this scenario under this ruleset."""
    found = []
    if len(players) not in scenario.player_counts:
        counts = ", ".join(map(str, scenario.player_counts))
        found.append(MapProblem("players", "players", f"{scenario.title} is for {counts} players, not {len(players)}."))
    ids = [id_ for id_, _ in players]
    found += [
        MapProblem("players", "players", f"There are two players {id_!r}.")
        for id_ in sorted({*ids})
        if ids.count(id_) > 1
    ]
    found += [
        MapProblem("unknown_faction", "players", f"The ruleset {ruleset.id} has no faction {faction!r}.")
        for _, faction in players
        if faction not in ruleset.factions
    ]
    found += [
        MapProblem("unknown_terrain", "terrain", f"The ruleset {ruleset.id} has no terrain {terrain!r}.")
        for terrain in sorted({*scenario.board.terrain} - {*ruleset.terrain})
    ]
    if found:
        raise MapError(found, scenario.id)
