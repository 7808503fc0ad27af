"""Sight (3.4), and the only way out: :func:`view_for`.

The map itself is public information: terrain, roads, who controls which hex,
urban hexes and their size, resource hexes, strongholds and their type, corruption, VP. Everything
else (forces, convoys, stores, buildings, defences, battles, what is being built) is known to its
owner, and to others only where it is in sight. Allies tell each other where their forces are (D-46,
D-55 need it), which is not sharing sight (D-08). Orders, experience, wounded and construction of
others are never seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from server.core.events import Event
from server.rules.board import Hex
from server.rules.state import (
    OVER,
    Battle,
    Convoy,
    Detachment,
    Force,
    Garrison,
    Id,
    Player,
    PlayerId,
    State,
    Stronghold,
    Unit,
    Urban,
)

GM = "gm"
SPECTATOR = "spectator"

Seen = dict[Hex, int]
"""Hexes in sight, and how many steps away the nearest thing is that sees them."""


@dataclass(frozen=True, slots=True)
class View:
    """The view of one viewer. :attr:`state` holds nothing else, so any result computed from it is safe."""

    viewer: str
    """A player's id, :data:`GM` or :data:`SPECTATOR`."""
    state: State
    sees: tuple[Hex, ...]
    """Hexes in sight, in hex order."""
    events: tuple[Event, ...]


# --- who sees which hexes ---


def has_scouts(state: State, force: Force) -> bool:
    """True when a force counts as having scouts (3.4, 3.5, faction data)."""
    faction = state.faction(force.owner)
    if faction.never_scouts:
        return False
    if faction.always_scouts:
        return True
    if isinstance(force, Detachment) and state.ruleset.detachment_types[force.type].scouts:
        return True
    for unit in force.units:
        if "scout" not in unit.flags or unit.ready <= 0 or unit.ready * 2 < unit.models:
            continue
        if not faction.scout_slots or unit.slot in faction.scout_slots:
            return True
    return False


def _seeing(state: State, at: Hex) -> list[tuple[PlayerId, int]]:
    """Return everything that sees from a hex (3.4), with its owners and range: forces, convoys, and places that
    someone controls.

    Only this function decides the range of sight: :func:`sight` and :func:`watchers` both ask it.
    """
    scouting, owner = state.ruleset.scout_sight, state.owner[at]
    found = [(force.owner, scouting if has_scouts(state, force) else 0) for force in state.forces_at(at)]
    if at in state.convoys_at:
        found += [(convoy.owner, 0) for convoy in state.convoys_at[at]]
    if owner and at in state.urban:
        found.append((owner, _capital_sight(state, at) if state.urban[at].capital == owner else 0))
    if owner and at in state.stronghold:
        found.append((owner, _radar(state, at)))
    return found


def _look_around(state: State) -> dict[PlayerId, Seen]:
    """Return what each player's own things see, allies left out."""
    seen: dict[PlayerId, Seen] = {id_: {} for id_ in state.players}
    here: dict[PlayerId, list[Hex]] = {id_: [] for id_ in state.players}
    beside: dict[PlayerId, list[Hex]] = {id_: [] for id_ in state.players}
    adjacent, within, distance = state.board.adjacent, state.board.within, state.board.distance
    standing = (state.detachment_at, state.garrison_at, state.convoys_at, state.urban, state.stronghold)
    for at in dict.fromkeys(chain(*standing)):
        for player, radius in _seeing(state, at):
            here[player].append(at)
            if radius == 1:
                beside[player] += adjacent[at]
            elif radius:
                _merge(seen[player], {near: distance(at, near) for near in within(at, radius)})
    for player, mine in seen.items():  # the nearest last: of several distances the shortest stays
        mine.update(dict.fromkeys(beside[player], 1))
        mine.update(dict.fromkeys(here[player], 0))
    return seen


def _merge(mine: Seen, others: Seen) -> None:
    """Add what others see; of two distances the shorter counts."""
    for at, steps in others.items():
        if at not in mine or steps < mine[at]:
            mine[at] = steps


def _radar(state: State, at: Hex) -> int:
    stronghold = state.stronghold.get(at)
    if stronghold is None:
        return 0
    return max((state.ruleset.defences[id_].sight for id_ in stronghold.defences), default=0)


def _capital_sight(state: State, at: Hex) -> int:
    """3.4, D-26: 1, and 2 with a radar tower or scouts in the garrison."""
    garrison = state.garrison_at.get(at)
    scouts = garrison is not None and has_scouts(state, garrison)
    more = max(_radar(state, at), state.ruleset.scout_sight if scouts else 0)
    return min(state.ruleset.capital_sight + more, state.ruleset.most_sight)


def sight(state: State) -> dict[PlayerId, Seen]:
    """Return the hexes each player sees; allies share theirs only if the campaign says so (D-08)."""
    return _sight(state) if state.visibility is None else state.visibility


