"""Reading cases: what is wrong is said by key, all of it at once, and nothing unknown is passed over.

Seen to fail: without :meth:`Fields.finish` in any one reader its unknown key is accepted.
"""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cases import CaseError
from server.cases.model import Case, default_units
from server.cases.names import check_names
from server.cases.position import set_up
from server.cases.read import parse, read
from tests.cases import writing
from tests.cases.writing import case, write
from tests.rules.strategies import plain_json

B1 = '[detachments.b1]\nowner = "blue"\nat = "0505"\n'
R1 = '[detachments.r1]\nowner = "red"\nat = "0405"\n'


def problems_of(case: Case) -> list[str]:
    with pytest.raises(CaseError) as caught:
        check_names(case, set_up(case))
    return list(caught.value.problems)


def test_defaults() -> None:
    read_ = case(R1)
    detachment = read_.detachments["r1"]
    assert detachment.units == default_units("r1")
    first = detachment.units[0]
    assert (first.id, first.models, first.points, first.slot) == ("r1-1", 10, 100, "troops")
    assert (detachment.name, detachment.type, detachment.dxp, detachment.ready_in) == ("r1", "standard", 0, 0)
    assert read_.campaign.ruleset == "wh40k-2001"
    assert read_.campaign.settings.named_ids
    assert read_.campaign.settings.alliances
    assert not read_.campaign.settings.shared_sight
    assert read_.dice.default is None


def test_units() -> None:
    units = """
    units = [
      { id = "a" },
      { id = "b", name = "Guns", models = 5, wounded = 2, flags = ["artillery"] },
      { id = "d", flags = ["character"] },
      { id = "c", ready = 1, models = 3, damaged = true, flags = ["vehicle", "aa"], bombardment = 2 },
    ]
    """
    a, b, d, c = case(R1 + units).detachments["r1"].units
    assert (a.name, a.ready, a.mobility) == ("Squad", 10, "infantry")
    assert d.name == "d"
    assert (b.ready, b.wounded, b.bombardment) == (3, 2, 1)
    assert (c.ready, c.damaged, c.flags, c.bombardment) == (1, True, ("aa", "vehicle"), 2)


def test_campaign() -> None:
    body = """
    [campaign]
    alliances = false
    shared_sight = true
    ruleset = "wh40k-2001"
    capital_capture = "eliminate"
    victory = { points = 100, territory = 60, turns = 20, last_standing = true }
    system_control = "red"
    """
    campaign = case(body).campaign
    settings = campaign.settings
    assert (settings.alliances, settings.shared_sight, settings.capital_eliminates) == (False, True, True)
    assert (settings.victory_points, settings.territory, settings.turn_limit) == (100, 60, 20)
    assert settings.last_standing
    assert settings.fleet
    assert set_up(case(body)).system_control == "red"


@pytest.mark.parametrize(
    ("where", "key"),
    [
        ("", "colour: unknown key (known"),
        ("[map]", "map.colour: unknown key"),
        ('[map.hexes."0101"]', 'map.hexes."0101".colour: unknown key'),
        ('[map.hexes."0101".under_construction]', 'map.hexes."0101".under_construction.colour: unknown key'),
        ("[campaign]", "campaign.colour: unknown key"),
        ("[campaign.victory]", "campaign.victory.colour: unknown key (known: last_standing, points, territory, turns)"),
        ("[players.red]", "players.red.colour: unknown key"),
        ("[detachments.r1]", "detachments.r1.colour: unknown key"),
        ('[[detachments.r1.units]]\nid = "x"', "detachments.r1.units[0].colour: unknown key"),
        ("[garrisons.g1]", "garrisons.g1.colour: unknown key"),
        ("[convoys.c1]", "convoys.c1.colour: unknown key"),
        ("[[battles]]", "battles[0].colour: unknown key"),
        ("[expect]", "expect.colour: unknown key"),
        ("[[expect.rejected]]", "expect.rejected[0].colour: unknown key"),
        ("[expect.detachments.r1]", "expect.detachments.r1.colour: unknown key"),
        ("[expect.detachments.r1.units.a]", "expect.detachments.r1.units.a.colour: unknown key"),
        ("[expect.garrisons.g1]", "expect.garrisons.g1.colour: unknown key"),
        ("[expect.convoys.c1]", "expect.convoys.c1.colour: unknown key"),
        ('[expect.hexes."0101"]', 'expect.hexes."0101".colour: unknown key'),
        ('[expect.hexes."0101".under_construction]', 'expect.hexes."0101".under_construction.colour: unknown key'),
        ("[expect.players.red]", "expect.players.red.colour: unknown key"),
        ('[expect.battles."0101"]', 'expect.battles."0101".colour: unknown key'),
        ("[expect.campaign]", "expect.campaign.colour: unknown key"),
    ],
)
def test_unknown_keys_are_errors_everywhere(where: str, key: str) -> None:
    with pytest.raises(CaseError) as caught:
        read(tomllib.loads(f"{where}\ncolour = 1\n"))
    assert any(key in problem and "colour: unknown key" in problem for problem in caught.value.problems)


