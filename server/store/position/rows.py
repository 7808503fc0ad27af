"""The nouns as rows, and which of them differ between two positions.

Each ``*_rows`` function takes a position before (None: nothing is stored) and one after, and returns
the rows of both that *may* differ, by key; nouns that are plainly the same are left out early,
for most of a large campaign stays as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from sqlalchemy import Table

from server.rules.board import ORBIT, Hex
from server.rules.state import Battle, Detachment, Garrison, Player, State, Stronghold, Unit, Urban
from server.store import tables

Key = tuple[Any, ...]
Rows = dict[Key, tuple[Any, ...]]
"""Values by key, both in the order of the table's columns, without the campaign's id."""
Both = tuple[Rows, Rows]
K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of the position and where its rows come from."""

    table: Table
    rows: Callable[[State | None, State], Both]


def _changed(before: Mapping[K, T], after: Mapping[K, T]) -> Iterator[tuple[K, T | None, T | None]]:
    """Yield key, old and new of each entry that is not the same in both."""
    for key, new in after.items():
        old = before.get(key)
        if old is not new and old != new:
            yield key, old, new
    for key, old in before.items():
        if key not in after:
            yield key, old, None


def _table(before: State | None, after: State, name: str) -> tuple[Mapping[Any, Any], Mapping[Any, Any]]:
    return getattr(before, name, None) or {}, getattr(after, name)


def _simple(name: str, row: Callable[[State, Any, Any], Iterable[tuple[Key, tuple[Any, ...]]]]) -> Any:
    """Return the ``rows`` function for one dict of the state, whose entries give any number of rows each."""

    def rows(before: State | None, after: State) -> Both:
        found: Both = {}, {}
        for key, old, new in _changed(*_table(before, after, name)):
            for noun, into in ((old, found[0]), (new, found[1])):
                if noun is not None:
                    into.update(row(after, key, noun))
        return found

    return rows


# --- once a campaign, and the players ---


def _position_rows(before: State | None, after: State) -> Both:
    def row(state: State) -> Rows:
        return {
            (): (
                state.turn,
                state.phase,
                state.winners,
                state.ended_by,
                state.system_control,
                state.id_key,
            )
        }

    return ({} if before is None else row(before)), row(after)


def _player_rows(before: State | None, after: State) -> Both:
    def rows(state: State) -> Rows:
        return {(player.id,): _player(number, player) for number, player in enumerate(state.players.values(), 1)}

    return ({} if before is None else rows(before)), rows(after)


def _player(number: int, player: Player) -> tuple[Any, ...]:
    return (
        number,
        player.faction,
        player.strategy,
        player.vp,
        player.eliminated,
        player.serial,
        player.start_urban,
        player.start_resource,
    )


def _alliance(_state: State, id_: str, player: Player) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    for name in ("allies", "declared"):
        _sorted(getattr(player, name), f"{name} of {id_}")
    for other in sorted({*player.allies, *player.declared}):
        yield (id_, other), (other in player.allies, other in player.declared)


def _encounter_rows(before: State | None, after: State) -> Both:
    found: Both = {}, {}
    for id_, old, new in _changed(*_table(before, after, "players")):
        met_before, met_after = (player.met.keys() if player else set() for player in (old, new))
        found[0].update(((id_, other), ()) for other in met_before - met_after)
        found[1].update(((id_, other), ()) for other in met_after - met_before)
    return found


def _lost_character_rows(before: State | None, after: State) -> Both:
    there = {} if before is None else before.lost_characters
    gone, new = there.keys() - after.lost_characters.keys(), after.lost_characters.keys() - there.keys()
    return {(name,): () for name in gone}, {(name,): () for name in new}


# --- the ground ---

_BY_HEX = ("resource", "store", "harvest", "corrupted", "infested")


def _hex_rows(before: State | None, after: State) -> Both:
    places = dict(after.board.names)
    if before is None:
        return {}, {(after.board.labels[at],): _hex(after, at, places) for at in range(after.board.size)}
    changed = {at for at, pair in enumerate(zip(before.owner, after.owner, strict=True)) if pair[0] != pair[1]}
    if before.discovered != after.discovered:
        pairs = enumerate(zip(before.discovered, after.discovered, strict=True))
        changed.update(at for at, pair in pairs if pair[0] != pair[1])
    for name in _BY_HEX:
        changed.update(at for at, _, _ in _changed(getattr(before, name), getattr(after, name)))
    label = after.board.label
    return (
        {(label(at),): _hex(before, at, places) for at in sorted(changed)},
        {(label(at),): _hex(after, at, places) for at in sorted(changed)},
    )


def _hex(state: State, at: Hex, places: Mapping[Hex, str]) -> tuple[Any, ...]:
    return (
        state.board.terrain[at],
        places.get(at),
        state.owner[at] or None,
        bool(state.discovered[at]),
        state.resource.get(at),
        state.store.get(at, 0),
        state.harvest.get(at, 0),
        state.corrupted.get(at),
        state.infested.get(at),
    )


def _road_rows(before: State | None, after: State) -> Both:
    def rows(edges: Iterable[tuple[Hex, Hex]]) -> Rows:
        return {tuple(after.board.label(at) for at in edge): () for edge in edges}

    there = {} if before is None else before.roads
    return rows(there.keys() - after.roads.keys()), rows(after.roads.keys() - there.keys())


def _urban(state: State, at: Hex, urban: Urban) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    values = (urban.size, urban.race, urban.capital or None, urban.changed, urban.road, urban.disbanded)
    yield (state.board.label(at),), values


