"""Reading a ruleset: what is wrong with it is said, all of it, at once, with its place.

Seen to fail: with ``isinstance(raw, int)`` alone true is taken for 1; without a look at what is
already known to be bad, what only follows from it is reported too; without sorted keys the digest
depends on their order; without the count of what is in a circle each of its members is reported.
"""

from __future__ import annotations

import contextlib
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.errors import RulesError
from server.rules import ruleset
from server.rules.ruleset import LOWEST, SLOTS, Ruleset, limits
from server.rules.ruleset.reader import RulesetError, read
from tests.rules.small_ruleset import GONE, SMALL, changed, keys

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def problems(*changes: tuple[str, Any]) -> list[str]:
    with pytest.raises(RulesetError) as caught:
        read(changed(*changes), "small.toml")
    return caught.value.problems


def test_small_ruleset_is_read() -> None:
    ruleset = read(SMALL)
    assert isinstance(ruleset, Ruleset)
    assert [ruleset.urban_level(size) for size in ("hut", "hall", "tower")] == [1, 2, 0]
    assert ruleset.stronghold_level("fort") == 1
    assert ruleset.terrain["grass"].id == "grass"
    assert ruleset.terrain["grass"].enter == ("infantry", "skimmer")
    assert ruleset.buildings["school"].upgrades == "yard"
    assert ruleset.factions["cats"].space_income is None
    assert ruleset.ranks == ((0, "New", 1000), (10, "Old", 1200))
    assert ruleset.rank(9) == (0, "New", 1000)


def test_last_row_of_a_table_is_for_everything_below() -> None:
    ruleset = read(SMALL)
    assert ruleset.quick_battle.damage == ((8, 100), (2, 50), (LOWEST, 10))
    assert ruleset.vp == ((100, 1), (-100, 2), (LOWEST, 3))


def test_special_types_have_the_slots_of_the_standard_one_unless_they_state_their_own() -> None:
    own = {slot: [1, 2] for slot in SLOTS}
    types = read(changed(("detachment_types.den", {"name": "Den", "share": 2, "slots": own}))).detachment_types
    assert types["pack"].slots == dict.fromkeys(SLOTS, (0, 3))
    assert types["den"].slots == dict.fromkeys(SLOTS, (1, 2))


def test_new_faction_and_building_need_no_code() -> None:
    ruleset = read(
        changed(
            ("factions.mice", {"name": "Mice", "strategy": 4, "claim_income": 3, "detachment_types": ["pack"]}),
            ("buildings.kitchen", {"name": "Kitchen", "min_level": 1, "cost": 3, "maintenance": 0, "heals": "wounded"}),
            ("buildings.larder", {"name": "Larder", "min_level": 1, "cost": 3, "maintenance": 0}),
            ("factions.cats.building_names", {"kitchen": "Pantry"}),
        )
    )
    assert ruleset.factions["mice"].strategy == 4
    assert ruleset.factions["cats"].building_names == {"kitchen": "Pantry"}
    assert ruleset.buildings["kitchen"].heals == "wounded"


def test_digest_is_of_the_data_whatever_the_order_of_its_keys() -> None:
    turned = dict(reversed(SMALL.items()))
    assert read(SMALL).digest == read(turned, "other.toml").digest
    assert len(read(SMALL).digest) == 64
    assert read(SMALL).digest != read(changed(("claims.cache_bp", 11))).digest


def test_reading_does_not_change_the_data() -> None:
    data = changed()
    read(data)
    assert data == SMALL


def test_lists_may_be_tuples() -> None:
    assert read(changed(("ranks", ((0, "New", 1000), (10, "Old", 1200))))).digest == read(SMALL).digest


@pytest.mark.parametrize("key", sorted(SMALL))
def test_missing_part_is_the_only_problem(key: str) -> None:
    assert problems((key, GONE)) == [f"small.toml: {key}: is missing"]


