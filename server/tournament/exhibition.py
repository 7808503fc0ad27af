"""A campaign between computer players, played in memory and written down as a page to watch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from server import rulesets
from server.bots import commander
from server.bots.commander import Mind
from server.bots.diplomacy_action import KEPT
from server.bots.letters import letter
from server.bots.levels import LEVELS, REGULAR
from server.bots.memory import remember
from server.core.dice import SeededDice, chain, phase_seed
from server.render.page import Frame, frame, page
from server.rules.phases import begin, resolve
from server.rules.sight import GM, View, view_for, views_for
from server.rules.state import BUILD, OVER, Settings, State
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


def play(scenario: str, ruleset: str, turns: int, seed: int, levels: Sequence[str] = (REGULAR,)) -> Iterator[Step]:
    """Play a campaign, phase by phase; the same arguments give the same campaign.

    *levels* are the seats' in their order, and begin again where there are more seats.
    """
    plan, rules = library.load(scenario), rulesets.load(ruleset)
    factions = list(rules.factions)
    players = [(name.lower(), factions[seat % len(factions)]) for seat, name in enumerate(NAMES[: plan.max_players])]
    settings = Settings(turn_limit=turns, capital_eliminates=True, last_standing=True)
    links = chain(f"demo {seed}".encode(), turns + 2)
    state = begin(initial_state(plan, rules, settings, players, b"demo"), SeededDice(links[1])).state
    names = {id_: name for (id_, _), name in zip(players, NAMES, strict=False)}
    minds = {
        player: Mind(LEVELS[levels[seat % len(levels)]], secret=f"demo {seed}/{player}".encode(), diplomatic=True)
        for seat, (player, _) in enumerate(players)
    }
    views = views_for(state, ())
    while state.phase != OVER:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        orders = {player: commander.choose(view, minds[player]) for player, view in views.items()}
        salts = [""] * len(players)
        turn, phase = state.turn, state.phase
        seed_bytes = phase_seed(links[turn + 1], f"demo-{seed}", 1, turn, phase, salts)
        resolution = resolve(state, orders, SeededDice(seed_bytes))
        state = resolution.state
        views = views_for(state, resolution.events)
        view = view_for(state, resolution.events, GM)
        shot = frame(view, names, _heading(turn, phase, state))
        letters = tuple(_letters(minds, dict(players), names, turn)) if phase == BUILD else ()
        yield Step(turn, phase, replace(shot, letters=letters), view)


def _letters(
    minds: Mapping[str, Mind], factions: Mapping[str, str], names: Mapping[str, str], turn: int
) -> Iterator[tuple[str, str, str]]:
    """Yield what computer players write to each other in a turn. Keeping a promise needs no message."""
    for writer, mind in minds.items():
        for act in mind.memory.relations.plans:
            if act.turn == turn and act.kind != KEPT:
                yield names[writer], names[act.toward], letter(act, factions[writer], names)


def _heading(turn: int, phase: str, after: State) -> str:
    name = phase.replace("_", " ")
    return f"Turn {turn}, after {name}" + (": the end" if after.phase == OVER else "")


def write_page(title: str, steps: list[Step]) -> str:
    """Return the page on which the campaign can be watched."""
    return page(title, replace(steps[0].view, events=()), [step.frame for step in steps])