def test_a_misspelt_key_gets_a_hint() -> None:
    with pytest.raises(CaseError, match=r'map\.hexes\."0505"\.urbn: unknown key \(did you mean urban\?\)'):
        case(hexes='"0505" = { urbn = "town" }')


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(CaseError) as caught:
        read({"phase": "moving", "map": {"columns": "9"}, "dice": {"initiative/red": 5}})
    assert list(caught.value.problems) == [
        "phase: no such phase 'moving' (setup, build, movement, battle_movement, battles, end_of_turn)",
        "rule: missing",
        "title: missing",
        'map.columns: this must be a whole number, not "9"',
        "map.rows: missing",
        'dice."initiative/red": this must be a list of faces from 1, the last word may be "default", not 5',
    ]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("[players.red]\nvp = true", "players.red.vp: this must be a whole number, not true"),
        ("[campaign]\nalliances = 1", "campaign.alliances: this must be true or false, not 1"),
        ("[campaign]\ncapital_capture = 'win'", "campaign.capital_capture: no such outcome 'win' (end, eliminate)"),
        ("[detachments]\nr1 = 5", "detachments.r1: this must be a table, not 5"),
        ("[detachments.r1]", "detachments.r1.owner: missing"),
        ("[detachments.r1]\nunits = [5]", "detachments.r1.units[0]: this must be a table, not 5"),
        ("[detachments.r1]\nunits = [{}]", "detachments.r1.units[0].id: missing"),
        (
            "[[detachments.r1.units]]\nid = 'a'\nflags = ['scouts']",
            "detachments.r1.units[0].flags: no such flag 'scouts'",
        ),
        ("[[detachments.r1.units]]\nid = 'a'\nslot = 'troop'", "units[0].slot: no such slot 'troop' (hq, troops"),
        (
            "[[detachments.r1.units]]\nid = 'a'\nready = 9\nwounded = 2",
            "9 ready and 2 wounded are more than its 10 models",
        ),
        ("[detachments.r1]\nunits = [{id='a'},{id='a'}]", "detachments.r1.units: two units have the same id"),
        (
            "[detachments.r1]\nbattle_order = 'sleep'",
            "detachments.r1.battle_order: no such battle order 'sleep' (attack,",
        ),
        ("[detachments.r1]\nunits = []", "detachments.r1.units: a force has at least one unit"),
        ("[convoys.c1]\nbp = 0", "convoys.c1.bp: this must be at least 1, not 0"),
        ("[[battles]]\nkind = 'war'", "battles[0].kind: no such kind of battle 'war' (attack, planned_attack, raid"),
        ("[[battles]]\nsupporters = { r2 = 'left' }", "battles[0].supporters.r2: no such side 'left' (front, flank"),
        ("[map]\nroads = ['0101-0201']", 'map.roads: this must be a list of pairs of hexes, not ["0101-0201"]'),
        ("[dice]\ndefault = 0", "dice.default: this must be at least 1, not 0"),
        ("[dice]\na = [0]", "dice.a: this must be a list of faces from 1"),
        ("[dice]\na = ['default', 1]", "dice.a: this must be a list of faces from 1"),
        ("[dice]\na = [1, 'default']", "dice.a: it ends in default, but the case has no default"),
        ("income = true", "income: there is no build phase in this case"),
        ("[[orders]]\ntype = 'guard'", "orders[0].player: missing"),
        ("[[orders]]\nplayer = 'red'\nphase = 'battles'", "orders[0].phase: this case does not play 'battles'"),
        ("[[orders]]\nplayer = 'red'\nturn = 2", "orders[0].turn: movement is played 1 times in this case, not 2"),
        ("[[orders]]\nplayer = 'red'\nwhen = 2001-05-09", 'orders[0].when: an order cannot hold "2001-05-09"'),
        ("[[expect.events]]\nforce = 'r1'", "expect.events[0].type: missing"),
        ("[expect.detachments.r1]\ndestroyed = true\nat = '0101'", "destroyed: what is not there has no other fields"),
        ("[expect]\nrejected = [{order=1,code='a'},{order=1,code='b'}]", "rejected[1].order: order 1 is named twice"),
    ],
)
def test_what_is_malformed_is_named(body: str, problem: str) -> None:
    with pytest.raises(CaseError) as caught:
        read({"phase": "movement"} | tomllib.loads(body))
    assert any(problem in each for each in caught.value.problems), caught.value.problems


