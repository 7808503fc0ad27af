"""Many campaigns fall due in the same minute: how long until all are resolved, read and told of, by two processes.

``python -m bench storm:100`` takes 100 campaigns instead of :data:`CAMPAIGNS`. ``storm:100:great`` lets as many loose
three times, the second time with a large campaign among them. Each campaign has people of its own, who get mails; those
of the second and the third storm are thrown away once these are over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import mean
from typing import Any

import orjson
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.engine import URL

from bench.great import Great, great_campaign
from bench.measure import Result, rest
from bench.paced import Paced
from bench.positions import orders_for
from bench.resolving import inserts
from server import rulesets
from server.play.accounts import tokens
from server.play.context import Actor, AppContext
from server.play.notices import webhooks
from server.rules.codec import decode
from server.scenarios import library
from server.settings import Settings
from server.store.database import Database
from server.store.tables import Outbox, Phase, Seat, User
from tests.e2e.clients import Client, close_all
from tests.e2e.processes import ServerProcess
from tests.mail.conftest import Post, PostOffice
from tests.storm import Storm, brewed, let_loose

CAMPAIGNS, CLUBS, PHASES = 1000, 10, 2
"""Campaigns, how many of them are played (the others are copies), phases played before the storm: Movement is open."""
WEBHOOKS = 10
"""Every so many campaigns one has a webhook."""
PROCESSES, READS_A_SECOND, READERS = 2, 50.0, 8
FIRST = 3.0
"""Seconds from the first read to the deadline."""
SECONDS, READ_SECONDS, DELAY, SHARE = 15.0, 0.15, 1.0, 0.02
PATIENCE = 900.0


@dataclass(slots=True)
class Run:
    """What was measured in one storm."""

    reads: Paced
    at: datetime
    """The deadline."""
    outbox: int
    """The last notice before it."""
    seconds: list[float] = field(default_factory=list)
    """From the deadline until each campaign was resolved, sorted."""
    great: float = 0.0
    """The same of the large campaign."""
    told: dict[str, tuple[int, float, int]] = field(default_factory=dict)
    """By kind how many notices went out, seconds from the deadline to the last of them, and how many were left."""

    @property
    def last(self) -> float:
        """Seconds until all were resolved."""
        return self.seconds[-1]


def storm(url: URL, kind: str, *given: str) -> list[Result]:
    """Let campaigns loose on two processes, read meanwhile, and wait until everything is out."""
    count = next((int(word) for word in given if word.isdigit()), CAMPAIGNS)
    database = Database(url)
    ctx = AppContext(database, Settings.model_validate({"webhooks_to_private_addresses": True}))
    with ExitStack() as stack:
        mails, hooks = stack.enter_context(_post()), stack.enter_context(_receiver())
        storms = [_brewed(ctx, count, number, hooks) for number in range(3 if "great" in given else 1)]
        great = great_campaign(url) if len(storms) > 1 else None
        more = {"smtp_host": "127.0.0.1", "smtp_port": mails, "smtp_tls": "none", "ticker_interval": 2.0}
        more |= {"webhooks_to_private_addresses": True, "log_level": "error"}
        servers = [stack.enter_context(ServerProcess(url, **more)) for _ in range(PROCESSES)]
        before = inserts(database)
        calm = _let_loose(database, servers, ctx, storms[0])
        calm.told = _told(database, calm)
        rate = (before + inserts(database)) / 2
        results = _results(calm, count, rate, kind)
        if great is not None:
            _hand_in(servers[0], great)
            beside = _let_loose(database, servers, ctx, storms[1], great)
            _throw_away(database, beside)
            after = _let_loose(database, servers, ctx, storms[2])
            _throw_away(database, after)
            results += _results_beside(beside, [calm, after])
    close_all()
    database.close()
    return results


def _results(calm: Run, count: int, rate: float, kind: str) -> list[Result]:
    reads, share = calm.reads, count / calm.last / rate
    what = f"{count} campaigns of four due at once, {PROCESSES} processes, {kind}"
    halfway = calm.seconds[len(calm.seconds) // 2]
    return [
        Result("storm", f"{what}: all resolved (half of them)", f"{calm.last:.1f} s ({halfway:.1f} s)",
               f"{SECONDS:g} s", calm.last <= SECONDS),
        Result("storm", "the same: phases a second, of bare committed inserts",
               f"{share:.3f} ({count / calm.last:.0f}/s of {rate:.0f}/s)", f"{SHARE:g}", share >= SHARE),
        _result_of_reads(f"reads until then, {READS_A_SECOND:g} a second", reads),
        Result("storm", "answers 5xx, connections lost", f"{reads.failed}, {reads.lost}", "0",
               not reads.failed and not reads.lost),
        *(Result("storm", f"{told} {of}s out, the last of them after; left after {PATIENCE:g} s",
                 f"{seconds:.1f} s; {left}", "none left", not left)
          for of, (told, seconds, left) in calm.told.items()),
    ]  # fmt: skip


def _results_beside(beside: Run, without: Sequence[Run]) -> list[Result]:
    """Hold a storm with a large campaign against the storms before and after it: a machine is not always as fast."""
    late = max(0.0, beside.last - mean(run.last for run in without))
    both = " and ".join(f"{run.last:.1f} s" for run in without)
    return [
        Result("storm", "a 64 x 64 campaign among them: all others resolved (before and after it without)",
               f"{beside.last:.1f} s ({both})"),
        Result("storm", "the same: later than without it", f"{late:.1f} s", f"{DELAY:g} s", late <= DELAY),
        Result("storm", "the same: the large one resolved", f"{beside.great:.1f} s"),
        _result_of_reads("the same: reads", beside.reads),
    ]  # fmt: skip


def _result_of_reads(what: str, reads: Paced) -> Result:
    middle, slow = (reads.percentile(part) for part in (0.5, 0.99))
    figure = f"{middle * 1000:.0f}, {slow * 1000:.0f} ms"
    return Result("storm", f"{what}: p50, p99 of {len(reads.times)}", figure, f"{READ_SECONDS * 1000:.0f} ms",
                  slow <= READ_SECONDS)  # fmt: skip


# --- before the storm ---


def _brewed(ctx: AppContext, count: int, number: int, hooks: str) -> Storm:
    clubs = min(CLUBS, count)
    copies, more = divmod(count - clubs, clubs)
    made = brewed(ctx, clubs, copies + bool(more), phases=PHASES, name=f" {number}")
    ids = made.ids[:count]
    _give_people(ctx, ids)
    for place, campaign_id in enumerate(ids):
        if place % WEBHOOKS == 0:
            owner = Actor(_person(campaign_id, "p1"), "", session=True)
            webhooks.create(ctx, owner, hooks)
    return Storm(made.clubs, ids)


def _give_people(ctx: AppContext, ids: Sequence[str]) -> None:
    """Give every seat a person of its own, with an address."""
    now = ctx.now()
    with ctx.database.write() as session:
        places = session.execute(select(Seat.campaign_id, Seat.player_id).where(Seat.campaign_id.in_(ids))).all()
        people = [_person(*place) for place in places]
        session.execute(insert(User), [
            {"id": name, "name": name, "name_key": name, "email": f"{name}@example.org",
             "email_key": f"{name}@example.org", "email_confirmed_at": now, "created_at": now}
            for name in people
        ])  # fmt: skip
        own = Seat.campaign_id + "-" + Seat.player_id
        session.execute(update(Seat).where(Seat.campaign_id.in_(ids)).values(user_id=func.lower(own)))


def _person(campaign_id: str, player_id: str) -> str:
    return f"{campaign_id}-{player_id}".lower()


def _hand_in(server: ServerProcess, great: Great) -> None:
    """Have everybody of the large campaign order something for every force."""
    gm = Client(server.base_url, great.gm, "gm")
    shown: dict[str, Any] = gm.do("GET", f"{great.path}/view?as=gm")
    scenario = library.load("twin-gulfs")
    state = decode(orjson.dumps(shown["state"]), scenario.board, rulesets.load(scenario.ruleset))
    for seat, orders in orders_for(state, "storm").items():
        client = Client(server.base_url, great.players[seat], seat)
        client.ask("PUT", f"{great.path}/orders", {"orders": orders, "final": False, "lenient": True})


# --- the storm ---


def _let_loose(
    database: Database, servers: Sequence[ServerProcess], ctx: AppContext, made: Storm, great: Great | None = None
) -> Run:
    ids = [*made.ids] + ([great.id] if great else [])
    with database.read() as session:
        number = {row[0]: row[1] for row in session.execute(_open(ids))}
        outbox = session.scalar(select(func.max(Outbox.id))) or 0
    reads = _readers(servers, ctx, made)
    with reads.asking(READS_A_SECOND, READERS):
        at = datetime.now(UTC) + timedelta(seconds=FIRST)
        let_loose(database, ids, at)
        time.sleep(FIRST)
        _wait(database, number)
    run = Run(reads, at, outbox)
    with database.read() as session:
        for campaign_id, resolved in session.execute(_resolved(ids, number)):
            seconds: float = (resolved - at).total_seconds()
            if great is not None and campaign_id == great.id:
                run.great = seconds
            else:
                run.seconds.append(seconds)
    run.seconds.sort()
    return run


def _readers(servers: Sequence[ServerProcess], ctx: AppContext, made: Storm) -> Paced:
    """Return readers of views, orders and campaigns, whole, over all processes."""
    asked = []
    for place, campaign_id in enumerate(made.ids[:: max(1, len(made.ids) // 20)]):
        secret = tokens.create(ctx, Actor(_person(campaign_id, "p1"), "", session=True), "bench", ["read"]).secret
        what = ("/view", "/orders", "")[place % 3]
        asked.append((servers[place % len(servers)].port, f"/api/v1/campaigns/{campaign_id}{what}", secret))
    return Paced(asked)


def _open(ids: Sequence[str]) -> Any:
    return select(Phase.campaign_id, Phase.number).where(Phase.campaign_id.in_(ids), Phase.resolved_at.is_(None))


def _resolved(ids: Sequence[str], number: dict[str, int]) -> Any:
    mine = (Phase.campaign_id.in_(ids), Phase.number.in_(sorted(set(number.values()))), Phase.resolved_at.is_not(None))
    last = select(Phase.campaign_id, func.max(Phase.resolved_at)).where(*mine)
    return last.group_by(Phase.campaign_id)


def _wait(database: Database, number: dict[str, int]) -> None:
    """Wait until none of these phases is open."""
    end = time.monotonic() + PATIENCE
    waiting = set(number)
    while waiting and time.monotonic() < end:
        time.sleep(0.1)
        with database.read() as session:
            now_open = {row[0]: row[1] for row in session.execute(_open(sorted(waiting)))}
        waiting = {id_ for id_ in waiting if now_open.get(id_) == number[id_]}
    assert not waiting, f"{len(waiting)} are not resolved"


def _throw_away(database: Database, run: Run) -> None:
    """Drop the notices of a storm: the next one begins with none that wait."""
    with database.write() as session:
        session.execute(delete(Outbox).where(Outbox.id > run.outbox))
    rest()


def _told(database: Database, run: Run) -> dict[str, tuple[int, float, int]]:
    """Wait until all that was put into the outbox is sent, but not longer than :data:`PATIENCE`."""
    end = time.monotonic() + PATIENCE
    mine = (Outbox.id > run.outbox, Outbox.kind.in_(("mail", "webhook")))
    left = select(func.count()).where(*mine, Outbox.sent_at.is_(None))
    while time.monotonic() < end:
        with database.read() as session:
            if not session.scalar(left):
                break
        time.sleep(0.2)
    sent = select(Outbox.kind, func.count(Outbox.sent_at), func.max(Outbox.sent_at), func.count()).where(*mine)
    with database.read() as session:
        rows = session.execute(sent.group_by(Outbox.kind).order_by(Outbox.kind)).all()
    return {
        kind: (count, (last - run.at).total_seconds(), of - count) for kind, count, last, of in rows if last is not None
    }


# --- where mails and webhooks go ---


@contextmanager
def _post() -> Iterator[int]:
    """Run a mail server that takes everything; yields its port."""
    post = Post(PostOffice())
    post.start()
    try:
        yield int(post.port)
    finally:
        post.stop()


@contextmanager
def _receiver() -> Iterator[str]:
    """Run a web server that takes everything; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *given: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
    finally:
        server.shutdown()
        server.server_close()
