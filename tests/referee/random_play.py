"""A player who does anything that is open: it uses what the game offers. A clumsy one tries other things, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from server import missions
from server.core.dice import SeededDice
from server.core.errors import Problem
from server.referee.battle import GROUNDS, KINDS, STRONGHOLDS, WORKS
from server.referee.beginning import read_beginning
from server.referee.choices import Choice, Option
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.geometry import Point
from server.referee.mission import Mission
from server.referee.registry import ACT_NAMES, DECLARED
from tests.referee.temptations import tempted

ENDS_OFTEN = 10
"""``end_phase`` is chosen at least every so many times where it is open, so that games end."""
MAX_ACTS = 3000
BLUNDERS = 10
"""How often a clumsy player tries something else before going on."""
AGAIN = 20
"""A clumsy player makes all mistakes of a stage again after so many acts."""
TEMPTED = 0.5
"""Share of blunders that are the mistakes to which the game leads."""
SIDES = ("red", "blue", "gm")
RARE, RARELY = ("end_now", "object", "take_back", "retreat"), 0.05
"""What would end or undo most games is drawn less often."""
FREE = ("point", "points", "some_of", "text")
"""Fields whose values only the table knows to be right, so that an act may be refused though it was offered."""


@dataclass(slots=True)
class Played:
    """A game that random players have played."""

    table: TableGame
    acts: int = 0
    """Accepted ones."""
    done: dict[str, int] = field(default_factory=dict)
    """How often each kind of act was accepted."""
    refused: dict[str, int] = field(default_factory=dict)
    """How often each code refused one."""
    offered_in_vain: list[str] = field(default_factory=list)
    """Acts that were refused though every value was one that the game had offered."""
    stuck: bool = False
    """The game was not over, and nobody had an act."""
    accepted: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def accept(self, by: str, act: Mapping[str, Any]) -> None:
        """Note an act that was accepted."""
        self.acts += 1
        self.done[act["do"]] = self.done.get(act["do"], 0) + 1
        self.accepted.append((by, act))

    def refuse(self, code: str) -> None:
        """Note an act that was refused."""
        self.refused[code] = self.refused.get(code, 0) + 1


def new_table(mission: Mission, seed: str, more: Mapping[str, Any] | None = None) -> TableGame:
    """Return a game at its beginning, with the mission's sample armies."""
    problems: list[Problem] = []
    library = {**missions.library(), mission.id: mission}
    beginning = read_beginning({**missions.sample(mission), **(more or {})}, library, problems, secret=seed.encode())
    if beginning is None:
        raise AssertionError(problems)
    return begin(beginning, SeededDice(seed.encode()))


def varied(mission: Mission, seed: str) -> dict[str, Any]:
    """Return what may differ from game to game: settings, the campaign's battle, flags of the units."""
    chance = Random(f"varied/{seed}")
    settings = {
        "secured": chance.choice(("strict", "contestable")),
        "jop_distance": chance.choice(("enemies", "marker")),
        "break_rules": chance.random() < 0.5,
        "natural_one_fails": chance.random() < 0.5,
        "extra_sentries": chance.choice(("army", "army", "free")),
        "patrol_phase": chance.random() < 0.2,
    }
    sample = missions.sample(mission)
    hedges = [[chance.randint(8, 40), chance.randint(3, 22)] for _ in range(3)]
    terrain = [{"id": f"hedge{n}", "line": [[x, y], [x - 6, y + 3]]} for n, (x, y) in enumerate(hedges)]
    return {
        "settings": settings,
        "players": _varied_armies(sample["players"], chance, "battle" in sample),
        **({"table": {"terrain": terrain}} if chance.random() < 0.5 and "table" not in sample else {}),
        **({"battle": _varied_battle(sample["battle"], chance)} if "battle" in sample else {}),
        **({"start": _patrols_near(chance)} if mission.family == "patrol" and chance.random() < 0.6 else {}),
    }


def _patrols_near(chance: Random) -> dict[str, Any]:
    """Return a Patrol phase whose markers are about to meet."""
    return {
        "stage": "patrol",
        "patrol": {
            f"{letter}{n}": {"side": side, "at": [20 + 8 * n, y + chance.randint(-2, 2)]}
            for letter, side, y in (("a", "red", 15), ("b", "blue", 30))
            for n in (1, 2, 3, 4)
        },
    }


def _varied_armies(players: dict[str, Any], chance: Random, in_battle: bool) -> dict[str, Any]:
    flags = ("deep_strike", "infiltrate", "aa", "comms", "barrage") if in_battle else ("patrol_squads", "own_arrival")
    armies = {}
    for player, army in players.items():
        units = [dict(unit) for unit in army["units"]]
        for unit in units:
            unit["flags"] = [*unit.get("flags", ()), *(flag for flag in flags if chance.random() < 0.2)]
            if chance.random() < 0.4:
                unit |= {"power": chance.randint(1, 22), "role": chance.choice(("troops", "troops", "elites", "hq"))}
            if chance.random() < 0.2:
                unit["capacity"] = 6
            if chance.random() < 0.1 and unit.get("models", 10) > 1:
                unit["models"] = 12
            if in_battle and chance.random() < 0.2:
                unit["state"] = "reserve"
        armies[player] = {**army, "units": units, "battle_forged": chance.random() < 0.9}
    return armies


