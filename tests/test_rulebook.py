"""The rulebook says what the data and the engine say: tables, figures, decisions, orders, refusals, events, examples.

Seen to fail: a changed price, a dropped decision, an order type, code or event without its line, a
heading renamed under a link to it, an example whose text no longer has a number of its case.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest

from server.cases import find, run_case
from server.core.errors import ILLEGAL, INVALID, RulesError
from server.rulebook.armies import record_of
from server.rulebook.economy import effects
from server.rulebook.markdown import TableTranslations, slug
from server.rulebook.rewriting import rewrite
from server.rules.orders.registry import KINDS
from server.rules.ruleset import Building
from server.rules.structure import NO_TROOPS_POINTS
from server.rulesets import load
from server.tournament.balance import STRATEGY

ROOT = Path(__file__).parent.parent
RULES = ROOT / "server" / "rules"
BOOK = ROOT / "docs" / "rulebook.md"
FRONTIER = ROOT / "docs" / "rulebook-frontier-tables.md"
EXAMPLES = ROOT / "tests" / "cases" / "examples"
TEXT = BOOK.read_text(encoding="utf-8")
RULESET = load("wh40k-2001")

KNOWN_DECISIONS = """
D-01 D-02 D-03 D-04 D-05 D-06 D-07 D-08 D-09 D-10 D-11 D-12 D-13 D-14 D-20 D-20a D-20b D-21 D-21a D-22 D-23 D-24 D-24a
D-25 D-26 D-27 D-30 D-31 D-32 D-33 D-34 D-35 D-35a D-35b D-35c D-35d D-35e D-35f D-36 D-37 D-38 D-39 D-39a D-40 D-41
D-42 D-43 D-44 D-45 D-46 D-47 D-48 D-49 D-50 D-50a D-51 D-52 D-53 D-54 D-55 D-55a D-55b D-56 D-60 D-61 D-61a D-62 D-63
D-64 D-64a D-65 D-66 D-67 D-68 D-68a D-69 D-70 D-71 D-71a D-71b D-71c D-72 D-73 D-80 D-81
"""
DECISIONS = KNOWN_DECISIONS.split()
READINGS = [f"R-{n:02}" for n in range(1, 40)]

NUMBERED = """
1 1.1 1.2 1.2.1 1.2.2 1.2.3 1.3 1.4 1.4.1 1.4.2 1.4.3 1.4.4 1.4.5 1.5 1.5.1 1.6
2 2.1 2.1.1 2.1.2 2.1.3 2.1.4 2.1.5 2.1.6 2.1.7 3 3.1 3.2 3.3 3.4 3.5 3.6 3.6.1
4 4.1 4.1.1 4.1.2 4.1.3 4.1.4 4.1.5 4.1.6 4.1.7 4.1.8 5 5.1 6 6.1
6.2 6.2.1 6.2.1.1 6.2.1.1.1 6.2.1.1.1.2 6.2.1.1.1.3 6.2.1.1.1.4 6.2.1.1.1.5 6.2.1.1.1.6 6.2.1.1.1.7
6.2.1.2 6.2.1.2.1 6.2.1.2.2 6.2.1.3 6.2.1.3.1 6.2.1.3.2 6.2.1.3.3
6.2.2 6.2.2.1 6.2.2.2 6.2.2.3 6.2.2.4 6.2.2.5 6.2.2.6 6.2.3 6.2.3.1 6.2.3.2 6.2.3.3 6.2.3.4 6.2.3.5 6.2.3.6
6.2.3.7 6.2.3.8 6.2.3.9 6.2.3.10 7 7.1 7.2 7.3 8
"""
SECTIONS = NUMBERED.split()
"""The source's section numbers."""

MARK = re.compile(r"<!-- (?:= \w+|/|only: \S+|/only) -->")
TABLE = re.compile(r"<!-- table: \w+ -->.*?<!-- /table -->", re.DOTALL)
PROSE = " ".join(MARK.sub("", TABLE.sub("", TEXT)).split())
HEADINGS = re.findall(r"^#{1,4} (.+)$", TEXT, re.MULTILINE)


def part(heading: str) -> str:
    """Return what stands under a heading of the third level."""
    return TEXT.split(f"\n### {heading}\n")[1].split("\n### ")[0]


# --- tables and figures ---


@pytest.mark.parametrize("path", [BOOK, FRONTIER], ids=lambda path: path.stem)
def test_tables_are_as_the_data_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert rewrite(text) == text, f"run: python -m server.rulebook {path.relative_to(ROOT)}"


def test_a_table_nobody_knows_is_an_error() -> None:
    with pytest.raises(RulesError, match="no table 'prices'"):
        rewrite("<!-- ruleset: frontier -->\n<!-- table: prices -->\n<!-- /table -->\n")


def test_a_text_without_a_ruleset_is_an_error() -> None:
    with pytest.raises(RulesError, match="names no ruleset"):
        rewrite("<!-- table: urban -->\n<!-- /table -->\n")


