"""The start of a turn: alliances, income, exploitation, maintenance, construction (1.1, D-20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from server.rules.board import ORBIT, Hex
from server.rules.orders.build.settlements import refund, versions
from server.rules.ruleset import Building
from server.rules.scene import Scene
from server.rules.state import PlayerId, State
from server.rules.treasury import earn, earn_harvest, spend


def play_start_of_turn(scene: Scene) -> None:
    """Play all that happens before the players order anything, in the order of D-20."""
    settle_alliances(scene)
    exploiting = exploiting_hexes(scene.state)
    collect_income(scene)
    roll_exploitation(scene, exploiting)
    pay_maintenance(scene)
    advance_construction(scene)


# --- D-04: alliances ---


def settle_alliances(scene: Scene) -> None:
    """D-04: what was declared takes effect."""
    state = scene.state
    if not state.settings.alliances:
        return
    before = {player: state.friends(player) for player in state.players}
    for player in state.players.values():
        player.allies = player.declared
    state.alliances_changed()
    for a, b in _pairs(state):
        if (b in before[a]) != (b in state.friends(a)):
            scene.emit_public("allied" if b in state.friends(a) else "no_longer_allied", players=[a, b])


def _pairs(state: State) -> Iterator[tuple[PlayerId, PlayerId]]:
    players = list(state.players)
    for place, a in enumerate(players):
        for b in players[place + 1 :]:
            yield a, b


# --- 1.1: income ---


@dataclass(frozen=True, slots=True)
class Income:
    """What a player gets at the start of a turn, by source."""

    space: int
    hexes: int
    urban: dict[Hex, int]
    resources: dict[Hex, int]

    @property
    def total(self) -> int:
        """All of it."""
        return self.space + self.hexes + sum(self.urban.values()) + sum(self.resources.values())


def income(state: State) -> dict[PlayerId, Income]:
    """Return what each living player would get if a turn began now. Changes nothing.

    On a player's view it is right for that player.
    """
    counts = yielding_hexes(state)
    found: dict[PlayerId, Income] = {}
    for player in state.living():
        at_home = own_capital(state, player.id) is not None
        space = space_income(state, player.id) if at_home else 0
        hexes = counts[player.id] * state.ruleset.hex_income if at_home else 0
        found[player.id] = Income(space, hexes, {}, {})
    for at in sorted(state.urban):
        if state.owner[at] in found:
            found[state.owner[at]].urban[at] = urban_income(state, at)
    for at in sorted(state.resource):
        if state.owner[at] in found:
            found[state.owner[at]].resources[at] = resource_income(state, at)
    return found


def collect_income(scene: Scene) -> None:
    """1.1, D-21: BP from space and land to the capital, of urban hexes to themselves, of resources where they lie."""
    state, label = scene.state, scene.label
    for player, gains in income(state).items():
        capital = own_capital(state, player)
        if capital is not None:
            earn(state, capital, gains.space + gains.hexes)
        for at, bp in gains.urban.items():
            earn(state, at, bp)
        for at, bp in gains.resources.items():
            earn_harvest(state, at, bp)
        scene.emit(
            "income",
            [player],
            space=gains.space,
            hexes=gains.hexes,
            urban={label(at): bp for at, bp in gains.urban.items()},
            resources={label(at): bp for at, bp in gains.resources.items()},
            total=gains.total,
        )


def own_capital(state: State, player: PlayerId) -> Hex | None:
    """Return the player's capital as long as it is theirs."""
    capital = state.capital(player)
    return capital if capital is not None and state.owner[capital] == player else None


def barren(state: State, at: Hex) -> bool:
    """D-71: an infested hex yields nothing to anybody but who infested it."""
    return at in state.infested and state.infested[at] != state.owner[at]


def yielding_hexes(state: State) -> dict[PlayerId, int]:
    """Return how many hexes yield each player their BP: those they control, corrupted and infested ones not."""
    counts = dict.fromkeys(state.players, 0)
    for owner in state.owner:
        if owner:
            counts[owner] += 1
    spoilt = dict.fromkeys((*state.corrupted, *(at for at in state.infested if barren(state, at))))
    for at in spoilt:
        if state.owner[at]:
            counts[state.owner[at]] -= 1
    return counts


def space_income(state: State, player: PlayerId) -> int:
    """Starting conditions, D-71, D-73: reinforcements from space, less while an enemy controls the system."""
    faction = state.faction(player)
    bp = state.ruleset.space_income if faction.space_income is None else faction.space_income
    ruler = state.system_control if state.settings.fleet else ""
    if ruler in state.players and state.players[ruler].eliminated and state.readings.blockade_needs_the_living:
        return bp
    if ruler in state.players and not state.friendly(player, ruler):
        return bp * faction.blockaded_space_percent // 100
    return bp


