from __future__ import annotations

from typing import Any

import pytest

from server.play import battles, campaigns, game_master, orders, reading
from server.play.context import Play, Who
from server.rules.state import Battle, State
from tests.play.campaigns import Club, club
from tests.play.test_campaigns import refused
from tests.stages import staged

MOST = 60


def at_a_battle(play: Play, **rules: Any) -> tuple[Club, str, Battle]:
    """Play until there is a battle; return its hex and what it is."""

    def prepare() -> tuple[Who, dict[str, Who], str]:
        made = club(play, rules={"battles": "tabletop"} | rules)
        for _ in range(MOST):
            state = position(made)
            if state.phase == "battles" and state.battles:
                return made.gm, made.players, made.id
            made.play_phase()
        pytest.fail(f"no battle in {MOST} phases")

    gm, players, id_ = staged(play, ("at a battle", repr(rules)), prepare)
    made = Club(play, gm, dict(players), id_)
    state = position(made)
    at, battle = next(iter(state.battles.items()))
    return made, state.board.label(at), battle


def position(made: Club) -> State:
    return reading.position(made.play, made.gm, made.id).view.state


def to_reports(made: Club) -> None:
    made.play_phase()
    assert made.info.phase == "reports"


def outsider(made: Club, battle: Battle) -> str:
    return next(each for each in made.players if each not in (battle.attacking, battle.defended_by))


def others_report(made: Club, but: str) -> None:
    """Have the GM decide every other battle."""
    for each in battles.listed(made.play, made.gm, made.id):
        if each.hex != but:
            battles.decide(made.play, made.gm, made.id, each.hex, {"winner": each.attacking})


def test_both_sides_agree(play: Play) -> None:
    made, hex_, battle = at_a_battle(play)
    attacker, defender = made.players[battle.attacking], made.players[battle.defended_by]
    third = made.players[outsider(made, battle)]
    to_reports(made)
    number = made.info.phase_number
    others_report(made, hex_)
    first = battles.report(play, attacker, made.id, hex_, {"winner": battle.attacking}, note="A close thing.")
    refused("forbidden", battles.answer, play, attacker, made.id, first.id, confirm=True)
    refused("not_found", battles.answer, play, third, made.id, first.id, confirm=True)
    refused("not_found", battles.answer, play, third, made.id, "nosuch", confirm=True)
    disputed = battles.answer(play, defender, made.id, first.id, confirm=False, text="No, I held.")
    assert disputed.status == "disputed"
    again = battles.report(play, attacker, made.id, hex_, {"winner": battle.defended_by})
    assert made.info.phase_number == number
    refused("not_found", battles.answer, play, defender, made.id, first.id, confirm=True)
    battles.answer(play, defender, made.id, again.id, confirm=True, revision=again.revision)
    assert made.info.phase_number > number
    past = _winner(play, made, number, hex_)
    assert past == battle.defended_by


def _winner(play: Play, made: Club, number: int, hex_: str) -> str:
    from server.play import history

    events = history.past(play, made.gm, made.id, number).events
    return next(
        str(each.fields["winner"]) for each in events if each.type == "battle_fought" and each.fields["hex"] == hex_
    )


def test_the_game_master_decides(play: Play) -> None:
    made, hex_, battle = at_a_battle(play)
    to_reports(made)
    number = made.info.phase_number
    others_report(made, hex_)
    battles.report(play, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    battles.decide(play, made.gm, made.id, hex_, {"winner": battle.defended_by}, "I was there.")
    assert _winner(play, made, number, hex_) == battle.defended_by
    refused("forbidden", battles.decide, play, made.players["p1"], made.id, hex_, {"winner": "p1"})


def test_dice_decide_where_nobody_reports(play: Play) -> None:
    made, hex_, _ = at_a_battle(play)
    to_reports(made)
    number = made.info.phase_number
    game_master.advance(play, made.gm, made.id, number=number)
    assert _winner(play, made, number, hex_)


def test_results_that_cannot_be(play: Play) -> None:
    made, hex_, battle = at_a_battle(play)
    ada = made.players[battle.attacking]
    third = outsider(made, battle)
    results: list[Any] = [
        {},
        {"winner": third},
        {"winner": battle.attacking, "losses": {"x": {}}},
        {"winner": 7},
        7,
        {"a": 1},
    ]
    for bad in results:
        refused("report_refused", battles.report, play, ada, made.id, hex_, bad)
    refused("report_refused", battles.report, play, made.players[third], made.id, hex_, {"winner": battle.attacking})
    refused("report_refused", battles.report, play, ada, made.id, "9999", {"winner": battle.attacking})
    found = orders.check(play, ada, made.id, [{"type": "report", "battle": hex_, "winner": battle.attacking}])
    assert [each.code for each in found] == ["not_allowed"]


def test_who_does_not_see_a_battle_knows_of_none(play: Play) -> None:
    made, hex_, battle = at_a_battle(play)
    battles.report(play, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    for seat, who in made.players.items():
        seen = {each.hex: each for each in battles.listed(play, who, made.id)}
        known = {made.view(seat).state.board.label(at) for at in made.view(seat).state.battles}
        assert set(seen) == known
        if hex_ in seen:
            assert bool(seen[hex_].reports) == (seat in (battle.attacking, battle.defended_by))


def test_no_battles_are_reported_when_there_are_none(play: Play) -> None:
    made = club(play)
    refused("phase_closed", battles.report, play, made.players["p1"], made.id, "0101", {"winner": "p1"})
    campaigns.finish(play, made.gm, made.id)
    assert battles.listed(play, made.gm, made.id) == []
