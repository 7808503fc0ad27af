"""How campaigns of computer players go: ``python -m bench.alive table [GAMES [TURNS]]``, beside a recorded table.

Two to five regular computer players play with the ends that a new campaign proposes, but with *TURNS* turns; a lost
capital eliminates. The figures of an earlier version stand in ``alive_table.json``. ``--record FILE`` also writes the
figures to a file. The same numbers give the same table. 42 games of 80 turns take some minutes on 2 cores.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from rich.console import Console
from rich.table import Table

from server import rulesets
from server.bots import commander
from server.bots.commander import Mind
from server.bots.memory import remember
from server.core.dice import SeededDice
from server.rules import state as rules_state
from server.rules.board import ORBIT
from server.rules.elimination import held
from server.rules.phases import begin, resolve
from server.rules.sight import views_for
from server.rules.state import OVER, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state

GAMES, TURNS = 42, 80
RECORDED = Path(__file__).with_name("alive_table.json")
ARENAS = (("the-pass", 2), ("green-heart", 3), ("four-corners", 4), ("four-corners", 2), ("five-shores", 5))


@dataclass(slots=True)
class Game:
    """A game that was played; tuples are by seat."""

    arena: str
    factions: tuple[str, ...]
    turns: int = 0
    limit: int = 0
    ended_by: str = ""
    battles: int = 0
    hexes: int = 0
    """How often a hex got another owner."""
    stores: tuple[int, ...] = ()
    """BP in the stores of each player at the end; players who are out have none and are left out."""
    detachments: int = 0
    """At the end of each turn, all together; likewise the next."""
    unfit: int = 0
    """Without ready points."""
    weak: int = 0
    """With less than half of their points ready."""
    lost_early: int = 0
    """Capitals that fell up to turn 5."""
    shares: tuple[float, ...] = ()
    """Of the victory."""
    land: tuple[int, ...] = ()
    """Hexes at the end."""


def games(count: int, turns: int) -> Iterator[tuple[str, int, str, int, int]]:
    """Yield map, players, ruleset, turns and number of each game: each arena with both rulesets by turns."""
    pairs = [(arena, ruleset) for ruleset in rulesets.names() for arena in ARENAS]
    for number in range(count):
        (scenario, players), ruleset = pairs[number % len(pairs)]
        yield scenario, players, ruleset, turns, number


def settings_of(players: int, turns: int) -> Settings:
    """Return the ends that a new campaign proposes, with another number of turns; earlier versions propose none."""
    proposed = getattr(rules_state, "proposed", None)
    chosen: Settings = proposed(players) if proposed is not None else Settings()
    return replace(chosen, turn_limit=turns, capital_eliminates=True, last_standing=True, alliances=False)


def play(plan: tuple[str, int, str, int, int]) -> Game:
    """Play a game to its end."""
    scenario, count, ruleset, turns, number = plan
    rules = rulesets.load(ruleset)
    lists = [faction for faction in rules.factions if faction != "none"]
    players = [(f"p{seat}", lists[(number * 3 + seat * 7) % len(lists)]) for seat in range(count)]
    game = Game(f"{scenario}, {count}", tuple(faction for _, faction in players), limit=turns)
    seed = f"alive table/{number}"
    opening = initial_state(library.load(scenario), rules, settings_of(count, turns), players, b"alive")
    state = begin(opening, SeededDice(seed.encode())).state
    minds, views = {player: Mind() for player, _ in players}, views_for(state, ())
    while state.phase != OVER:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        orders = {player.id: commander.choose(views[player.id], minds[player.id]) for player in state.living()}
        turn, owners = state.turn, list(state.owner)
        resolution = resolve(state, orders, SeededDice(f"{seed}/{turn}/{state.phase}".encode()))
        state, views = resolution.state, views_for(resolution.state, resolution.events)
        game.battles += sum(event.type == "battle_fought" for event in resolution.events)
        game.hexes += sum(before != after for before, after in zip(owners, state.owner, strict=True))
        fallen = sum(event.type == "capital_captured" for event in resolution.events)
        game.lost_early += fallen if turn <= 5 else 0
        if state.turn != turn or state.phase == OVER:
            _count(game, state)
    return _ended(game, state)


def _count(game: Game, state: State) -> None:
    """Count the detachments on the map at the end of a turn."""
    standing = [each for each in state.detachments.values() if each.at != ORBIT and not each.ready_in]
    game.detachments += len(standing)
    game.unfit += sum(not state.fit(each) for each in standing)
    game.weak += sum(state.ready_points(each) * 2 < each.points for each in standing)


def _ended(game: Game, state: State) -> Game:
    winners, hexes = state.winners, held(state)
    game.turns, game.ended_by = state.turn, state.ended_by
    game.shares = tuple(1 / len(winners) if id_ in winners else 0.0 for id_ in state.players)
    game.land = tuple(hexes[id_] for id_ in state.players)
    game.stores = tuple(
        sum(bp for at, bp in state.store.items() if state.owner[at] == player.id) for player in state.living()
    )
    return game


def figures(played: Sequence[Game]) -> dict[str, str]:
    """Return the table: a figure in words for each line."""
    stores = [bp for game in played for bp in game.stores]
    standing = sum(game.detachments for game in played)
    won = [(game.land[seat], game) for game in played for seat, share in enumerate(game.shares) if share == 1]
    most, least = (sum(land == of(game.land) for land, game in won) for of in (max, min))
    found = {
        "games": str(len(played)),
        "turns played, median": f"{median(game.turns for game in played):g}",
        "battles a game": f"{mean(game.battles for game in played):.0f}",
        "battles a turn": f"{sum(game.battles for game in played) / sum(game.turns for game in played):.1f}",
        "hexes that changed hands, a turn": f"{sum(g.hexes for g in played) / sum(g.turns for g in played):.1f}",
        "BP in a player's stores at the end, median": f"{median(stores):.0f}",
        "the same, most": str(max(stores)),
        "detachments without ready points": f"{sum(game.unfit for game in played) / max(1, standing):.0%}",
        "detachments with less than half ready": f"{sum(game.weak for game in played) / max(1, standing):.0%}",
        "capitals lost up to turn 5, a game": f"{mean(game.lost_early for game in played):.2f}",
        "winner held most land": f"{most} of {len(won)}",
        "winner held least land": f"{least} of {len(won)}",
    }
    for count in sorted({len(game.factions) for game in played}):
        same = [game for game in played if len(game.factions) == count]
        early = sum(game.turns < game.limit for game in same)
        found[f"over before the limit, {count} players"] = f"{early} of {len(same)}"
    ends: dict[str, int] = {}
    for game in played:
        ends[game.ended_by] = ends.get(game.ended_by, 0) + 1
    found["ended by"] = ", ".join(f"{end} {times}" for end, times in sorted(ends.items()))
    return found | _shares(played)


def _shares(played: Sequence[Game]) -> dict[str, str]:
    """Return what each seat and each list won, as a multiple of its fair share, with the games it had."""
    found: dict[str, list[tuple[float, float]]] = {}
    for game in played:
        for seat, (faction, share) in enumerate(zip(game.factions, game.shares, strict=True)):
            fair = 1 / len(game.factions)
            found.setdefault(f"seat {seat + 1}, of its fair share", []).append((share, fair))
            found.setdefault(f"{faction}, of its fair share", []).append((share, fair))
    ordered = sorted(found, key=lambda name: (not name.startswith("seat"), name))
    return {
        name: f"{sum(won for won, _ in found[name]) / sum(fair for _, fair in found[name]):.2f} ({len(found[name])})"
        for name in ordered
    }


def run(arguments: Sequence[str]) -> int:
    """Play, and print the table beside the recorded one."""
    record = Path(arguments[arguments.index("--record") + 1]) if "--record" in arguments else None
    numbers = [int(each) for each in arguments if each.isdecimal()]
    count, turns = (*numbers, *(GAMES, TURNS)[len(numbers) :])
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = figures(list(pool.map(play, games(count, turns))))
    if record is not None:
        record.write_text(json.dumps({"games": count, "turns": turns, "figures": found}, indent=1) + "\n", "utf-8")
    before: Mapping[str, Any] = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    table = Table(title=f"{count} games of at most {turns} turns")
    for heading in ("figure", f"{before.get('version', '–')}", "now"):
        table.add_column(heading)
    old: Mapping[str, str] = before.get("figures", {})
    for name in dict.fromkeys((*found, *old)):
        table.add_row(name, old.get(name, "–"), found.get(name, "–"))
    Console().print(table)
    if before and (before["games"], before["turns"]) != (count, turns):
        print(f"The recorded table is of {before['games']} games of {before['turns']} turns.")
    return 0
