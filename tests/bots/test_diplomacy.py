"""Diplomacy: alliances offered, accepted, kept and broken for reasons, and letters that differ by temper."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files

import pytest

from server.bots import diplomacy, letters
from server.bots.commander import Mind, choose
from server.bots.diplomacy import Relations, plans
from server.bots.diplomacy_action import ACCEPTED, BROKEN, DECLINED, GREETED, KEPT, OFFERED, DiplomacyAction
from server.bots.letters import LANGUAGES, act_sentence, letter, name_of
from server.bots.levels import LEVELS
from server.bots.memory import Memory, remember
from server.core.dice import SeededDice
from server.rules.phases import begin, resolve
from server.rules.sight import View, view_for
from server.rules.state import OVER, Settings, State
from server.rulesets import load
from server.scenarios import library
from server.scenarios.begin import initial_state

ARMIES = {"p1": "imperial_guard", "p2": "space_marines", "p3": "orks", "p4": "eldar"}
"""A careful, a steadfast, a fierce and a cunning one."""


def table(turn: int = 5, **vp: int) -> State:
    """Return four players in the Build phase of a turn."""
    state = initial_state(
        library.load("four-corners"), load("wh40k-2001"), Settings(last_standing=True), list(ARMIES.items()), b"key"
    )
    state.turn, state.phase = turn, "build"
    for player in state.players.values():
        player.vp = vp.get(player.id, 10)
    return state


def seen(state: State, by: str) -> View:
    return view_for(state, (), by)


def declare(state: State, who: str, toward: str, *, allied: bool = False) -> None:
    state.players[who].declared = (toward,)
    if allied:
        state.players[who].allies = (toward,)
        state.players[toward].declared = state.players[toward].allies = (who,)
        state.alliances_changed()


def done(acts: tuple[DiplomacyAction, ...]) -> list[tuple[str, str, str, str]]:
    return [(act.kind, act.toward, act.reason, act.third) for act in acts]


def test_who_sees_a_leader_looks_for_an_ally_against_them() -> None:
    state = table(p4=30)
    (act,) = plans(seen(state, "p1"), Relations())
    assert (act.kind, act.reason, act.third) == (OFFERED, "leader", "p4")
    assert act.toward in ("p2", "p3")
    assert diplomacy.orders((act,)) == [{"type": "declare_alliance", "with": act.toward}]
    assert plans(seen(state, "p3"), Relations()) == (), "a fierce one fears no leader"
    assert plans(seen(table(), "p1"), Relations()) == (), "no need, no offer"


def test_who_was_attacked_looks_for_help_and_not_from_the_attacker() -> None:
    struck = Relations().attacked(["p2"], 4)
    (act,) = plans(seen(table(), "p3"), struck)
    assert (act.kind, act.reason, act.third) == (OFFERED, "attacked", "p2")
    assert act.toward != "p2"
    assert plans(seen(table(turn=9), "p3"), struck) == (), "that was long ago"


@pytest.mark.parametrize(
    ("to", "struck", "leads", "expected"),
    [
        ("p1", False, False, (ACCEPTED, "p3", "peace", "")),  # careful: peaceful
        ("p4", False, False, (DECLINED, "p3", "no_need", "")),  # cunning: what for?
        ("p1", True, False, (DECLINED, "p3", "attacked_me", "")),
        ("p1", False, True, (DECLINED, "p3", "ally_leads", "")),
    ],
)
def test_an_offer_is_answered(to: str, struck: bool, leads: bool, expected: tuple[str, ...]) -> None:
    state = table(p3=90 if leads else 10)
    declare(state, "p3", to)
    acts = plans(seen(state, to), Relations().attacked(["p3"] if struck else [], 4))
    assert expected in done(acts)
    assert bool([act for act in acts if act.kind == ACCEPTED]) == (expected[0] == ACCEPTED)


def test_an_alliance_is_kept_and_broken_for_reasons() -> None:
    state = table(p4=30)
    declare(state, "p1", "p2", allied=True)
    assert done(plans(seen(state, "p1"), Relations())) == [(KEPT, "p2", "leader", "p4")]
    betrayed = done(plans(seen(state, "p1"), Relations().attacked(["p2"], 4)))
    assert betrayed[0] == (BROKEN, "p2", "betrayed", "")
    assert [act for act in betrayed[1:] if act[1] == "p2"] == [], "nothing is offered to whom it was ended with"
    grown = table(p2=21)
    declare(grown, "p1", "p2", allied=True)
    assert done(plans(seen(grown, "p1"), Relations()))[0] == (BROKEN, "p2", "ally_leads", "")
    few = table()
    declare(few, "p1", "p2", allied=True)
    few.players["p3"].eliminated = few.players["p4"].eliminated = True
    assert done(plans(seen(few, "p1"), Relations())) == [(BROKEN, "p2", "last", "")]
    (order,) = diplomacy.orders(plans(seen(few, "p1"), Relations()))
    assert order == {"type": "end_alliance", "with": "p2"}


def test_an_offer_does_not_stand_for_ever() -> None:
    state = table(turn=9)
    declare(state, "p1", "p2")
    assert plans(seen(state, "p1"), Relations(since={"p2": 8})) == ()
    assert done(plans(seen(state, "p1"), Relations(since={"p2": 3}))) == [(BROKEN, "p2", "unanswered", "")]


def test_there_is_always_somebody_left_to_fight() -> None:
    state = table(p4=90)
    state.players["p3"].eliminated = True
    declare(state, "p2", "p1")
    accepted = [act for act in plans(seen(state, "p1"), Relations()) if act.kind == ACCEPTED]
    assert [act.toward for act in accepted] == ["p2"], "two against one"
    state.players["p4"].eliminated = True
    assert [act.reason for act in plans(seen(state, "p1"), Relations())] == ["last"]


def test_no_alliances_where_the_campaign_has_none() -> None:
    state = table(p4=90)
    state.settings = replace(state.settings, alliances=False)
    assert plans(seen(state, "p1"), Relations()) == ()


@pytest.mark.parametrize("away", ["", "p3"])
def test_campaigns_of_diplomats_are_played_by_the_rules(away: str) -> None:
    """Twelve turns: no order is refused, alliances come about, and each report of an act is what was ordered.

    One is a stand-in for a player who is only *away*: it plans, and orders nothing of it. Seen to fail with acts that
    were taken from the plans alone.
    """
    state = table()
    begun = begin(
        initial_state(
            library.load("four-corners"), load("wh40k-2001"), Settings(turn_limit=12), list(ARMIES.items()), b"key"
        ),
        SeededDice(b"seed"),
    )
    state, ordered, allied, in_vain = begun.state, [], 0, 0
    minds = {player: Mind(LEVELS["recruit"], secret=player.encode(), diplomatic=player != away) for player in ARMIES}
    for number in range(80):
        if state.phase == OVER:
            break
        views = {player.id: view_for(state, (), player.id) for player in state.living()}
        given = {player: choose(view, minds[player]) for player, view in views.items()}
        ordered += [
            (state.turn, player, order["type"], order["with"])
            for player, orders in given.items()
            for order in orders
            if "alliance" in order["type"]
        ]
        made = resolve(state, given, SeededDice(f"dice {number}".encode()))
        assert made.problems == {}
        state = made.state
        allied += sum(event.type == "allied" for event in made.events)
        minds = {
            player: replace(mind, memory=remember(mind.memory, view_for(state, made.events, player)))
            for player, mind in minds.items()
        }
        in_vain += sum(act.kind == OFFERED for act in minds[away].memory.relations.plans) if away else 0
    types = {OFFERED: "declare_alliance", ACCEPTED: "declare_alliance", BROKEN: "end_alliance"}
    reported = [
        (act.turn, player, types[act.kind], act.toward)
        for player, mind in minds.items()
        for felt in mind.memory.history
        for act in felt.acts
        if act.kind in types
    ]
    assert allied
    assert bool(in_vain) == bool(away)
    assert sorted(reported) == sorted(ordered)


def test_plans_of_another_turn_are_no_orders() -> None:
    """A program may have missed what came between. Seen to fail with the plans of any turn among the orders."""
    state = table(p4=30)
    mind = Mind(
        memory=replace(Memory(), relations=Relations(plans=plans(seen(state, "p1"), Relations()))), diplomatic=True
    )
    for turn, offers in ((5, 1), (6, 0)):
        state.turn = turn
        types = [order["type"] for order in choose(seen(state, "p1"), mind)]
        assert types.count("declare_alliance") == offers


def test_a_stand_in_leaves_alliances_to_the_player() -> None:
    state = table(p4=30)
    memory = replace(Memory(), relations=Relations(plans=plans(seen(state, "p1"), Relations())))
    types = [order["type"] for order in choose(seen(state, "p1"), Mind(memory=memory))]
    assert "declare_alliance" not in types
    types = [order["type"] for order in choose(seen(state, "p1"), Mind(memory=memory, diplomatic=True))]
    assert types.count("declare_alliance") == 1


# --- letters ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_has_a_letter_and_a_sentence_and_tempers_write_differently(language: str) -> None:
    names = {"p1": "Robin", "p2": "Ada", "p3": "Boris"}
    data = tomllib.loads(files("server.bots.data").joinpath(f"letters.{language}.toml").read_text("utf-8"))
    factions = ("imperial_guard", "space_marines", "orks", "eldar", "chaos")
    for kind in (OFFERED, ACCEPTED, DECLINED, BROKEN, GREETED):
        act = DiplomacyAction(3, kind, "p1", "" if kind == GREETED else "leader", "p3")
        written = [letter(act, faction, names, language) for faction in factions]
        assert len({text.partition("\n")[0] for text in written}) == len(factions)
        assert all(
            "Robin" in text and text.endswith(name_of(faction)) for text, faction in zip(written, factions, strict=True)
        )
    assert {*data["because"]} == {*data["reasons"]}
    for reason in data["reasons"]:
        for kind in (OFFERED, ACCEPTED, DECLINED, KEPT, BROKEN):
            said = act_sentence(DiplomacyAction(3, kind, "p1", reason, "p3"), "p2", names, language)
            assert "Robin" in said
            assert "Ada" in said
            assert "{" not in said


def test_languages_say_the_same_things() -> None:
    def keys(data: object) -> object:
        return {key: keys(value) for key, value in data.items()} if isinstance(data, dict) else None

    folder = files("server.bots.data")
    said = [
        keys(tomllib.loads(folder.joinpath(f"letters.{language}.toml").read_text("utf-8"))) for language in LANGUAGES
    ]
    assert said[0] == said[1]
    assert letters.letter(DiplomacyAction(1, GREETED, "p1"), "orks", {}, "xx") == letters.letter(
        DiplomacyAction(1, GREETED, "p1"), "orks", {}
    )


@pytest.mark.parametrize("ruleset", ["wh40k-2001", "frontier"])
def test_every_faction_has_a_leader_of_its_own(ruleset: str) -> None:
    names = [name_of(faction) for faction in load(ruleset).factions]
    assert all(names)
    assert len({*names}) == len(names)
