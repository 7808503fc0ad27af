from __future__ import annotations

from typing import Any

import pytest

from server.play.battles import battles
from server.play.campaigns import campaigns
from server.play.context import Actor, AppContext
from server.play.game_masters import game_master
from server.play.orders import orders
from server.play.views import positions
from server.rules.state import Battle, State
from tests.play.campaigns import Club, club
from tests.play.test_campaigns import refused
from tests.stages import staged

MAX_COUNT = 60


def at_a_battle(ctx: AppContext, **rules: Any) -> tuple[Club, str, Battle]:
    """Play until there is a battle; return its hex and what it is."""

    def prepare() -> tuple[Actor, dict[str, Actor], str]:
        made = club(ctx, rules={"battles": "tabletop"} | rules)
        for _ in range(MAX_COUNT):
            state = position(made)
            if state.phase == "battles" and state.battles:
                return made.gm, made.players, made.id
            made.play_phase()
        pytest.fail(f"no battle in {MAX_COUNT} phases")

    gm, players, id_ = staged(ctx, ("at a battle", repr(rules)), prepare)
    made = Club(ctx, gm, dict(players), id_)
    state = position(made)
    at, battle = next(iter(state.battles.items()))
    return made, state.board.label(at), battle


def position(made: Club) -> State:
    return positions.position(made.ctx, made.gm, made.id).view.state


def to_reports(made: Club) -> None:
    made.play_phase()
    assert made.info.phase == "reports"


def outsider(made: Club, battle: Battle) -> str:
    return next(player for player in made.players if player not in (battle.attacking, battle.defended_by))


def others_report(made: Club, but: str) -> None:
    """Have the GM decide every other battle."""
    for each in battles.listed(made.ctx, made.gm, made.id):
        if each.hex != but:
            battles.decide(made.ctx, made.gm, made.id, each.hex, {"winner": each.attacking})


def test_both_sides_agree(ctx: AppContext) -> None:
    made, hex_, battle = at_a_battle(ctx)
    attacker, defender = made.players[battle.attacking], made.players[battle.defended_by]
    third = made.players[outsider(made, battle)]
    to_reports(made)
    number = made.info.phase_number
    others_report(made, hex_)
    first = battles.report(ctx, attacker, made.id, hex_, {"winner": battle.attacking}, note="A close thing.")
    refused("forbidden", battles.answer, ctx, attacker, made.id, first.id, confirm=True)
    refused("not_found", battles.answer, ctx, third, made.id, first.id, confirm=True)
    refused("not_found", battles.answer, ctx, third, made.id, "nosuch", confirm=True)
    disputed = battles.answer(ctx, defender, made.id, first.id, confirm=False, text="No, I held.")
    assert disputed.status == "disputed"
    again = battles.report(ctx, attacker, made.id, hex_, {"winner": battle.defended_by})
    assert made.info.phase_number == number
    refused("not_found", battles.answer, ctx, defender, made.id, first.id, confirm=True)
    battles.answer(ctx, defender, made.id, again.id, confirm=True, revision=again.revision)
    assert made.info.phase_number > number
    past = _winner(ctx, made, number, hex_)
    assert past == battle.defended_by


def _winner(ctx: AppContext, made: Club, number: int, hex_: str) -> str:
    from server.play.views import history

    events = history.past(ctx, made.gm, made.id, number).events
    return next(
        str(event.fields["winner"]) for event in events if event.type == "battle_fought" and event.fields["hex"] == hex_
    )


def test_the_game_master_decides(ctx: AppContext) -> None:
    made, hex_, battle = at_a_battle(ctx)
    to_reports(made)
    number = made.info.phase_number
    others_report(made, hex_)
    battles.report(ctx, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    battles.decide(ctx, made.gm, made.id, hex_, {"winner": battle.defended_by}, "I was there.")
    assert _winner(ctx, made, number, hex_) == battle.defended_by
    refused("forbidden", battles.decide, ctx, made.players["p1"], made.id, hex_, {"winner": "p1"})


def test_dice_decide_where_nobody_reports(ctx: AppContext) -> None:
    made, hex_, _ = at_a_battle(ctx)
    to_reports(made)
    number = made.info.phase_number
    game_master.advance(ctx, made.gm, made.id, number=number)
    assert _winner(ctx, made, number, hex_)


def test_results_that_cannot_be(ctx: AppContext) -> None:
    made, hex_, battle = at_a_battle(ctx)
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
        refused("report_refused", battles.report, ctx, ada, made.id, hex_, bad)
    refused("report_refused", battles.report, ctx, made.players[third], made.id, hex_, {"winner": battle.attacking})
    refused("report_refused", battles.report, ctx, ada, made.id, "9999", {"winner": battle.attacking})
    found = orders.check(ctx, ada, made.id, [{"type": "report", "battle": hex_, "winner": battle.attacking}])
    assert [each.code for each in found] == ["not_allowed"]


def test_who_does_not_see_a_battle_knows_of_none(ctx: AppContext) -> None:
    made, hex_, battle = at_a_battle(ctx)
    battles.report(ctx, made.players[battle.attacking], made.id, hex_, {"winner": battle.attacking})
    for seat, actor in made.players.items():
        seen = {each.hex: each for each in battles.listed(ctx, actor, made.id)}
        known = {made.view(seat).state.board.label(at) for at in made.view(seat).state.battles}
        assert set(seen) == known
        if hex_ in seen:
            assert bool(seen[hex_].reports) == (seat in (battle.attacking, battle.defended_by))


def test_no_battles_are_reported_when_there_are_none(ctx: AppContext) -> None:
    made = club(ctx)
    refused("phase_closed", battles.report, ctx, made.players["p1"], made.id, "0101", {"winner": "p1"})
    campaigns.finish(ctx, made.gm, made.id)
    assert battles.listed(ctx, made.gm, made.id) == []