def _sight(state: State) -> dict[PlayerId, Seen]:
    own = _look_around(state)
    if not state.settings.shared_sight:
        return own
    shared: dict[PlayerId, Seen] = {}
    for player in state.players:
        shared[player] = {}
        for friend in state.friends(player):
            _merge(shared[player], own[friend])
    return shared


def sees(state: State, player: PlayerId) -> tuple[Hex, ...]:
    """Return the hexes in sight of a player, in hex order."""
    return tuple(sorted(sight(state)[player]))


def watchers(state: State, hex_: Hex) -> list[PlayerId]:
    """Return the players who have the hex in sight now: as :func:`sight`, but for one hex only."""
    distance = state.board.distance
    found: dict[PlayerId, None] = {}
    for at in state.board.within(hex_, state.ruleset.furthest_sight):
        for player, radius in _seeing(state, at):
            if player not in found and (at == hex_ or (radius and distance(at, hex_) <= radius)):
                found.update(dict.fromkeys(state.friends(player) if state.settings.shared_sight else (player,)))
    return [player for player in state.players if player in found]


def witnesses(state: State, hex_: Hex, visibility: Mapping[PlayerId, Seen]) -> list[PlayerId]:
    """Return the players who have the hex in sight."""
    return [player for player in state.players if hex_ in visibility[player]]


def remember(state: State) -> dict[PlayerId, Seen]:
    """Note for each player the ids of others' forces they see now (D-07). Changes the state; returns what they see."""
    visibility = sight(state)
    for player in state.living():
        met = player.met
        for force in _foreign_forces(state, player.id, visibility[player.id]):
            met[force.id] = None
    return visibility


# --- redaction ---


def view_for(state: State, events: Iterable[Event], viewer: str) -> View:
    """Return what *viewer* can see of a state and of its latest events.

    *viewer* is a player's id, :data:`GM` (everything but the key of the ids) or :data:`SPECTATOR`
    (what everyone may know). When the campaign is over everyone may know everything.
    """
    return _view(state, list(events), viewer, sight(state), _chart(state))


def views_for(state: State, events: Iterable[Event]) -> dict[PlayerId, View]:
    """Return the view of every player; the same as one :func:`view_for` each, only faster."""
    visibility, chart = sight(state), _chart(state)
    told: dict[PlayerId, list[Event]] = {id_: [] for id_ in state.players}
    everything = list(events)
    for event in everything:
        for player in event.to:
            told[player].append(event)
    if state.phase == OVER:
        told = dict.fromkeys(state.players, everything)
    return {player: _view(state, told[player], player, visibility, chart) for player in state.players}


@dataclass(frozen=True, slots=True)
class _Chart:
    """What everyone knows of the places on the map, and whose the forces are."""

    players: dict[PlayerId, Player]
    urban: dict[Hex, Urban]
    stronghold: dict[Hex, Stronghold]
    detachments: dict[PlayerId, list[Detachment]]
    garrisons: dict[PlayerId, list[Garrison]]
    convoys: dict[PlayerId, list[Convoy]]
    seen: dict[Id, Force]
    """Forces as others see them, filled as they are seen."""


def _chart(state: State) -> _Chart:
    detachments: dict[PlayerId, list[Detachment]] = {id_: [] for id_ in state.players}
    garrisons: dict[PlayerId, list[Garrison]] = {id_: [] for id_ in state.players}
    convoys: dict[PlayerId, list[Convoy]] = {id_: [] for id_ in state.players}
    for detachment in state.detachments.values():
        detachments[detachment.owner].append(detachment)
    for garrison in state.garrisons.values():
        garrisons[garrison.owner].append(garrison)
    for convoy in state.convoys.values():
        convoys[convoy.owner].append(convoy)
    return _Chart(
        {id_: _seen_player(state, other) for id_, other in state.players.items()},
        {at: Urban(urban.size, capital=urban.capital, race=urban.race) for at, urban in state.urban.items()},
        {at: Stronghold(stronghold.type) for at, stronghold in state.stronghold.items()},
        detachments,
        garrisons,
        convoys,
        {},
    )


def _view(
    state: State, events: Sequence[Event], viewer: str, visibility: Mapping[PlayerId, Seen], chart: _Chart
) -> View:
    if viewer == GM or state.phase == OVER:
        everywhere = tuple(range(state.board.size))
        return View(viewer, replace(state, id_key=b"", visibility=None, known={}), everywhere, tuple(events))
    if viewer == SPECTATOR:
        return View(viewer, _redact(state, "", {}, chart), (), tuple(event for event in events if event.public))
    seen = visibility[viewer]
    told = tuple(event for event in events if viewer in event.to)
    known = state.known.get(viewer) or _redact(state, viewer, seen, chart)
    if state.visibility is not None:
        state.known[viewer] = known
    return View(viewer, known, tuple(sorted(seen)), told)