def _building(state: State, at: Hex, urban: Urban) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    label = state.board.label(at)
    for building in _sorted(urban.buildings, f"buildings in {label}"):
        yield (label, building), ()


def _stronghold(state: State, at: Hex, stronghold: Stronghold) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    yield (state.board.label(at),), (stronghold.type, stronghold.changed)


def _defence(state: State, at: Hex, stronghold: Stronghold) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    for defence, number in stronghold.defences.items():
        yield (state.board.label(at), defence), (number,)


def _weapon(state: State, at: Hex, stronghold: Stronghold) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    label = state.board.label(at)
    weapons = _sorted(stronghold.weapons, f"weapons in {label}", unique=False)
    for weapon, number in Counter(weapons).items():
        yield (label, weapon), (number,)


# --- forces, convoys, battles ---


def _place(state: State, at: Hex) -> str | None:
    return None if at == ORBIT else state.board.labels[at]


def _detachment(state: State, id_: str, detachment: Detachment) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    place = _place(state, detachment.at)
    yield (
        (id_,),
        (
            detachment.owner,
            detachment.name,
            detachment.type,
            place,
            detachment.dxp,
            detachment.mounted,
            detachment.battle_order,
            detachment.ready_in,
            detachment.pinned,
        ),
    )


def _garrison(state: State, id_: str, garrison: Garrison) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    yield (id_,), (garrison.owner, _place(state, garrison.at))


def _unit_rows(before: State | None, after: State) -> Both:
    found: Both = {}, {}
    for name, detached in (("detachments", True), ("garrisons", False)):
        for id_, old, new in _changed(*_table(before, after, name)):
            force = (id_, None) if detached else (None, id_)
            if old is not None and new is not None and old.units == new.units:
                continue
            for noun, into in ((old, found[0]), (new, found[1])):
                if noun is not None:
                    _units(into, force, noun.units)
    return found


def _units(into: Rows, force: tuple[str | None, str | None], units: Iterable[Unit]) -> None:
    for place, unit in enumerate(units):
        if (unit.id,) in into:
            raise ValueError(f"two units have the id {unit.id}")
        into[unit.id,] = (
            *force,
            place,
            unit.name,
            unit.slot,
            unit.models,
            unit.points,
            unit.mobility,
            unit.flags,
            unit.bombardment,
            unit.ready,
            unit.wounded,
            unit.damaged,
        )


def _convoy(state: State, id_: str, convoy: Any) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    yield (id_,), (convoy.owner, _place(state, convoy.at), convoy.bp)


def _battle_rows(before: State | None, after: State) -> Both:
    def rows(state: State) -> Rows:
        return {
            (state.board.label(at),): _battle(state, place, battle)
            for place, (at, battle) in enumerate(state.battles.items())
        }

    return ({} if before is None else rows(before)), rows(after)


def _battle(state: State, place: int, battle: Battle) -> tuple[Any, ...]:
    return (
        place,
        battle.attacker,
        battle.defender,
        battle.kind,
        battle.attacking,
        battle.defended_by,
        _place(state, battle.origin),
        battle.defending,
        battle.tabletop,
        battle.attacker_modifier,
        battle.defender_modifier,
        battle.attacker_damage,
        battle.defender_damage,
        battle.winner,
        battle.vp,
        battle.pillage,
    )


def _supporter(state: State, at: Hex, battle: Battle) -> Iterator[tuple[Key, tuple[Any, ...]]]:
    for force, side in battle.supporters.items():
        yield (state.board.label(at), force), (side,)


def _sorted(words: tuple[str, ...], what: str, *, unique: bool = True) -> tuple[str, ...]:
    """Return the words; they are read back in their order, so any other order would not come back."""
    if list(words) != sorted(set(words) if unique else words):
        raise ValueError(f"the {what} are not sorted{' or not unique' if unique else ''}: {words}")
    return words


def table(row: type[tables.Base]) -> Table:
    """Return the table of a row class."""
    return cast(Table, row.__table__)


SHEETS = (
    Sheet(table(tables.PositionRow), _position_rows),
    Sheet(table(tables.PlayerRow), _player_rows),
    Sheet(table(tables.AllianceRow), _simple("players", _alliance)),
    Sheet(table(tables.EncounterRow), _encounter_rows),
    Sheet(table(tables.LostCharacterRow), _lost_character_rows),
    Sheet(table(tables.HexRow), _hex_rows),
    Sheet(table(tables.RoadRow), _road_rows),
    Sheet(table(tables.UrbanHexRow), _simple("urban", _urban)),
    Sheet(table(tables.BuildingRow), _simple("urban", _building)),
    Sheet(table(tables.StrongholdRow), _simple("stronghold", _stronghold)),
    Sheet(table(tables.DefenceRow), _simple("stronghold", _defence)),
    Sheet(table(tables.TurretWeaponRow), _simple("stronghold", _weapon)),
    Sheet(table(tables.DetachmentRow), _simple("detachments", _detachment)),
    Sheet(table(tables.GarrisonRow), _simple("garrisons", _garrison)),
    Sheet(table(tables.UnitRow), _unit_rows),
    Sheet(table(tables.ConvoyRow), _simple("convoys", _convoy)),
    Sheet(table(tables.BattleRow), _battle_rows),
    Sheet(table(tables.BattleSupporterRow), _simple("battles", _supporter)),
)
"""Tables that others refer to come before them."""
