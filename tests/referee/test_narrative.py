"""Narrative missions: what is hidden stays hidden, whole games end, rules of different missions play together."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from server import missions
from server.core.dice import SeededDice
from server.core.errors import Problem
from server.referee.beginning import read_beginning
from server.referee.fold import TableGame, begin, submit
from server.referee.mission import PLAYERS, Mission
from server.referee.reader import read_mission
from server.referee.view import events_for, view_for
from tests.referee.random_play import play

NARRATIVE = ("ambush", "blitz", "dhorak_pass", "meat_grinder", "patrol", "rescue", "sabotage")


def army(letter: str) -> list[dict[str, Any]]:
    """Return an army with a bit of everything."""
    keywords = ["infantry", "astra_militarum" if letter == "b" else "daemon"]
    units: list[dict[str, Any]] = [
        {"id": f"{letter}{number}", "power": 3 + number, "models": 5, "role": "troops" if number < 3 else "elites"}
        for number in range(1, 5)
    ]
    units[3]["keywords"] = keywords
    units[0]["flags"] = ["odoski"] if letter == "b" else []
    units.append(
        {"id": f"{letter}t", "models": 1, "wounds": 10, "role": "transport", "keywords": ["vehicle"], "capacity": 10}
    )
    units.append({"id": f"{letter}p", "models": 5, "in": f"{letter}t", "state": "embarked"})
    return units


def armies(mission: Mission) -> dict[str, Any]:
    """Return two armies, with Sentries where the mission has them."""
    red, blue = army("r"), army("b")
    if any(data.kind.NAME == "sentries" for data in mission.rules):
        blue.append({"id": "guard", "models": 4, "power": 4, "flags": ["sentries"]})
    return {"red": {"units": red, "cp": 6}, "blue": {"units": blue, "cp": 6}}


def table_of(mission: Mission, players: dict[str, Any], seed: str, **more: Any) -> TableGame:
    """Return a game at its beginning."""
    problems: list[Problem] = []
    library = {**missions.library(), mission.id: mission}
    begun = read_beginning({"game": mission.id, "players": players} | more, library, problems, secret=b"a secret")
    assert begun is not None, problems
    return begin(begun, SeededDice(seed.encode()))


@pytest.mark.parametrize("name", NARRATIVE)
def test_whole_games(name: str) -> None:
    """Random games by what is open come to an end with a winner; VP are those of the ledger."""
    mission = missions.load(name)
    for seed in range(4):
        played = play(table_of(mission, armies(mission), str(seed)), str(seed))
        game = played.table.game
        assert game.over
        assert not played.offered_in_vain
        assert game.result is not None
        for player in PLAYERS:
            assert game.vp[player] == sum(score.vp for score in game.vp_log if score.player == player)


def concealed(places: dict[str, list[int]], decoys: list[list[int]]) -> TableGame:
    """Return a Meat Grinder in which blue has hidden its units."""
    mission = missions.load("meat_grinder")
    units = [{"id": unit, "state": "unplaced"} for unit in ("b1", "b2", "b3")]
    units.append({"id": "b4", "in": "b1", "state": "embarked"})
    players = {"red": {"cp": 3, "units": [{"id": "r1", "state": "unplaced"}]}, "blue": {"cp": 3, "units": units}}
    table = table_of(mission, players, "seed", start={"stage": "deployment"})
    assert not submit(table, "blue", {"do": "use", "stratagem": "decoys"})
    assert not submit(table, "blue", {"do": "place_markers", "markers": places, "decoys": decoys})
    return table


def seen(table: TableGame, player: str) -> bytes:
    """Return everything that a player, or a spectator, is told."""
    return json.dumps([view_for(table.game, player), events_for(table.events, player)], sort_keys=True).encode()


def test_what_is_under_markers_changes_nothing_for_others() -> None:
    """Which unit, and which decoy, lies where: the same bytes (N-14, N-20).

    Breakage tried: labels by the order in which the units are named; ``hides`` without passengers.
    """
    one = concealed({"b1": [10, 30], "b2": [20, 40], "b3": [30, 30]}, [[40, 30], [50, 40]])
    other = concealed({"b3": [50, 40], "b1": [40, 30], "b2": [10, 30]}, [[30, 30], [20, 40]])
    for viewer in ("red", ""):
        assert seen(one, viewer) == seen(other, viewer)
    assert seen(one, "blue") != seen(other, "blue")
    told = view_for(one.game, "red")["rules"]
    assert [marker["label"] for marker in told["concealed"]] == ["1", "2", "3", "4", "5"]
    assert "under" not in told["concealed_deployment"]
    assert not [unit for unit in view_for(one.game, "red")["units"] if unit["side"] == "blue"]


MIXED_RULES: list[dict[str, Any]] = [
    {"rule": "sentries", "spotted": [{"power": 500, "inches": 8}]},
    {"rule": "power_level"},
    {"rule": "concealed_deployment", "side": "attacker", "zones": ["attacker"]},
    {
        "rule": "set_up_in_turn",
        "steps": [
            {"side": "attacker", "what": "markers", "zones": ["attacker"]},
            {"side": "defender", "what": "sentries", "zones": ["defender"]},
        ],
    },
    {"rule": "bombardment"},
    {"rule": "first_turn", "goes": "die"},
    {"rule": "sustained_assault", "place": {"edge": "attacker"}},
    {
        "rule": "reserves_in_groups",
        "groups": [{"side": "defender", "after_alarm": True, "needs": 2, "place": {"all_but": "attacker"}}],
    },
    {"rule": "sabotage_attempts", "die": "boom", "objective": "bomb"},
    {"rule": "escape_route", "edge": "way_out"},
    {"rule": "destroy_any_approach"},
    {"rule": "reports"},
    {"rule": "stratagems"},
    {"rule": "end_by_agreement"},
]
MIXED_STRATAGEMS: list[dict[str, Any]] = [
    {
        "id": "shells",
        "name": {"en": "Shells"},
        "text": {"en": "Two dice."},
        "side": "attacker",
        "cost": 1,
        "moment": "bombard_roll",
        "target": "unit",
        "limit": "target",
        "effect": {"do": "bombardment_dice", "dice": 2},
    }
]


def mixed() -> dict[str, Any]:
    """Return a mission with rules of Meat Grinder, Sabotage, Blitz and Ambush!."""
    box = [[0, 0], [30, 0], [30, 20], [0, 20]]
    return {
        "id": "mixed",
        "name": {"en": "Mixed"},
        "briefing": {"en": "A bit of everything."},
        "width": 60,
        "height": 40,
        "stages": [
            "roles",
            "terrain",
            "deployment",
            "both_deployed",
            "bombardment",
            "first_turn",
            "battle",
            "over",
        ],
        "left_by_both": ["roles", "terrain"],
        "placed_by": "deployment",
        "phases": ["movement", "shooting", "fight"],
        "rounds": 4,
        "edges": {"attacker": "west", "defender": ["east", "north"], "way_out": "east"},
        "zones": {"attacker": [box], "defender": [[[30, 0], [60, 0], [60, 40], [30, 40]]]},
        "markers": [{"id": "bomb"}],
        "rules": deepcopy(MIXED_RULES),
        "stratagems": deepcopy(MIXED_STRATAGEMS),
    }


def test_rules_of_several_missions_together() -> None:
    """A mission that mixes the rules of others is played to its end."""
    mission, problems = read_mission(mixed())
    assert mission is not None, problems
    for seed in range(6):
        played = play(table_of(mission, armies(mission), str(seed)), str(seed))
        assert played.table.game.over
        assert not played.offered_in_vain


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("rules", 6, "place", "edge"), "nowhere", "rules.6.place.edge"),
        (("rules", 7, "groups", 0, "place", "all_but"), "nowhere", "rules.7.groups.0.place.all_but"),
        (("rules", 3, "steps", 0, "side"), "defender", "rules.3"),
        (("rules", 8, "objective"), "nothing", "rules.8"),
        (("rules", 2, "lines"), ["attacker"], "rules.2"),
        (("stratagems", 0, "moment"), "never", "rules.12"),
        (("stratagems", 0, "target"), "place", "rules.12"),
        (("stratagems", 0, "effect", "do"), "win", "stratagems.0.effect.do"),
        (("stratagems", 0, "effect"), {"do": "first_turn_dice", "dice": 2}, ""),
        (("rules", 1), {"rule": "dawn_raid"}, "rules.9"),
    ],
)
def test_what_does_not_fit_together(path: tuple[Any, ...], value: Any, where: str) -> None:
    """Names that a mission has not, and rules without those they need, are found with their place."""
    data = mixed()
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    mission, problems = read_mission(data)
    if where:
        assert mission is None
        assert where in [problem.field for problem in problems]
    else:
        assert mission is not None
