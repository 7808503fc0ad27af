"""Every kind of order is whole: a piece that is forgotten is named by the test that fails.

Tried with an order that had nothing but its name (in ``orders/movement.py``: a class with a TYPE and no more):
``test_every_file_is_registered`` failed ("['Entrench'] ... have no line in registry.KINDS"). With its line there failed
``test_it_says_its_fields`` ("FIELDS is missing"), ``test_it_does_something`` ("accepted and does nothing"),
``test_it_has_its_texts`` for both languages (and without its word for the map alone), ``test_it_has_a_case``,
``test_its_row_in_the_rulebook_names_its_fields``, and ``test_every_order_is_explained`` of the rulebook. It is offered
by what it inherits; an order of Build that offers itself nowhere fails ``test_it_is_offered``, a field of an unknown
kind ``test_its_form_can_be_drawn``. A word that lines of text do not know is named as soon as the order is imported.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from server.rules import orders
from server.rules.orders.base import ImmediateOrder, Order
from server.rules.orders.battle_movement import BattleOrder
from server.rules.orders.battles import BattlesOrder
from server.rules.orders.context import OrderContext
from server.rules.orders.fields import Fields
from server.rules.orders.movement_order import MovementOrder
from server.rules.orders.registry import KINDS
from server.web.translations import Translations
from tests.rules.builders import campaign

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "server" / "web" / "static" / "table"
RULEBOOK = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
OFFERS = (
    "offered", "offered_in", "offered_to_convoy", "offered_to_force", "offered_to", "offered_to_free",
    "offered_to_able", "offered_in_battle", "offered_about",
)  # fmt: skip
STEPS: dict[type[Order], tuple[str, ...]] = {
    ImmediateOrder: ("carry_out",),
    MovementOrder: ("begin", "move", "move_last", "claim"),
    BattleOrder: ("play", "gives_way"),
    BattlesOrder: ("hand_in",),
}
"""What a kind of order may do when its phase is played, by what it is."""

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.PHASE[0]}-{kind.TYPE}")
both_languages = pytest.mark.parametrize("language", ["en", "de"])


def modules() -> list[str]:
    """Return the modules in which orders lie."""
    return [module.name for module in walk_packages(orders.__path__, f"{orders.__name__}.") if not module.ispkg]


@pytest.mark.parametrize("module", modules(), ids=lambda name: name.removeprefix(f"{orders.__name__}."))
def test_every_file_is_registered(module: str) -> None:
    here = [thing for thing in vars(import_module(module)).values() if getattr(thing, "__module__", "") == module]
    kinds = [thing for thing in here if isinstance(thing, type) and issubclass(thing, Order) and "TYPE" in vars(thing)]
    missing = [kind.__name__ for kind in kinds if kind not in KINDS]
    assert not missing, f"{missing} of {module} have no line in registry.KINDS"


def read_fields(kind: type[Order]) -> tuple[set[str], set[str]]:
    """Return the names of the fields an order of the kind reads, and of those it misses when none is there."""
    names, missing = set[str](), set[str]()
    for order in ({}, *({field.name: "?"} for field in kind.FIELDS)):
        fields = Fields(order, OrderContext(campaign(), "red"))
        kind.read(fields)
        names |= {name for name in NAMES if fields.has_read(name)}
        missing |= {problem.field for problem in fields.problems if problem.code == "missing_field" and not order}
    return names, missing


NAMES = sorted({field.name for kind in KINDS for field in getattr(kind, "FIELDS", ())})


@every_kind
def test_it_says_its_fields(kind: type[Order]) -> None:
    """A field that only ``read`` or only FIELDS knows is a form that cannot write the order, or writes it wrong."""
    assert isinstance(getattr(kind, "FIELDS", None), tuple), f"{kind.TYPE}: FIELDS is missing"
    names, missing = read_fields(kind)
    fields = {field.name for field in kind.FIELDS}
    assert fields == names - ({"convoy"} - fields)  # read for the refusal of its own that convoys have
    assert {field.name for field in kind.FIELDS if field.needed} <= missing


@every_kind
def test_it_does_something(kind: type[Order]) -> None:
    base, steps = next((base, steps) for base, steps in STEPS.items() if issubclass(kind, base))
    played = [step for step in steps if getattr(kind, step) is not getattr(base, step)]
    assert played or kind.IDLE, f"{kind.TYPE} is accepted and does nothing: give it one of {steps}, or say IDLE"
    assert not (played and kind.IDLE), f"{kind.TYPE} is called idle, but does something"


@every_kind
def test_it_is_offered(kind: type[Order]) -> None:
    own = [
        name
        for name in OFFERS
        if getattr(kind, name, None)
        and getattr(kind, name).__func__ is not getattr(getattr(Order, name, None), "__func__", None)
    ]
    assert own, f"{kind.TYPE} is nowhere offered: give it one of {OFFERS}"


@both_languages
@every_kind
def test_it_has_its_texts(kind: type[Order], language: str) -> None:
    """A sentence for lists and mails, a name and labels for the form, a word for the map where no arrow is drawn."""
    names = {field.name for field in kind.FIELDS}
    keys = [f"order.{key}" for _, key in kind.SENTENCES or (("", kind.TYPE),)]
    keys += [field.told for field in kind.FIELDS if field.kind == "flag"]
    if kind.FORM:
        keys += [f"type.{kind.TYPE}", *(f"field.{field.name}" for field in kind.FIELDS)]
    if kind.description()["to_force"]:
        keys.append(f"type_why.{kind.TYPE}")
    if names & {"detachment", "convoy"} and not names & {"path", "target", "units"}:
        keys.append(f"short.{kind.TYPE}")
    t = Translations(language)
    missing = [f"table.{key}" for key in keys if not t.has(f"table.{key}")]
    assert not missing, f"{kind.TYPE} needs these in server/web/texts/{language}: {missing}"


@every_kind
def test_its_form_can_be_drawn(kind: type[Order]) -> None:
    known = set(re.findall(r'"(\w+)"', "".join(drawing())))
    unknown = [field.kind for field in kind.FIELDS if field.kind not in known]
    assert not kind.FORM or not unknown, f"any_form.js and choices.js know nothing of {unknown}"


def drawing() -> Iterator[str]:
    """Yield the lines of the scripts that tell kinds of fields apart."""
    for name in ("any_form.js", "choices.js"):
        for line in (SCRIPTS / name).read_text(encoding="utf-8").splitlines():
            if re.search(r"kind === |case |TYPED = |LISTED = ", line):
                yield line


@cache
def ordered_in_cases() -> frozenset[tuple[str, str]]:
    """Return the phase and type of each order in a rule case."""
    found = set[tuple[str, str]]()
    for path in sorted((ROOT / "tests" / "cases").rglob("*.toml")):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        phases = case.get("phase", ())
        for order in case.get("orders", ()):
            for phase in [order["phase"]] if "phase" in order else [phases] if isinstance(phases, str) else phases:
                found.add((phase, order.get("type", "")))
    return frozenset(found)


@every_kind
def test_it_has_a_case(kind: type[Order]) -> None:
    cases = [phase for phase in kind.PHASE if (phase, kind.TYPE) in ordered_in_cases()]
    assert cases, f"no rule case under tests/cases orders {kind.TYPE} in {kind.PHASE}"


@every_kind
def test_its_row_in_the_rulebook_names_its_fields(kind: type[Order]) -> None:
    table = RULEBOOK.split("\n### Orders\n")[1].split("\n### ")[0]
    rows = re.findall(rf"^\| [^|]+ \| `{kind.TYPE}` \| ([^|]+) \|", table, re.MULTILINE)
    wanted = {field.name for field in kind.FIELDS}
    assert any(wanted <= set(re.findall(r"`(\w+)`", row)) for row in rows), f"{kind.TYPE}: one row with {wanted}"
