"""Playing cases: the position, the phases in their order, and every kind of expectation, met and not met.

Seen to fail: each expectation here has a twin that must not be met, so a comparison that is left out fails.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from server.cases import CaseError, find, run_case
from server.cases.dice import CaseDice
from server.cases.model import Case, DicePart
from server.cases.position import set_up
from server.cases.read import read
from server.cases.run import play
from server.rules.board import ORBIT
from server.rules.state import OVER
from tests.cases import writing
from tests.cases.writing import case, failures, write

R1 = '[detachments.r1]\nowner = "red"\nat = "0405"\n'
B1 = '[detachments.b1]\nowner = "blue"\nat = "0605"\n'
DICE = "[dice]\ndefault = 3\n'initiative/red' = [5]\n"
WALK = "[[orders]]\nplayer = 'red'\ntype = 'path'\ndetachment = 'r1'\npath = ['0404']\n"

# --- the position ---


def test_ground() -> None:
    hexes = """
    "0202" = { owner = "red", urban = "city", capital = true, bp = 500, buildings = ["prison", "barracks"] }
    "0302" = { owner = "red", stronghold = "camp", defences = { bunker = 2 }, undiscovered = true }
    "0505" = { resource = "small", bp = 70, terrain = "forest", corrupted = true, infested = "red" }
    "0702" = { urban = "town", race = "orks" }
    "0802" = { urban = "town", undiscovered = false }
    """
    state = set_up(case(hexes=hexes, players='[players.red]\nfaction = "orks"\nvp = 4\n[players.blue]\nstrategy = 3\n'))
    at = {label: state.board.find(label) or 0 for label in ("0202", "0302", "0505", "0702", "0802")}
    capital = state.urban[at["0202"]]
    assert (capital.capital, capital.buildings, capital.race) == ("red", ("barracks", "prison"), "orks")
    assert [state.urban[at[label]].race for label in ("0702", "0802")] == ["orks", "none"]
    assert state.store == {at["0202"]: 500}
    assert state.harvest == {at["0505"]: 70}
    assert [state.discovered[at[label]] for label in ("0202", "0302", "0505", "0802")] == [1, 0, 0, 1]
    assert state.stronghold[at["0302"]].defences == {"bunker": 2}
    assert state.board.terrain[at["0505"]] == "forest"
    assert state.corrupted == {at["0505"]: ""}
    assert state.infested == {at["0505"]: "red"}
    assert [(player.faction, player.strategy, player.vp) for player in state.players.values()] == [
        ("orks", 2, 4),
        ("none", 3, 0),
    ]
    assert (state.turn, list(state.players)) == (1, ["red", "blue"])


def test_forces() -> None:
    body = """
    [detachments.r1]
    owner = "red"
    at = "orbit"
    [detachments.r2]
    owner = "red"
    at = "0101"
    ready_in = 2
    dxp = 12
    mounted = true
    [garrisons.g1]
    owner = "red"
    at = "0101"
    [convoys.c1]
    owner = "blue"
    at = "0101"
    bp = 90
    """
    hexes = '"0303" = { owner = "blue", under_construction = { name = "New", turns = 3 } }'
    state = set_up(case(body, hexes=hexes))
    assert state.detachments["r1"].at == ORBIT
    raising = state.detachments["r2"]
    assert (raising.ready_in, raising.dxp, raising.mounted) == (2, 12, True)
    works = state.raising_at[state.board.find("0303") or 0]
    assert (works.owner, works.name, works.ready_in) == ("blue", "New", 3)
    assert state.garrison_at[0].id == "g1"
    assert [convoy.bp for convoy in state.convoys_at[0]] == [90]


def test_an_alliance_needs_both() -> None:
    one = set_up(case(players='[players.red]\nallies = ["blue"]\n[players.blue]\n'))
    assert not one.friendly("red", "blue")
    both = set_up(case(players='[players.red]\nallies = ["blue"]\n[players.blue]\nallies = ["red"]\n'))
    assert both.friendly("red", "blue")
    assert both.players["red"].declared == ("blue",)


SUPPORT = """
[detachments.a]
owner = "red"
at = "0505"
[detachments.d]
owner = "blue"
at = "0605"
battle_order = "defend"
[detachments.front]
owner = "red"
at = "0504"
[detachments.flank]
owner = "red"
at = "0604"
[detachments.rear]
owner = "red"
at = "0705"
[detachments.orbit]
owner = "red"
at = "orbit"
[detachments.friend]
owner = "blue"
at = "0606"
[[battles]]
hex = "0605"
attacker = "a"
defender = "d"
supporters = ["front", "flank", "rear", "orbit", "friend"]
"""


def test_sides_follow_from_where_supporters_stand() -> None:
    state = set_up(case(SUPPORT, "battles"))
    battle = next(iter(state.battles.values()))
    assert (battle.attacking, battle.defended_by, battle.kind, battle.defending) == ("red", "blue", "attack", True)
    assert state.board.label(battle.origin) == "0505"
    sides = {"front": "front", "flank": "flank", "rear": "rear", "orbit": "front", "friend": "defender"}
    assert battle.supporters == sides


def test_a_battle_may_say_it_all() -> None:
    body = SUPPORT.replace('["front", "flank", "rear", "orbit", "friend"]', '{ front = "rear" }\ndefending = false')
    battle = next(iter(set_up(case(body + 'kind = "planned_raid"', "battles")).battles.values()))
    assert (battle.supporters, battle.defending, battle.kind) == ({"front": "rear"}, False, "planned_raid")


def test_attackers_from_orbit_have_no_front() -> None:
    body = SUPPORT.replace('at = "0505"', 'at = "orbit"').replace('"orbit", "friend"', '"friend"')
    battle = next(iter(set_up(case(body, "battles")).battles.values()))
    assert [battle.supporters[id_] for id_ in ("front", "flank", "rear")] == ["front"] * 3


# --- dice ---


def test_dice_come_in_the_order_given() -> None:
    dice = CaseDice(DicePart({"a": (1, 6, 10), "b": (2,)}, frozenset("b"), 3))
    assert [dice.roll("a"), dice.roll("b"), dice.roll("a"), dice.roll("a", 12)] == [1, 2, 6, 10]
    assert [dice.roll("b"), dice.roll("b"), dice.roll("c"), dice.roll("c", 2)] == [3, 3, 3, 2]
    with pytest.raises(CaseError, match='dice: "a" is rolled more often than the 3 times'):
        dice.roll("a")


def test_dice_that_nobody_wrote_down() -> None:
    dice = CaseDice(DicePart({"a": (7,)}, frozenset(), None))
    with pytest.raises(CaseError, match='dice: "b" is rolled, but the case has neither faces for it nor a default'):
        dice.roll("b")
    with pytest.raises(CaseError, match='dice: "a" is rolled with 6 sides, so it cannot come up 7'):
        dice.roll("a")
    assert dice.roll("placement/red", 20) == 1


def test_missing_dice_make_a_case_invalid(tmp_path: Path) -> None:
    path = write(tmp_path / "a.toml", writing.text(R1 + WALK))
    with pytest.raises(CaseError, match=r'a\.toml: dice: "initiative/(red|blue)" is rolled'):
        run_case(path)


# --- expectations, met and not met ---

ROUND = {
    "detachments.r1": ("at = '0404'", "at = '0405'", 'at: expected "0405", got "0404"'),
    "detachments.b1": ("destroyed = false", "destroyed = true", "destroyed: expected true, got false"),
    "detachments.b1 ": ("points = 500", "points = 400", "points: expected 400, got 500"),
    "detachments.b1  ": ("dxp = 0", "dxp = 1", "dxp: expected 1, got 0"),
    "detachments.b1   ": ("owner = 'blue'", "owner = 'red'", 'owner: expected "red", got "blue"'),
    "detachments.b1    ": ("battle_order = ''", "battle_order = 'defend'", 'expected "defend", got ""'),
    "detachments.b1.units.b1-1": ("ready = 10", "ready = 9", "units.b1-1.ready: expected 9, got 10"),
    "detachments.b1.units.b1-2": ("gone = false", "gone = true", "units.b1-2.gone: expected true, got false"),
    "detachments.b1.units.b1-3": ("damaged = false", "damaged = true", "damaged: expected true, got false"),
    "garrisons.g1": ("at = '0101'", "at = '0102'", 'garrisons.g1.at: expected "0102", got "0101"'),
    "convoys.c1": ("bp = 90", "bp = 91", "convoys.c1.bp: expected 91, got 90"),
    "convoys.c1 ": ("owner = 'red'", "destroyed = true", "convoys.c1.destroyed: expected true, got false"),
    "hexes.0101": ("owner = 'red'", "owner = ''", 'hexes."0101".owner: expected "", got "red"'),
    "hexes.0101 ": ("urban = 'town'", "urban = 'city'", 'expected "city", got "town"'),
    "hexes.0101  ": ("stronghold = 'camp'", "stronghold = ''", 'expected "", got "camp"'),
    "hexes.0303": ("resource = 'small'", "resource = ''", 'expected "", got "small"'),
    "hexes.0101   ": ("bp = 40", "bp = 0", "bp: expected 0, got 40"),
    "hexes.0303 ": ("bp = 60", "bp = 0", "bp: expected 0, got 60"),
    "hexes.0101    ": (
        "buildings = ['prison', 'barracks']",
        "buildings = []",
        'expected [], got ["barracks", "prison"]',
    ),
    "hexes.0101     ": ("defences = {bunker = 1}", "defences = {bunker = 2}", 'got {"bunker": 1}'),
    "hexes.0101      ": ("roads = ['0201']", "roads = []", 'expected [], got ["0201"]'),
    "hexes.0303  ": ("corrupted = true", "corrupted = false", "expected false, got true"),
    "hexes.0303   ": ("infested = 'blue'", "infested = ''", 'expected "", got "blue"'),
    "hexes.0101       ": ("convoys = {red = 120}", "convoys = {red = 90}", 'got {"red": 120}'),
    "hexes.0101        ": ("under_construction = {turns = 2}", "under_construction = {}", "under_construction"),
    "players.red": ("vp = 3", "vp = 4", "players.red.vp: expected 4, got 3"),
    "players.red ": ("eliminated = false", "eliminated = true", "expected true, got false"),
    "players.blue": ("sees = ['0605']", "sees = []", 'players.blue.sees: expected [], got ["0605"]'),
    "battles.0101": ("none = true", "none = false", 'battles."0101".none: expected false, got true'),
    "battles.0101 ": ("none = true", "winner = 'red'", 'expected winner = "red", got nothing: it is not there'),
    "campaign": ("over = false", "over = true", "campaign.over: expected true, got false"),
    "campaign ": ("winner = ''", "winner = 'red'", 'campaign.winner: expected "red", got ""'),
}
THINGS = """
[garrisons.g1]
owner = "red"
at = "0101"
[convoys.c1]
owner = "red"
at = "0101"
bp = 90
[convoys.c2]
owner = "red"
at = "0101"
bp = 30
[detachments.r2]
owner = "red"
at = "0101"
ready_in = 2
"""
GROUND = """
"0101".owner = "red"
"0101".urban = "town"
"0101".stronghold = "camp"
"0101".bp = 40
"0101".buildings = ["barracks", "prison"]
"0101".defences = { bunker = 1 }
"0303" = { owner = "red", resource = "small", bp = 60, corrupted = true, infested = "blue" }
"""


def _walking(expect: str) -> Case:
    players = "[players.red]\nvp = 3\n[players.blue]\n"
    content = writing.text(R1 + B1 + WALK + DICE + THINGS + expect, hexes=GROUND, players=players)
    return read(tomllib.loads(content.replace("rows = 9", 'rows = 9\nroads = [["0101", "0201"]]')))


@pytest.mark.parametrize(("where", "met", "unmet", "told"), [(where, *rest) for where, rest in ROUND.items()])
def test_expectations(where: str, met: str, unmet: str, told: str) -> None:
    section, *rest = where.strip().split(".")
    header = f"[expect.{'.'.join([section, *(repr(each) for each in rest)])}]\n"
    assert failures(_walking(header + met)) == []
    found = failures(_walking(header + unmet))
    assert len(found) == 1
    assert told in found[0]


def test_things_that_are_gone() -> None:
    """A skimmer that ends its movement on the sea (3.3)."""
    boat = 'units = [{ id = "boat", mobility = "skimmer", flags = ["vehicle"] }]\n'
    lost = R1 + boat + WALK + DICE
    sea = '"0404" = { terrain = "sea" }'
    assert failures(case(lost + "[expect.detachments.r1]\ndestroyed = true", hexes=sea)) == []
    found = failures(case(lost + "[expect.detachments.r1]\nat = '0404'\ndxp = 0", hexes=sea))
    assert found == ['detachments.r1: expected at = "0404", dxp = 0, got nothing: it is not there']


# --- orders ---

STEP = "[[orders]]\nplayer = 'red'\ntype = 'path'\ndetachment = 'r1'\npath = ['0909']\n"


def test_refused_orders_must_be_expected() -> None:
    body = R1 + B1 + DICE + "[[orders]]\nplayer='blue'\ntype='guard'\ndetachment='b1'\n" + STEP
    told = "orders[1] (red: path): expected accepted, got refused: not_adjacent ("
    assert failures(case(body))[0].startswith(told)
    assert failures(case(body + "[expect]\nrejected = [{ order = 1, code = 'not_adjacent' }]")) == []
    found = failures(
        case(body + "[expect]\nrejected = [{ order = 1, code = 'terrain' }, { order = 0, code = 'terrain' }]")
    )
    assert found[0] == "orders[0] (blue: guard): expected refused: terrain, got accepted"
    assert found[1].startswith("orders[1] (red: path): expected refused: terrain, got refused: not_adjacent (")


def test_any_reason_of_a_refusal_may_be_the_one_that_a_case_names() -> None:
    unit = "{ id = 'u', name = 'Squad', slot = 'troops', models = 10, points = 1501, mobility = 'infantry' }"
    build = f"[[orders]]\nplayer='red'\ntype='build_detachment'\nat='0505'\nname='New'\nunits=[{unit}]\n"
    town = '"0505" = { owner = "red", urban = "metropol", capital = true, bp = 5000, buildings = ["barracks"] }'
    body = DICE + build + "[expect]\nrejected = [{ order = 0, code = '%s' }]"
    for code in ("slots", "too_many_points"):
        assert failures(case(body % code, phase="build", hexes=town)) == []
    assert failures(case(body % "not_enough_bp", phase="build", hexes=town)) != []


def test_orders_keep_their_place_among_those_of_others() -> None:
    guard = "[[orders]]\nplayer='blue'\ntype='guard'\ndetachment='b1'\n"
    body = R1 + B1 + DICE + WALK + guard + WALK + guard
    expected = "rejected = [{ order = 2, code = 'duplicate_order' }, { order = 3, code = 'duplicate_order' }]"
    assert failures(case(body + "[expect]\n" + expected)) == []


# --- events ---


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("{ type = 'dice' }", ""),
        ("{ type = 'dice', label = 'initiative/red', faces = [5] }", ""),
        ("{ type = 'dice', label = 'initiative/red', to = ['blue', 'red'] }", ""),
        ("{ type = 'dice', label = 'initiative/red', to = ['red'] }", "got {"),
        ("{ type = 'dice', label = 'initiative/red', faces = [4] }", '"faces": [5]'),
        ("{ type = 'dice', colour = 1 }", "got {"),
        ("{ type = 'dices' }", "got no such event, only "),
    ],
)
def test_events(event: str, told: str) -> None:
    found = failures(case(R1 + WALK + DICE + f"[expect]\nevents = [{event}]"))
    assert (found == []) == (told == "")
    assert all(told in each for each in found)


# --- lists of phases ---


def test_phases_follow_each_other_on_the_same_state() -> None:
    body = """
    [[orders]]
    player = "red"
    phase = "movement"
    type = "path"
    detachment = "r1"
    path = ["0404"]
    [[orders]]
    player = "red"
    phase = "movement"
    turn = 2
    type = "path"
    detachment = "r1"
    path = ["0403"]
    [dice]
    "initiative/red" = [5, 6]
    "initiative/blue" = [1, 2]
    [expect.detachments.r1]
    at = "0403"
    """
    text = writing.text(R1 + body).replace('"movement"', '["movement", "end_of_turn", "movement"]', 1)
    each = _read(text)
    assert [order.step for order in each.orders] == [0, 2]
    assert failures(each) == []
    assert play(each, set_up(each)).state.turn == 2


def _read(text: str) -> Case:
    return read(tomllib.loads(text))


def test_turns_count_phases_and_where_they_are_missing_turns() -> None:
    phases = '["movement", "end_of_turn", "build", "movement"]'
    order = "[[orders]]\nplayer = 'red'\nphase = '{}'\nturn = {}\n"
    body = order.format("build", 2) + order.format("build", 1) + order.format("movement", 2)
    each = _read(writing.text(body).replace('"movement"', phases, 1))
    assert [one.step for one in each.orders] == [2, 2, 3]


def test_an_order_needs_its_phase_where_there_are_several() -> None:
    text = writing.text("[[orders]]\nplayer = 'red'").replace('"movement"', '["build", "movement"]', 1)
    with pytest.raises(CaseError, match=r"orders\[0\]\.phase: missing"):
        _read(text)
    with pytest.raises(CaseError, match=r"orders\[0\]: no phase of this case takes orders"):
        _read(text.replace('["build", "movement"]', '"end_of_turn"'))


def test_income_comes_only_when_asked_for() -> None:
    hexes = '"0202" = { owner = "red", urban = "town" }'
    expect = "[expect.hexes.'0202']\nbp = {}"
    assert failures(case(expect.format(0), "build", hexes)) == []
    assert failures(case(expect.format(50), "build", hexes, top="income = true")) == []


def test_battles_are_remembered_after_the_turn() -> None:
    body = SUPPORT.replace('supporters = ["front", "flank", "rear", "orbit", "friend"]', "")
    body += "[dice]\ndefault = 3\n[expect.battles.'0605']\nattacker = 'a'\nsupporters = {}\n"
    each = _read(writing.text(body, "battles").replace('"battles"', '["battles", "end_of_turn"]', 1))
    assert failures(each) == []
    outcome = play(each, set_up(each))
    assert not outcome.state.battles
    assert outcome.battles


def test_nothing_is_played_when_the_campaign_is_over() -> None:
    body = R1 + WALK + "[expect]\nrejected = [{ order = 0, code = 'campaign_over' }]\n"
    each = case(body)
    state = set_up(each)
    state.phase = OVER
    outcome = play(each, state)
    assert [problem.code for problem in outcome.problems[0]] == ["campaign_over"]
    assert state.detachments["r1"].at == state.board.find("0405")


def test_a_breakdown_of_the_engine_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("server.cases.run.remember", broken)
    result = run_case(write(tmp_path / "a.toml", writing.text(R1 + WALK + DICE)))
    assert result.failures[0].startswith("expected a result, got a breakdown of the engine: KeyError: 'lost' (test_run")


# --- setup ---


def _own_land() -> str:
    labels = [f"{column:02d}{row:02d}" for column in range(2, 9) for row in range(2, 9)]
    return "\n".join(f'"{label}" = {{ owner = "red" }}' for label in labels)


PLACE = "[[orders]]\nplayer = 'red'\ntype = 'place'\nwhat = '{}'\nat = '{}'\n"


def test_sizes_are_open_unless_the_dice_name_them() -> None:
    body = PLACE.format("capital", "0505") + PLACE.format("urban", "0303") + "size = 'city'\n"
    expect = "[expect.hexes.'0505']\nurban = 'metropol'\n[expect.hexes.'0303']\nurban = 'city'\n"
    assert failures(case(body + expect, "setup", _own_land())) == []


def test_sizes_whose_dice_are_named_are_rolled() -> None:
    body = PLACE.format("capital", "0505") + PLACE.format("urban", "0303")
    expect = "[dice]\n'start-urban/red' = [4]\n[expect.hexes.'0303']\nurban = 'town'\n"
    assert failures(case(body + expect, "setup", _own_land())) == []


# --- files ---


def test_find_looks_below_folders_and_takes_each_file_once(tmp_path: Path) -> None:
    one = write(tmp_path / "b" / "one.toml", "")
    two = write(tmp_path / "a" / "deep" / "two.toml", "")
    write(tmp_path / "a" / "notes.md", "")
    assert find([tmp_path]) == [two, one]
    assert find([one, tmp_path]) == [one, two]


def test_a_result_says_which_case_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "a.toml", writing.text(R1 + WALK + DICE))
    result = run_case(path)
    assert (result.path, result.title, result.rule, result.failures) == (path, "a title", "3.1", [])
