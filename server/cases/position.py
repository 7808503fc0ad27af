"""Sets up the position of a case: the campaign's state before the first phase."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from server.cases.model import BattlePart, Case, CaseError, HexPart, default_units
from server.cases.table import key_path, listed
from server.core.errors import RulesError
from server.core.hexes import facing
from server.rules.board import MAX_SIDE, ORBIT, Board, Hex
from server.rules.ruleset import Ruleset
from server.rules.state import (
    SETUP,
    Battle,
    Convoy,
    Detachment,
    Force,
    Garrison,
    Player,
    State,
    Stronghold,
    Urban,
)
from server.rulesets import load


def set_up(case: Case) -> State:
    """Return the state a case begins with; raises :class:`CaseError` with all that is wrong with it."""
    ruleset = _ruleset(case)
    board = _board(case, ruleset)
    builder = _Builder(case, board, ruleset)
    state = builder.state()
    if builder.problems:
        raise CaseError(builder.problems)
    return state


def _ruleset(case: Case) -> Ruleset:
    try:
        return _with_equal_starts(case.campaign.ruleset)
    except RulesError as error:
        raise CaseError([f"campaign.ruleset: {error}"]) from error


@cache
def _with_equal_starts(id_: str) -> Ruleset:
    """Return a ruleset with the same BP at the start for every list: cases ask for the source's figure (D-71c)."""
    ruleset = load(id_)
    lists = {name: replace(faction, start_percent=100) for name, faction in ruleset.factions.items()}
    return replace(ruleset, factions=lists)


def _board(case: Case, ruleset: Ruleset) -> Board:
    """Return the map; where it cannot be made there is nothing to check the rest against."""
    columns, rows = case.map.columns, case.map.rows
    if max(columns, rows) > MAX_SIDE:
        raise CaseError([f"map: a map has at most {MAX_SIDE} columns and rows, not {columns} x {rows}"])
    bare = Board(columns, rows, ("",) * (columns * rows))
    problems: list[str] = []
    terrain = [case.map.terrain] * bare.size
    if case.map.terrain not in ruleset.terrain:
        problems.append(f"map.terrain: no such terrain {case.map.terrain!r} ({listed(ruleset.terrain)})")
    for label, part in case.map.hexes.items():
        where = key_path("map.hexes", label)
        at = bare.find(label)
        if at is None:
            problems.append(f"{where}: the map of {columns} x {rows} has no such hex")
        elif part.terrain and part.terrain not in ruleset.terrain:
            problems.append(f"{where}.terrain: no such terrain {part.terrain!r} ({listed(ruleset.terrain)})")
        else:
            terrain[at] = part.terrain or case.map.terrain
    if problems:
        raise CaseError(problems)
    return Board(columns, rows, tuple(terrain))


