"""What happens out of a player's sight does not show in what he is told of a phase, however the phase goes.

Seen to fail: with ``income`` told to all, with ``moved`` told to all, with the serial numbers of all players in one
count (ids of new things then tell how much others build), with dice rolled one after the other instead of by label,
and with ``remember`` noting what is not in sight.

What a hidden force does to the viewer's own is left out, for the rules make it known: it bars the way and stops who
comes next to it (D-43, D-41), keeps hexes from being claimed (3.6) and roads from being built (D-39).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from random import Random

import orjson
import pytest

from server.rules import codec
from server.rules.board import Board, Hex
from server.rules.options import legal_orders
from server.rules.phases import Resolution, begin, resolve
from server.rules.sight import SPECTATOR, view_for, views_for
from server.rules.state import OVER, Player, PlayerId, State
from server.rulesets import load
from tests.rules.properties.campaigns import LONG, Phase, plans, play
from tests.rules.properties.players import Order, orders_of, some_instance
from tests.rules.properties.secrets import Secret, army
from tests.rules.properties.worlds import RULESETS, Plan, dice_of, settings_of, territory

HERMIT: PlayerId = "white"
PRIVATE = (
    "build_detachment", "build_garrison", "add_units", "create_convoy", "unload_convoy", "build_building",
    "disband_building", "build_defence", "repair", "transfer_models", "disband_detachment", "path", "guard", "recover",
    "reserve", "follow", "inactive", "defend", "withdraw", "support",
)  # fmt: skip
"""What the hermit may do: what the wall chart does not show (3.4). Roads, towns, strongholds and claims it does."""
COLUMNS, ROWS, COAST, ISLAND = 26, 9, 11, 19
"""The sea between coast and island is too wide for anything but a drop from orbit."""


def archipelago(plan: Plan) -> State:
    """Return a campaign of three players on a mainland, and a hermit on an island."""
    random = Random(f"archipelago/{plan}")
    ruleset = load(plan.ruleset)
    terrain = tuple(
        "sea" if COAST < at % COLUMNS < ISLAND else random.choice(("plains", "plains", "plains", "forest", "hills"))
        for at in range(COLUMNS * ROWS)
    )
    board = Board(COLUMNS, ROWS, terrain)
    seats = {"red": 2 * COLUMNS + 2, "blue": 6 * COLUMNS + 4, "green": 3 * COLUMNS + 8, HERMIT: 4 * COLUMNS + 22}
    factions = {id_: random.choice(list(ruleset.factions)) for id_ in seats}
    players = {id_: Player(id_, factions[id_], ruleset.factions[factions[id_]].strategy) for id_ in seats}
    eternal = {"capital_eliminates": True, "last_standing": False, "fleet": False, "start_bp": 6000}
    state = State(board, ruleset, settings_of(Plan(plan.seed, settings=eternal), random), players, id_key=b"island")
    territory(state, seats, 3)
    return begin(state, dice_of(plan, state)).state


def on_island(state: State, order: Order) -> bool:
    """True for an order that would reach the island, by a drop."""
    at = state.board.find(order.get("target"))
    return at is not None and at % COLUMNS >= ISLAND


def hermit_orders(state: State, random: Random) -> list[Order]:
    """Return some of what the hermit may do unseen."""
    options = [order for order in legal_orders(view_for(state, (), HERMIT)) if order["order"]["type"] in PRIVATE]
    random.shuffle(options)
    orders = [some_instance(option, random) for option in options[:12]]
    return [order for order in orders if order.get("units", True)]


def reinforced(state: State, random: Random) -> State:
    """Return the state with more money and more men on the island."""
    other = state.copy()
    for at in [each for each in other.store if each % COLUMNS >= ISLAND]:
        other.store[at] += random.randint(1, 5000)
    for detachment in other.detachments.values():
        if detachment.owner == HERMIT:
            detachment.units = army(random, lambda: f"{random.getrandbits(48):012x}")
            detachment.dxp += 10
    return other


def told(resolution: Resolution, viewer: str) -> list[bytes]:
    """Return all that a viewer is told of a phase."""
    view = view_for(resolution.state, resolution.events, viewer)
    problems = [asdict(each) for each in resolution.problems.get(viewer, ())]
    return [codec.encode(view.state), orjson.dumps(view.sees), codec.encode_events(view.events), orjson.dumps(problems)]


@pytest.mark.parametrize("seed", range(40 if LONG else 4))
def test_nobody_notices_what_a_hermit_does(seed: int) -> None:
    """Two campaigns, the same but for the hermit: in one he sits still, in the other he arms, moves and trades."""
    plan = Plan(seed, "archipelago", 4, RULESETS[seed % 2], turns=5)
    quiet = busy = archipelago(plan)
    others = [player for player in quiet.players if player != HERMIT]
    differed = 0
    while quiet.phase != OVER and quiet.turn <= plan.turns:
        random = Random(f"{plan}/{quiet.turn}/{quiet.phase}")
        views = views_for(quiet, ())
        orders: dict[PlayerId, list[Order]] = {
            id_: [each for each in orders_of(views[id_], random) if not on_island(quiet, each)] for id_ in others
        }
        if quiet.phase == "setup":
            orders[HERMIT] = orders_of(views[HERMIT], random)
            stirring: Mapping[PlayerId, list[Order]] = orders
        else:
            busy = reinforced(busy, random) if random.random() < 0.2 else busy
            stirring = orders | {HERMIT: hermit_orders(busy, random)}
        one = resolve(quiet, orders, dice_of(plan, quiet))
        two = resolve(busy, stirring, dice_of(plan, busy))
        for viewer in (*others, SPECTATOR):
            assert told(one, viewer) == told(two, viewer), (str(plan), quiet.turn, quiet.phase, viewer)
        quiet, busy = one.state, two.state
        differed += codec.encode(quiet) != codec.encode(busy)
    assert differed > 5


# --- the same in the thick of it ---


def enrich(secret: Secret) -> list[Hex]:
    """Change what is hidden and has no effect on anybody else; return where."""
    state, random = secret.state, secret.random
    touched: list[Hex] = []
    for at in state.urban:
        if at not in secret.seen and state.owner[at] and state.owner[at] != secret.viewer:
            state.store[at] = state.store.get(at, 0) + random.randint(1, 300)
            touched.append(at)
    for convoy in secret.hidden_convoys():
        convoy.bp += random.randint(1, 300)
        touched.append(convoy.at)
    for detachment in state.detachments.values():
        if detachment.owner != secret.viewer and secret.is_hidden(detachment):
            detachment.name = f"Renamed {random.random()}"
            touched.append(detachment.at)
    for player in secret.others:
        state.players[player].met[f"{random.getrandbits(48):012x}"] = None
    return touched


def came_to_light(phase: Phase, viewer: str, after: State, touched: list[Hex]) -> bool:
    """True when something that was changed is in sight now, or was fought over, raided, caught or lost.

    Convoys and detachments may have gone anywhere: their events and views then differ rightly.
    """
    view = view_for(after, (), viewer)
    if set(view.sees) & set(touched):
        return True
    labels = {after.board.label(at) for at in touched}
    fates = ("raided", "convoy_captured", "convoys_lost", "battle", "battle_fought", "destroyed", "spoils")
    if any(event.type in fates and event.fields.get("hex", "") in labels for event in phase.resolution.events):
        return True
    if any(event.type == "convoy_unloaded" for event in phase.resolution.events):
        return True  # the load lies in a store now, which may be in sight
    names = [detachment.name for detachment in view.state.detachments.values()]
    loads = [convoy.id for convoy in view.state.convoys.values() if convoy.id in phase.before.convoys]
    known = view_for(phase.before, (), viewer).state.convoys
    return any(name.startswith("Renamed") for name in names) or any(id_ not in known for id_ in loads)


@pytest.mark.parametrize("plan", plans(100 if LONG else 6, turns=4, seed=900), ids=str)
def test_money_and_names_out_of_sight_never_show(plan: Plan) -> None:
    """Others' full purses, heavy convoys and names, as long as they stay out of sight.

    Left out are phases in which another player could order more for his money: what he builds may rightly show.
    """
    compared = 0
    for phase in play(plan):
        for viewer in phase.before.players:
            random = Random(f"{plan}/{phase.before.turn}/{phase.before.phase}/{viewer}")
            other = phase.before.copy()
            touched = enrich(Secret(other, viewer, random))
            second = resolve(other, phase.orders, dice_of(plan, other))
            if second.problems != phase.resolution.problems or OVER in (phase.after.phase, second.state.phase):
                continue
            if any(came_to_light(phase, viewer, after, touched) for after in (phase.after, second.state)):
                continue
            compared += 1
            assert told(phase.resolution, viewer) == told(second, viewer), (
                phase.before.turn,
                phase.before.phase,
                viewer,
            )
    assert compared > 5
