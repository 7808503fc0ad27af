"""Change anything a player cannot see, and all he gets stays byte for byte the same.

All he gets: his view (state, hexes in sight, events), what he may order, what check says to orders of every kind,
and the previews of them. Nothing is left out but what the rules themselves make known: battles he takes part in or
sees name their parties (4, 6), and with shared sight an ally's forces see for them (D-08).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from random import Random
from typing import Any

import orjson
import pytest

from server.core.events import Event
from server.rules import codec
from server.rules.drafting import preview
from server.rules.options import legal_orders
from server.rules.orders.sets import check
from server.rules.sight import SPECTATOR, View, view_for, views_for
from server.rules.state import OVER, State
from tests.rules.properties.campaigns import LONG, Phase, plans, play
from tests.rules.properties.garbage import FIELDS, TYPES, spoilt
from tests.rules.properties.invariants import forces
from tests.rules.properties.players import Order, some_instance
from tests.rules.properties.secrets import CHANGES, Change, Secret

PLANS = plans(120 if LONG else 8, turns=6 if LONG else 2, seed=300)


def told(view: View, batch: list[Order]) -> list[bytes]:
    """Return all that a viewer gets, as bytes."""
    problems = [asdict(each) for each in check(view, batch)]
    previews = []
    for place, order in enumerate(batch):
        said, found = preview(view, order, batch[max(0, place - 2) : place])
        previews.append([said, [asdict(each) for each in found]])
    return [
        codec.encode(view.state),
        orjson.dumps(view.sees),
        codec.encode_events(view.events),
        orjson.dumps(legal_orders(view)),
        orjson.dumps(problems),
        orjson.dumps(previews),
    ]


def batch_for(view: View, names: list[str], random: Random) -> list[Order]:
    """Return orders of all kinds: legal ones, spoilt ones, and some about things the viewer may not know."""
    options = legal_orders(view)
    legal = [some_instance(each, random) for each in random.sample(options, min(6, len(options)))]
    mine = [force.id for force in forces(view.state) if force.owner == view.viewer] or ["nothing"]
    labels = view.state.board.labels
    blind: list[Order] = []
    for name in random.sample(names, min(2, len(names))):
        at, near = random.choice(labels), random.choice(labels)
        blind += [
            {"type": "follow", "detachment": random.choice(mine), "target": name},
            {"type": random.choice(("attack", "raid", "support")), "detachment": random.choice(mine), "target": name},
            {"type": "path", random.choice(("detachment", "convoy")): name, "path": [at, near]},
            {"type": "fight", "battle": at, "casualties": [name], "picks": [name]},
            {"type": "report", "battle": near, "winner": view.viewer, "losses": {name: {"lost": 1}}},
            {"type": "repair", "detachment": name, "unit": name},
            {"type": "transfer_models", "from_unit": name, "to_unit": name, "models": 1},
            {"type": random.choice(TYPES), random.choice(FIELDS): name},
            {"type": "build_camp", "at": at, "convoy": name},
            {"type": "create_convoy", "at": at, "bp": 50},
        ]
    return [*legal, *blind, *(spoilt(each, random) for each in legal)]


def names_in(state: State) -> list[str]:
    """Return every id there is."""
    units = [unit.id for force in forces(state) for unit in force.units]
    return [*state.detachments, *state.garrisons, *state.convoys, *units]


def whispers(events: Iterable[Event], viewer: str, state: State) -> list[Event]:
    """Return events of which those that are not for the viewer are others than they were."""
    kept = [event for event in events if (event.public if viewer == SPECTATOR else viewer in event.to)]
    others = tuple(player for player in state.players if player != viewer)
    return [Event("whisper", {"what": "none of his"}, others), *kept, Event("secret", {}, others[:1])]


def assert_unnoticed(phase: Phase, viewer: str, changes: list[Change], random: Random) -> None:
    """Make the changes where the viewer cannot see them, and compare all he gets."""
    state, events = phase.after, phase.resolution.events
    other = state.copy()
    for change in changes:
        change(Secret(other, viewer, random))
    names = [*names_in(state), *names_in(other)]
    view = view_for(state, events, viewer)
    batch = batch_for(view, names, random) if viewer != SPECTATOR else []
    second = view_for(other, whispers(events, viewer, other), viewer)
    before, after = told(view, batch), told(second, batch)
    named = [each.__name__ for each in changes]
    parts = ("state", "sees", "events", "legal", "check", "preview")
    for what, one, two in zip(parts, before, after, strict=True):
        assert one == two, f"{phase.plan}, turn {state.turn}, {state.phase}, {viewer}: {what} shows {named}"


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_what_is_hidden_never_shows(plan: Any) -> None:
    """At every phase, for every player and for a spectator: one change alone, or all together.

    Seen to fail, each broken in a copy: ``dxp`` kept of forces in sight, or their ``wounded``, or detachments under
    construction shown; others' ``serial`` or ``met`` kept, or all they have declared (a fault of the engine, found
    here: unanswered declarations showed after the next Build phase); the whole ``store`` or ``harvest`` handed on,
    buildings or defences kept in the chart, all battles, all ``lost_characters``, the ``id_key``, all events.
    """
    for phase in play(plan):
        if phase.after.phase == OVER:
            break
        random = Random(f"{plan}/{phase.before.turn}/{phase.before.phase}")
        for viewer in (*phase.after.players, SPECTATOR):
            changes = [random.choice(CHANGES)] if random.random() < 0.3 else random.sample(CHANGES, len(CHANGES))
            assert_unnoticed(phase, viewer, changes, random)


def test_each_change_changes_something() -> None:
    """Changes that change nothing would show nothing."""
    changed = {each.__name__: 0 for each in CHANGES}
    for phase in (phase for plan in PLANS[:6] for phase in play(plan)):
        for change in CHANGES:
            other = phase.after.copy()
            if phase.after.phase != OVER:
                change(Secret(other, "red", Random(str(phase.plan))))
            changed[change.__name__] += codec.encode(other) != codec.encode(phase.after)
    assert min(changed.values()) >= 1, changed
    assert sum(changed.values()) >= 200, changed


def test_all_views_at_once_are_the_views_one_by_one() -> None:
    """``views_for`` is only faster."""
    for phase in play(PLANS[0]):
        events = phase.resolution.events
        for player, view in views_for(phase.after, events).items():
            alone = view_for(phase.after, events, player)
            assert told(view, []) == told(alone, [])