@pytest.mark.parametrize("key", sorted(SMALL))
@pytest.mark.parametrize("value", [None, 7, [], "text"])
def test_wrong_part_is_never_an_accident(key: str, value: Any) -> None:
    if isinstance(value, str) and isinstance(SMALL[key], str):
        assert read(changed((key, value)))
    else:
        assert problems((key, value))[0].startswith(f"small.toml: {key}")


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("buildings.yard.cost", 50.5, "buildings.yard.cost: 50.5 is not a whole number"),
        ("buildings.yard.cost", 50.0, "buildings.yard.cost: 50.0 is not a whole number"),
        ("buildings.yard.cost", True, "buildings.yard.cost: True is not a whole number"),
        ("buildings.yard.cost", "50", "buildings.yard.cost: '50' is not a whole number"),
        ("buildings.yard.cost", None, "buildings.yard.cost: nothing is not a whole number"),
        ("buildings.yard.cost", [5], "buildings.yard.cost: a list is not a whole number"),
        ("buildings.yard.cost", -1, "buildings.yard.cost: -1 is less than 0"),
        ("buildings.yard.cost", 10**9, "buildings.yard.cost: 1000000000 is more than 1000000"),
        ("buildings.yard.cost", GONE, "buildings.yard.cost: is missing"),
        ("buildings.yard.costs", 5, "buildings.yard.costs: is not known"),
        ("buildings.yard.detachments", 1, "buildings.yard.detachments: 1 is not true or false"),
        ("buildings.yard.name", 3, "buildings.yard.name: 3 is not text"),
        ("buildings.yard.name", "", "buildings.yard.name: '' is not a line of 1 to 200 characters"),
        ("buildings.yard.name", "a\nb", r"buildings.yard.name: 'a\nb' is not a line of 1 to 200 characters"),
        ("buildings.yard.allows", "troops", "buildings.yard.allows: 'troops' is not a list"),
        ("buildings.yard", [], "buildings.yard: a list is not a table"),
        ("buildings.Yard 2", {}, "buildings.Yard 2: 'Yard 2' is not an id ([a-z][a-z0-9_]{0,39})"),
        ("buildings", {}, "buildings: is empty"),
        ("id", "No Id", "id: 'No Id' is not an id ([a-z0-9][a-z0-9-]{0,39})"),
        ("id", "x\n", r"id: 'x\n' is not a line of 1 to 200 characters"),
        ("colour", "red", "colour: is not known"),
        ("movement.speed", 3, "movement.speed: is not known"),
        ("movement.road_divisor", 0, "movement.road_divisor: 0 is less than 1"),
        ("movement.mv.wheeled", GONE, "movement.mv.wheeled: is missing"),
        ("movement.mv.boat", 3, "movement.mv.boat: 'boat' is not one of infantry, tracked, wheeled, skimmer"),
        ("resources", [{"name": "Mine"}] * 1001, "resources: has more than 1000 values"),
        ("factions", {f"f{n}": {} for n in range(1001)}, "factions: has more than 1000 entries"),
        # words and references
        ("terrain.grass.enter.0", "feet", "'feet' is not one of infantry, tracked, wheeled, skimmer"),
        ("terrain.grass.enter", ["infantry"] * 2, "terrain.grass.enter: more than once: 'infantry'"),
        ("terrain.grass.enter", [], "terrain.grass.enter: is empty"),
        ("buildings.yard.allows", ["navy"], "buildings.yard.allows[0]: 'navy' is not one of hq, troops,"),
        ("buildings.yard.heals", "all", "buildings.yard.heals: 'all' is not one of wounded, damaged"),
        ("buildings.school.upgrades", "barn", "buildings.school.upgrades: 'barn' is not defined under buildings"),
        ("buildings.yard.income_needs", "hut", "'hut' is not defined under strongholds"),
        ("defences.gun_tower.converts", "wall", "'wall' is not defined under defences"),
        ("defences.tower.forbidden", ["dogs"], "defences.tower.forbidden[0]: 'dogs' is not defined under factions"),
        ("defences.tower.counts_as", ["roof"], "'roof' is not one of turrets, towers, walls, bunkers, other"),
        ("weapons.gun.allowed", ["dogs"], "weapons.gun.allowed[0]: 'dogs' is not defined under factions"),
        ("weapons.gun.preferred", ["dogs"], "weapons.gun.preferred[0]: 'dogs' is not defined under factions"),
        ("detachment_types.pack.mobility", "boat", "'boat' is not one of infantry, tracked, wheeled, skimmer"),
        ("factions.cats.detachment_types", ["herd"], "'herd' is not defined under detachment_types"),
        ("factions.cats.weapons_as", "dogs", "factions.cats.weapons_as: 'dogs' is not defined under factions"),
        ("factions.cats.building_names", {"barn": "B"}, "'barn' is not defined under buildings"),
        ("factions.cats.urban_income", {"town": 1}, "factions.cats.urban_income.town: 'town' is not defined"),
        ("factions.cats.terrain_cost", {"sky": 1}, "factions.cats.terrain_cost.sky: 'sky' is not defined"),
        ("factions.cats.scout_slots", ["navy"], "factions.cats.scout_slots[0]: 'navy' is not one of hq,"),
        ("movement.convoy_mobility", "boat", "movement.convoy_mobility: 'boat' is not one of infantry,"),
        ("start.capital_size", "town", "start.capital_size: 'town' is not defined under urban"),
        ("start.capital_buildings", ["barn"], "start.capital_buildings[0]: 'barn' is not defined under buildings"),
        ("start.capital_stronghold", "camp", "start.capital_stronghold: 'camp' is not defined under strongholds"),
        ("start.start_urban.2", "town", "start.start_urban[2]: 'town' is not defined under urban"),
        ("start.start_resource.5", "hut", "start.start_resource[5]: 'hut' is not defined under resources"),
        ("start.start_urban", ["hut"] * 5, "start.start_urban: has 5 values, not one for each face of a die"),
        ("claims.discovery", ["cache"] * 7, "claims.discovery: has 7 values, not one for each face of a die"),
        ("claims.discovery.3", "urban:town", "claims.discovery[3]: 'urban:town' is nothing that can be found"),
        ("claims.discovery.3", "resource:", "claims.discovery[3]: 'resource:' is nothing that can be found"),
        ("claims.discovery.3", "vp", "claims.discovery[3]: 'vp' is nothing that can be found"),
        ("claims.discovery.3", "vp:-1", "claims.discovery[3]: 'vp:-1' is nothing that can be found"),
        ("claims.discovery.3", "vp:²", "claims.discovery[3]: 'vp:²' is nothing that can be found"),
        # what must fit together
        ("urban", [*SMALL["urban"], SMALL["urban"][0]], "urban[2].id: 'hut' is given twice"),
        ("terrain.grass.destroys", ["tracked"], "terrain.grass.destroys: 'tracked' may not enter"),
        ("terrain.water.road", 4, "terrain.water.road: a hex that is no land can have no road"),
        ("terrain.grass", SMALL["terrain"]["water"], "terrain: none of them is land"),
        ("buildings.yard.min_level", 3, "buildings.yard.min_level: there are only 2 urban sizes"),
        ("buildings.yard.upgrades", "yard", "buildings.yard.upgrades: goes round in a circle"),
        ("buildings.yard.upgrades", "school", "buildings.yard.upgrades: goes round in a circle"),
        ("defences.tower.converts", "gun_tower", "defences.tower.converts: goes round in a circle"),
        ("economy.road_level", 3, "economy.road_level: there are only 2 urban sizes"),
        ("weapons.gun.preferred_cost", 10, "weapons.gun: preferred_cost, 10, is more than cost, 9"),
        ("weapons.gun.allowed", ["cats"], "weapons.gun.preferred: 'cats' is allowed too: one price only"),
        ("detachment_types.standard", GONE, "detachment_types.standard: is missing"),
        ("detachment_types.standard.slots", GONE, "detachment_types.standard.slots: is missing"),
        ("detachment_types.standard.slots.hq", GONE, "detachment_types.standard.slots.hq: is missing"),
        ("detachment_types.standard.slots.hq", [3, 2], "detachment_types.standard.slots.hq: at least 3, but at most 2"),
        ("detachment_types.standard.slots.hq", [3], "detachment_types.standard.slots.hq: has 1 values, not 2"),
        ("detachment_types.standard.share", 2, "detachment_types.standard.share: the standard type has no limit"),
        ("detachment_types.pack.share", GONE, "detachment_types.pack.share: a special type needs one"),
        ("detachment_types.pack.orbit", True, "detachment_types.pack.orbit: there is no space port to build it at"),
        ("ranks.0.0", 1, "ranks[0][0]: the first rank is for 0 DXP"),
        ("ranks.1.0", 0, "ranks[1][0]: is not more than the rank before needs"),
        ("ranks.1.1", "New", "ranks[1][1]: 'New' is given twice"),
        ("ranks.1.2", 900, "ranks[1][2]: is less than the rank before may have"),
        ("factions.cats.detachment_types", ["standard"], "the standard type is for everybody, and no special one"),
        ("factions.cats.weapons_as", "owls", "factions.cats.weapons_as: the faction has weapons of its own: gun"),
        ("factions.owls.urban_income.hut", -6, "factions.owls.urban_income.hut: -6 makes the income of 5 less than 0"),
        ("start.capital_size", "hut", "start.capital_buildings[0]: 'school' needs a larger capital"),
        ("start.capital_buildings", ["yard", "school"], "'school' stands in the place of 'yard'"),
        ("quick_battle.damage", [[2, 50], [8, 100]], "quick_battle.damage: the row from 8 comes after the one from 2"),
        ("quick_battle.damage.0.1", 40, "quick_battle.damage: the values go up and down"),
        ("quick_battle.damage_below", 60, "quick_battle.damage: the values go up and down"),
        ("quick_battle.damage_below", -5, "quick_battle.damage: a value is less than 0"),
        ("quick_battle.damage_below", GONE, "quick_battle.damage_below: is missing"),
        ("quick_battle.damage", [], "quick_battle.damage: is empty"),
        ("battles.vp.1.0", 100, "battles.vp: the row from 100 comes after the one from 100"),
        ("battles.vp_below", 1, "battles.vp: the values go up and down"),
        ("battles.win_wounded", 1, "battles.win_wounded: 1 is less than win_dead, 2"),
        ("sight.most_sight", 0, "sight: most_sight, 0, is less than the others"),
    ],
)
def test_problem_says_where_and_what(key: str, value: Any, problem: str) -> None:
    found = problems((key, value))
    assert len(found) == 1
    assert found[0].startswith("small.toml: ")
    assert problem in found[0]


