from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from server.play.campaigns import campaign_start, campaigns, seats
from server.play.context import AppContext
from server.play.game_masters import game_master, rollback
from server.play.orders import orders
from server.play.views import history, positions
from server.rules.codec import state_hash
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person
from tests.play.test_campaigns import refused
from tests.play.test_resolution import stored_state

SQUAD = {"name": "Relief", "slot": "troops", "models": 10, "points": 100}


def begun(ctx: AppContext, phases: int = 6, **options: Any) -> Club:
    return club(ctx, options=options, phases=phases)


def free_hex(made: Club) -> str:
    state = positions.position(made.ctx, made.gm, made.id).view.state
    land = state.ruleset.terrain
    return next(
        state.board.label(at)
        for at in range(state.board.size)
        if land[state.board.terrain[at]].land
        and not state.owner[at]
        and at not in state.detachment_at
        and at not in state.urban
        and at not in state.stronghold
        and at not in state.resource
    )


def every_edit(made: Club) -> list[dict[str, Any]]:
    state = positions.position(made.ctx, made.gm, made.id).view.state
    at = free_hex(made)
    mine = next(
        detachment for detachment in state.detachments.values() if detachment.owner == "p1" and not detachment.ready_in
    )
    rules = state.ruleset
    return [
        {"do": "set", "what": "owner", "hex": at, "owner": "p1"},
        {"do": "set", "what": "stronghold", "hex": at, "type": rules.strongholds[0].id},
        {"do": "set", "what": "store", "hex": at, "bp": 300},
        {"do": "add", "what": "garrison", "owner": "p1", "hex": at, "units": [SQUAD]},
        {"do": "add", "what": "detachment", "owner": "p1", "hex": at, "name": "Relief", "units": [SQUAD, SQUAD]},
        {"do": "add", "what": "convoy", "owner": "p1", "hex": at, "bp": 150},
        {"do": "set", "what": "urban", "hex": at, "size": rules.urban[0].id},
        {"do": "set", "what": "vp", "player": "p2", "vp": 7},
        {"do": "set", "what": "system_control", "player": "p3"},
        {"do": "set", "what": "alliance", "player": "p1", "with": "p4", "allied": True},
        {"do": "set", "what": "detachment", "id": mine.id, "name": "Renamed", "dxp": 3},
        {"do": "set", "what": "unit", "id": mine.units[0].id, "ready": 0, "wounded": 1},
        {"do": "add", "what": "unit", "force": mine.id, "unit": SQUAD},
    ]


def test_every_noun_can_be_edited(ctx: AppContext) -> None:
    made = begun(ctx)
    given = every_edit(made)
    done = game_master.edit(ctx, made.gm, made.id, given, "The table said otherwise.")
    state = stored_state(ctx, made)
    assert state_hash(state) == done.state_hash
    at = state.board.find(given[0]["hex"])
    assert at is not None
    assert (state.owner[at], state.store[at], state.players["p2"].vp) == ("p1", 300, 7)
    assert state.friendly("p1", "p4")
    assert state.detachment_at[at].name == "Relief"
    ids = [unit.id for force in (state.detachment_at[at], state.garrison_at[at]) for unit in force.units]
    assert len(set(ids)) == 3
    back = [
        {"do": "remove", "what": "garrison", "id": state.garrison_at[at].id},
        {"do": "remove", "what": "detachment", "id": state.detachment_at[at].id},
        {"do": "remove", "what": "convoy", "id": state.convoys_at[at][0].id},
        {"do": "remove", "what": "stronghold", "hex": given[0]["hex"]},
        {"do": "remove", "what": "urban", "hex": given[0]["hex"]},
        {"do": "set", "what": "owner", "hex": given[0]["hex"], "owner": ""},
    ]
    game_master.edit(ctx, made.gm, made.id, back, "No, it did not.")
    assert state_hash(stored_state(ctx, made)) != done.state_hash
    told = history.interventions(ctx, made.players["p3"], made.id)
    assert next((event.kind, event.why, event.details) for event in told) == ("edit", "The table said otherwise.", None)
    assert history.interventions(ctx, made.gm, made.id)[0].details == {"edits": given}


