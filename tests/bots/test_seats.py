"""BP that would lie idle make a second seat: it grows, gets its buildings, and raises detachments, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from server.bots import build, commander, seats
from server.bots.budget import Budget
from server.bots.commander import Mind
from server.bots.ground import Ground
from server.bots.levels import LEVELS, REGULAR, Level
from server.bots.lot import SeededTiebreak
from server.bots.memory import remember
from server.bots.posture import figures
from server.core.dice import SeededDice
from server.rules.movement import mover, reachable
from server.rules.phases import resolve
from server.rules.sight import views_for
from server.rules.state import BUILD, MOVEMENT, OVER, Convoy, Urban
from tests.bots.test_commander import started
from tests.rules.builders import campaign, town

NORMAL = figures().posture(0)
INVESTS = replace(LEVELS[REGULAR], invests=True)


def grounds(level: Level, phase: str, turns: int, seed: int = 3) -> Iterator[Ground]:
    """Yield each player's reading of each such phase of a campaign of players of a level."""
    state = started(seed, "wh40k-2001")
    minds = {id_: Mind(level, secret=id_.encode()) for id_ in state.players}
    views, number = views_for(state, ()), 0
    while state.phase != OVER and state.turn <= turns:
        minds = {id_: replace(mind, memory=remember(mind.memory, views[id_])) for id_, mind in minds.items()}
        if state.phase == phase:
            for id_ in minds:
                lot = SeededTiebreak.of(id_.encode(), id_, state.turn)
                yield Ground(views[id_].state, id_, lot, invests=level.invests, thrift=level.thrift)
        orders = {id_: commander.choose(view, minds[id_]) for id_, view in views.items()}
        resolution = resolve(state, orders, SeededDice(b"%d" % number))
        state, number = resolution.state, number + 1
        views = views_for(state, resolution.events)


def raised_elsewhere(level: Level) -> int:
    """Return how many detachments are ordered in other places than a capital."""
    found = 0
    for ground in grounds(level, BUILD, 8):
        home = ground.state.capital(ground.me)
        for order in build.plan(ground, NORMAL).orders:
            found += order["type"] == "build_detachment" and ground.state.board.find(order["at"]) != home
    return found


def test_a_second_seat_raises_detachments_within_eight_turns() -> None:
    """Seen to fail when convoys for the second seat are brought home."""
    assert raised_elsewhere(LEVELS[REGULAR]) * 2 < raised_elsewhere(INVESTS)


def test_who_has_two_hosts_worth_begins_another_seat_also_where_it_needs_a_space_port() -> None:
    """Seen to fail with the former rule, by which no list that needs a port had a second seat."""
    for bp, faction, wanted in (
        (2100, "orks", ()), (2300, "orks", ("0707",)), (2300, "salamanders", ("0707",)), (9000, "necrons", ()),
    ):  # fmt: skip
        state = campaign({"red": faction, "blue": "none"})
        town(state, "red", "0505", "metropol", bp, capital=True, buildings=["major_space_port"])
        town(state, "red", "0707", "city")
        ground = Ground(state, "red", SeededTiebreak.of(b"", "red", 1))
        assert tuple(map(state.board.label, seats.seats(ground))) == wanted, (bp, faction)
        poor = replace(ground, thrift=False)
        assert seats.seats(poor) == ()


def test_a_list_that_needs_a_space_port_gets_one_at_its_second_seat() -> None:
    """Seen to fail with an academy and barracks there, where the list may raise nobody (D-71b)."""
    state = campaign({"red": "salamanders", "blue": "none"})
    town(state, "red", "0505", "metropol", 2000, capital=True, buildings=["major_space_port"])
    town(state, "red", "0707", "city", 700)
    made = build.plan(Ground(state, "red", SeededTiebreak.of(b"", "red", 1)), NORMAL)
    built = [order["building"] for order in made.orders if order["type"] == "build_building" and order["at"] == "0707"]
    assert sorted(built) == ["minor_space_port", "strategic_hq"]


def test_the_place_that_is_ready_the_soonest_becomes_the_second_seat() -> None:
    """So what was begun stays the one. Seen to fail when the lot of the turn says which place it is."""
    ground = next(ground for ground in grounds(INVESTS, BUILD, 1) if seats.seats(ground))
    begun, home = seats.seats(ground)[0], ground.state.capital(ground.me)
    assert home is not None
    state = ground.state.copy()
    village = next(at for at in state.board.within(home, 3) if state.owner[at] == ground.me and at not in (home, begun))
    state.urban[begun] = replace(state.urban[begun], size="city")
    state.urban[village] = replace(state.urban[begun], size="village", buildings=())
    for key in range(20):
        assert seats.seats(replace(ground, state=state, lot=SeededTiebreak(b"%d" % key)))[0] == begun


def test_the_capital_trains_elite_troops_once() -> None:
    """Seen to fail when it is forgotten what was built before."""
    ground = next(iter(grounds(INVESTS, BUILD, 1)))
    home = ground.state.capital(ground.me)
    assert home is not None
    made = Budget(ground, NORMAL, purse={home: 500}, buildings={home: ("academy", "barracks")})
    seats.train(made, home)
    seats.train(made, home)
    assert [order["building"] for order in made.orders] == ["training_facilities"]


def test_a_convoy_is_led_as_far_as_it_gets_and_unloads_at_the_second_seat() -> None:
    """Seen to fail when its path goes beyond its MV, and when it never unloads."""
    ground = next(ground for ground in grounds(INVESTS, MOVEMENT, 1) if seats.seats(ground))
    at, home = seats.seats(ground)[0], ground.state.capital(ground.me)
    assert home is not None
    convoy = Convoy("convoy", ground.me, home, 100)
    who = mover(ground.state, convoy)
    ways = reachable(ground.state, who, home, 3 * who.mv)
    far = next(hex_ for hex_, (spent, _) in ways.items() if spent > 2 * who.mv)
    for goal in (at, far):
        state = ground.state.copy()
        state.add_convoy(replace(convoy))
        state.urban.setdefault(goal, Urban("village"))
        order = seats.lead(replace(ground, state=state), convoy, [goal])
        assert order is not None
        after = resolve(state, {ground.me: [order]}, SeededDice(b"")).state
        if goal == at:
            assert "convoy" not in after.convoys
            assert after.store[at] == state.store.get(at, 0) + 100
        else:
            assert state.board.label(after.convoys["convoy"].at) == order["path"][-1]
            assert not order["unload"]
