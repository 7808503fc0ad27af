"""BP as reports book them: what an event says, and what only its price says."""

from __future__ import annotations

from typing import Any

import pytest

from server import rulesets
from server.core.events import Event
from server.play.context import utc_now
from server.play.views.history import PhaseInfo
from server.rules.sight import GM, SPECTATOR
from server.rules.state import Settings, State
from server.scenarios import library
from server.scenarios.begin import initial_state
from server.web.presenters.phase_reports import Background, Filter, ledger_amount, phase_report

RULES = rulesets.load("frontier")
TOWN, CAMP = RULES.urban[1], RULES.strongholds[0]


@pytest.fixture
def state() -> State:
    """A builds strongholds at three quarters of the price, b at the full one."""
    cheap = next(id_ for id_, each in RULES.factions.items() if each.stronghold_percent == 75)
    full = next(id_ for id_, each in RULES.factions.items() if each.stronghold_percent == 100)
    players = [("a", cheap), ("b", full)]
    return initial_state(library.load("the-pass"), RULES, Settings(), players, id_key=b"x")


@pytest.mark.parametrize(
    ("type_", "fields", "mine", "theirs"),
    [
        ("income", {"total": 70}, 70, 70),
        ("maintenance", {"bp": 30}, -30, -30),
        ("urban_built", {"by": "a", "hex": "0405", "size": RULES.urban[0].id}, -RULES.urban[0].cost, 0),
        ("urban_upgraded", {"by": "a", "hex": "0405", "size": TOWN.id}, -TOWN.cost, 0),
        ("stronghold_built", {"by": "a", "hex": "0405", "stronghold": CAMP.id}, -CAMP.cost * 75 // 100, 0),
        ("stronghold_upgraded", {"by": "b", "hex": "0405", "stronghold": CAMP.id}, 0, -CAMP.cost),
        ("road_built", {"by": "a", "from": "0405", "to": "0406"}, -RULES.road_cost, 0),
        ("road_failed", {"urban": "0405", "from": "0405", "to": "0406"}, -RULES.road_cost, -RULES.road_cost),
        ("convoy_captured", {"by": "a", "bp": 50}, 50, -50),
        ("claimed", {"by": "a", "hex": "0405"}, 0, 0),
    ],
)
def test_booking(state: State, type_: str, fields: dict[str, Any], mine: int, theirs: int) -> None:
    event = Event(type_, fields, ("a", "b"))
    assert (ledger_amount(event, "a", state), ledger_amount(event, "b", state)) == (mine, theirs)


def test_a_part_of_a_price_is_rounded_up() -> None:
    """150 BP at 75 % are 112.5: what is paid, and booked, is 113."""
    rules = rulesets.load("wh40k-2001")
    cheap = next(id_ for id_, each in rules.factions.items() if each.stronghold_percent == 75)
    others = [id_ for id_, each in rules.factions.items() if each.stronghold_percent == 100]
    state = initial_state(library.load("the-pass"), rules, Settings(), [("a", cheap), ("b", others[0])], id_key=b"x")
    odd = next(type_ for type_ in rules.strongholds if type_.cost == 150)
    event = Event("stronghold_built", {"by": "a", "hex": "0405", "stronghold": odd.id}, ("a",))
    assert ledger_amount(event, "a", state) == -113


def test_who_knows_all_sees_everybodys_books_apart(state: State) -> None:
    events = [
        Event("income", {"total": 70, "space": 0, "hexes": 0, "urban": {}, "resources": {}}, ("a",)),
        Event("urban_built", {"by": "b", "hex": "0405", "size": TOWN.id}, ("a", "b"), public=True),
        Event("convoy_captured", {"by": "a", "convoy": "c1", "hex": "0405", "bp": 50}, ("a", "b")),
    ]
    info = PhaseInfo(1, 2, 1, "build", utc_now(), None, utc_now(), *[None] * 8)
    known = Background({}, state)

    def books(viewer: str) -> list[tuple[str, int, int]]:
        found = phase_report(info, events, known, "en", Filter(), viewer).ledgers
        return [(each.player, each.earned, each.spent) for each in found]

    assert books(GM) == [("a", 120, 0), ("b", 0, TOWN.cost + 50)]
    assert books("a") == [("", 120, 0)]
    assert books(SPECTATOR) == []
