"""The rulesets that come with the server: complete, and true to their source.

What is checked here stands in the source's tables (section numbers) or in a decision (D-nn); the
turret weapons are the whole table of 1.4.2, cell by cell.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.core.errors import RulesError
from server.rules.ruleset import MOBILITIES, SLOTS, Faction, Ruleset, Weapon
from server.rules.ruleset.reader import RulesetError
from server.rulesets import load, load_file, names

WH40K = load("wh40k-2001")
FRONTIER = load("frontier")

COLUMNS = [
    "space_marines",
    "imperial_guard",
    "dark_eldar",
    "blood_angels",
    "chaos",
    "dark_angels",
    "eldar",
    "orks",
    "tyranids",
    "sisters_of_battle",
    "catachans",
    "necrons",
    "space_wolves",
]
TURRETS = """
battle_cannon       140 110  .  ++ .  .  .  .  .  .  .  .  .  .  .
earthshaker_cannon  180 140  .  +  .  .  .  .  .  .  .  .  .  .  .
plasma_cannon       130 100  +  +  .  +  .  +  .  .  .  .  .  .  +
las_cannon          110  90  +  ++ .  +  +  +  +  .  .  .  .  .  +
missile_launcher    100  80  ++ +  .  +  ++ +  .  .  .  +  +  .  +
autocannon          100  80  .  ++ .  .  ++ .  .  .  .  .  +  .  .
heavy_bolter         90  70  ++ +  .  +  +  +  .  .  .  +  +  .  +
inferno_cannon       70  60  +  +  .  +  .  +  .  +  .  ++ ++ .  +
darklance           110  90  .  .  ++ .  .  .  .  .  .  .  .  .  .
disintegrator       130 100  .  .  +  .  .  .  .  .  .  .  .  .  .
splinter_cannon      90  70  .  .  +  .  .  .  .  .  .  .  .  .  .
shuriken_cannon     100  80  .  .  .  .  .  .  +  .  .  .  .  .  .
d_cannon             90  70  .  .  .  .  .  .  +  .  .  .  .  .  .
scatter_laser        70  60  .  .  .  .  .  .  ++ .  .  .  .  .  .
bright_lance        110  90  .  .  .  .  .  .  ++ .  .  .  .  .  .
star_cannon         100  80  .  .  .  .  .  .  +  .  .  .  .  .  .
big_shoota           60  50  .  .  .  .  .  .  .  ++ .  .  .  .  .
rokkit_launcha       60  50  .  .  .  .  .  .  .  ++ .  .  .  .  .
big_lobba            70  60  .  .  .  .  .  .  .  +  .  .  .  .  .
zzap_gun             70  60  .  .  .  .  .  .  .  +  .  .  .  .  .
kannon               60  50  .  .  .  .  .  .  .  +  .  .  .  .  .
custom_mega_blaster 100  80  .  .  .  .  .  .  .  +  .  .  .  .  .
gauss_cannon         90  70  .  .  .  .  .  .  .  .  .  .  .  ++ .
heavy_gauss_cannon  100  80  .  .  .  .  .  .  .  .  .  .  .  +  .
""".strip().splitlines()


def test_names_lists_what_can_be_loaded() -> None:
    assert names() == ("frontier", "wh40k-2001")
    assert [load(name).id for name in names()] == list(names())
    assert load("frontier") is load("frontier")


@pytest.mark.parametrize("id_", ["", "chess", "WH40K-2001", "../rulesets/frontier", "frontier.toml", "__init__"])
def test_unknown_ruleset_names_those_there_are(id_: str) -> None:
    with pytest.raises(RulesError, match=r"there are: frontier, wh40k-2001$"):
        load(id_)


def test_file_of_ones_own(tmp_path: Path) -> None:
    shipped = Path(__file__).parent.parent / "server" / "rulesets" / "frontier.toml"
    own = tmp_path / "own.toml"
    own.write_text(shipped.read_text("utf-8").replace('id = "frontier"', 'id = "own"'), "utf-8")
    assert load_file(own).id == "own"
    assert load_file(str(shipped)) == FRONTIER


@pytest.mark.parametrize("text", [b"id = ", b'id = "\xff"', b'id = "x"\nid = "y"', b""])
def test_file_that_is_no_ruleset_is_named(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "broken.toml"
    file.write_bytes(text)
    with pytest.raises(RulesetError, match=r"broken\.toml: ") as caught:
        load_file(file)
    assert all(problem.startswith(str(file)) for problem in caught.value.problems)


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"none\.toml: No such file"):
        load_file(tmp_path / "none.toml")


@pytest.mark.parametrize("ruleset", [WH40K, FRONTIER], ids=lambda ruleset: ruleset.id)
class TestEvery:
    """Holds for every ruleset of ours, though the reader does not ask for it."""

    def test_every_trait_is_used(self, ruleset: Ruleset) -> None:
        plain = Faction("", "")
        unused = {
            name
            for name in Faction.__slots__
            if all(getattr(faction, name) == getattr(plain, name) for faction in ruleset.factions.values())
        }
        # players of the older game bring their own lists; older data say how losers recover
        assert unused <= {"all_weapons", "weapons_as", "ready_units", "losers_recover_as_winners"}

    def test_every_special_type_is_somebodys(self, ruleset: Ruleset) -> None:
        used = {type_ for faction in ruleset.factions.values() for type_ in faction.detachment_types}
        assert used == set(ruleset.detachment_types) - {"standard"}

    def test_every_kind_of_unit_can_be_built(self, ruleset: Ruleset) -> None:
        ordinary = [building for building in ruleset.buildings.values() if not building.space_port]
        assert {kind for each in ordinary for kind in each.allows} == {*SLOTS, "vehicle", "light_vehicle"}
        assert any(each.detachments for each in ordinary)
        assert {each.heals for each in ordinary} == {"", "wounded", "damaged"}

    def test_every_faction_but_one_that_has_all_has_a_weapon(self, ruleset: Ruleset) -> None:
        armed = {id_ for weapon in ruleset.weapons.values() for id_ in weapon.allowed + weapon.preferred}
        without = {
            faction.id
            for faction in ruleset.factions.values()
            if not faction.all_weapons and faction.weapons_as not in armed
        }
        assert without - armed <= {"tyranids"}

    def test_boards_of_the_one_serve_the_other(self, ruleset: Ruleset) -> None:
        assert set(ruleset.terrain) == set(WH40K.terrain)
        for part in ("urban", "resources", "strongholds"):
            assert [each.id for each in getattr(ruleset, part)] == [each.id for each in getattr(WH40K, part)]

    def test_bigger_is_never_poorer(self, ruleset: Ruleset) -> None:
        for rows in (ruleset.urban, ruleset.resources):
            incomes = [row.income for row in rows]
            assert incomes == sorted(incomes)
        assert [stronghold.garrison for stronghold in ruleset.strongholds] == [250, 500, 750]


def test_frontier_has_six_powers_of_its_own() -> None:
    assert len(FRONTIER.factions) == 6
    assert not {*FRONTIER.factions} & {*WH40K.factions}
    assert not {*FRONTIER.buildings} & {*WH40K.buildings}


def test_identifiers() -> None:
    assert next(iter(WH40K.factions)) == "none"
    assert set(WH40K.factions) == {"none", "black_templars", "salamanders", *COLUMNS}
    assert set(WH40K.detachment_types) == {
        "standard",
        "drop_pod",
        "death_company",
        "ravenwing",
        "deathwing",
        "armoured",
        "artillery",
        "super_heavy",
        "mechanised",
        "wild_riders",
        "aspect_host",
        "wraith_host",
        "cult_host",
        "daemon_host",
        "raiders",
        "wych_host",
        "speed_freeks",
        "spore_pods",
        "genestealers",
    }
    assert [each.id for each in WH40K.urban] == ["village", "town", "city", "metropol"]
    assert [resource.id for resource in WH40K.resources] == ["tiny", "small", "medium", "large", "huge", "abundant"]
    assert [stronghold.id for stronghold in WH40K.strongholds] == ["camp", "fortification", "fortress"]


@pytest.mark.parametrize("row", TURRETS, ids=lambda row: row.split()[0])
def test_turret_weapon(row: str) -> None:
    """1.4.2: both prices, and who may have it at which."""
    id_, cost, preferred_cost, *cells = row.split()
    weapon = WH40K.weapons[id_]
    assert (weapon.cost, weapon.preferred_cost) == (int(cost), int(preferred_cost))
    table = dict(zip(COLUMNS, cells, strict=True))
    assert {faction: _cell(weapon, faction) for faction in COLUMNS} == table
    assert set(weapon.allowed + weapon.preferred) <= set(COLUMNS)


def _cell(weapon: Weapon, faction: str) -> str:
    return "++" if faction in weapon.preferred else "+" if faction in weapon.allowed else "."


def test_turret_table_is_complete() -> None:
    assert list(WH40K.weapons) == [row.split()[0] for row in TURRETS]
    assert {id_ for id_, each in WH40K.weapons.items() if "single" in each.notes} == {
        "battle_cannon",
        "earthshaker_cannon",
        "inferno_cannon",
        "d_cannon",
        "scatter_laser",
        "big_lobba",
        "zzap_gun",
        "heavy_gauss_cannon",
    }
    assert {id_ for id_, each in WH40K.weapons.items() if "BS 2" in each.notes} == {
        "big_shoota",
        "rokkit_launcha",
        "kannon",
        "custom_mega_blaster",
    }
    assert [faction.id for faction in WH40K.factions.values() if faction.weapons_as] == [
        "black_templars",
        "salamanders",
    ]
    assert {faction.weapons_as for faction in WH40K.factions.values()} == {"", "space_marines"}
    assert [faction.id for faction in WH40K.factions.values() if faction.all_weapons] == ["none"]


def test_income() -> None:
    assert [each.income for each in WH40K.urban] == [25, 50, 75, 100]
    assert [resource.income for resource in WH40K.resources] == [100, 125, 150, 175, 200, 250]
    assert (WH40K.space_income, WH40K.hex_income, WH40K.convoy_least) == (200, 5, 50)


def test_prices_of_urban_hexes_and_strongholds() -> None:
    assert [each.cost for each in WH40K.urban] == [200, 300, 500, 1000]
    assert [stronghold.cost for stronghold in WH40K.strongholds] == [150, 250, 500]
    assert [(s.turrets, s.towers, s.walls, s.bunkers, s.other) for s in WH40K.strongholds] == [
        (0, 1, 0, 2, 50),
        (1, 2, 2, 2, 100),
        (2, 4, 4, 2, 150),
    ]


def test_buildings() -> None:
    assert [(b.id, b.min_level, b.cost, b.maintenance) for b in WH40K.buildings.values()] == [
        ("barracks", 1, 50, 10),
        ("training_facilities", 3, 200, 20),
        ("academy", 3, 200, 20),
        ("light_factory", 2, 100, 20),
        ("heavy_factory", 3, 200, 30),
        ("minor_space_port", 3, 300, 50),
        ("major_space_port", 4, 300, 100),
        ("strategic_hq", 3, 300, 30),
        ("prison", 2, 100, 10),
        ("medic_center", 3, 200, 20),
        ("repair_facility", 3, 200, 20),
        ("taxation_office", 1, 100, 10),
        ("exploitation_center", 2, 100, 0),
    ]
    assert {b.id: b.upgrades for b in WH40K.buildings.values() if b.upgrades} == {
        "major_space_port": "minor_space_port",
        "exploitation_center": "taxation_office",
    }
    assert {b.id: b.allows for b in WH40K.buildings.values() if b.allows} == {
        "barracks": ("troops",),
        "training_facilities": ("elite", "fast", "heavy"),
        "academy": ("hq",),
        "light_factory": ("light_vehicle",),
        "heavy_factory": ("vehicle",),
        "minor_space_port": ("hq", "troops"),
        "major_space_port": (*SLOTS, "vehicle", "light_vehicle"),
    }
    office, center = WH40K.buildings["taxation_office"], WH40K.buildings["exploitation_center"]
    assert (office.income_percent, office.income_needs) == (50, "camp")
    assert (office.foreign_only, office.shrinks_on) == (False, 0)
    assert (center.income_percent, center.income_needs) == (100, "fortification")
    assert (center.foreign_only, center.shrinks_on) == (True, 1)


def test_defences() -> None:
    assert {d.id: d.cost for d in WH40K.defences.values()} == {
        "weapon_tower": 50,
        "anti_air_tower": 0,
        "turret_tower": 0,
        "radar_tower": 25,
        "turret": 0,
        "bunker": 50,
        "razor_wire": 6,
        "tank_trap": 8,
        "trench": 10,
        "minefield": 20,
        "booby_trap": 20,
        "wall_section": 20,
        "gun_placement": 20,
    }
    assert WH40K.defences["turret_tower"].counts_as == ("turrets", "towers")
    assert WH40K.defences["wall_section"].counts_as == ("walls",)
    assert {d.id for d in WH40K.defences.values() if d.converts == "weapon_tower"} == {
        "anti_air_tower",
        "turret_tower",
        "radar_tower",
    }
    assert {d.id for d in WH40K.defences.values() if d.armed} == {"turret", "turret_tower"}
    assert {d.id: d.forbidden for d in WH40K.defences.values() if d.forbidden} == {"anti_air_tower": ("tyranids",)}
    assert {d.id: d.sight for d in WH40K.defences.values() if d.sight} == {"radar_tower": 1}


def test_terrain() -> None:
    assert {t.id: (t.cost, t.road) for t in WH40K.terrain.values()} == {
        "plains": (2, 1),
        "forest": (4, 3),
        "hills": (4, 3),
        "sea": (2, 0),
        "jungle": (6, 4),
        "mountains": (6, 4),
        "swamp": (6, 4),
    }
    assert {t.id: t.enter for t in WH40K.terrain.values()} == {
        "plains": MOBILITIES,
        "forest": ("infantry", "tracked", "skimmer"),
        "hills": MOBILITIES,
        "sea": ("skimmer",),
        "jungle": ("infantry", "skimmer"),
        "mountains": ("infantry", "skimmer"),
        "swamp": ("infantry", "tracked", "skimmer"),
    }
    assert [t.id for t in WH40K.terrain.values() if not t.land] == ["sea"]
    assert {t.id: t.destroys for t in WH40K.terrain.values() if t.destroys} == {"sea": ("skimmer",)}
    assert dict(WH40K.mv) == {"infantry": 4, "tracked": 6, "wheeled": 6, "skimmer": 6}


def test_start() -> None:
    assert WH40K.start_urban == ("village",) * 3 + ("town",) * 2 + ("city",)
    assert WH40K.start_resource == ("tiny", "small", "medium", "large", "huge", "abundant")
    assert WH40K.capital_buildings == ("major_space_port", "prison")
    assert (WH40K.capital_size, WH40K.capital_stronghold, WH40K.start_bp) == ("metropol", "fortress", 5000)


@pytest.mark.parametrize(
    ("total", "percent"),
    [(-3, 0), (1, 0), (2, 10), (3, 20), (10, 90), (11, 100), (12, 120), (13, 150), (14, 200), (30, 200)],
)
def test_quick_battle_damage(total: int, percent: int) -> None:
    assert next(value for minimum, value in WH40K.quick_battle.damage if total >= minimum) == percent


@pytest.mark.parametrize(
    ("difference", "vp"),
    [
        (5000, 1),
        (1251, 1),
        (1250, 2),
        (751, 2),
        (750, 3),
        (501, 3),
        (500, 4),
        (251, 4),
        (250, 5),
        (1, 5),
        (0, 6),
        (-250, 6),
        (-251, 7),
        (-500, 7),
        (-501, 8),
        (-750, 8),
        (-751, 10),
        (-1250, 10),
        (-1251, 15),
        (-9999, 15),
    ],
)
def test_vp_of_a_battle(difference: int, vp: int) -> None:
    """6.2.3.5: both ends of every row."""
    assert next(value for minimum, value in WH40K.vp if difference >= minimum) == vp


def test_battles_and_ranks() -> None:
    quick = WH40K.quick_battle
    assert (quick.raid, quick.planned, quick.defend, quick.underdog_on, quick.underdog) == (-1, 1, 1, 6, 1)
    assert (quick.supports_defender, quick.front, quick.flank, quick.rear, quick.pick_share) == (2, 1, 2, 3, 4)
    assert (WH40K.lose_dead, WH40K.win_dead, WH40K.win_wounded, WH40K.second_chance_on) == (3, 2, 4, 4)
    assert (WH40K.recover_on, WH40K.recover_capital, WH40K.recover_place) == (6, 2, 1)
    assert (WH40K.battle_dxp, WH40K.capital_vp) == (2, 25)
    assert [(dxp, points) for dxp, _, points in WH40K.ranks] == [
        (0, 1500),
        (10, 1750),
        (20, 2000),
        (30, 2250),
        (50, 2500),
    ]


TRAITS: dict[str, dict[str, Any]] = {
    "none": {"all_weapons": True},
    "space_marines": {},
    "black_templars": {"scout_slots": ("fast",), "weapons_as": "space_marines"},
    "blood_angels": {},
    "dark_angels": {},
    "salamanders": {"weapons_as": "space_marines"},
    "space_wolves": {"terrain_cost": {"forest": 3, "hills": 3}, "always_scouts": True},
    "imperial_guard": {"stronghold_percent": 75, "scout_slots": ("elite",)},
    "catachans": {"stronghold_percent": 75, "scout_slots": ("elite",), "terrain_cost": {"jungle": 3}},
    "sisters_of_battle": {"always_scouts": True, "second_chance_on": 3},
    "eldar": {"mv_bonus": 1, "always_scouts": True, "urban_income": {"city": -25, "metropol": -25}},
    "chaos": {"corrupts": True},
    "dark_eldar": {
        "space_income": 150,
        "urban_income": {"city": -25, "metropol": -25},
        "defend_bonus": False,
        "blockaded_space_percent": 50,
    },
    "necrons": {
        "terrain_cost": dict.fromkeys(("plains", "forest", "hills", "jungle", "mountains", "swamp"), 2),
        "recover_on": 4,
        "space_income": 150,
        "detachments_only_in_capital": True,
        "never_scouts": True,
        "pure_land": True,
        "withdraws_anywhere": True,
    },
    "orks": {"urban_income": {"village": 15, "town": 15}, "enemy_claim_income": 10, "recover_on": 5},
    "tyranids": {
        "space_income": 100,
        "claim_income": 25,
        "scout_slots": ("elite",),
        "pillage_percent": 100,
        "infests": True,
        "blockaded_space_percent": 50,
    },
}
"""D-71: every trait that differs from those of a faction without traits."""

START = {
    **dict.fromkeys(("space_marines", "blood_angels", "dark_angels", "salamanders", "space_wolves"), 65),
    "black_templars": 70, "imperial_guard": 140, "catachans": 140, "eldar": 90, "dark_eldar": 90, "necrons": 250,
}  # fmt: skip
"""D-71c: percent of the BP at the start."""

MARINES = ("space_marines", "black_templars", "blood_angels", "dark_angels", "salamanders", "space_wolves")


@pytest.mark.parametrize("id_", TRAITS)
def test_traits(id_: str) -> None:
    plain, faction = Faction("", ""), WH40K.factions[id_]
    told = {"id", "name", "strategy", "detachment_types", "building_names", "aa_weapon", "force_names", "ready_units"}
    found = {
        name: getattr(faction, name)
        for name in Faction.__slots__
        if name not in told and getattr(faction, name) != getattr(plain, name)
    }
    marines = {"space_income": 180, "wounded_percent": 25, "detachments_need_space_port": True}
    marines = marines if id_ in MARINES else {}
    start = {"start_percent": START[id_]} if id_ in START else {}
    assert found == TRAITS[id_] | marines | start


@pytest.mark.parametrize("id_", TRAITS)
def test_strategy(id_: str) -> None:
    quick = {*MARINES, "eldar", "dark_eldar"}
    slow = {"imperial_guard", "catachans", "tyranids"}
    assert WH40K.factions[id_].strategy == (3 if id_ in quick else 1 if id_ in slow else 2)


def test_special_detachments() -> None:
    """D-71: who has which, one of each how many, and what they are."""
    types = WH40K.detachment_types
    assert {
        faction.id: {type_: types[type_].share for type_ in faction.detachment_types}
        for faction in WH40K.factions.values()
    } == {
        "none": {},
        "space_marines": {"drop_pod": 3},
        "black_templars": {"drop_pod": 3},
        "blood_angels": {"drop_pod": 3, "death_company": 4},
        "dark_angels": {"drop_pod": 3, "ravenwing": 4, "deathwing": 4},
        "salamanders": {"drop_pod": 3},
        "space_wolves": {"drop_pod": 3},
        "imperial_guard": {"armoured": 3, "artillery": 3, "super_heavy": 6},
        "catachans": {"armoured": 3, "artillery": 3, "super_heavy": 6},
        "sisters_of_battle": {"mechanised": 3},
        "eldar": {"wild_riders": 3, "aspect_host": 3, "wraith_host": 4},
        "chaos": {"cult_host": 3, "daemon_host": 4},
        "dark_eldar": {"raiders": 2, "wych_host": 3},
        "necrons": {},
        "orks": {"speed_freeks": 3},
        "tyranids": {"spore_pods": 3, "genestealers": 4},
    }
    assert {each.id for each in types.values() if each.orbit} == {"drop_pod", "deathwing", "daemon_host", "spore_pods"}
    assert {each.id: each.mv for each in types.values() if each.mv} == {
        "death_company": 6,
        "ravenwing": 8,
        "wild_riders": 8,
        "raiders": 8,
        "speed_freeks": 8,
    }
    assert {each.id: each.mobility for each in types.values() if each.mobility} == {
        "armoured": "tracked",
        "super_heavy": "tracked",
        "wild_riders": "skimmer",
        "raiders": "skimmer",
    }
    assert [each.id for each in types.values() if each.scouts] == ["genestealers"]
    standard = {"hq": (1, 2), "troops": (2, 6), "elite": (0, 3), "fast": (0, 3), "heavy": (0, 3)}
    assert all(each.slots == standard for each in types.values())