@pytest.mark.parametrize(
    ("faction", "problem"),
    [
        ({"always_scouts": True, "never_scouts": True}, "never_scouts: the faction always has scouts"),
        ({"weapons_as": "cats", "all_weapons": True}, "weapons_as: the faction has all weapons"),
        ({"weapons_as": "elks"}, "weapons_as: 'elks' itself uses another's weapons"),
    ],
)
def test_traits_that_contradict_each_other(faction: dict[str, Any], problem: str) -> None:
    found = problems(("factions.elks", {"name": "Elks", **faction}))
    assert found == [f"small.toml: factions.elks.{problem}"]


def test_all_problems_are_told_at_once() -> None:
    found = problems(
        ("version", 2),
        ("terrain.grass.cost", "two"),
        ("movement.mv.tracked", GONE),
        ("buildings.yard.upgrades", "school"),
        ("weapons.gun.preferred", ["dogs"]),
        ("claims.discovery", ["cache", "gold", "cache", "cache", 3]),
        ("sights", {}),
    )
    assert [line.removeprefix("small.toml: ").partition(": ")[0] for line in found] == [
        "version",
        "terrain.grass.cost",
        "weapons.gun.preferred[0]",
        "sights",
        "movement.mv.tracked",
        "claims.discovery[4]",
        "claims.discovery",
        "buildings.yard.upgrades",
    ]