@pytest.mark.parametrize(
    "bad",
    [
        [], {}, 7, [7], [{}], [{"do": "set"}], [{"do": [], "what": {}}],
        [{"do": "set", "what": "owner", "hex": "9999", "owner": "p1"}],
        [{"do": "set", "what": "owner", "hex": None, "owner": None}],
        [{"do": "set", "what": "vp", "player": "p1", "vp": True}],
        [{"do": "set", "what": "vp", "player": "p1", "vp": 10**30}],
        [{"do": "set", "what": "vp", "player": "p1", "vp": 1, "more": 2}],
        [{"do": "remove", "what": "detachment", "id": "nosuch"}],
        [{"do": "remove", "what": "detachment", "id": ["x"]}],
        [{"do": "add", "what": "detachment", "owner": "p1", "hex": "0101", "name": "x", "units": [{"models": "many"}]}],
        [{"do": "add", "what": "detachment", "owner": "p1", "hex": "0101", "name": "a\u0000b", "units": [SQUAD]}],
        [{"do": "set", "what": "alliance", "player": "p1", "with": "p1", "allied": True}],
    ],
)  # fmt: skip
def test_bad_edits_change_nothing(ctx: AppContext, bad: Any) -> None:
    made = club(ctx)
    before = state_hash(stored_state(ctx, made))
    error = refused("edits_refused", game_master.edit, ctx, made.gm, made.id, bad, "why")
    assert error.problems
    assert state_hash(stored_state(ctx, made)) == before
    assert history.interventions(ctx, made.gm, made.id) == []


def test_all_problems_of_edits_come_at_once(ctx: AppContext) -> None:
    made = club(ctx)
    bad = [
        {"do": "set", "what": "vp", "player": "p9", "vp": -(10**9)},
        {"do": "set", "what": "vp", "player": "p1", "vp": 1},
        {"do": "remove", "what": "battle", "hex": "0101"},
    ]
    error = refused("edits_refused", game_master.edit, ctx, made.gm, made.id, bad, "why")
    assert [problem["field"] for problem in error.problems] == ["edits.0.player", "edits.0.vp", "edits.2.hex"]
    seen = game_master.preview_edits(ctx, made.gm, made.id, bad)
    assert (seen.problems, seen.changes) == (error.problems, ())


def test_edits_say_what_they_would_change(ctx: AppContext) -> None:
    made = begun(ctx)
    at = free_hex(made)
    given = [
        {"do": "set", "what": "owner", "hex": at, "owner": "p1"},
        {"do": "set", "what": "vp", "player": "p2", "vp": 77},
    ]
    before = state_hash(stored_state(ctx, made))
    seen = game_master.preview_edits(ctx, made.gm, made.id, given)
    assert seen.problems == ()
    told = {(change.what, change.key): (change.before, change.after) for change in seen.changes}
    assert told["owner", at] == (None, "p1")
    assert told["players", "p2"][1]["vp"] == 77
    assert set(told) <= {("owner", at), ("discovered", at), ("players", "p2")}
    assert state_hash(stored_state(ctx, made)) == before


def test_who_is_out_can_be_brought_back(ctx: AppContext) -> None:
    made = begun(ctx)
    out = [{"do": "set", "what": "player", "player": "p2", "eliminated": True}]
    game_master.edit(ctx, made.gm, made.id, out, "He gives up.")
    assert not orders.read(ctx, made.players["p2"], made.id).wanted
    made.play_phase()
    refused("phase_closed", orders.read, ctx, made.players["p2"], made.id)
    back = [{"do": "set", "what": "player", "player": "p2", "eliminated": False}]
    game_master.edit(ctx, made.gm, made.id, back, "He does not.")
    assert orders.read(ctx, made.players["p2"], made.id).revision == 0
    made.play_phase()


def test_before_advancing_one_sees_who_is_waited_for(ctx: AppContext) -> None:
    made = club(ctx)
    made.order("p1")
    made.order("p2", final=False)
    seen = game_master.preview_advance(ctx, made.gm, made.id)
    assert (seen.number, seen.turn, seen.phase) == (1, 0, "setup")
    assert seen.waiting_for == ("p2", "p3", "p4")
    assert [(seat.final, seat.handed_in, seat.source) for seat in seen.seats] == [
        (True, True, "web"),
        (False, True, "web"),
        (False, False, "defaults"),
        (False, False, "defaults"),
    ]
    refused("forbidden", game_master.preview_advance, ctx, made.players["p1"], made.id)


def test_a_game_master_who_plays_sees_no_more_than_the_others(ctx: AppContext) -> None:
    made = club(ctx, options={"gm_plays": True, "show_final": False}, begin=False)
    seats.leave(ctx, made.players["p4"], made.id)
    seats.join(ctx, made.gm, made.id, faction="orks", seat="p4")
    campaign_start.start(ctx, made.gm, made.id)
    made.order("p1")
    seen = game_master.preview_advance(ctx, made.gm, made.id)
    assert (seen.seats, seen.waiting_for, seen.undecided) == ((), None, None)


def test_a_paused_campaign_is_not_advanced(ctx: AppContext) -> None:
    made = club(ctx)
    campaigns.pause(ctx, made.gm, made.id)
    refused("wrong_status", game_master.advance, ctx, made.gm, made.id, number=1)
    assert game_master.preview_advance(ctx, made.gm, made.id).seats[0].source is None


