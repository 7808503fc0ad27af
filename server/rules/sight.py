"""Who sees what (3.4), and the only way out: :func:`view_for`.

The map itself is common knowledge, as on a wall chart: terrain, roads, who controls which hex,
urban hexes and their size, resource hexes, strongholds and their type, corruption, VP. Everything
else (forces, convoys, stores, buildings, defences, battles, what is being built) is known to its
owner, and to others only where it is in sight. Allies tell each other where their forces are (D-46,
D-55 need it), which is not sharing sight (D-08). Orders, experience, wounded and construction of
others are never seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from server.rules.board import ORBIT, Hex
from server.rules.events import Event
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

Seen = dict[Hex, None]
"""Hexes in sight; a dict, so that its order is its own."""


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know. :attr:`state` holds nothing else, so whatever is computed from it is safe."""

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
    return any(
        "scout" in unit.flags
        and unit.ready > 0
        and unit.ready * 2 >= unit.models
        and (not faction.scout_slots or unit.slot in faction.scout_slots)
        for unit in force.units
    )


def _look_around(state: State) -> dict[PlayerId, Seen]:
    """Return what each player's own things see, allies left out."""
    seen: dict[PlayerId, Seen] = {id_: {} for id_ in state.players}

    def look(player: PlayerId, at: Hex, radius: int) -> None:
        eyes = seen[player]
        if radius == 0:
            eyes[at] = None
        else:
            eyes.update(dict.fromkeys(state.board.within(at, radius)))

    scouting = state.ruleset.scout_sight
    for detachment in state.detachments.values():
        if detachment.at != ORBIT and not detachment.ready_in:
            look(detachment.owner, detachment.at, scouting if has_scouts(state, detachment) else 0)
    for garrison in state.garrisons.values():
        look(garrison.owner, garrison.at, scouting if has_scouts(state, garrison) else 0)
    for convoy in state.convoys.values():
        look(convoy.owner, convoy.at, 0)
    for at, urban in state.urban.items():
        if state.owner[at]:
            look(state.owner[at], at, 0 if urban.capital != state.owner[at] else _capital_sight(state, at))
    for at in state.stronghold:
        if state.owner[at]:
            look(state.owner[at], at, _radar(state, at))
    return seen


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
    own = _look_around(state)
    if not state.settings.shared_sight:
        return own
    shared: dict[PlayerId, Seen] = {}
    for player in state.players:
        shared[player] = {}
        for friend in state.friends(player):
            shared[player].update(own[friend])
    return shared


def sees(state: State, player: PlayerId) -> tuple[Hex, ...]:
    """Return the hexes in sight of a player, in hex order."""
    return tuple(sorted(sight(state)[player]))


def witnesses(state: State, hex_: Hex, eyes: Mapping[PlayerId, Seen]) -> list[PlayerId]:
    """Return the players who have the hex in sight."""
    return [player for player in state.players if hex_ in eyes[player]]


def remember(state: State) -> None:
    """Note for each player the ids of others' forces he sees now (D-07). Changes the state."""
    eyes = sight(state)
    for player in state.living():
        met = player.met
        for force in _foreign_forces(state, player.id, eyes[player.id]):
            met[force.id] = None


# --- redaction ---


def view_for(state: State, events: Iterable[Event], viewer: str) -> View:
    """Return what *viewer* may know of a state and of what has just happened.

    *viewer* is a player's id, :data:`GM` (everything but the key of the ids) or :data:`SPECTATOR`
    (what everybody may know). When the campaign is over everybody may know everything.
    """
    return _view(state, list(events), viewer, sight(state), _chart(state))


def views_for(state: State, events: Iterable[Event]) -> dict[PlayerId, View]:
    """Return the view of every player; the same as one :func:`view_for` each, only faster."""
    facts, eyes, chart = list(events), sight(state), _chart(state)
    return {player: _view(state, facts, player, eyes, chart) for player in state.players}