def _redact(state: State, player: PlayerId, seen: Seen, chart: _Chart) -> State:
    """Return the part of the state that *player* (empty: nobody in particular) knows."""
    hexes = sorted(seen)
    forces = _foreign_forces(state, player, seen)
    detachments = {detachment.id: detachment for detachment in chart.detachments.get(player, ())}
    garrisons = {garrison.id: garrison for garrison in chart.garrisons.get(player, ())}
    for force in forces:
        known = chart.seen.get(force.id)
        if known is None:
            known = chart.seen[force.id] = _seen_force(force)
        if isinstance(known, Detachment):
            detachments[known.id] = known
        else:
            garrisons[known.id] = known
    convoys = {convoy.id: convoy for convoy in chart.convoys.get(player, ())}
    for at in hexes:
        if at in state.convoys_at:
            convoys.update((convoy.id, convoy) for convoy in state.convoys_at[at])
    return replace(
        state,
        players={id_: _met_player(other, player, chart) for id_, other in state.players.items()},
        urban=chart.urban | {at: state.urban[at] for at in hexes if at in state.urban},
        stronghold=chart.stronghold | {at: state.stronghold[at] for at in hexes if at in state.stronghold},
        store={at: state.store[at] for at in hexes if at in state.store},
        harvest={at: bp for at, bp in state.harvest.items() if at in seen or (player and state.owner[at] == player)},
        detachments=dict(sorted(detachments.items())),
        garrisons=dict(sorted(garrisons.items())),
        convoys=dict(sorted(convoys.items())),
        battles={
            at: battle for at, battle in state.battles.items() if at in seen or _takes_part(state, battle, player)
        },
        lost_characters={id_: None for id_ in state.lost_characters if player and id_.startswith(f"{player}/")},
        id_key=b"",
        visibility=None,
        known={},
    )


def _foreign_forces(state: State, player: PlayerId, seen: Seen) -> list[Force]:
    """Return other players' forces that *player* sees, or meets in a battle, and those of their allies."""
    found: dict[Id, Force] = {}
    if player and len(state.friends(player)) > 1:
        allied: list[Force] = [detachment for detachment in state.detachments.values() if not detachment.ready_in]
        allied += state.garrisons.values()
        found.update((force.id, force) for force in allied if state.friendly(player, force.owner))
    detachments, garrisons = state.detachment_at, state.garrison_at
    for at in sorted(seen):
        if at in detachments or at in garrisons:
            for force in state.forces_at(at):
                if _shows(state, force, seen[at]):
                    found[force.id] = force
    for battle in state.battles.values():
        if player and _takes_part(state, battle, player):
            for force in participants(state, battle):
                found[force.id] = force
    return [force for force in found.values() if force.owner != player]


def _shows(state: State, force: Force, steps: int) -> bool:
    """Say whether a force in sight shows from so many steps away; some hide from all but those next to them (D-71b)."""
    if not isinstance(force, Detachment):
        return True
    limit = state.ruleset.detachment_types[force.type].seen_from
    return not limit or steps <= limit


def participants(state: State, battle: Battle) -> list[Force]:
    """Return the forces of a battle that still are: the primaries, who stands with them, supporters."""
    ids = [battle.attacker, battle.defender, *battle.supporters]
    forces = [force for id_ in ids if (force := state.force(id_)) is not None]
    beside = [force for force in state.forces_at(battle.hex) if force not in forces]
    return forces + beside


def _takes_part(state: State, battle: Battle, player: PlayerId) -> bool:
    if player in (battle.attacking, battle.defended_by):
        return True
    return any((force := state.force(id_)) is not None and force.owner == player for id_ in battle.supporters)


def _seen_force(force: Force) -> Force:
    units, written = _seen_units(force.units), force.written  # which does not hold of others than its own
    if isinstance(force, Garrison):
        return Garrison(force.id, force.owner, force.at, units, written)
    return Detachment(
        force.id, force.owner, force.name, force.type, force.at, units, mounted=force.mounted, written=written
    )


def _seen_units(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    if not any(unit.wounded for unit in units):
        return units
    return tuple([unit.in_state(unit.ready, 0, damaged=unit.damaged) for unit in units])


def _seen_player(state: State, other: Player) -> Player:
    """Return what everyone knows of a player: alliances are common knowledge, declarations are not (D-04)."""
    allied = state.friends(other.id)
    allies = tuple(id_ for id_ in other.allies if id_ in allied)
    return Player(other.id, other.faction, other.strategy, other.vp, other.eliminated, allies)


def _met_player(other: Player, viewer: PlayerId, chart: _Chart) -> Player:
    """Return what the viewer knows of a player; they know of an alliance declared to them (D-04)."""
    if other.id == viewer:
        return other
    known = chart.players[other.id]
    if viewer not in other.allies and viewer not in other.declared:
        return known
    allies = tuple(id_ for id_ in other.allies if id_ == viewer or id_ in known.allies)
    return replace(known, allies=allies, declared=tuple(id_ for id_ in other.declared if id_ == viewer), met={})
