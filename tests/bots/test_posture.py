"""Postures of computer players: example 20 of the reading, and what each event counts (P-30 to P-37)."""

from __future__ import annotations

from server.bots.memory import Fight, Memory, Sighting, remember
from server.bots.posture import evaluate, figures, gives_up
from server.core.events import Event
from server.core.posture import results
from server.rules.sight import View
from server.rules.state import State
from tests.rules.builders import campaign, detachment, own_around, town

READING = figures("reading")


def test_example_20() -> None:
    marks = {"A": 6, "B": 2, "D": 7, "E": 1, "F": READING.losses(400, 2000), "G": READING.losses(150, 2000)}
    assert (marks["F"], marks["G"]) == (6, 2)
    assert results(marks) == {"x": -4, "y": -6, "z": -4}
    after = evaluate(READING, 5, -6, marks)
    assert (after.score, after.posture) == (-18, "defensive")
    defensive, normal = READING.posture(-18), READING.posture(0)
    assert defensive.draws[5 - 1] == "close"
    assert READING.intends["close"] == "attack"
    assert not defensive.attacks(420, 300)
    assert normal.attacks(420, 300)


def test_every_boundary() -> None:
    names = {score: READING.posture(score).name for score in (-31, -30, -16, -15, 15, 16, 30, 31)}
    assert names == {
        -31: "hopeless",
        -30: "defensive",
        -16: "defensive",
        -15: "normal",
        15: "normal",
        16: "aggressive",
        30: "aggressive",
        31: "overconfident",
    }


def test_the_faces_of_each_column_are_the_weights_of_the_reading() -> None:
    kinds = ("attack", "advance", "hold", "reinforce", "withdraw")
    weights = {
        posture.name: [sum(READING.intends[face] == kind for face in posture.draws) for kind in kinds]
        for posture in READING.postures
    }
    assert weights == {
        "overconfident": [5, 1, 3, 1, 0],
        "aggressive": [4, 4, 1, 1, 0],
        "normal": [3, 3, 2, 1, 1],
        "defensive": [3, 2, 2, 2, 1],
        "hopeless": [0, 0, 7, 2, 1],
    }


def test_an_old_score_fades_towards_nothing_from_both_sides() -> None:
    nothing = dict.fromkeys("ABDEFG", 0)
    assert [READING.score(score, nothing) for score in (7, -7, 1, -1)] == [5, -5, 0, 0]


def test_hopeless_twice_in_a_row_gives_up() -> None:
    nothing = dict.fromkeys("ABDEFG", 0)
    bad, worse = (evaluate(READING, turn, -80, nothing) for turn in (1, 2))
    assert not gives_up((bad,))
    assert gives_up((bad, worse))
    assert not gives_up((bad, worse, evaluate(READING, 3, 0, nothing)))


def stood() -> State:
    state = campaign()
    own_around(state, "red", "0505", 1)
    town(state, "red", "0505", "metropol", 0, capital=True)
    detachment(state, "red", "r1", "0505")
    detachment(state, "blue", "b1", "0506")
    return state


def event(type_: str, **fields: object) -> Event:
    return Event(type_, fields, ("red", "blue"))


def marked(state: State, memory: Memory, *events: Event) -> dict[str, int]:
    view = View("red", state, tuple(range(state.board.size)), events)
    return {row: marks for row, marks in remember(memory, view, READING).marks.items() if marks}


def test_rows_a_and_b() -> None:
    state = stood()
    before = Memory(fights={"0506": Fight("red", "blue", False, ()), "0505": Fight("blue", "red", True, ())}, base=1000)
    lost = event("battle_fought", hex="0506", winner="blue", attacker_damage=0, defender_damage=0)
    held = event("battle_fought", hex="0505", winner="red", attacker_damage=0, defender_damage=0)
    assert marked(state, before, lost) == {"A": 3}
    assert marked(state, before, held) == {"B": 2}
    assert marked(state, before, event("attack_failed", force="r1", reason="contested")) == {"A": 1}
    assert marked(state, before, event("blocked", force="r1", hex="0505", contact=True)) == {"A": 1}
    assert marked(state, before, event("blocked", force="r1", hex="0505", contact=False)) == {}
    assert marked(state, before, event("claimed", hex="0505", by="blue", before="red")) == {"A": 5}
    assert marked(state, before, event("claimed", hex="0606", by="red", before="blue")) == {"B": 1}
    assert marked(state, before, event("claimed", hex="0606", by="red", before="")) == {}
    assert marked(state, before, event("withdrew", force="r1", start="0505", hex="0504")) == {"B": 1}


def test_rows_d_to_g() -> None:
    state = stood()
    points = state.ready_points(state.detachments["r1"])
    seen = {"r1": Sighting(0, "red", points, 0, False), "b1": Sighting(0, "blue", points, 0, False)}
    before = Memory(fights={"0506": Fight("red", "blue", False, ())}, base=2000, forces=seen)
    assert marked(state, before, event("retreated", force="r1", start="0505", hex="0504")) == {"D": 3}
    assert marked(state, before, event("retreated", force="b1", start="0505", hex="0504")) == {"E": 3}
    fought = event("battle_fought", hex="0506", winner="red", attacker_damage=400, defender_damage=150)
    assert marked(state, before, fought) == {"B": 3, "F": 2, "G": 6}
    del state.detachments["b1"]
    state.reindex()
    assert marked(state, before) == {}
    assert marked(state, before, event("destroyed", force="b1", hex="0506", reason="battle")) == {"E": 1}


def test_a_new_turn_evaluates() -> None:
    state = stood()
    state.turn, state.players["red"].vp, state.players["blue"].vp = 4, 9, 3
    before = Memory(base=1000, vp={"red": 2, "blue": 0})
    view = View("red", state, (), (event("new_turn", turn=4),))
    after = remember(before, view, READING)
    assert [(each.turn, each.score, each.y) for each in after.history] == [(3, 2, 2)]
    assert set(after.marks.values()) == {0}