def urban_income(state: State, at: Hex) -> int:
    """1.1, D-20: what a controlled urban hex yields; the flat change first, then percent of it, rounded down."""
    if barren(state, at):
        return 0
    size = state.urban[at].size
    flat = state.faction(state.owner[at]).urban_income.get(size, 0)
    own = max(0, state.ruleset.urban[state.ruleset.urban_level(size) - 1].income + flat)
    return own + own * sum(building.income_percent for building in taxing(state, at)) // 100


def resource_income(state: State, at: Hex) -> int:
    """1.1: what a resource hex yields."""
    return 0 if barren(state, at) else state.ruleset.resource(state.resource[at]).income


def taxing(state: State, at: Hex) -> list[Building]:
    """Return the buildings that raise the income of an urban hex, as their conditions hold (D-25).

    An upgrade whose own condition does not hold still works as what it was upgraded from (D-20a).
    """
    found = []
    for id_ in state.urban[at].buildings:
        chain = versions(state.ruleset, state.ruleset.buildings[id_])
        working = next(
            (building for building in chain if building.income_percent and _enforced(state, at, building)), None
        )
        if working is not None:
            found.append(working)
    return found


def _enforced(state: State, at: Hex, building: Building) -> bool:
    """D-25: a stronghold of at least the named type, and in it a force of the controller."""
    if not building.income_needs:
        return True
    stronghold = state.stronghold.get(at)
    if stronghold is None:
        return False
    ruleset = state.ruleset
    if ruleset.stronghold_level(stronghold.type) < ruleset.stronghold_level(building.income_needs):
        return False
    return any(force.owner == state.owner[at] for force in state.forces_at(at))


# --- 1.5.1: exploitation ---


def exploiting_hexes(state: State) -> dict[Hex, int]:
    """Return the urban hexes that exploit this turn, and the highest face on which each shrinks."""
    found = {}
    for at in sorted(state.urban):
        if state.owner[at] and not barren(state, at):
            face = max((building.shrinks_on for building in taxing(state, at)), default=0)
            if face:
                found[at] = face
    return found


def roll_exploitation(scene: Scene, exploiting: dict[Hex, int]) -> None:
    """1.5.1: an exploited urban hex may shrink, never below the smallest size. Its buildings stay."""
    state = scene.state
    for at, face in exploiting.items():
        owner, urban = state.owner[at], state.urban[at]
        level = state.ruleset.urban_level(urban.size)
        if scene.roll_one(f"exploitation/{scene.label(at)}", [owner]) <= face and level > 1:
            urban.size = state.ruleset.urban[level - 2].id
            scene.emit("urban_shrunk", [owner], hex=scene.label(at), size=urban.size)


# --- 1.5.1: maintenance ---


def pay_maintenance(scene: Scene) -> None:
    """1.5.1, D-20: each controlled urban hex pays for its buildings out of its own BP."""
    state = scene.state
    for at in sorted(state.urban):
        if state.owner[at]:
            _disband_unpaid(scene, at)
            bp = maintenance(state, at)
            spend(state, at, bp)
            if bp:
                scene.emit("maintenance", [state.owner[at]], hex=scene.label(at), bp=bp)


def maintenance(state: State, at: Hex) -> int:
    """Return what the buildings of an urban hex cost each turn."""
    return sum(state.ruleset.buildings[id_].maintenance for id_ in state.urban[at].buildings)


def _disband_unpaid(scene: Scene, at: Hex) -> None:
    """D-20: while not all can be paid, the building with the least maintenance goes; its refund may pay the rest."""
    state, urban = scene.state, scene.state.urban[at]
    price = {id_: state.ruleset.buildings[id_].maintenance for id_ in urban.buildings}
    while maintenance(state, at) > state.store.get(at, 0):
        lost = min((id_ for id_ in urban.buildings if price[id_]), key=lambda id_: (price[id_], id_))
        urban.buildings = tuple(id_ for id_ in urban.buildings if id_ != lost)
        told: dict[str, Any] = {"hex": scene.label(at), "building": lost}
        if state.readings.refunds_pay:
            told["bp"] = refund(state.ruleset, state.ruleset.buildings[lost])
            earn(state, at, told["bp"])
        scene.emit("building_lost", [state.owner[at]], **told)


# --- 1.2.2: construction ---


def advance_construction(scene: Scene) -> None:
    """D-20, D-32: construction counts down; finished detachments are ready in their hex, or in orbit (D-72).

    While another detachment stands in the hex it waits.
    """
    state = scene.state
    for id_ in sorted(state.detachments):
        detachment = state.detachments[id_]
        if not detachment.ready_in:
            continue
        goal = ORBIT if state.ruleset.detachment_types[detachment.type].orbit else detachment.at
        if detachment.ready_in > 1:
            detachment.ready_in -= 1
        elif goal != ORBIT and goal in state.detachment_at:
            scene.emit("detachment_waits", [detachment.owner], force=id_, hex=scene.label(goal))
        else:
            state.make_ready(detachment, goal)
            told = {"force": id_, "name": detachment.name, "hex": scene.label(goal)}
            scene.emit("detachment_ready", [detachment.owner], **told)
