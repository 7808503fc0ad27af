"""A campaign of four from creation to victory, with everything used; and what is hidden shows nowhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from server.play.archive.record_files import export
from server.play.archive.verification import verify_bytes
from server.play.battles import battles
from server.play.campaigns import campaigns, seats
from server.play.context import NOBODY, AppContext
from server.play.game_masters import game_master, rollback
from server.play.messages import messages
from server.play.notices import webhooks
from server.play.orders import orders, orders_in_advance
from server.play.schedule import ticker
from server.play.views import history, positions
from tests.play.campaigns import Club, club
from tests.play.conftest import Clock, person

RULES: dict[str, Any] = {"turn_limit": 6, "battles": "tabletop", "capital_eliminates": True}
OPTIONS: dict[str, Any] = {
    "deadlines": {"kind": "grid", "days": [0, 2, 4], "times": ["20:00"], "time_zone": "Europe/Berlin"},
    "stand_in": "bot",
    "gm_sees_orders": True,
}


def settle(made: Club) -> None:
    """Have every awaited battle reported and confirmed."""
    phase = made.info.phase_number
    for each in battles.listed(made.ctx, made.gm, made.id):
        if made.info.phase_number == phase and not each.winner:
            sides = made.players[each.attacking], made.players[each.defended_by]
            told = battles.report(made.ctx, sides[0], made.id, each.hex, {"winner": each.attacking})
            battles.answer(made.ctx, sides[1], made.id, told.id, confirm=True)


def test_from_creation_to_victory(ctx: AppContext, clock: Clock) -> None:
    made = club(ctx, options=OPTIONS, rules=RULES, begin=False)
    eve = person(ctx, "Eve")
    code = seats.invite_by_code(ctx, made.gm, made.id).code
    assert seats.campaign_of_code(ctx, code) == made.id
    campaigns.change(ctx, made.gm, made.id, description="Thursdays.", revision=made.info.revision)
    from server.play.campaigns.campaign_start import start

    start(ctx, made.gm, made.id)
    ada = made.players["p1"]
    orders_in_advance.leave(ctx, ada, made.id, 2, "build", [{"type": "declare_alliance", "with": "p2"}])
    messages.send(ctx, ada, made.id, ["all"], "To arms.")
    messages.declare(ctx, ada, made.id, "war", toward="p3", public=True)
    webhooks.choose_notifications(ctx, ada, {"phase_opened": {"mail": False}})
    seats.choose_stand_in(ctx, made.players["p4"], made.id, "user", substitute="Eve")
    made.play_phase()
    orders.declare_final(ctx, eve, made.id)
    orders.take_back(ctx, eve, made.id)
    clock.forward(days=4)
    ticker.tick(ctx)  # the deadline of the first Build phase, which three let pass
    assert made.info.turn == 1
    campaigns.pause(ctx, made.gm, made.id)
    game_master.edit(ctx, made.gm, made.id, [{"do": "set", "what": "vp", "player": "p2", "vp": 3}], "A wager.")
    campaigns.resume(ctx, made.gm, made.id)
    game_master.set_due(ctx, made.gm, made.id, clock.at + timedelta(days=30))
    rolled_back = reported = False
    for _ in range(80):
        info = made.info
        if info.status != "running":
            break
        clock.forward(minutes=5)
        if info.phase == "reports":
            settle(made)
            reported = True
        elif info.turn == 3 and not rolled_back:
            rollback.roll_back(ctx, made.gm, made.id, info.phase_number - 1, "Somebody was away.")
            rolled_back = True
        else:
            made.play_phase()
        ticker.tick(ctx)
    assert rolled_back
    assert reported
    over = made.info
    assert (over.status, over.turn) == ("finished", None)
    end = positions.position(ctx, NOBODY, made.id)
    assert end.view.state.winners
    assert end.view.state.ended_by == "turn_limit"
    assert end.viewer == "gm"
    assert {intervention.kind for intervention in history.interventions(ctx, ada, made.id)} >= {
        "pause",
        "resume",
        "edit",
        "extend",
    }
    report = verify_bytes(export(ctx, ada, made.id))
    assert report.ok, report.first
    campaigns.archive(ctx, made.gm, made.id)


def everything_a_player_reads(made: Club, seat: str) -> list[Any]:
    ctx, actor, id_ = made.ctx, made.players[seat], made.id
    return [
        positions.shown(ctx, actor, id_).view.body,
        positions.legal(ctx, actor, id_),
        positions.finality(ctx, actor, id_),
        orders.read(ctx, actor, id_),
        orders.check(ctx, actor, id_, [{"type": "dance"}]),
        battles.listed(ctx, actor, id_),
        history.phases(ctx, actor, id_),
        [
            history.past(ctx, actor, id_, phase.number).body
            for phase in history.phases(ctx, actor, id_)
            if phase.resolved_at
        ],
        list(history.standings(ctx, actor, id_)),
        messages.listed(ctx, actor, id_),
        messages.declarations(ctx, actor, id_),
        campaigns.get(ctx, actor, id_).seats,
    ]


def test_what_others_do_in_secret_changes_nothing_one_reads(ctx: AppContext) -> None:
    """Between two reads the others order, write letters, leave orders in advance, and the GM hides BP."""
    made = club(ctx, phases=6)
    before = everything_a_player_reads(made, "p1")
    bob, cyd = made.players["p2"], made.players["p3"]
    made.order("p2", final=False, salt="secret")
    orders_in_advance.leave(ctx, cyd, made.id, 9, "build", [])
    messages.send(ctx, bob, made.id, ["p3", "gm"], "Against Ada.")
    messages.declare(ctx, bob, made.id, "alliance", toward="p3")
    seats.go_away(ctx, cyd, made.id, None)
    assert everything_a_player_reads(made, "p1") == before
    state = positions.position(ctx, made.gm, made.id).view.state
    seen = made.view("p1").sees
    hidden = next(at for at, urban in state.urban.items() if urban.capital == "p2")
    assert hidden not in seen
    label = state.board.label(hidden)
    hide = {"do": "set", "what": "store", "hex": label, "bp": state.store.get(hidden, 0) + 77}
    game_master.edit(ctx, made.gm, made.id, [hide], "Hidden.")
    after = everything_a_player_reads(made, "p1")
    assert after[0] == before[0]
    assert after == before
