"""How a table game begins: mission, armies, settings, terrain, and where it stands if not at its start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from server.referee.battle import BattleData
from server.referee.geometry import Point
from server.referee.mission import ATTACKER, BATTLE, PLAYERS, ROLES, Mission
from server.referee.reading import (
    AT,
    BOOL,
    ID,
    POLYGON,
    RAW,
    TEXT,
    Found,
    Inches,
    Integer,
    ListOf,
    OneOf,
    Record,
    TableOf,
    given,
    note,
    read,
)
from server.referee.units import UnitData

if TYPE_CHECKING:
    from server.referee.game import Game, Marker


FIRST, NEWEST = 1, 4
"""Versions of the referee: a game keeps the one that it began with (docs/table-rules.md).

Version 1: any action except a stratagem ends every moment, units may be kept back, players report distances.
Version 2: a moment is its owner's (N-61), units come as the mission says (N-17), known points are measured (N-90).
Version 3: a player who was passed over undoes that alone (N-61); Insane Bravery needs a distance.
Version 4: a player reopens a sealed choice alone while the other has not sealed; squads of a split unit are numbered.
"""
PATROL_FAMILY = "patrol"
SMALLEST_TABLE = 12_000
MAX_CP, MAX_VP = 100, 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A terrain feature that a rule looks at: a polygon or a line."""

    id: str = given(ID)
    line: tuple[Point, ...] = given(ListOf(AT, min=2, max=100), ())
    polygon: tuple[Point, ...] = given(POLYGON, ())
    cover: bool = given(BOOL, True)
    kind: str = given(ID, "")
    building: bool = given(BOOL, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableData:
    """The table itself."""

    width: int | None = given(Inches(1_000), None)
    height: int | None = given(Inches(1_000), None)
    terrain: tuple[Piece, ...] = given(ListOf(Record(Piece)), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """What a player brings."""

    role: str = given(OneOf(ROLES), "")
    painted: bool = given(BOOL, False)
    battle_forged: bool = given(BOOL, True)
    cp: int | None = given(Integer(0, MAX_CP), None)
    """None: what the game gives (T-10, N-60)."""
    force_morale: int | None = given(Integer(0, 100), None)
    strategy: int | None = given(Integer(0, 20), None)
    units: tuple[UnitData, ...] = given(ListOf(Record(UnitData), max=200), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsData:
    """What both players have chosen."""

    secured: str = given(OneOf(("strict", "contestable")), "strict")
    """T-08."""
    jop_distance: str = given(OneOf(("enemies", "marker")), "enemies")
    """T-48."""
    break_rules: bool = given(BOOL, False)
    """P-09."""
    natural_one_fails: bool = given(BOOL, False)
    """T-76."""
    extra_sentries: str = given(OneOf(("army", "free")), "army")
    """N-67."""
    patrol_phase: bool = given(BOOL, False)
    """A Patrol phase comes before the armies take the field (T-55)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerStart:
    """A marker of a game that begins in the middle."""

    control: str | None = given(OneOf(("", *PLAYERS)), None)
    secured: str | None = given(OneOf(("", *PLAYERS)), None)
    used: bool = given(BOOL, False)
    removed: bool = given(BOOL, False)
    claims: Mapping[str, int] = given(TableOf(Integer(0, 20)), {})
    at: Point | None = given(AT, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a game stands that does not begin at its start."""

    stage: str = given(ID, "battle")
    round: int | None = given(Integer(1, 50), None)
    """None, and no turn or phase either: the battle is about to begin."""
    turn: str = given(OneOf(PLAYERS), "")
    first: str = given(OneOf(PLAYERS), "")
    phase: str = given(ID, "")
    vp: Mapping[str, int] = given(TableOf(Integer(0, MAX_VP)), {})
    cp: Mapping[str, int] = given(TableOf(Integer(0, MAX_CP)), {})
    markers: Mapping[str, MarkerStart] = given(TableOf(Record(MarkerStart)), {})
    tracked: Mapping[str, Any] = given(RAW, {})
    patrol: Mapping[str, Any] = given(RAW, {})
    jump_offs: Mapping[str, Any] = given(RAW, {})

    @property
    def attacker(self) -> str:
        """Return who attacks, where ``tracked`` names them; else nothing."""
        named = self.tracked.get("attacker")
        return named if named in PLAYERS else ""

    @property
    def parts(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the parts that single rules take."""
        return {"patrol": self.patrol, "jump_offs": self.jump_offs}


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginningData:
    """The beginning of a game as it is written down."""

    game: str = given(TEXT)
    table: TableData = given(Record(TableData), factory=TableData)
    settings: SettingsData = given(Record(SettingsData), factory=SettingsData)
    players: Mapping[str, Army] = given(TableOf(Record(Army)), {})
    start: Start | None = given(Record(Start), None)
    battle: BattleData | None = given(Record(BattleData), None)
    referee: int | None = given(Integer(FIRST, NEWEST), None)
    """The version of the referee; records of before there were versions have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """Everything that a game's course follows from, beside acts and dice."""

    mission: Mission
    library: Mapping[str, Mission]
    """All missions that may be agreed or rolled."""
    armies: Mapping[str, Army]
    settings: SettingsData
    pieces: tuple[Piece, ...]
    start: Start | None = None
    battle: BattleData | None = None
    """What the campaign says of the battle (6.2)."""
    sized: tuple[int, int] | None = None
    """Width and height of the table, if they differ from the mission's."""
    secret: bytes = b""
    """Shuffles what nobody may foresee; empty: as it stands (cases)."""
    referee: int = NEWEST
    """The version of the referee that the game goes by."""
    taken_as_confirmed: bool = False
    """Reports, painting and result need no word of the other player (cases)."""


def after_a_patrol_phase(mission: Mission, library: Mapping[str, Mission]) -> Mission:
    """Return the mission with the stages and rules of the Patrol phase before the armies take the field (T-55)."""
    patrol = next((other for other in library.values() if other.family == PATROL_FAMILY), None)
    before = next((stage for stage in mission.stages if stage in ("formations", mission.placed_by)), "")
    if patrol is None or not before or mission.family == PATROL_FAMILY:
        return mission
    place = mission.stages.index(before)
    stages = (*mission.stages[:place], *patrol.stages[:-1], *mission.stages[place:])
    return replace(mission, stages=stages, rules=(*mission.rules, *patrol.rules))


def said_attacker(armies: Mapping[str, Army]) -> str:
    """Return who attacks as the armies name their roles; empty: they name none."""
    red, blue = PLAYERS
    for player, other in ((red, blue), (blue, red)):
        if armies[player].role:
            return player if armies[player].role == ATTACKER else other
    return ""


def default_army(player: str) -> tuple[UnitData, ...]:
    """Return what a player has who names no units: an infantry Troops and Battleline unit of ten."""
    return (UnitData(id=f"{player[0]}1", flags=("battleline",)),)


def read_beginning(
    values: Any,
    library: Mapping[str, Mission],
    found: Found,
    unversioned: int = NEWEST,
    **more: Any,
) -> Beginning | None:
    """Return the beginning that a JSON value describes, or None with the problems added to *found*.

    *unversioned* is the referee's version if the JSON names none.
    """
    if (data := read(BeginningData, values, "", found)) is None:
        return None
    if data.settings.patrol_phase or _begins_with_patrols(data, library):
        library = {id_: after_a_patrol_phase(mission, library) for id_, mission in library.items()}
    if (mission := library.get(data.game)) is None:
        note(found, "game", f"there is no mission called {data.game!r}")
        return None
    for player in data.players:
        if player not in PLAYERS:
            note(found, f"players.{player}", "players are red and blue")
    size = (data.table.width or mission.width, data.table.height or mission.height)
    if min(size) < SMALLEST_TABLE:
        note(found, "table", "the table is too small")
    armies = {player: data.players.get(player) or Army() for player in PLAYERS}
    begun = Beginning(
        mission=mission.sized(*size),
        library=library,
        armies=armies,
        settings=data.settings,
        pieces=data.table.terrain,
        start=data.start,
        battle=data.battle,
        sized=None if size == (mission.width, mission.height) else size,
        referee=data.referee or unversioned,
        **more,
    )
    before = len(found)
    _check_units(armies, found)
    if data.start is not None:
        _check_start(data.start, begun.mission, found)
    return begun if len(found) == before else None


def _begins_with_patrols(data: BeginningData, library: Mapping[str, Mission]) -> bool:
    """Say whether a game begins in a stage of the Patrol phase that its mission does not have (T-55)."""
    mission = library.get(data.game)
    if data.start is None or mission is None or data.start.stage in mission.stages:
        return False
    return any(data.start.stage in other.stages for other in library.values() if other.family == PATROL_FAMILY)


def _check_units(armies: Mapping[str, Army], found: Found) -> None:
    known: dict[str, str] = {}
    for player, army in armies.items():
        for place, unit in enumerate(army.units):
            path = f"players.{player}.units.{place}"
            if unit.id in known:
                note(found, f"{path}.id", f"the id {unit.id!r} is taken")
            known[unit.id] = player
            if unit.models_now is not None and unit.models_now > unit.models:
                note(found, f"{path}.models_now", "there are more models than it began with")
        inside = {unit.id for unit in army.units}
        for place, unit in enumerate(army.units):
            if unit.inside and unit.inside not in inside:
                note(found, f"players.{player}.units.{place}.in", f"there is no unit {unit.inside!r}")


def _check_start(start: Start, mission: Mission, found: Found) -> None:
    if start.stage not in mission.stages:
        note(found, "start.stage", f"the stages are {', '.join(mission.stages)}")
    if start.phase and start.phase not in mission.phases:
        note(found, "start.phase", f"the phases are {', '.join(mission.phases)}")
    for name in (*start.vp, *start.cp):
        if name not in PLAYERS:
            note(found, "start", f"{name!r} is no player")
    if not isinstance(start.tracked, Mapping):
        note(found, "start.tracked", "this must be a table")
    for part, things in start.parts.items():
        if not isinstance(things, Mapping) or not all(isinstance(thing, Mapping) for thing in things.values()):
            note(found, f"start.{part}", "this must hold tables")


def is_in_a_turn(game: Game, start: Start) -> bool:
    """Say whether a game begins within a turn of its battle, not with a stage."""
    said = start.round is not None or start.turn or start.phase
    return start.stage == BATTLE and bool(said or not game.mission.phases)


def stand(game: Game, start: Start) -> None:
    """Put a game where it stands; what it names and the mission does not have is noted in ``unfit``."""
    _set_clock(game, start)
    for player in PLAYERS:
        game.vp[player] = start.vp.get(player, 0)
        game.cp[player] = start.cp.get(player, game.cp[player])
    for id_, data in start.markers.items():
        if id_ in game.markers:
            _lie(game, game.markers[id_], data)
        elif not any(game.ask("begin_part", "markers", id_, {"at": data.at})):
            game.unfit.append(f"start.markers.{id_}: there is no such marker")
    for part, things in start.parts.items():
        for id_, values in things.items():
            if not any(game.ask("begin_part", part, id_, values)):
                game.unfit.append(f"start.{part}.{id_}: this game has nothing of the kind")
    for name, value in start.tracked.items():
        taken = list(game.ask("track", name, value))
        if not any(taken) and not (name == "attacker" and start.attacker):
            game.unfit.append(f"start.tracked.{name}: this game keeps nothing of the kind")
    game.call("resumed", start)


def _lie(game: Game, marker: Marker, data: MarkerStart) -> None:
    if data.at is not None:
        marker.at, marker.zone = data.at, game.zone_of(data.at)
    marker.control = data.control or data.secured or ""
    marker.secured = data.secured or ""
    marker.used, marker.removed = data.used, data.removed
    for model, round_ in data.claims.items():
        marker.claims.setdefault(game.owner_of_model(model), {})[model] = round_


def _set_clock(game: Game, start: Start) -> None:
    clock = game.clock
    clock.first = start.first or start.turn
    if is_in_a_turn(game, start):
        phases = game.mission.phases
        clock.stage, clock.round = BATTLE, start.round or 1
        clock.phase = start.phase or (phases[0] if phases else "")
        clock.turn = start.turn or start.first or game.attacker or PLAYERS[0]
        clock.first = clock.first or clock.turn
        clock.second = clock.turn != clock.first