@pytest.mark.parametrize(
    ("hexes", "problem"),
    [
        ('"1005" = { owner = "red" }', 'map.hexes."1005": the map of 9 x 9 has no such hex'),
        ('"0505" = { terrain = "lava" }', """map.hexes."0505".terrain: no such terrain 'lava' (plains, forest"""),
        ('"0505" = { urban = "townn" }', """.urban: no such size 'townn' (village, town, city, metropol)"""),
        ('"0505" = { resource = "big" }', """.resource: no such size 'big' (tiny, small"""),
        (
            '"0505" = { stronghold = "castle" }',
            """.stronghold: no such stronghold 'castle' (camp, fortification, fortress)""",
        ),
        ('"0505" = { urban = "town", buildings = ["pub"] }', """.buildings: no such building 'pub' (barracks"""),
        (
            '"0505" = { stronghold = "camp", defences = { moat = 1 } }',
            """.defences: no such defence 'moat' (weapon_tower""",
        ),
        ('"0505" = { urban = "town", race = "elves" }', """.race: no such faction 'elves' ("""),
        ('"0505" = { owner = "pink" }', """.owner: no such player 'pink' (red, blue)"""),
        ('"0505" = { infested = "pink" }', """.infested: no such player 'pink' (red, blue)"""),
        ('"0505" = { buildings = ["barracks"] }', ".buildings: only where there is an urban hex"),
        ('"0505" = { owner = "red", capital = true }', ".capital: only where there is an urban hex"),
        ('"0505" = { urban = "city", capital = true }', ".capital: only where there is an owner"),
        ('"0505" = { defences = { bunker = 1 } }', ".defences: only where there is a stronghold"),
        ('"0505" = { bp = 5 }', ".bp: only where there is a store: an urban hex, a stronghold or a resource hex"),
        (
            '"0505" = { under_construction = { name = "x", turns = 1 } }',
            ".under_construction: only where there is an owner",
        ),
    ],
)
def test_hexes_are_checked_against_map_and_ruleset(hexes: str, problem: str) -> None:
    assert any(problem in each for each in problems_of(case(hexes=hexes)))


def test_a_player_has_one_capital() -> None:
    hexes = "\n".join(f'"{at}" = {{ owner = "red", urban = "city", capital = true }}' for at in ("0202", "0505"))
    assert problems_of(case(hexes=hexes)) == ['map.hexes."0505".capital: red has two capitals']


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (B1.replace("0505", "0010"), "detachments.b1.at: no such hex '0010', it must be on the map of this case or"),
        (B1.replace("blue", "pink"), "detachments.b1.owner: no such player 'pink' (red, blue)"),
        (B1 + 'type = "horde"', "detachments.b1.type: no such detachment type 'horde' (standard"),
        (B1 + B1.replace("b1", "b2"), "detachments.b2.at: b1 stands in 0505 already"),
        (B1 + B1.replace("detachments", "garrisons"), "garrisons.b1: there is detachments.b1 already"),
        (
            (B1 + B1.replace("b1", "b2")).replace("detachments", "garrisons"),
            "garrisons.b2.at: there is a garrison in 0505 already",
        ),
        ("[garrisons.g]\nowner = 'red'\nat = 'orbit'", "garrisons.g.at: no such hex 'orbit'"),
        ("[campaign]\nruleset = 'chess'", "campaign.ruleset: there is no ruleset 'chess'"),
        ("[campaign]\nsystem_control = 'pink'", "campaign.system_control: no such player 'pink' (red, blue)"),
        ("[expect.hexes.'9999']\nowner = ''", """expect.hexes."9999": no such hex '9999', the map has 9 columns"""),
        ("[expect.battles.'9999']\nnone = true", """expect.battles."9999": no such hex '9999'"""),
        ("[expect.players.red]\nsees = ['9999']", "expect.players.red.sees: no such hex '9999'"),
        ("[expect.players.pink]\nvp = 1", "expect.players.pink: no such player 'pink' (red, blue)"),
        ("[[expect.events]]\ntype = 'a'\nto = ['pink']", "expect.events[0].to: no such player 'pink' (red, blue)"),
        ("[expect.campaign]\nwinner = 'pink'", "expect.campaign.winner: no such player 'pink' (red, blue)"),
        ("[expect.detachments.b9]\ndestroyed = true", "expect.detachments.b9: no such detachment 'b9' (none)"),
        (B1 + "[expect.detachments.b1.units.u]\ngone = true", "expect.detachments.b1.units.u: no such unit 'u' (b1-1"),
        (
            "[expect.hexes.'0505']\nurban = 'townn'",
            """expect.hexes."0505".urban: no such size 'townn' (village""",
        ),
        ("[expect.hexes.'0505']\nbuildings = ['pub']", """expect.hexes."0505".buildings: no such building 'pub'"""),
        ("[expect.hexes.'0505']\nconvoys = { pink = 5 }", """expect.hexes."0505".convoys: no such player 'pink'"""),
        ("[expect]\nrejected = [{ order = 0, code = 'a' }]", "expect.rejected: there is no order 0, the case has 0"),
        ("[[orders]]\nplayer = 'pink'\ntype = 'guard'", "orders[0].player: no such player 'pink' (red, blue)"),
    ],
)
def test_names_are_checked(body: str, problem: str) -> None:
    found = problems_of(case(body))
    assert any(each.startswith(problem) for each in found), found