@pytest.mark.parametrize("id_", ["frontier", "wh40k-2001"])
def test_the_balance_it_shows_is_that_of_todays_lists(id_: str) -> None:
    """Seen to fail with figures changed after the games were played."""
    rules, found = load(id_), record_of(id_)
    assert found["version"] == rules.version
    assert {line["name"] for line in found["lists"]} == {*rules.factions} - {"none"}
    assert f"--ruleset {id_}" in TEXT
    assert f"--seed {found['seed']}" in TEXT


def test_the_lists_of_frontier_are_within_their_limits() -> None:
    found = record_of("frontier")
    assert min(line["games"] for line in found["lists"]) >= 300
    assert found["outside"] == []
    assert found["spread"] <= STRATEGY


FIGURES = [
    f"a fortress around it, and {RULESET.start_bp} BP to start",
    f"You also place {RULESET.start_urban_count} further settlement and {RULESET.start_resource_count} resource hexes",
    f"divide by 1 choice and {NO_TROOPS_POINTS} points",
    f"other settlements lie at least {RULESET.urban_capital_distance} hexes from the capital",
    f"resource hexes lie at least {RULESET.resource_capital_distance} hexes from the capital and "
    f"{RULESET.resource_distance} from each other",
    f"you get {RULESET.space_income} BP from space and {RULESET.hex_income} BP for each hex you control",
    f"Load at least {RULESET.convoy_least} BP",
    f"and at most {RULESET.ranks[0][2]} points",
    f"can try one a turn, for {RULESET.road_cost} BP",
    f"with {RULESET.reserve_mv} MV more",
    f"further than {RULESET.reserve_distance} hexes from any enemy",
    f"The capital sees {RULESET.capital_sight} hex around it, and {RULESET.most_sight} with",
    f"claimed brings {RULESET.capital_vp} VP",
    f"An enemy capital brings {RULESET.capital_vp} VP more",
    f"roll 1D6. On {RULESET.discovery_on} or more there is something in it",
    f"gains {RULESET.battle_dxp} DXP for each battle",
    f"is only wounded on {RULESET.second_chance_on}+",
    f"taxation office: +{RULESET.buildings['taxation_office'].income_percent} %",
    f"exploitation center: +{RULESET.buildings['exploitation_center'].income_percent} %",
]


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_in_the_text_are_those_of_the_data(figure: str) -> None:
    assert figure in PROSE


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("refund_percent", 50, "half of its price"),
        ("repair_divisor", 4, "a quarter of its points"),
        ("garrison_divisor", 2, "half of its points"),
        ("claim_divisor", 2, "half of the MV, rounded up"),
        ("road_divisor", 2, "it costs half (rounded up)"),
        ("road_level", 2, "Each town or larger can try one"),
    ],
)
def test_fractions_in_the_text_are_those_of_the_data(field: str, value: int, word: str) -> None:
    assert getattr(RULESET, field) == value
    assert word in PROSE


def test_marked_values_follow_the_ruleset() -> None:
    """The same prose has the figures and names of any ruleset; a value nobody knows is an error."""
    frontier = load("frontier")
    text = " ".join(MARK.sub("", rewrite(TEXT, frontier)).split())
    assert f"you get {frontier.space_income} BP from space" in text
    assert "capital city with a star harbour and a field hospital in it and a citadel around it" in text
    assert "with the building command post" in text
    with pytest.raises(RulesError, match="no value 'prices'"):
        rewrite("<!-- ruleset: frontier -->\nIt costs <!-- = prices -->1<!-- / --> BP.\n")


def test_no_line_begins_with_a_mark() -> None:
    """Markdown takes a line that begins with a comment for HTML: readers of the file would see its marks."""
    assert re.findall(r"^ *<!-- (?:= \w+|/) -->.*", TEXT, re.MULTILINE) == []


# --- nothing left out ---

SAMPLES: dict[str, Any] = {"upgrades": "barracks", "allows": ("troops",), "heals": "wounded"}
EFFECTS = [field.name for field in fields(Building) if field.default is not MISSING]
LOOKOUT = Building("lookout", "Lookout", 1, 60, 5)


@pytest.mark.parametrize("name", [name for name in EFFECTS if name != "income_needs"])  # said with income_percent
def test_what_a_building_does_has_words(name: str) -> None:
    """Seen to fail with a new field ``sight``: its building showed as "nothing in these rules"."""
    building = replace(LOOKOUT, **{name: SAMPLES.get(name, 1)})
    said = set(effects(RULESET, building, TableTranslations("en"))) - {"nothing in these rules"}
    assert said, f"server/rulebook/economy.py, effects: no words for Building.{name}"


def test_a_building_that_only_costs_does_nothing() -> None:
    """Computer players give it up; a field that is neither an effect nor said would cost them the building."""
    idle = [building.id for building in RULESET.buildings.values() if not building.does_something]
    assert idle == ["prison"]
    assert list(effects(RULESET, LOOKOUT, TableTranslations("en"))) == ["nothing in these rules"]


