"""Hypothesis strategies for the nouns of the campaign.

States made here are well formed (ids differ, hexes are on the map, one detachment in a hex) but
need not be reachable by play: what reads and writes states must stand all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from server.core.events import Event
from server.rules.board import ORBIT, Board
from server.rules.ruleset import FLAGS, MOBILITIES, SLOTS, Ruleset
from server.rules.state import (
    ORDER_PHASES,
    OVER,
    Battle,
    Convoy,
    Detachment,
    Garrison,
    Player,
    Settings,
    State,
    Stronghold,
    Unit,
    Urban,
)
from server.rules.versions import VERSIONS
from server.rulesets import load

T = TypeVar("T")

RULESET = load("wh40k-2001")
PLAYERS = ("red", "blue", "green", "yellow")

names = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=12)
"""What people call things: any printable characters."""
ids = st.text("0123456789abcdef", min_size=1, max_size=12)
amounts = st.integers(0, 100_000)


def _one_of(keys: Sequence[str] | Mapping[str, Any]) -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(keys))


def _some_of(keys: Sequence[str] | Mapping[str, Any]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(_one_of(keys), unique=True, max_size=3).map(lambda found: tuple(sorted(found)))


@st.composite
def boards(draw: st.DrawFn, ruleset: Ruleset = RULESET, maximum: int = 5) -> Board:
    """Boards of up to *most* x *most* hexes, of any terrain."""
    columns, rows = draw(st.integers(1, maximum)), draw(st.integers(1, maximum))
    size = columns * rows
    terrain = draw(st.lists(_one_of(ruleset.terrain), min_size=size, max_size=size))
    return Board(columns, rows, tuple(terrain))


@st.composite
def units(draw: st.DrawFn, id_: str | None = None) -> Unit:
    """Units in any condition."""
    models = draw(st.integers(1, 30))
    ready = draw(st.integers(0, models))
    return Unit(
        id=draw(ids) if id_ is None else id_,
        name=draw(names),
        slot=draw(_one_of(SLOTS)),
        models=models,
        points=draw(st.integers(1, 2000)),
        mobility=draw(_one_of(MOBILITIES)),
        flags=draw(_some_of(FLAGS)),
        bombardment=draw(st.integers(0, 2)),
        ready=ready,
        wounded=draw(st.integers(0, models - ready)),
        damaged=draw(st.booleans()),
    )


def settings() -> st.SearchStrategy[Settings]:
    """Settings of any kind."""
    maybe = st.none() | st.integers(0, 10_000)
    return st.builds(
        Settings,
        alliances=st.booleans(),
        shared_sight=st.booleans(),
        capital_eliminates=st.booleans(),
        last_standing=st.booleans(),
        muster=st.booleans(),
        fleet=st.booleans(),
        victory_points=amounts,
        territory=st.integers(0, 100),
        turn_limit=st.integers(0, 1000),
        battles=st.sampled_from(["choice", "quick", "tabletop"]),
        start_bp=maybe,
        start_urban_count=maybe,
        start_resource_count=maybe,
        readings=st.sampled_from(sorted(VERSIONS)),
        next_readings=st.sampled_from([0, *sorted(VERSIONS)]),
    )


@st.composite
def players(draw: st.DrawFn, id_: str, others: Sequence[str], ruleset: Ruleset = RULESET) -> Player:
    """A player among others."""
    sizes = [each.id for each in ruleset.urban]
    return Player(
        id=id_,
        faction=draw(_one_of(ruleset.factions)),
        strategy=draw(st.integers(1, 3)),
        vp=draw(st.integers(-50, 500)),
        eliminated=draw(st.booleans()),
        allies=draw(_some_of(others)) if others else (),
        declared=draw(_some_of(others)) if others else (),
        serial=draw(amounts),
        start_urban=tuple(draw(st.lists(_one_of(sizes), max_size=2))),
        start_resource=tuple(draw(st.lists(_one_of([resource.id for resource in ruleset.resources]), max_size=2))),
        met=dict.fromkeys(draw(st.lists(ids, max_size=3))),
    )


def urban_hexes(seats: Sequence[str], ruleset: Ruleset = RULESET) -> st.SearchStrategy[Urban]:
    """Urban hexes with any buildings."""
    turns = st.integers(-1, 50)
    return st.builds(
        Urban,
        size=_one_of([each.id for each in ruleset.urban]),
        buildings=_some_of(ruleset.buildings),
        race=_one_of(ruleset.factions),
        capital=_one_of(["", *seats]),
        changed=turns,
        road=turns,
        disbanded=turns,
    )


def strongholds(ruleset: Ruleset = RULESET) -> st.SearchStrategy[Stronghold]:
    """Strongholds with any defences."""
    return st.builds(
        Stronghold,
        type=_one_of([stronghold.id for stronghold in ruleset.strongholds]),
        defences=st.dictionaries(_one_of(ruleset.defences), st.integers(1, 9), max_size=3),
        weapons=_some_of(ruleset.weapons),
        changed=st.integers(-1, 50),
    )


@st.composite
def battles(draw: st.DrawFn, at: int, seats: list[str], place: st.SearchStrategy[int]) -> Battle:
    """Battles in a hex."""
    seat, no_seat = _one_of(seats), _one_of(["", *seats])
    number = st.none() | st.integers(-5, 2000)
    return Battle(
        hex=at,
        attacker=draw(ids),
        defender=draw(ids),
        kind=draw(st.sampled_from(["attack", "planned_attack", "raid", "planned_raid"])),
        attacking=draw(seat),
        defended_by=draw(seat),
        origin=draw(place | st.just(ORBIT)),
        defending=draw(st.booleans()),
        supporters=draw(st.dictionaries(ids, st.sampled_from(["front", "flank", "rear", "defender"]), max_size=3)),
        tabletop=draw(st.booleans()),
        attacker_modifier=draw(number),
        defender_modifier=draw(number),
        attacker_damage=draw(number),
        defender_damage=draw(number),
        winner=draw(no_seat),
        vp=draw(st.integers(0, 15)),
        pillage=draw(amounts),
    )


@st.composite
def detachments(
    draw: st.DrawFn, id_: str, at: int, seats: list[str], own: tuple[Unit, ...], rules: Ruleset
) -> Detachment:
    """Detachments in a hex or in orbit."""
    return Detachment(
        id=id_,
        owner=draw(_one_of(seats)),
        name=draw(names),
        type=draw(_one_of(rules.detachment_types)),
        at=at,
        units=own,
        dxp=draw(st.integers(0, 80)),
        mounted=draw(st.booleans()),
        battle_order=draw(st.sampled_from(["", "inactive", "defend"])),
        ready_in=0 if at == ORBIT else draw(st.integers(0, 3)),
        pinned=draw(st.booleans()),
    )


@st.composite
def states(draw: st.DrawFn, ruleset: Ruleset = RULESET, most_side: int = 5) -> State:
    """Campaigns with everything in them that a state can hold."""
    board = draw(boards(ruleset, most_side))
    seats = draw(st.permutations(PLAYERS))[: draw(st.integers(1, len(PLAYERS)))]
    seat, no_seat = _one_of(seats), _one_of(["", *seats])
    place = st.integers(0, board.size - 1)
    few = min(4, board.size)
    numbered = (f"{number:04x}" for number in range(1000))

    def by_hex(values: st.SearchStrategy[T], maximum: int = few) -> dict[int, T]:
        return draw(st.dictionaries(place, values, max_size=maximum))

    def some_units() -> tuple[Unit, ...]:
        return tuple(draw(units(next(numbered))) for _ in range(draw(st.integers(0, 3))))

    def some_places() -> list[int]:
        return draw(st.lists(place, unique=True, max_size=few // 2 + 1))

    raised = [
        draw(detachments(next(numbered), at, seats, some_units(), ruleset))
        for at in [*some_places(), *[ORBIT] * draw(st.integers(0, 2))]
    ]
    garrisons = [Garrison(next(numbered), draw(seat), at, some_units()) for at in some_places()]
    convoys = [Convoy(next(numbered), draw(seat), draw(place), draw(amounts)) for _ in range(draw(st.integers(0, 4)))]
    edges = [(at, next_) for at in range(board.size) for next_ in board.adjacent[at] if at < next_]
    return State(
        board=board,
        ruleset=ruleset,
        settings=draw(settings()),
        players={id_: draw(players(id_, [each for each in seats if each != id_], ruleset)) for id_ in seats},
        turn=draw(st.integers(0, 1000)),
        phase=draw(st.sampled_from([*ORDER_PHASES, OVER])),
        owner=draw(st.lists(no_seat, min_size=board.size, max_size=board.size)),
        discovered=bytearray(draw(st.lists(st.integers(0, 1), min_size=board.size, max_size=board.size))),
        urban=by_hex(urban_hexes(seats, ruleset)),
        stronghold=by_hex(strongholds(ruleset)),
        resource=by_hex(_one_of([resource.id for resource in ruleset.resources])),
        store=by_hex(st.integers(1, 100_000)),
        harvest=by_hex(st.integers(1, 250)),
        roads=dict.fromkeys(draw(st.lists(st.sampled_from(edges), unique=True, max_size=6))) if edges else {},
        corrupted=by_hex(no_seat),
        infested=by_hex(no_seat),
        detachments={each.id: each for each in raised},
        garrisons={garrison.id: garrison for garrison in garrisons},
        convoys={convoy.id: convoy for convoy in convoys},
        battles={at: draw(battles(at, seats, place)) for at in some_places()},
        lost_characters=dict.fromkeys(f"{draw(seat)}/{draw(names)}" for _ in range(draw(st.integers(0, 2)))),
        system_control=draw(no_seat),
        winners=tuple(draw(st.lists(seat, unique=True))),
        ended_by=draw(st.sampled_from(["", "capital", "turn_limit"])),
        id_key=draw(st.binary(max_size=32)),
    )


plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
"""Any JSON value."""


def events() -> st.SearchStrategy[Event]:
    """Facts of any kind."""
    return st.builds(
        Event,
        type=names,
        fields=st.dictionaries(names, plain_json, max_size=4),
        to=st.lists(st.sampled_from(PLAYERS), unique=True).map(tuple),
        public=st.booleans(),
    )


def big_state(detachments: int, ruleset: Ruleset = RULESET) -> State:
    """Return a campaign with so many detachments of five units, without Hypothesis."""
    side = math.isqrt(detachments) + 1
    board = Board(side, side, ("plains",) * (side * side))
    squad = [Unit(f"{n}", "Squad", "troops", 10, 100, "infantry", ("scout",), 0, 10) for n in range(5)]
    found = (
        Detachment(f"{at:012x}", PLAYERS[at % 4], f"Company {at}", "standard", at, tuple(squad))
        for at in range(detachments)
    )
    return State(
        board,
        ruleset,
        Settings(),
        {id_: Player(id_, "none", 2) for id_ in PLAYERS},
        turn=1,
        owner=[PLAYERS[at % 4] for at in range(board.size)],
        detachments={each.id: each for each in found},
    )