def test_players_and_roads_are_checked() -> None:
    players = '[players.red]\nfaction = "elves"\nallies = ["red", "pink"]\n'
    found = problems_of(case(players=players))
    assert [each.split(" (")[0] for each in found] == [
        "players.red.faction: no such faction 'elves'",
        "players.red.allies: no such other player 'red'",
        "players.red.allies: no such other player 'pink'",
    ]
    assert "players: missing" in problems_of(case(players=""))
    roads = writing.text().replace("rows = 9", 'rows = 9\nroads = [["0101", "0303"], ["0101", "9999"]]')
    found = problems_of(read(tomllib.loads(roads)))
    assert found[0] == "map.roads[0]: 0101 and 0303 are not adjacent"
    assert found[1].startswith("map.roads[1]: no such hex '9999'")


BATTLE = R1 + B1 + '[[battles]]\nhex = "0505"\nattacker = "r1"\ndefender = "b1"\n'


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (BATTLE.replace('attacker = "r1"', 'attacker = "r9"'), "battles[0].attacker: no such force 'r9' (r1, b1)"),
        (BATTLE.replace('defender = "b1"', 'defender = "r1"'), "battles[0]: r1 and r1 are both red's"),
        (BATTLE + "supporters = ['r9']", "battles[0].supporters: no such force 'r9' (r1, b1)"),
        (BATTLE + BATTLE[BATTLE.index("[[") :], "battles[1].hex: there is a battle in 0505 already"),
        (
            '[detachments.r2]\nowner = "red"\nat = "0101"\n' + BATTLE + "supporters = ['r2']",
            "battles[0].supporters: r2 stands neither to front, flank nor rear of the battle",
        ),
    ],
)
def test_battles_are_checked(body: str, problem: str) -> None:
    assert problem in problems_of(case(body, "battles"))


def test_a_stranger_cannot_support_a_battle() -> None:
    body = '[detachments.g1]\nowner = "green"\nat = "0605"\n' + BATTLE + "supporters = ['g1']"
    players = "[players.red]\n[players.blue]\n[players.green]\n"
    told = "battles[0].supporters: g1 is friendly to neither side of the battle"
    assert problems_of(case(body, "battles", players=players)) == [told]


# --- files ---


def test_what_is_no_toml_is_said_with_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.toml", "rule = ")
    with pytest.raises(CaseError, match=r"a\.toml: not TOML: ") as caught:
        parse(path)
    assert caught.value.path == str(path)


def test_what_is_no_text_is_said_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CaseError, match="not TOML"):
        parse(path)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="No such file"):
        parse(tmp_path / "missing.toml")


EXAMPLES = [
    tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "examples").glob("*.toml"))
    + sorted((Path(__file__).parent / "6-battles").glob("*.toml"))
]


@given(st.sampled_from(EXAMPLES), st.data())
def test_whatever_is_written_never_breaks_the_reader(example: dict[str, Any], data: st.DataObject) -> None:
    """One value somewhere becomes something else: a case comes out, or CaseError."""
    tree = copy.deepcopy(example)
    here: Any = tree
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if isinstance(here[key], dict | list) and data.draw(st.integers(0, 3)):
            here = here[key]
            continue
        here[key] = data.draw(plain_json)
        break
    try:
        found = read(tree)
        check_names(found, set_up(found))
    except CaseError:
        return
