"""Orders as text: what is written reads back to the same orders, what people write is understood, nothing is raised.

Seen to fail: with a writer that does not look whether its line reads back; with numbers that may be shortened
("Column 1" for "Column 11"); with comments taken as words; with line separators left in a line of JSON.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.cases import find
from server.cases.position import set_up
from server.cases.read import read
from server.rules.orders.registry import KINDS
from server.rules.orders.text.names import Names
from server.rules.sight import View, view_for
from server.rules.state import State
from server.rules.text import ReadText, read_orders, write_orders
from tests.rules.builders import campaign, convoy, detachment, town, unit

ROOT = Path(__file__).parents[3]
CASES = [path for path in find([ROOT / "tests" / "cases"]) if "game" not in tomllib.loads(path.read_text("utf-8"))]
DOC = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|$", DOC, re.MULTILINE)
ISSUED = """
Column 4: move 0404 0505           # also: move Column 4 to 0404, 0505
move Column 4 to 0404, 0505
claim 3rd Company                  # claim_area; "move and claim Column 2: 0305"
move and claim Column 2: 0305
attack 1st Company -> 0505 planned # or: Column 1 attacks Gate Field
Column 1 attacks Gate Field
support Column 3 -> Column 1
build market at 0202
raise "Iron Guard" at 0303: hq Captain 80; 3 x troops Squad 10 models 100
convoy at 0202 with 150            # create_convoy
battle 0505: quick; lose s1:half, s2; pick b4
result 0505: red won; lost r1 3, r2 all; retreated blue
final
"""

FORCES = ["Column 1", "Column 2", "Column 3", "Column 4", "Column 11", "1st Company", "3rd Company"]


def position() -> State:
    state = campaign({"red": "none", "blue": "none"}, phase="movement")
    for place, name in enumerate(FORCES):
        detachment(state, "red", f"r{place}", f"03{place + 1:02}", unit(f"u{place}", flags=("scout",)))
        state.detachments[f"r{place}"].name = name
    detachment(state, "blue", "b0", "0402", unit("v0"))
    state.detachments["b0"].name = "Green Tide"
    convoy(state, "red", "c1", "0202", 150)
    town(state, "red", "0202", "town", 500)
    return state


@pytest.fixture(scope="module")
def names() -> Names:
    view = view_for(position(), (), "red")
    found = Names.of(view)
    found.hexes["gate field"] = "0505"
    return found


def understood(text: str, view: View | Names | None = None, phase: str = "") -> list[Any]:
    found = read_orders(text, view, phase)
    assert not found.problems
    return list(found.orders)


# --- what is written reads back ---


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_order_set_of_a_case_reads_back(path: Path) -> None:
    """With the position the case begins with and without any; in both the very same JSON comes back."""
    case = read(tomllib.loads(path.read_text(encoding="utf-8")))
    state = set_up(case)
    sets: dict[str, list[Any]] = {}
    for order in case.orders:
        sets.setdefault(order.player, []).append(dict(order.content))
    for player, orders in sets.items():
        for view in (None, view_for(state, (), player)):
            assert understood(write_orders(orders, view), view) == orders


def test_what_has_words_is_not_written_as_json() -> None:
    text = "".join(f"{line}\n" for _, line in EXAMPLES)
    assert "{" not in write_orders(understood(text))


@pytest.mark.parametrize(
    "name", ["A: B", "X # Y", "move", "0505", "Gate -> Field", "“Q”", "a,b;c", "as", "Ö-1", "x" * 60]
)
def test_any_name_reads_back(name: str) -> None:
    state = position()
    state.detachments["r0"].name = name
    view = view_for(state, (), "red")
    orders: list[Any] = [
        {"type": "attack", "detachment": "r0", "target": "b0"},
        {"type": "follow", "detachment": "r1", "target": "r0"},
        {"type": "build_detachment", "at": "0202", "name": name, "units": []},
    ]
    assert understood(write_orders(orders, view), view) == orders


WORDLESS = [None, 5, "x", [1], {"type": ["x"]}, {"type": "guard", "detachment": None, "x": "\u2028"},
            {"type": "attack", "detachment": "a\nb", "target": True}]  # fmt: skip


@pytest.mark.parametrize("order", WORDLESS)
def test_what_has_no_words_reads_back(order: Any) -> None:
    assert understood(write_orders([order])) == [order]


# --- what people write ---


def test_the_guide_has_a_line_for_every_order() -> None:
    missing = {kind.TYPE for kind in KINDS} - {type_ for type_, _ in EXAMPLES}
    assert not missing, f"docs/orders.md has no line for {sorted(missing)}"
    assert not {type_ for type_, _ in EXAMPLES} - {kind.TYPE for kind in KINDS}


def test_the_german_guide_has_the_same_lines() -> None:
    german = (ROOT / "docs" / "orders.de.md").read_text(encoding="utf-8")
    for lines in (r"^\| `(\w+)` \| `([^`]+)` \|$", r"(?s)```text\n(.*?)```"):
        assert re.findall(lines, german, re.MULTILINE) == re.findall(lines, DOC, re.MULTILINE)


@pytest.mark.parametrize(("type_", "line"), EXAMPLES)
def test_every_line_of_the_guide_is_understood(type_: str, line: str) -> None:
    orders = understood(line)
    assert [order["type"] for order in orders] == [type_]
    assert understood(write_orders(orders)) == orders


@pytest.mark.parametrize("block", re.findall(r"```text\n(.*?)```", DOC, re.DOTALL))
def test_every_block_of_the_guide_is_understood(block: str) -> None:
    found = read_orders(block)
    assert not found.problems
    assert len(found.orders) + (found.final is True) == len(block.splitlines())


def test_lines_as_people_send_them() -> None:
    found = read_orders(ISSUED)
    assert not found.problems
    assert found.final is True
    assert list(found.orders) == [
        {"type": "path", "detachment": "Column 4", "path": ["0404", "0505"]},
        {"type": "path", "detachment": "Column 4", "path": ["0404", "0505"]},
        {"type": "claim_area", "detachment": "3rd Company"},
        {"type": "move_and_claim", "detachment": "Column 2", "path": ["0305"]},
        {"type": "attack", "detachment": "1st Company", "target": "0505", "planned": True},
        {"type": "attack", "detachment": "Column 1", "target": "Gate Field"},
        {"type": "support", "detachment": "Column 3", "target": "Column 1"},
        {"type": "build_building", "building": "market", "at": "0202"},
        {
            "type": "build_detachment",
            "name": "Iron Guard",
            "at": "0303",
            "units": [
                {"name": "Captain", "slot": "hq", "models": 1, "points": 80, "mobility": "infantry"},
                *[{"name": "Squad", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry"}] * 3,
            ],
        },
        {"type": "create_convoy", "at": "0202", "bp": 150},
        {"type": "fight", "battle": "0505", "mode": "quick", "casualties": ["s1:half", "s2"], "picks": ["b4"]},
        {
            "type": "report",
            "battle": "0505",
            "winner": "red",
            "losses": {"r1": {"lost": 3}, "r2": {"destroyed": True}},
            "retreated": "blue",
        },
    ]
    assert found.lines == tuple(range(2, 14))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("Column 4: move 0404 0505", {"type": "path", "detachment": "r3", "path": ["0404", "0505"]}),
        ("COLUMN 4 – MOVE 0404 → 0505", {"type": "path", "detachment": "r3", "path": ["0404", "0505"]}),
        ("C4 moves to Gate Field", {"type": "path", "detachment": "r3", "path": ["0505"]}),
        ("c1: move 0203 unload", {"type": "path", "convoy": "c1", "path": ["0203"], "unload": True}),
        ("move convoy 0202 to 0203", {"type": "path", "convoy": "c1", "path": ["0203"]}),
("• “1st comp” => attack green tide, geplant",
         {"type": "attack", "detachment": "r5", "target": "b0", "planned": True}),
        ("2) Column 1 attacks Gate Field", {"type": "attack", "detachment": "r0", "target": "0505"}),
        ("1st Company greift 0505 an", {"type": "attack", "detachment": "r5", "target": "0505"}),
        ("raid Column 2, 0402 not planned", {"type": "raid", "detachment": "r1", "target": "0402", "planned": False}),
        ("support column 3 -> column 1", {"type": "support", "detachment": "r2", "target": "r0"}),
        ("claim 3rd", {"type": "claim_area", "detachment": "r6"}),
        ("Column 2: claim 0303, 0304", {"type": "move_and_claim", "detachment": "r1", "path": ["0303", "0304"]}),
        ("guard Column 1", {"type": "guard", "detachment": "r0"}),
        ("r0 ruht", {"type": "inactive", "detachment": "r0"}),
        ("withdraw column 1 to 0302, Gate Field", {"type": "withdraw", "detachment": "r0", "to": ["0302", "0505"]}),
        ("build weapon tower at 0202", {"type": "build_defence", "defence": "weapon_tower", "at": "0202"}),
        ("build Strategic HQ at 0202", {"type": "build_building", "building": "strategic_hq", "at": "0202"}),
        ("enlarge town at 0202", {"type": "upgrade_urban", "at": "0202"}),
        ("disband column 11", {"type": "disband_detachment", "detachment": "r4"}),
        ("ally with BLUE", {"type": "declare_alliance", "with": "blue"}),
        ("load 150 BP at 0202", {"type": "create_convoy", "at": "0202", "bp": 150}),
    ],
)  # fmt: skip
def test_forgiving(names: Names, line: str, order: dict[str, Any]) -> None:
    assert understood(line, names) == [order]


def test_a_force_that_is_gone_is_not_mistaken_for_another() -> None:
    """A number is not shortened: "Column 1" is not "Column 11"."""
    state = position()
    state.remove_force(state.detachments["r0"])
    (problem,) = read_orders("Column 1: guard", view_for(state, (), "red")).problems
    assert (problem.code, problem.word, problem.nearest) == ("unknown_name", "Column 1", "Column 11")


def test_units() -> None:
    units = '2x troops Squad 2 10 models 100 pts scout deep strike; heavy "Gun 7" 120 artillery 2 tracked id g'
    line = f'raise "A" at 0303 mounted as new: {units}'
    (order,) = understood(line)
    squad = {"name": "Squad 2", "slot": "troops", "models": 10, "points": 100, "mobility": "infantry",
             "flags": ["scout", "deep_strike"]}  # fmt: skip
    gun = {"name": "Gun 7", "slot": "heavy", "models": 1, "points": 120, "mobility": "tracked", "flags": ["artillery"],
           "bombardment": 2, "id": "g"}  # fmt: skip
    assert order["units"] == [squad, squad, gun]
    assert (order["mounted"], order["as"]) == (True, "new")


def test_later_lines_name_what_earlier_ones_create(names: Names) -> None:
    text = "raise A at 0303 as new: hq Captain 80\ndisband new\n"
    assert understood(text, names)[1] == {"type": "disband_detachment", "detachment": "new"}


@pytest.mark.parametrize(("text", "final"), [("final", True), ("- Endgültig.", True), ("not final", False),
                                             ("nicht fertig", False), ("", None)])  # fmt: skip
def test_final(text: str, final: bool | None) -> None:
    assert read_orders(text).final is final


# --- what is not understood ---


@pytest.mark.parametrize(
    ("line", "code", "word", "nearest"),
    [
        ("Column 4: mvoe 0404", "unknown_order", "mvoe", "move"),
        ("Dear all, see you on Sunday", "unknown_order", "all", "ally"),
        ("2nd Company: move 0404", "unknown_name", "2nd Company", "3rd Company"),
        ("Column 1: attack Gat Feild", "unknown_name", "Gat Feild", "gate field"),
        ("Company: guard", "ambiguous", "Company", ""),
        ("Column 1: attack 0505 plannd", "not_understood", "plannd", "planned"),
        ("build baracks at 0202", "unknown_name", "baracks", "Barracks"),
        ("raise X at 0303: troops Squad 10 models 100 trcked", "unknown_name", "trcked", "tracked"),
        ("convoy at 0202", "missing", "", "with"),
        ("convoy at 0202 with", "missing", "", ""),
        ("Column 1: move", "missing", "", "and"),
        ("move Column 12 to 0404", "unknown_name", "Column 12", "Column 2"),
        ("{not json", "not_understood", "{not json", ""),
    ],
)
def test_problems_name_line_word_and_the_nearest(names: Names, line: str, code: str, word: str, nearest: str) -> None:
    found = read_orders(f"# a comment\nguard Column 1\n{line}\nguard Column 2\n", names)
    (problem,) = found.problems
    assert (problem.code, problem.line, problem.text, problem.word) == (code, 3, line, word)
    assert problem.nearest == nearest
    assert [order["detachment"] for order in found.orders] == ["r0", "r1"]
    assert problem.message.startswith("Line 3: ")


# --- whatever it is ---

WORDS = st.sampled_from(
    ["move", "claim", "attack", "Column 1", "0404", "->", ":", ";", ",", "raise", "at", "3 x", "troops", "10", "models",
     "half", "lose", "battle", "result", "won", '"', "“", "#", "as", "not", "planned", "{", "[", "build", "with", "to",
     "restructure", "drop", "final", "9" * 30, "9" * 5000, "٣", "\u202e", "\x00", "works", "lost", "all",
     "convoy", "Gate Field"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.one_of(st.text(), st.lists(WORDS, max_size=25).map(" ".join), st.lists(WORDS, max_size=12).map("\n".join)))
def test_no_text_raises(text: str) -> None:
    view = view_for(position(), (), "red")
    for known in (None, view):
        found = read_orders(text, known)
        assert isinstance(found, ReadText)
        again = write_orders(list(found.orders), known)
        assert list(read_orders(again, known).orders) == list(found.orders)


@pytest.mark.parametrize(
    "line",
    ["build market at 0202.", "1. build market at 0202.", "2) build market at 0202", "• build market at 0202!",
     "build market at ０２０２", "３．　build market at ０２０２。",
     "-build market at 0202", "- 1. build market at 0202"],
)  # fmt: skip
def test_what_lists_and_keyboards_add_does_not_matter(line: str) -> None:
    found = read_orders(line)
    assert (found.orders, found.problems) == (({"type": "build_building", "building": "market", "at": "0202"},), ())


def test_a_full_stop_that_belongs_to_a_name_stays() -> None:
    (order,) = read_orders('raise "Iron Guard Ltd." at 0303: hq Captain 80', view_for(position(), (), "red")).orders
    assert order["name"] == "Iron Guard Ltd."


@pytest.mark.parametrize("sign", ["-", "=", "–", '"', "'", ">", "1.", "(", ":"])
def test_a_long_run_of_one_sign_is_read_in_linear_time(sign: str) -> None:
    """Seen to take minutes with an arrow of any length: here it only has to come to an end."""
    assert read_orders(sign * 20_000).orders == ()
