"""A table game as stored: beginning, actions in order, dice. Its state is the fold of the actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.core.dice import Dice
from server.core.errors import Problem
from server.core.events import Event
from server.core.fields import shown
from server.referee import clock as clocks
from server.referee.act import Act, act_kind
from server.referee.beginning import Beginning, default_army, is_in_a_turn, said_attacker, stand
from server.referee.choices import Option
from server.referee.dice_log import DiceLog
from server.referee.every_game import still_to_choose, waits_for
from server.referee.game import Game
from server.referee.mission import BATTLE, GAME_MASTER, PLAYERS, Mission
from server.referee.reading import Spec, read_fields
from server.referee.refusals import refuse, unknown
from server.referee.units import TABLE, UNPLACED, make_unit


@dataclass(frozen=True, slots=True)
class Recorded:
    """An accepted action. The record keeps all of them, undone ones included."""

    by: str
    do: str
    content: Mapping[str, Any]
    """Its fields as they were given."""


@act_kind("tried", by=(*PLAYERS, GAME_MASTER), ending=True)
class Tried(Act):
    """The rest of a withdrawn report: its attempt is used (T-23). No player submits it."""

    act: Act

    @classmethod
    def wrong_now(cls, game: Game, by: str) -> str:
        """It is done where the report was."""
        return ""

    def play(self, game: Game) -> None:
        """Use the try."""
        self.act.use_try(game)


@dataclass(slots=True)
class TableGame:
    """A table game with its record."""

    beginning: Beginning
    faces: DiceLog
    game: Game
    record: list[Recorded] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    """Every message so far, including those of undone actions."""


def begin(beginning: Beginning, dice: Dice) -> TableGame:
    """Start a table game and carry out all automatic steps."""
    faces = DiceLog(dice)
    game = _begun(beginning, faces)
    table = TableGame(beginning, faces, game)
    _listen(table)
    return table


def submit(table: TableGame, by: str, content: Any) -> list[Problem]:
    """Do an act, or return what is wrong with it, and then nothing has changed. *content* is any JSON."""
    found: list[Problem] = []
    if (act := _read(table.game, by, content, found)) is None:
        return found
    game, problems = table.game, _problems(table.game, act)
    if problems and problems[0].code == "wrong_stage":
        game, problems = _later(table, act, problems)
    if problems:
        return problems
    table.game = game
    number = len(table.record)
    table.record.append(Recorded(by, act.DO, {name: value for name, value in content.items() if name != "by"}))
    _do(game, number, act)
    _listen(table)
    if game.undo:
        _leave_out(table, game.undo)
    return []


def open_for(table: TableGame, player: str) -> list[Option]:
    """Return every act that *player* (or ``gm``) could do now, with the values its fields may take."""
    game = table.game
    return [
        Option(kind.DO, player, offer.fields)
        for kinds in game.kinds.values()
        for kind in kinds
        if not kind.wrong_now(game, player)
        for offer in kind.open(game, player)
    ]


# --- an act ---


def _read(game: Game, by: str, content: Any, found: list[Problem]) -> Act | None:
    if not isinstance(content, Mapping):
        found.append(refuse("bad_value", "An act is a table of fields.", value=content))
        return None
    if (do := content.get("do")) is None:
        found.append(refuse("missing_field", "The field {name} is missing.", "do", name="do"))
        return None
    kinds = game.kinds.get(do) if isinstance(do, str) else None
    if not kinds:
        from server.referee.registry import ACT_NAMES  # all rules of all games: imported with the first mission

        known = isinstance(do, str) and do in ACT_NAMES
        code = "not_allowed" if known else "unknown_type"
        found.append(refuse(code, "This game knows no act {do}.", "do", do, do=shown(do)))
        return None
    if by not in (*PLAYERS, GAME_MASTER):
        found.append(refuse("bad_value", "{by} takes no part in this game.", "by", by, by=shown(by)))
        return None
    meant = [kind for kind in kinds if kind.meant(content)] or kinds
    kind = next((kind for kind in meant if not kind.wrong_now(game, by)), meant[0])
    return _made(kind, by, content, found)


def _made(kind: type[Act], by: str, content: Mapping[str, Any], found: list[Problem]) -> Act | None:
    from server.referee.registry import DECLARED

    values = read_fields(DECLARED[kind], content, "", found, ("do", "by"))
    return None if values is None else kind(by=by, **values)


def _problems(game: Game, act: Act) -> list[Problem]:
    if refused := act.refusal_now(game, act.by):
        return [refused]
    return _ids(game, act) or list(act.check(game))


def _ids(game: Game, act: Act) -> list[Problem]:
    """Return what is wrong with the ids of units and markers that an act names."""
    from server.referee.registry import DECLARED

    found: list[Problem] = []
    for name, declared in DECLARED.get(type(act), {}).items():
        value = getattr(act, declared.attribute) if declared.spec.names else None
        if value is not None:
            for item in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,):
                found += _looked_up(game, act.by, declared.spec, name, item)
    return found


def _looked_up(game: Game, by: str, spec: Spec, field_: str, id_: Any) -> list[Problem]:
    if spec.names == "marker":
        return [] if id_ in game.markers else [unknown("marker", field_, id_)]
    if spec.names not in ("unit", "own_unit", "enemy_unit"):
        return []
    if (unit := game.units.get(id_)) is None:
        return [unknown("unit", field_, id_)]
    if spec.names == "own_unit" and unit.side != by:
        return [refuse("not_yours", "{unit} is not yours.", field_, id_, unit=unit.name)]
    if spec.names == "enemy_unit" and unit.side == by:
        return [refuse("wrong_target", "{unit} is your own.", field_, id_, unit=unit.name)]
    return []


def _do(game: Game, number: int, act: Act) -> None:
    _pass_up_to(game, act)
    if not act.META:
        game.acts.append((number, act))
    game.end_moments_before(act)
    game.call("before_act", act)
    act.play(game)
    if game.follow is not None:
        follow, game.follow = game.follow, None
        game.acts.append((number, follow))
        follow.play(game)
    if game.next_mission is not None:
        play_by(game, game.next_mission)
        game.next_mission = None
    game.call("after_act", act)
    clocks.advance(game)


def _later(table: TableGame, act: Act, problems: list[Problem]) -> tuple[Game, list[Problem]]:
    """Let an act of a later stage pass up what is optional in this one, if it is accepted then."""
    if not _passable(table.game, act):
        return table.game, problems
    trial = _folded(table, table.game.acts)
    _pass_up_to(trial, act)
    if trial.version > 1 and trial.stage not in act.STAGES:
        return table.game, _still_open(trial, act) or problems
    later = _problems(trial, act)
    return (table.game, problems) if later else (trial, [])


def _still_open(game: Game, act: Act) -> list[Problem]:
    """Return that the other player may still act in the stage that an act would leave (N-61)."""
    other = game.other(act.by) if act.by in PLAYERS else ""
    awaited = waits_for(game, other) if other else []
    return [still_to_choose(other, awaited[0])] if awaited else []


def _passable(game: Game, act: Act) -> bool:
    stages, stage = game.mission.stages, game.stage
    if game.over or stage == BATTLE or stage in game.mission.left_by_both or not act.STAGES:
        return False
    here = stages.index(stage)
    return any(later in stages[here + 1 :] for later in act.STAGES) and not game.ask_players("stage_wants", stage)


def _pass_up_to(game: Game, act: Act) -> None:
    while game.stage not in act.STAGES and _passable(game, act):
        stage = game.stage
        game.clock.passed.update(dict.fromkeys(PLAYERS if game.version == 1 else (act.by,)))
        clocks.advance(game)
        if game.stage == stage:
            return


# --- the fold ---


def _begun(beginning: Beginning, faces: DiceLog) -> Game:
    game = Game(beginning, beginning.mission, faces)
    play_by(game, beginning.mission)
    game.pieces = {piece.id: piece for piece in beginning.pieces}
    start = beginning.start
    stage = start.stage if start else beginning.mission.stages[0]
    if start is not None and start.attacker:
        game.attacker = start.attacker
    elif stage in beginning.mission.stages and _roles_are_known(beginning.mission, stage):
        game.attacker = said_attacker(beginning.armies) or PLAYERS[0]
    usual = UNPLACED if _before_placing(beginning.mission, stage) else TABLE
    for player in PLAYERS:
        army = beginning.armies[player]
        game.armies[player] = army
        for data in army.units or default_army(player):
            game.units[data.id] = make_unit(data, player, usual)
        if army.cp is not None:
            game.cp[player] = army.cp
    game.call("mustered")
    if start is not None:
        stand(game, start)
    if start is None or not is_in_a_turn(game, start):
        clocks.enter_stage(game, stage)
    clocks.advance(game)
    return game


def play_by(game: Game, mission: Mission) -> None:
    """Let a game go by *mission* from now on, with its rules fresh."""
    from server.referee.registry import ALWAYS

    rules = [data.kind(**data.values) for data in mission.rules]
    kinds: dict[str, tuple[type[Act], ...]] = {}
    for kind in (*ALWAYS, *(kind for rule in rules for kind in rule.ACTS)):
        if kind not in kinds.get(kind.DO, ()):
            kinds[kind.DO] = (*kinds.get(kind.DO, ()), kind)
    game.adopt(mission, rules, kinds)


def _roles_are_known(mission: Mission, stage: str) -> bool:
    stages = mission.stages
    return "roles" not in stages or stages.index(stage) > stages.index("roles")


def _before_placing(mission: Mission, stage: str) -> bool:
    stages, placed_by = mission.stages, mission.placed_by
    return placed_by in stages and stage in stages and stages.index(stage) <= stages.index(placed_by)


def _folded(table: TableGame, acts: Sequence[tuple[int, Act]]) -> Game:
    game = _begun(table.beginning, table.faces.from_the_start())
    for number, act in acts:
        if not _refused(game, act):
            _do(game, number, act)
    game.events.clear()
    return game


def _refused(game: Game, act: Act) -> bool:
    """Say whether an act of the record is impossible now, because one before it was withdrawn."""
    _pass_up_to(game, act)
    return bool(_problems(game, act))


def _leave_out(table: TableGame, numbers: Sequence[int]) -> None:
    void = table.game.withdrawn and table.game.version > 1
    acts: list[tuple[int, Act]] = []
    for number, act in table.game.acts:
        if number not in numbers:
            acts.append((number, act))
        elif void:
            acts.append((number, Tried(by=act.by, act=act)))
    table.game = _folded(table, acts)
    table.game.emit("taken_back", acts=list(numbers))
    _listen(table)


def _listen(table: TableGame) -> None:
    table.events += table.game.events
    table.game.events.clear()