def _varied_battle(battle: dict[str, Any], chance: Random) -> dict[str, Any]:
    return {
        **battle,
        "kind": chance.choice(KINDS),
        "from": chance.choice((battle["from"], battle["from"], "orbit")),
        "terrain": chance.choice(GROUNDS),
        "road": chance.random() < 0.5,
        "stronghold": chance.choice(("", "", "", *STRONGHOLDS)),
        "works": {f"w{number}": kind for number, kind in enumerate(WORKS, 1)},
        "defending": chance.random() < 0.5,
        "withdrawing": chance.random() < 0.5,
    }


def play(table: TableGame, seed: str, maximum: int = MAX_ACTS, clumsy: float = 0.0) -> Played:
    """Play a game to its end, or for *most* acts, with acts drawn from those that are open.

    *clumsy* is the share of acts that are tried although nothing offers them, or by another player. Whoever is clumsy
    also makes each mistake to which a stage leads.
    """
    chance = Random(seed)
    played = Played(table)
    tempted_in, tempted_at = "", 0
    for number in range(maximum * 2):
        if table.game.over or played.acts >= maximum:
            break
        options = [option for side in SIDES for option in open_for(table, side)]
        if not options:
            played.stuck = True
            break
        if clumsy and (table.game.stage != tempted_in or played.acts >= tempted_at + AGAIN):
            tempted_in, tempted_at = table.game.stage, played.acts
            for mistakes in tempted(table.game, chance):
                _try(played, mistakes)
            continue
        if chance.random() < clumsy:
            _try_blunders(played, options, chance)
            continue
        option = _chosen(options, chance, number)
        act = draw(option, table, chance)
        problems = submit(table, option.by, act)
        if problems:
            played.refuse(problems[0].code)
            if not any(choice.kind in FREE for choice in option.fields.values()):
                played.offered_in_vain.append(f"{option.by} {act}: {problems[0].message}")
        else:
            played.accept(option.by, act)
    return played


def _try_blunders(played: Played, options: list[Option], chance: Random) -> None:
    """Try some acts that nothing has offered: mistakes of one kind, or anything until it is accepted."""
    if chance.random() < TEMPTED:
        _try(played, chance.choice(tempted(played.table.game, chance)))
        return
    for _ in range(BLUNDERS):
        if _try(played, [blunder(played.table, options, chance)]):
            return


def _try(played: Played, acts: Iterable[tuple[str, dict[str, Any]]]) -> bool:
    """Try acts one after the other; true when the last one was accepted."""
    problems: list[Problem] = []
    for by, act in acts:
        problems = submit(played.table, by, act)
        if problems:
            played.refuse(problems[0].code)
        else:
            played.accept(by, act)
    return not problems


def blunder(table: TableGame, options: list[Option], chance: Random) -> tuple[str, dict[str, Any]]:
    """Return an act that a careless player might try: another player's, another word, one other value."""
    words = sorted({option.do for option in options})
    word = chance.choice(words)
    option = chance.choice([option for option in options if option.do == word])
    by, act = option.by, draw(option, table, chance)
    do = option.do if chance.random() < 0.8 else chance.choice([*ACT_NAMES, "dance", *["end_phase"] * 10])
    kinds = [kind for kind in table.game.kinds.get(do, ()) or DECLARED if do == kind.DO]
    fields = sorted({name for kind in kinds for name in DECLARED[kind]})
    if do != option.do:
        by = chance.choice(SIDES)
        act = {"do": do, **{name: _likely(name, table, chance, by) for name in fields if chance.random() < 0.8}}
    elif chance.random() < 0.1:
        by = chance.choice(SIDES)
    elif fields:
        name = chance.choice([*fields, "nonsense"])
        act[name] = _nudged(act.get(name), chance) if chance.random() < 0.6 else None
        act[name] = _likely(name, table, chance, by) if act[name] is None else act[name]
    return by, act


def _nudged(value: Any, chance: Random) -> Any:
    """Return a point near a point, or a table of points with one of them moved; of anything else nothing."""
    if is_point(value):
        return [part + chance.randint(-8, 8) for part in value]
    if isinstance(value, dict) and value and all(map(is_point, value.values())):
        moved = chance.choice(sorted(value))
        return {**value, moved: [value[moved][0], value[moved][1] + chance.choice((-12, 12))]}
    return None


def is_point(value: Any) -> bool:
    """Say whether a value is a pair of numbers."""
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, int | float) for part in value)


