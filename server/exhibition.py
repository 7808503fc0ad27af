"""A campaign between computer players, played in memory and written down as a page to watch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from server import rulesets
from server.bots import commander
from server.core.dice import SeededDice, chain, phase_seed
from server.render.page import Frame, frame, page
from server.rules.phases import begin, resolve
from server.rules.sight import GM, View, view_for, views_for
from server.rules.state import OVER, Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state

NAMES = ("Ada", "Boris", "Chidi", "Dana", "Emil", "Fatou", "Goro", "Hana", "Ivo", "Jun")


@dataclass(frozen=True, slots=True)
class Step:
    """How far the campaign has come."""

    turn: int
    phase: str
    frame: Frame
    view: View


def play(scenario: str, ruleset: str, turns: int, seed: int) -> Iterator[Step]:
    """Play a campaign, phase by phase; the same arguments give the same campaign."""
    plan, rules = library.load(scenario), rulesets.load(ruleset)
    factions = list(rules.factions)
    players = [(name.lower(), factions[seat % len(factions)]) for seat, name in enumerate(NAMES[: plan.max_players])]
    settings = Settings(turn_limit=turns, capital_eliminates=True, last_standing=True, alliances=False)
    links = chain(f"demo {seed}".encode(), turns + 1)
    state = begin(initial_state(plan, rules, settings, players, b"demo"), SeededDice(links[0])).state
    names = {id_: name for (id_, _), name in zip(players, NAMES, strict=False)}
    while state.phase != OVER:
        orders = {player: commander.choose(view) for player, view in views_for(state, ()).items()}
        salts = [""] * len(players)
        turn, phase = state.turn, state.phase
        seed_bytes = phase_seed(links[turn], f"demo-{seed}", turn, phase, salts)
        resolution = resolve(state, orders, SeededDice(seed_bytes))
        state = resolution.state
        view = view_for(state, resolution.events, GM)
        yield Step(turn, phase, frame(view, names, _heading(turn, phase, state)), view)


def _heading(turn: int, phase: str, after: State) -> str:
    name = phase.replace("_", " ")
    return f"Turn {turn}, after {name}" + (": the end" if after.phase == OVER else "")


def write_page(title: str, steps: list[Step]) -> str:
    """Return the page on which the campaign can be watched."""
    return page(title, replace(steps[0].view, events=()), [each.frame for each in steps])
