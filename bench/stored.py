"""A whole turn of a large campaign on a server's database: from each phase's last *final* to the new view, written.

Everything is stored: orders, record, snapshot, position, notices. A position of :mod:`bench.positions` is put into the
database as a campaign that begins there. What counts is processor time, without HTTP; orders are handed in untimed.
"""

from __future__ import annotations

import secrets

from sqlalchemy.engine import URL

from bench.measure import Result, Stopwatch, rest
from bench.peers import LARGE
from bench.positions import RULESET, Size, campaign, orders_for
from server.play.campaigns import campaign_start
from server.play.context import Actor, AppContext
from server.play.orders import orders
from server.play.records.phase_dice import link
from server.play.resolution.phase_opening import open_next
from server.play.resolution.version import RULES_VERSION
from server.play.views import positions
from server.rules.sight import GM
from server.rules.state import State
from server.scenarios import writer
from server.scenarios.scenario import Scenario, Start
from server.settings import Settings
from server.store.database import Database
from server.store.position import settings_to_json
from server.store.tables import Campaign, Seat
from tests.play.conftest import person

VAST = Size(200, 200, players=50, detachments=5_000)
AIMS = {LARGE: 0.6, VAST: 5.0}
"""Seconds of a whole turn; twice what the rules alone may take of 64 x 64."""


def stored(url: URL) -> list[Result]:
    """Time a turn of each size; the first turn, before which nothing is at hand in memory but the position."""
    results = []
    for size, aim in AIMS.items():
        database = Database(url)
        ctx = AppContext(database, Settings.model_validate({"resolver_threads": 0, "resolver_processes": 0}))
        parts = _turn(ctx, size)
        seconds = sum(parts.values())
        what = f"{size.columns} x {size.rows}, {size.players} players, {size.detachments:,} detachments"
        said = ", ".join(f"{phase} {took * 1000:.0f}" for phase, took in parts.items())
        results += [
            Result("stored", f"{what}: a turn with everything stored", f"{seconds:.2f} s", f"{aim:g} s", seconds < aim),
            Result("stored", "the same: milliseconds from a phase's last final to the new view", said),
        ]
        ctx.close()
        database.close()
        rest()
    return results


def _turn(ctx: AppContext, size: Size) -> dict[str, float]:
    """Play a turn; return the seconds of each phase."""
    state = campaign(size)
    gm = person(ctx, f"GM {size.columns}")
    people = {seat: person(ctx, f"{seat} {size.columns}") for seat in state.players}
    id_ = _begin(ctx, gm, people, state)
    turn, parts, last = state.turn, dict[str, float](), list(people)[-1]
    while state.turn == turn:
        for seat, given in orders_for(state).items():
            orders.replace(ctx, people[seat], id_, given, final=seat != last, lenient=True)
        watch = Stopwatch()
        with watch.running():
            orders.declare_final(ctx, people[last], id_)
            positions.shown(ctx, people[last], id_)
        parts[state.phase] = watch.total
        phase, state = state.phase, positions.position(ctx, gm, id_, as_=GM).view.state
        assert state.phase != phase
    return parts


def _begin(ctx: AppContext, gm: Actor, people: dict[str, Actor], state: State) -> str:
    """Put a position into the database as a campaign that begins with it; return its id."""
    whole = Start("Anywhere", 0, tuple(range(state.board.size)))
    scenario = Scenario("bench", "Bench", state.board, (whole, whole), ruleset=RULESET.id)
    secret, now = secrets.token_bytes(32), ctx.now()
    with ctx.database.write() as session:
        made = Campaign(
            name="Bench", gm_user_id=gm.user_id, scenario_id="bench", board=writer.to_data(scenario),
            board_digest=state.board.digest, ruleset_id=RULESET.id, ruleset_version=RULESET.version,
            ruleset_digest=RULESET.digest, rules_version=RULES_VERSION, settings=settings_to_json(state.settings),
            options={}, dice_secret=secret, link0=link(secret, 0).hex(), created_at=now,
        )  # fmt: skip
        session.add(made)
        session.flush()
        seats = [
            Seat(campaign_id=made.id, player_id=seat, number=number, name=actor.name, user_id=actor.user_id,
                 faction=state.players[seat].faction, joined_at=now)
            for number, (seat, actor) in enumerate(people.items(), 1)
        ]  # fmt: skip
        session.add_all(seats)
        session.flush()
        dice = campaign_start.start_dice(session, made, seats, now)
        notices = campaign_start.begin_at(session, made, seats, state, [], dice, now, by=gm.user_id)
        open_next(session, made, seats, state, 1, notices)
        notices.send()
        return made.id