def _likely(name: str, table: TableGame, chance: Random, by: str) -> Any:
    """Return a value that such a field often has, fit or not."""
    game = table.game
    patrol = [f"{letter}{number}" for letter in "ab" for number in (1, 2, 3, 4)]
    everybody, own = list(game.units), [unit.id for unit in game.units_of(by)]
    units = own if own and chance.random() < 0.7 else [*everybody, "nobody"]
    markers = patrol if game.stage in ("patrol", "jump_offs") else [*game.markers, "p1", "w1", *patrol]
    carriers = [unit.id for unit in game.units_of(by) if unit.capacity] or units
    at = [chance.randint(-2, 74), chance.randint(-2, 50)]
    known: dict[str, Any] = {
        "at": at, "to": at, "aim": at,
        "markers": chance.choice(({}, {chance.choice(markers): at}, {chance.choice(units): at})),
        "decoys": [at], "polygon": [at, [at[0] + 5, at[1]], [at[0], at[1] + 5]],
        "split": {chance.choice(units): [5, 5]}, "attached": {chance.choice(units): chance.choice(units)},
        "embarked": {chance.choice(units): chance.choice(carriers)}, "reserves": [chance.choice(units)],
        "towers": {chance.choice([*markers, *units]): "infantry"}, "held": {"red": chance.randint(0, 5)},
        "losses": {chance.choice(units): {"lost": chance.randint(0, 12)}}, "pieces": [str(chance.randint(1, 12))],
        "stratagem": chance.choice([stratagem.id for stratagem in game.mission.stratagems] or ["command_reroll"]),
        "game": chance.choice(sorted(game.beginning.library)), "role": chance.choice(("attacker", "defender")),
        "zone": chance.choice([*game.mission.zones, "nowhere"]), "marker": chance.choice(markers),
        "thing": chance.choice([*markers, *units]), "sentry": chance.choice([*units, "s1"]),
        "id": chance.choice(("j1", "j2", "k1", "k2")), "pair": [chance.choice(markers), chance.choice(markers)],
        "kind": chance.choice(("normal", "scenario")), "player": chance.choice(SIDES),
        "units": [chance.choice(units), chance.choice(units)], "for": chance.choice([*units, "first_turn", "sabotage"]),
    }  # fmt: skip
    numbers = ("models", "wounds", "cp", "inches", "near", "templates", "turns", "act", "floor", "n", "red", "blue")
    if name in known:
        return known[name]
    if name in numbers:
        return chance.randint(-1, 12)
    if name in ("unit", "target", "character", "transport", "place", "what"):
        return chance.choice([*units, *markers])
    return chance.choice((True, False, True, False, "words", 3, None))


def _chosen(options: list[Option], chance: Random, number: int) -> Option:
    ends = [option for option in options if option.do in ("end_phase", "end_turn")]
    if ends and (number % ENDS_OFTEN == 0 or chance.random() < 0.2):
        return chance.choice(ends)
    kinds = sorted({option.do for option in options})
    calm = [kind for kind in kinds if kind not in RARE]
    kind = chance.choice(calm if calm and chance.random() > RARELY else kinds)
    return chance.choice([option for option in options if option.do == kind])


def draw(option: Option, table: TableGame, chance: Random) -> dict[str, Any]:
    """Return an act with a random value in each field; half of the optional ones are left out."""
    act: dict[str, Any] = {"do": option.do}
    for name, choice in option.fields.items():
        inner = act
        *tables, last = name.split(".")
        for part in tables:
            inner = inner.setdefault(part, {})
        if choice.needed or chance.random() < 0.5:
            inner[last] = _value(choice, table, chance)
    return act


def _value(choice: Choice, table: TableGame, chance: Random) -> Any:
    kind = choice.kind
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "integer":
        return chance.randint(choice.min, choice.max)
    if kind == "one_of":
        return chance.choice(choice.values)
    if kind == "some_of":
        known = list(choice.values)
        return chance.sample(known, chance.randint(min(choice.min, len(known)), min(choice.max, len(known))))
    if kind == "point":
        return _point(choice, table, chance)
    if kind == "points":
        return [_point(choice, table, chance) for _ in range(chance.randint(choice.min, choice.max))]
    return "words"


def _point(choice: Choice, table: TableGame, chance: Random) -> list[float]:
    mission = table.game.mission
    if not choice.polygons:
        return [chance.randint(0, mission.width) / 1000, chance.randint(0, mission.height) / 1000]
    polygon = chance.choice(choice.polygons)
    return [value / 1000 for value in _inside(polygon, chance)]


def _inside(polygon: tuple[Point, ...], chance: Random) -> tuple[float, float]:
    """Return a point of a convex polygon: a mixture of its corners."""
    weights = [chance.random() for _ in polygon]
    total = sum(weights)
    x = sum(weight * corner[0] for weight, corner in zip(weights, polygon, strict=True)) / total
    y = sum(weight * corner[1] for weight, corner in zip(weights, polygon, strict=True)) / total
    return round(x), round(y)
