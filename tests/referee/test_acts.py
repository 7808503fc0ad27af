"""Whatever arrives as an act is an answer, never an exception; what is refused changes nothing; the record says all.

Seen to fail: with ``play`` called before ``check`` in ``submit``, with a fold that forgets the faces already rolled,
with ``Object`` among the acts that are folded.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.dice import SeededDice
from server.missions import library
from server.referee.fold import TableGame, begin, open_for, submit
from server.referee.mission import PLAYERS
from server.referee.registry import DECLARED, WORDS
from server.referee.view import events_for, view_for
from tests.referee.random_play import act_of, beginning

COMBAT_PATROL = [mission.id for mission in library().values() if mission.family == "combat_patrol"]
FIELDS = sorted({name for declared in DECLARED.values() for name in declared})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["red", "1", "r1", "battle"]) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["1", "r1", "oc", "red"]), inner, max_size=4)
    ),
    max_leaves=8,
)


def army(player: str) -> dict[str, Any]:
    """Return a small army with a Warlord, a leader, a squad and a transport."""
    letter = player[0]
    return {
        "painted": player == "red",
        "units": [
            {"id": f"{letter}1", "models": 1, "role": "hq", "flags": ["warlord", "character", "leader"]},
            {"id": f"{letter}2", "flags": ["battleline", "patrol_squads"]},
            {"id": f"{letter}3", "models": 5, "role": "elites"},
            {"id": f"{letter}4", "models": 1, "role": "transport", "capacity": 12, "keywords": ["vehicle"]},
        ],
    }


@cache
def games() -> tuple[TableGame, ...]:
    """Return games of every mission, each somewhere on its way."""
    return tuple(
        table for seed, id_ in enumerate(library()) for table in (some_way(id_, seed, 0), some_way(id_, seed, 60))
    )


def some_way(id_: str, seed: int, acts: int) -> TableGame:
    """Return a game after so many random acts."""
    mission = library()[id_]
    begun = beginning(mission, library(), {player: army(player) for player in PLAYERS})
    table, chance = begin(begun, SeededDice(bytes([seed]))), random.Random(seed)
    for _ in range(acts):
        options = [option for player in PLAYERS for option in open_for(table, player)]
        calm = [option for option in options if option.do not in ("take_back", "object", "end_now", "gain", "lost")]
        if not calm:
            break
        option = chance.choice(calm)
        submit(table, option.by, act_of(option, chance, (mission.width, mission.height)))
    return table


def bytes_of(table: TableGame) -> str:
    """Return everything that anybody may know of a game, and what is kept."""
    return repr([view_for(table.game, viewer) for viewer in (*PLAYERS, "")]) + repr((table.record, table.faces.rolled))


@settings(max_examples=400, deadline=None)
@given(
    game=st.integers(0, 2 * len(library()) - 1),
    by=st.sampled_from([*PLAYERS, "gm", "green", ""]),
    do=st.sampled_from(sorted(WORDS)) | st.text(max_size=5),
    fields=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5),
)
def test_any_json_is_answered_and_a_refusal_changes_nothing(
    game: int, by: str, do: str, fields: dict[str, Any]
) -> None:
    table = games()[game]
    before = bytes_of(table)
    problems = submit(table, by, {"do": do} | fields)
    if problems:
        assert bytes_of(table) == before
        assert all(problem.code and problem.message for problem in problems)


@settings(max_examples=100, deadline=None)
@given(game=st.integers(0, 2 * len(library()) - 1), content=JSON)
def test_any_content_is_answered(game: int, content: Any) -> None:
    assert submit(games()[game], "red", content) or isinstance(content, dict)


@pytest.mark.parametrize("id_", list(library()))
def test_the_record_gives_the_same_game_again(id_: str) -> None:
    table = some_way(id_, 5, 150)
    again = begin(table.beginning, SeededDice(bytes([5])))
    for recorded in table.record:
        assert submit(again, recorded.by, recorded.content) == []
    assert bytes_of(again) == bytes_of(table)
    for viewer in (*PLAYERS, ""):
        assert events_for(again.events, viewer) == events_for(table.events, viewer)


@pytest.mark.parametrize("id_", list(library()))
def test_taking_back_gives_the_game_as_it_was(id_: str) -> None:
    table, chance = some_way(id_, 7, 40), random.Random(3)
    size = (table.game.mission.width, table.game.mission.height)
    for _ in range(40):
        options = [option for player in PLAYERS for option in open_for(table, player)]
        option = chance.choice([option for option in options if option.do not in ("take_back", "object")] or options)
        before = repr([view_for(table.game, viewer) for viewer in PLAYERS])
        objection, acts = table.game.objection, len(table.game.acts)
        if submit(table, option.by, act_of(option, chance, size)) or objection is not None:
            continue
        if chance.random() < 0.5 and len(table.game.acts) > acts:
            assert submit(table, "red", {"do": "take_back"}) == []
            assert submit(table, "blue", {"do": "take_back"}) == []
            assert repr([view_for(table.game, viewer) for viewer in PLAYERS]) == before


def test_dice_stay_when_acts_are_taken_back() -> None:
    table = some_way("sweeping_raid", 1, 0)
    rolled = {label: list(faces) for label, faces in some_way("sweeping_raid", 1, 120).faces.rolled.items()}
    again = some_way("sweeping_raid", 1, 120)
    for _ in range(10):
        submit(again, "red", {"do": "take_back"})
        submit(again, "blue", {"do": "take_back"})
    assert {label: again.faces.rolled[label] for label in rolled} == rolled
    assert table.faces.rolled == {}


@pytest.mark.parametrize("id_", COMBAT_PATROL)
def test_nobody_learns_a_sealed_declaration(id_: str) -> None:
    def seen(*units: str, painted: bool) -> str:
        table = some_way(id_, 0, 0)
        assert submit(table, "red", {"do": "declare", "units": list(units), "painted": painted}) == []
        return repr([(view_for(table.game, who), events_for(table.events, who)) for who in ("blue", "")]) + repr(
            [option.to_json() for option in open_for(table, "blue")]
        )

    assert seen("r1", painted=True) == seen("r1", "r2", "r3", painted=False)


def test_nobody_learns_sealed_formations() -> None:
    def known(**formations: Any) -> str:
        begun = beginning(
            library()["clash_of_patrols"],
            library(),
            {player: army(player) for player in PLAYERS},
            start={"stage": "formations"},
        )
        table = begin(begun, SeededDice(b""))
        assert submit(table, "red", {"do": "formations", **formations}) == []
        return repr([(view_for(table.game, who), events_for(table.events, who)) for who in ("blue", "")]) + repr(
            [option.to_json() for option in open_for(table, "blue")]
        )

    assert known(reserves=["r3"]) == known() == known(attached={"r1": "r2"}, embarked={"r2": "r4"})