class _Builder:
    """Puts one position together and collects what does not fit."""

    def __init__(self, case: Case, board: Board, ruleset: Ruleset) -> None:
        self.case = case
        self.board = board
        self.ruleset = ruleset
        self.problems: list[str] = []
        starts_with_setup = case.phases[0] == SETUP
        self.result = State(
            board, ruleset, case.campaign.settings, {}, turn=0 if starts_with_setup else 1, id_key=b"case"
        )

    def state(self) -> State:
        """Return the state, complete but for what :attr:`problems` says."""
        if not self.case.players:
            self.problems.append("players: missing")
        for id_ in self.case.players:
            self.result.players[id_] = self._player(id_)
        for label, part in self.case.map.hexes.items():
            self._hex(self.board.find(label) or 0, key_path("map.hexes", label), part)
        self._roads()
        self._forces()
        self.result.reindex()
        for place, battle in enumerate(self.case.battles):
            self._battle(f"battles[{place}]", battle)
        control = self.case.campaign.system_control
        self.result.system_control = self._player_known("campaign.system_control", control)
        return self.result

    # --- checked words ---

    def _known(self, where: str, name: str, names: Iterable[str], what: str) -> str:
        known = list(names)
        if name not in known:
            self.problems.append(f"{where}: no such {what} {name!r} ({listed(known) or 'there are none'})")
        return name

    def _player_known(self, where: str, name: str) -> str:
        return self._known(where, name, self.case.players, "player") if name else ""

    def _owner(self, where: str, name: str) -> str:
        return self._known(f"{where}.owner", name, self.case.players, "player")

    def _place(self, where: str, label: str, orbit: bool = False) -> Hex:
        if orbit and label == "orbit":
            return ORBIT
        at = self.board.find(label)
        if at is None:
            more = ' or "orbit"' if orbit else ""
            self.problems.append(f"{where}: no such hex {label!r}, it must be on the map of this case{more}")
        return 0 if at is None else at

    def _only_with(self, where: str, condition: object, keys: dict[str, object], needed: str) -> None:
        for key, value in keys.items():
            if value and not condition:
                self.problems.append(f"{where}.{key}: only where there is {needed}")

    # --- players and hexes ---

    def _player(self, id_: str) -> Player:
        part = self.case.players[id_]
        where = key_path("players", id_)
        self._known(f"{where}.faction", part.faction, self.ruleset.factions, "faction")
        faction = self.ruleset.factions.get(part.faction)
        for ally in part.allies:
            others = [player for player in self.case.players if player != id_]
            self._known(f"{where}.allies", ally, others, "other player")
        strategy = part.strategy if part.strategy is not None else faction.strategy if faction else 0
        allies = tuple(sorted(part.allies))
        return Player(id_, part.faction, strategy, part.vp, allies=allies, declared=allies)

    def _hex(self, at: Hex, where: str, part: HexPart) -> None:
        state = self.result
        owner = state.owner[at] = self._player_known(f"{where}.owner", part.owner)
        state.discovered[at] = bool(owner) if part.undiscovered is None else not part.undiscovered
        in_urban: dict[str, object] = {"capital": part.capital, "race": part.race, "buildings": part.buildings}
        self._only_with(where, part.urban, in_urban, "an urban hex")
        self._only_with(where, part.stronghold, {"defences": part.defences}, "a stronghold")
        self._only_with(where, part.owner, {"capital": part.capital, "under_construction": part.works}, "an owner")
        store = part.urban or part.stronghold or part.resource
        self._only_with(where, store, {"bp": part.bp}, "a store: an urban hex, a stronghold or a resource hex")
        if part.urban:
            state.urban[at] = self._urban(where, part)
        if part.stronghold:
            state.stronghold[at] = self._stronghold(where, part)
        if part.resource:
            known = [resource.id for resource in self.ruleset.resources]
            state.resource[at] = self._known(f"{where}.resource", part.resource, known, "size")
        if part.bp:
            (state.store if part.urban or part.stronghold else state.harvest)[at] = part.bp
        if part.corrupted:
            state.corrupted[at] = ""
        if part.infested:
            state.infested[at] = self._player_known(f"{where}.infested", part.infested)

    def _urban(self, where: str, part: HexPart) -> Urban:
        for building in part.buildings:
            self._known(f"{where}.buildings", building, self.ruleset.buildings, "building")
        owner = self.case.players.get(part.owner)
        race = part.race or (owner.faction if owner else "none")
        if part.capital and any(urban.capital == part.owner for urban in self.result.urban.values()):
            self.problems.append(f"{where}.capital: {part.owner} has two capitals")
        return Urban(
            size=self._known(f"{where}.urban", part.urban, [size.id for size in self.ruleset.urban], "size"),
            buildings=tuple(sorted(dict.fromkeys(part.buildings))),
            race=self._known(f"{where}.race", race, self.ruleset.factions, "faction"),
            capital=part.owner if part.capital else "",
        )

    def _stronghold(self, where: str, part: HexPart) -> Stronghold:
        for defence in part.defences:
            self._known(f"{where}.defences", defence, self.ruleset.defences, "defence")
        known = [stronghold.id for stronghold in self.ruleset.strongholds]
        return Stronghold(self._known(f"{where}.stronghold", part.stronghold, known, "stronghold"), dict(part.defences))

    def _roads(self) -> None:
        for place, (one, other) in enumerate(self.case.map.roads):
            where = f"map.roads[{place}]"
            a, b = sorted((self._place(where, one), self._place(where, other)))
            if b not in self.board.adjacent[a]:
                self.problems.append(f"{where}: {one} and {other} are not adjacent")
            self.result.roads[a, b] = None

    # --- forces ---

    def _forces(self) -> None:
        for label, part in self.case.map.hexes.items():
            if part.works:
                self._raise(f"under_construction/{label}", label)
        for id_ in self.case.detachments:
            self._detachment(id_)
        for id_ in self.case.garrisons:
            self._garrison(id_)
        for id_, convoy in self.case.convoys.items():
            where = key_path("convoys", id_)
            at = self._place(f"{where}.at", convoy.at)
            self.result.convoys[id_] = Convoy(id_, self._owner(where, convoy.owner), at, convoy.bp)
        self._ids_differ()

    def _raise(self, id_: str, label: str) -> None:
        part = self.case.map.hexes[label]
        assert part.works is not None
        units = default_units(id_)
        at = self.board.find(label) or 0
        self.result.detachments[id_] = Detachment(
            id_, part.owner, part.works.name, "standard", at, units, ready_in=part.works.turns
        )

    def _detachment(self, id_: str) -> None:
        part = self.case.detachments[id_]
        where = key_path("detachments", id_)
        at = self._place(f"{where}.at", part.at, orbit=True)
        for other in self.result.detachments.values():
            if other.at == at != ORBIT and bool(other.ready_in) == bool(part.ready_in):
                self.problems.append(f"{where}.at: {other.id} stands in {part.at} already")
        self.result.detachments[id_] = Detachment(
            id=id_,
            owner=self._owner(where, part.owner),
            name=part.name,
            type=self._known(f"{where}.type", part.type, self.ruleset.detachment_types, "detachment type"),
            at=at,
            units=part.units,
            dxp=part.dxp,
            mounted=part.mounted,
            battle_order=part.battle_order,
            ready_in=part.ready_in,
        )

    def _garrison(self, id_: str) -> None:
        part = self.case.garrisons[id_]
        where = key_path("garrisons", id_)
        at = self._place(f"{where}.at", part.at)
        if any(garrison.at == at for garrison in self.result.garrisons.values()):
            self.problems.append(f"{where}.at: there is a garrison in {part.at} already")
        self.result.garrisons[id_] = Garrison(id_, self._owner(where, part.owner), at, part.units)

    def _ids_differ(self) -> None:
        seen: dict[str, str] = {}
        for name in ("detachments", "garrisons", "convoys"):
            for id_ in getattr(self.case, name):
                where = key_path(name, id_)
                if id_ in seen:
                    self.problems.append(f"{where}: there is {seen[id_]} already")
                seen[id_] = where

    # --- battles ---

    def _battle(self, where: str, part: BattlePart) -> None:
        at = self._place(f"{where}.hex", part.hex)
        attacker = self._force(f"{where}.attacker", part.attacker)
        defender = self._force(f"{where}.defender", part.defender)
        if at in self.result.battles:
            self.problems.append(f"{where}.hex: there is a battle in {part.hex} already")
        if attacker is None or defender is None or attacker.owner not in self.case.players:
            return
        if attacker.owner == defender.owner:
            self.problems.append(f"{where}: {attacker.id} and {defender.id} are both {attacker.owner}'s")
            return
        defending = part.defending
        if defending is None:
            defending = isinstance(defender, Detachment) and defender.battle_order == "defend"
        battle = Battle(
            at, part.attacker, part.defender, part.kind, attacker.owner, defender.owner, attacker.at, defending
        )
        for id_, side in part.supporters.items():
            force = self._force(f"{where}.supporters", id_)
            if force is not None:
                battle.supporters[id_] = side or self._side(f"{where}.supporters", battle, force)
        self.result.battles[at] = battle

    def _force(self, where: str, id_: str) -> Force | None:
        self._known(where, id_, [*self.case.detachments, *self.case.garrisons], "force")
        return self.result.force(id_)

    def _side(self, where: str, battle: Battle, force: Force) -> str:
        """Return the side on which a force supports a battle, by its owner and hex (6.1, D-56, D-71b)."""
        if self.result.friendly(force.owner, battle.defended_by):
            return "defender"
        if not self.result.friendly(force.owner, battle.attacking):
            self.problems.append(f"{where}: {force.id} is friendly to neither side of the battle")
        if ORBIT in (battle.origin, force.at):
            return "front"
        if isinstance(force, Detachment) and self._reaches_beyond(force, battle.hex):
            return "front"
        front = self.board.direction(battle.hex, battle.origin)
        towards = self.board.direction(battle.hex, force.at)
        side = "attacker" if front is None or towards is None else facing(front, towards)
        if side == "attacker":
            self.problems.append(f"{where}: {force.id} stands neither to front, flank nor rear of the battle")
        return side

    def _reaches_beyond(self, detachment: Detachment, hex_: Hex) -> bool:
        """D-71b: artillery supports from further away than next door."""
        type_ = self.ruleset.detachment_types.get(detachment.type)
        return type_ is not None and 1 < self.board.distance(detachment.at, hex_) <= type_.support_range