@pytest.mark.parametrize("decision", DECISIONS + READINGS)
def test_every_decision_is_marked_where_it_applies(decision: str) -> None:
    assert re.search(rf"{decision}\b", PROSE.split("## Reference")[0]), f"{decision} is not mentioned"


def test_every_reading_has_its_line() -> None:
    assert re.findall(r"^\| (R-\d\d) ", part("Further rulings"), re.MULTILINE) == READINGS


def test_no_decision_is_invented() -> None:
    assert set(re.findall(r"\b[DR]-\d\d[a-z]?\b", TEXT)) <= set(DECISIONS) | set(READINGS)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_of_the_source_is_there(section: str) -> None:
    assert any(heading.split()[0] == section for heading in HEADINGS)


def test_sections_stand_in_order() -> None:
    numbers = [heading.split()[0] for heading in HEADINGS if heading[0].isdigit()]
    assert list(dict.fromkeys(numbers)) == SECTIONS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.TYPE}-{kind.PHASE[0]}")
def test_every_order_is_explained(kind: Any) -> None:
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` ", part("Orders"), re.MULTILINE)
    phases = [phases.lower() for phases, type_ in rows if type_ == kind.TYPE]
    wanted = "all" if len(kind.PHASE) > 3 else kind.PHASE[-1].replace("_", " ")
    assert any(wanted in phase.split(", ") for phase in phases), (
        f"docs/rulebook.md, Orders: no row for {kind.TYPE} in {wanted}"
    )


def test_no_order_is_invented() -> None:
    rows = set(re.findall(r"^\| [^|]+ \| `(\w+)` ", part("Orders"), re.MULTILINE))
    assert sorted(rows - {kind.TYPE for kind in KINDS}) == [], "docs/rulebook.md has rows for orders that do not exist"


def test_every_refusal_is_explained() -> None:
    codes = re.findall(r"^\| `(\w+)` ", part("Refusals"), re.MULTILINE)
    assert sorted(codes) == sorted(INVALID | ILLEGAL)


def test_the_refusals_are_on_the_right_side() -> None:
    not_recognised, not_allowed = part("Refusals").split("*Recognised, but not allowed:*")
    assert set(re.findall(r"^\| `(\w+)` ", not_recognised, re.MULTILINE)) == INVALID
    assert set(re.findall(r"^\| `(\w+)` ", not_allowed, re.MULTILINE)) == ILLEGAL


def calls(*names: str) -> Iterator[ast.Call]:
    """Yield every call of a function or method of these names in the rules."""
    for path in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in names:
                    yield node


def texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts that an expression can be, a choice between two included."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def test_every_event_is_explained() -> None:
    emitted = {type_ for call in calls("emit", "emit_public") if call.args for type_ in texts(call.args[0])}
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", part("Events"), re.MULTILINE)
    explained = [name.strip("`") for row in rows for name in row.split(", ")]
    assert len(emitted) > 50
    assert sorted(explained) == sorted(emitted)


def test_what_refusals_cite_is_there() -> None:
    cited = [text for call in calls("Problem") if len(call.args) > 4 for text in texts(call.args[4])]
    known = {*SECTIONS, *DECISIONS, "Placement"}
    assert cited
    assert [each for text in cited for each in text.split(", ") if each and each not in known] == []


# --- links and examples ---


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    anchors = {f"#{slug(heading)}" for heading in HEADINGS}
    files = [link for link in links if not link.startswith("#")]
    assert [link for link in links if link.startswith("#") and link not in anchors] == []
    assert [file for file in files if not (BOOK.parent / file).exists()] == []


EXAMPLE = re.compile(r"<!-- example: (\S+) -->\n(.*?)<!-- /example -->", re.DOTALL)


def numbers(value: Any) -> Iterator[str]:
    """Yield every whole number in a part of a case."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield str(value)
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from numbers(each)


@pytest.mark.parametrize(("path", "text"), EXAMPLE.findall(TEXT))
def test_an_example_is_a_case_that_passes(path: str, text: str) -> None:
    assert run_case(ROOT / path).failures == []


@pytest.mark.parametrize(("path", "text"), EXAMPLE.findall(TEXT))
def test_an_example_has_the_numbers_and_hexes_of_its_case(path: str, text: str) -> None:
    expect = tomllib.loads((ROOT / path).read_text(encoding="utf-8"))["expect"]
    expect["rejected"] = [each["code"] for each in expect.get("rejected", ())]
    wanted = {*numbers(expect), *expect.get("hexes", ()), *expect["rejected"]}
    wanted |= {
        each["at"]
        for name in ("detachments", "garrisons", "convoys")
        for each in expect.get(name, {}).values()
        if "at" in each
    }
    assert wanted - set(re.findall(r"\w+", text)) == set()


def test_every_phase_has_its_example() -> None:
    quoted = [ROOT / path for path, _ in EXAMPLE.findall(TEXT)]
    assert [path.name[0] for path in quoted] == [str(n) for n in range(9)]
    assert sorted(quoted) == find([EXAMPLES])