def test_an_edit_takes_final_back(ctx: AppContext) -> None:
    made = club(ctx)
    orders.declare_final(ctx, made.players["p1"], made.id)
    game_master.edit(ctx, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p1", "vp": 1}], "why")
    assert not orders.read(ctx, made.players["p1"], made.id).final


def test_players_are_no_game_masters(ctx: AppContext) -> None:
    made = club(ctx)
    ada = made.players["p1"]
    refused("forbidden", game_master.edit, ctx, ada, made.id, [], "why")
    refused("forbidden", game_master.advance, ctx, ada, made.id, number=1)
    refused("forbidden", game_master.set_due, ctx, ada, made.id, None)
    refused("forbidden", game_master.replace_player, ctx, ada, made.id, "p2", None)
    refused("forbidden", rollback.roll_back, ctx, ada, made.id, 1, "why")
    refused("forbidden", game_master.order_sets, ctx, ada, made.id)


def test_orders_are_seen_by_the_game_master_only_where_agreed(ctx: AppContext) -> None:
    made = club(ctx)
    refused("forbidden", game_master.order_sets, ctx, made.gm, made.id)


def test_orders_the_game_master_may_see(ctx: AppContext) -> None:
    made = club(ctx, options={"gm_sees_orders": True})
    made.order("p2", final=False)
    assert [len(set_.orders) > 0 for set_ in game_master.order_sets(ctx, made.gm, made.id)] == [
        False,
        True,
        False,
        False,
    ]


def test_advancing_and_deadlines(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options={"deadlines": {"kind": "rolling", "hours": 10}})
    game_master.set_due(ctx, made.gm, made.id, clock.at + timedelta(hours=30), "Holiday")
    assert made.info.deadline == clock.at + timedelta(hours=30)
    refused("invalid_request", game_master.set_due, ctx, made.gm, made.id, clock.at)
    refused("wrong_phase", game_master.advance, ctx, made.gm, made.id, number=2)
    game_master.advance(ctx, made.gm, made.id, number=1, why="All have told me.")
    assert made.info.phase == "build"
    done = history.interventions(ctx, made.players["p1"], made.id)
    assert [(one.kind, one.turn, one.phase) for one in done] == [("extend", 0, "setup"), ("advance", 0, "setup")]


def test_replacing_a_player(ctx: AppContext) -> None:
    made = begun(ctx, 2)
    eve = person(ctx, "Eve")
    game_master.replace_player(ctx, made.gm, made.id, "p2", "Eve", "Bob has moved.")
    refused("forbidden", orders.read, ctx, made.players["p2"], made.id)
    assert orders.read(ctx, eve, made.id).player_id == "p2"
    refused("already_joined", game_master.replace_player, ctx, made.gm, made.id, "p3", "Eve")
    refused("not_found", game_master.replace_player, ctx, made.gm, made.id, "p9", "Eve")


def test_rolling_back_branches(ctx: AppContext) -> None:
    made = begun(ctx, 8)
    old = history.phases(ctx, made.gm, made.id)
    before = history.past(ctx, made.gm, made.id, 4)
    seen = rollback.preview(ctx, made.gm, made.id, 5)
    assert (seen.branch, seen.number, seen.reopens) == (2, 5, False)
    assert [each.number for each in seen.abandoned] == [5, 6, 7, 8, 9]
    assert history.phases(ctx, made.gm, made.id) == old
    assert rollback.roll_back(ctx, made.gm, made.id, 5, "A wrong report.") == 2
    assert (made.info.turn, made.info.phase) == (seen.turn, seen.phase)
    assert (made.info.phase_number, made.info.branch) == (5, 2)
    assert state_hash(stored_state(ctx, made)) == before.info.state_hash
    for _ in range(4):
        made.play_phase()
    new = history.phases(ctx, made.gm, made.id)
    assert [(each.branch, each.number) for each in new[:6]] == [(1, n) for n in range(5)] + [(2, 5)]
    assert history.phases(ctx, made.gm, made.id, branch=1) == old
    kept = {each.link for each in old}
    assert not kept & {each.link for each in new if each.branch == 2 and each.link}
    assert rollback.roll_back(ctx, made.gm, made.id, 3, "Even further.") == 3
    assert [branch.from_branch for branch in history.branches(ctx, made.gm, made.id)] == [None, 1, 2]
    made.play_phase()
    assert made.info.phase_number == 4
    refused("not_found", rollback.roll_back, ctx, made.gm, made.id, 99, "why")
    refused("not_found", rollback.roll_back, ctx, made.gm, made.id, 0, "why")