def test_bad_value_brings_no_problems_that_only_follow_from_it() -> None:
    assert len(problems(("quick_battle.damage.0.1", "many"))) == 1
    assert len(problems(("weapons.gun.cost", None))) == 1
    assert len(problems(("urban", {"hut": {}}))) == 1


def test_error_is_one_of_the_rules_and_reads_line_by_line() -> None:
    error = RulesetError(["a: b: c", "a: d: e"])
    assert isinstance(error, RulesError)
    assert str(error) == "a: b: c\na: d: e"
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


@pytest.mark.parametrize("key", [1, None, True, ("a",)])
def test_keys_that_are_no_text_are_problems(key: Any) -> None:
    with pytest.raises(RulesetError):
        read({**SMALL, key: 1})
    with pytest.raises(RulesetError):
        read(changed(("factions", {**SMALL["factions"], key: {"name": "X"}})))


@given(st.lists(st.tuples(st.sampled_from(sorted(keys(SMALL))), JSON), min_size=1, max_size=3))
def test_any_data_is_a_ruleset_or_a_list_of_problems(changes: list[tuple[str, Any]]) -> None:
    data = SMALL
    for key, value in changes:
        with contextlib.suppress(KeyError, IndexError, TypeError, ValueError):
            data = changed((key, value), data=data)
    with contextlib.suppress(RulesetError):
        assert read(data).digest


def test_every_limit_is_of_a_field_there_is() -> None:
    there = {
        f"{cls.__name__}.{field.name}"
        for cls in vars(ruleset).values()
        if isinstance(cls, type) and dataclasses.is_dataclass(cls)
        for field in dataclasses.fields(cls)
    }
    named = (
        *limits.RANGES,
        *limits.ALLOWED_VALUES,
        *limits.COMPLETE,
        *limits.FILLED,
        *limits.BELOW,
        *limits.FACES,
    )
    assert set(named) <= there
    assert {f"Ruleset.{name}" for names in limits.SECTIONS.values() for name in names} <= there
