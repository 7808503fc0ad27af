"""Reading a position back from its tables: they hold all of it, for game masters' SQL. The server reads snapshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Select, or_, select
from sqlalchemy.orm import Session

from server.rules.board import ORBIT, Board, Hex
from server.rules.ruleset import Ruleset
from server.rules.state import Battle, Convoy, Detachment, Garrison, Player, State, Stronghold, Unit, Urban
from server.store import tables
from server.store.position import settings_from_json
from server.store.position.rows import table

T = TypeVar("T")
Values = tuple[Any, ...]
Units = dict[str, list[Unit]]


def load_position(session: Session, campaign_id: str, board: Board, ruleset: Ruleset) -> State:
    """Return the position as it is stored; board and ruleset must be the campaign's own."""
    session.flush()
    return _Reader(session.connection(), campaign_id, board, ruleset).state()


class _Reader:
    """Reads one position."""

    def __init__(self, connection: Connection, campaign_id: str, board: Board, ruleset: Ruleset) -> None:
        self.connection = connection
        self.campaign_id = campaign_id
        self.board = board
        self.ruleset = ruleset

    def state(self) -> State:
        campaigns = table(tables.Campaign)
        settings = self.connection.scalar(select(campaigns.c.settings).where(campaigns.c.id == self.campaign_id))
        ((turn, phase, winners, ended_by, system_control, id_key),) = self._rows(tables.PositionRow)
        detached, garrisoned = self._units()
        return State(
            board=self.board,
            ruleset=self.ruleset,
            settings=settings_from_json(settings or {}),
            players=self._players(),
            turn=turn,
            phase=phase,
            urban=self._urban(),
            stronghold=self._strongholds(),
            roads=self._roads(),
            detachments=self._detachments(detached),
            garrisons=self._garrisons(garrisoned),
            convoys=self._convoys(),
            battles=self._battles(),
            lost_characters=dict.fromkeys(sorted(name for (name,) in self._rows(tables.LostCharacterRow))),
            system_control=system_control,
            winners=winners,
            ended_by=ended_by,
            id_key=id_key,
            **self._ground(),
        )

    # --- reading ---

    def _rows(
        self, row: type[tables.Base], narrowed: Callable[[Select[Any]], Select[Any]] = lambda query: query
    ) -> Sequence[Values]:
        """Return the campaign's rows of a table without the campaign's id, columns in their order."""
        own = table(row)
        query = select(*(column for column in own.c if column.name != "campaign_id"))
        query = narrowed(query.where(own.c.campaign_id == self.campaign_id))
        return cast(Sequence[Values], self.connection.execute(query).all())

    def _at(self, label: str | None) -> Hex:
        if label is None:
            return ORBIT
        found = self.board.find(label)
        assert found is not None, label
        return found

    def _lists(self, row: type[tables.Base]) -> dict[str, list[Values]]:
        """Return rows that belong to the noun their first column names."""
        found: dict[str, list[Values]] = {}
        for table_row in self._rows(row):
            found.setdefault(table_row[0], []).append(table_row)
        return found

    # --- players ---

    def _players(self) -> dict[str, Player]:
        alliances, encounters = self._lists(tables.AllianceRow), self._lists(tables.EncounterRow)
        players = {}
        by_seat = sorted(self._rows(tables.PlayerRow), key=itemgetter(1))
        for id_, _, faction, strategy, vp, eliminated, serial, start_urban, start_resource in by_seat:
            declared = sorted((ally, in_force, said) for _, ally, in_force, said in alliances.get(id_, ()))
            players[id_] = Player(
                id=id_,
                faction=faction,
                strategy=strategy,
                vp=vp,
                eliminated=eliminated,
                allies=tuple(ally for ally, in_force, _ in declared if in_force),
                declared=tuple(ally for ally, _, said in declared if said),
                serial=serial,
                start_urban=start_urban,
                start_resource=start_resource,
                met=dict.fromkeys(sorted(met for _, met in encounters.get(id_, ()))),
            )
        return players

    # --- the ground ---

    def _ground(self) -> dict[str, Any]:
        owner, discovered = [""] * self.board.size, bytearray(self.board.size)
        resource: dict[Hex, str] = {}
        store: dict[Hex, int] = {}
        harvest: dict[Hex, int] = {}
        corrupted: dict[Hex, str] = {}
        infested: dict[Hex, str] = {}
        for label, _, _, holder, known, size, bp, crop, corrupter, infester in self._rows(tables.HexRow, _in_play):
            at = self._at(label)
            owner[at], discovered[at] = holder or "", known
            if size is not None:
                resource[at] = size
            if bp:
                store[at] = bp
            if crop:
                harvest[at] = crop
            if corrupter is not None:
                corrupted[at] = corrupter
            if infester is not None:
                infested[at] = infester
        return {
            "owner": owner,
            "discovered": discovered,
            "resource": _in_order(resource),
            "store": _in_order(store),
            "harvest": _in_order(harvest),
            "corrupted": _in_order(corrupted),
            "infested": _in_order(infested),
        }

    def _roads(self) -> dict[tuple[Hex, Hex], None]:
        return dict.fromkeys(sorted((self._at(a), self._at(b)) for a, b in self._rows(tables.RoadRow)))

    def _urban(self) -> dict[Hex, Urban]:
        buildings = self._lists(tables.BuildingRow)
        return _in_order(
            {
                self._at(label): Urban(
                    size,
                    tuple(sorted(building for _, building in buildings.get(label, ()))),
                    race,
                    capital or "",
                    *turns,
                )
                for label, size, race, capital, *turns in self._rows(tables.UrbanHexRow)
            }
        )

    def _strongholds(self) -> dict[Hex, Stronghold]:
        defences, weapons = self._lists(tables.DefenceRow), self._lists(tables.TurretWeaponRow)
        return _in_order(
            {
                self._at(label): Stronghold(
                    type_,
                    dict(sorted((defence, number) for _, defence, number in defences.get(label, ()))),
                    tuple(sorted(weapon for _, weapon, number in weapons.get(label, ()) for _ in range(number))),
                    changed,
                )
                for label, type_, changed in self._rows(tables.StrongholdRow)
            }
        )

    # --- forces, convoys, battles ---

    def _units(self) -> tuple[Units, Units]:
        """Return the units of each detachment and of each garrison, in their order."""
        detached: Units = {}
        garrisoned: Units = {}
        by_place = self._rows(tables.UnitRow, lambda query: query.order_by(table(tables.UnitRow).c.place))
        for id_, detachment, garrison, _, *values in by_place:
            unit = Unit(id_, *values)
            if detachment is not None:
                detached.setdefault(detachment, []).append(unit)
            else:
                garrisoned.setdefault(garrison, []).append(unit)
        return detached, garrisoned

    def _detachments(self, units: Units) -> dict[str, Detachment]:
        return _in_order(
            {
                id_: Detachment(id_, owner, name, type_, self._at(label), tuple(units.get(id_, ())), *values)
                for id_, owner, name, type_, label, *values in self._rows(tables.DetachmentRow)
            }
        )

    def _garrisons(self, units: Units) -> dict[str, Garrison]:
        return _in_order(
            {
                id_: Garrison(id_, owner, self._at(label), tuple(units.get(id_, ())))
                for id_, owner, label in self._rows(tables.GarrisonRow)
            }
        )

    def _convoys(self) -> dict[str, Convoy]:
        return _in_order(
            {id_: Convoy(id_, owner, self._at(label), bp) for id_, owner, label, bp in self._rows(tables.ConvoyRow)}
        )

    def _battles(self) -> dict[Hex, Battle]:
        supporters = self._lists(tables.BattleSupporterRow)
        battles = {}
        for row in sorted(self._rows(tables.BattleRow), key=itemgetter(1)):
            label, _, attacker, defender, kind, attacking, defended_by, origin, defending, *outcome = row
            at = self._at(label)
            sides = dict(sorted((force, side) for _, force, side in supporters.get(label, ())))
            battles[at] = Battle(
                at, attacker, defender, kind, attacking, defended_by, self._at(origin), defending, sides, *outcome
            )
        return battles


def _in_play(query: Select[Any]) -> Select[Any]:
    """Leave out hexes of which there is nothing to tell but their terrain."""
    hexes = table(tables.HexRow).c
    return query.where(
        or_(
            hexes.owner.is_not(None),
            hexes.discovered,
            hexes.resource.is_not(None),
            hexes.store != 0,
            hexes.harvest != 0,
            hexes.corrupted_by.is_not(None),
            hexes.infested_by.is_not(None),
        )
    )


def _in_order(found: dict[Any, T]) -> dict[Any, T]:
    """Return the entries in the order of their keys, as ``State.copy`` has them."""
    return dict(sorted(found.items()))