@dataclass(frozen=True, slots=True)
class _Chart:
    """What everybody knows of the places on the map, and whose the forces are."""

    urban: dict[Hex, Urban]
    stronghold: dict[Hex, Stronghold]
    detachments: dict[PlayerId, list[Detachment]]
    garrisons: dict[PlayerId, list[Garrison]]
    convoys: dict[PlayerId, list[Convoy]]


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
        {at: Urban(each.size, capital=each.capital, race=each.race) for at, each in state.urban.items()},
        {at: Stronghold(each.type) for at, each in state.stronghold.items()},
        detachments,
        garrisons,
        convoys,
    )


def _view(state: State, events: Sequence[Event], viewer: str, eyes: Mapping[PlayerId, Seen], chart: _Chart) -> View:
    if viewer == GM or state.phase == OVER:
        everywhere = tuple(range(state.board.size))
        return View(viewer, replace(state, id_key=b""), everywhere, tuple(events))
    if viewer == SPECTATOR:
        return View(viewer, _redact(state, "", {}, chart), (), tuple(each for each in events if each.public))
    seen = eyes[viewer]
    known = tuple(each for each in events if viewer in each.to)
    return View(viewer, _redact(state, viewer, seen, chart), tuple(sorted(seen)), known)


def _redact(state: State, player: PlayerId, seen: Seen, chart: _Chart) -> State:
    """Return the part of the state that *player* (empty: nobody in particular) knows."""
    hexes = sorted(seen)
    forces = _foreign_forces(state, player, seen)
    detachments = {each.id: each for each in chart.detachments.get(player, ())}
    garrisons = {each.id: each for each in chart.garrisons.get(player, ())}
    for force in forces:
        if isinstance(force, Detachment):
            detachments[force.id] = _seen_detachment(force)
        else:
            garrisons[force.id] = Garrison(force.id, force.owner, force.at, _seen_units(force.units))
    convoys = {each.id: each for each in chart.convoys.get(player, ())}
    for at in hexes:
        convoys.update((each.id, each) for each in state.convoys_at.get(at, ()))
    return replace(
        state,
        players={
            id_: each if id_ == player else _seen_player(state, each, player) for id_, each in state.players.items()
        },
        urban=chart.urban | {at: state.urban[at] for at in hexes if at in state.urban},
        stronghold=chart.stronghold | {at: state.stronghold[at] for at in hexes if at in state.stronghold},
        store={at: state.store[at] for at in hexes if at in state.store},
        harvest={at: bp for at, bp in state.harvest.items() if at in seen or (player and state.owner[at] == player)},
        detachments=dict(sorted(detachments.items())),
        garrisons=dict(sorted(garrisons.items())),
        convoys=dict(sorted(convoys.items())),
        battles={at: each for at, each in state.battles.items() if at in seen or _takes_part(state, each, player)},
        lost_characters={id_: None for id_ in state.lost_characters if player and id_.startswith(f"{player}/")},
        id_key=b"",
    )


def _foreign_forces(state: State, player: PlayerId, seen: Seen) -> list[Force]:
    """Return other players' forces that *player* sees, or meets in a battle, and those of his allies."""
    found: dict[Id, Force] = {}
    if player and len(state.friends(player)) > 1:
        allied: list[Force] = [each for each in state.detachments.values() if not each.ready_in]
        allied += state.garrisons.values()
        found.update((force.id, force) for force in allied if state.friendly(player, force.owner))
    for at in sorted(seen):
        for force in state.forces_at(at):
            found[force.id] = force
    for battle in state.battles.values():
        if player and _takes_part(state, battle, player):
            for force in participants(state, battle):
                found[force.id] = force
    return [force for force in found.values() if force.owner != player]


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


def _seen_detachment(force: Detachment) -> Detachment:
    units = _seen_units(force.units)
    return Detachment(force.id, force.owner, force.name, force.type, force.at, units, mounted=force.mounted)


def _seen_units(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    if not any(unit.wounded for unit in units):
        return units
    return tuple(replace(unit, wounded=0) for unit in units)


def _seen_player(state: State, other: Player, viewer: PlayerId) -> Player:
    """Alliances are common knowledge; a declaration without answer is known to whom it is made (D-04)."""
    allied = state.friends(other.id)
    allies = tuple(id_ for id_ in other.allies if id_ == viewer or id_ in allied)
    declared = tuple(id_ for id_ in other.declared if id_ == viewer)
    return Player(other.id, other.faction, other.strategy, other.vp, other.eliminated, allies, declared)
