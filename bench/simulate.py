"""A month of many clubs in some minutes: ``python -m bench.simulate`` (``make simulate ACCOUNTS=1000 CAMPAIGNS=200``).

Accounts and campaigns are put in by bulk load: a few clubs are played, the others are copies with people of their own.
Two server processes run on the database. In each round every player opens the page, reads view and orders, hands in
orders, and most look again; more and more do so as the deadline comes nearer. Most clubs share that deadline.

``WAITING=198000`` puts so many campaigns beside them that only wait. ``SECONDS=900`` gives a busy machine longer
rounds. A round stands for :data:`DAYS` days. A time counts from when the request was due, so that waiting counts, too.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table
from sqlalchemy import func, insert, select, update
from sqlalchemy.engine import URL

from bench import idle
from bench.meters import Meter, family
from server.bots import commander
from server.http import logs
from server.play.accounts.tokens import hashed
from server.play.agenda import AGENDA
from server.play.context import AppContext
from server.settings import Settings
from server.store.database import Database
from server.store.memberships import MEMBERSHIPS
from server.store.tables import Campaign, Outbox, Phase, Seat, Token, User
from server.store.tables.base import ID_LENGTH
from tests.e2e.processes import ServerProcess
from tests.mail.conftest import Post, PostOffice
from tests.store import databases
from tests.store.answers import answers
from tests.storm import Storm, brewed

ACCOUNTS, CAMPAIGNS, ROUNDS = 10_000, 2_000, 2
CLUBS, PLAYED = 10, 2
"""Clubs that are played before, and how many phases of them; Movement is open then."""
DAYS = 3.5
"""Of a club's calendar that a round stands for: two phases a week."""
SECONDS = 240.0
"""A round's length; a smaller simulation is as much shorter, but not below :data:`LEAST`."""
LEAST, MONTH = 10.0, 30.0
SUNDAY = 0.6
"""Share of the campaigns whose deadline is the end of the round; the others' are spread over its second half."""
WORKERS, PROCESSES, PATIENCE = 24, 2, 60.0
BULK = 2000
AGAIN = 0.5
"""Share of the players who look once more."""
Place = tuple[str, str]
"""A campaign and a seat."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is simulated."""

    accounts: int = ACCOUNTS
    campaigns: int = CAMPAIGNS
    rounds: int = ROUNDS
    waiting: int = 0
    """Campaigns beside them whose deadline is in 30 days."""
    kind: str = "postgresql"
    length: float = SECONDS

    @property
    def seconds(self) -> float:
        """Return how long a round takes."""
        return max(LEAST, self.length * self.campaigns / CAMPAIGNS)


@dataclass(frozen=True, slots=True)
class TimedRequest:
    """One request of a player."""

    due: float
    """Seconds from the beginning of the round."""
    campaign: str
    secret: str
    what: str
    """What follows the campaign's address."""
    body: bytes | None = None


@dataclass(slots=True)
class Measurements:
    """What the clients saw, and what it cost the servers."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """Answers of 400 to 499, by status and code."""
    failed: Counter[str] = field(default_factory=Counter)
    """Answers of 500 and more, and connections that were lost."""
    resolved: int = 0
    late: list[float] = field(default_factory=list)
    """Seconds after its deadline that each campaign's phase was resolved."""
    mails: int = 0
    unsent: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    database_cpu: float = 0.0
    written: int = 0
    grown: int = 0
    rest: int = 0
    """Bytes of a campaign that was loaded, with its accounts."""
    memory: int = 0


def simulate(size: Size, url: URL) -> Measurements:
    """Load the database, run the rounds, and measure."""
    database = Database(url)
    ctx = AppContext(database, Settings())
    measured, dice = Measurements(), Random(7)
    empty = databases.size(database)
    made, secrets = loaded(ctx, size)
    measured.rest = (databases.size(database) - empty) // size.campaigns
    if size.waiting:
        idle.load(ctx, size.waiting)
    with ExitStack() as stack:
        more: dict[str, Any] = {"smtp_host": "127.0.0.1", "smtp_port": stack.enter_context(_post())}
        more |= {"smtp_tls": "none", "ticker_interval": 1.0, "log_level": "error"}
        servers = [stack.enter_context(ServerProcess(url, **more)) for _ in range(PROCESSES)]
        before, outbox = databases.size(database), _newest_mail(database)
        with (
            Meter(lambda: [pid for server in servers for pid in family(server.process)]) as ours,
            Meter(lambda: databases.backends(database)) as theirs,
        ):
            for _ in range(size.rounds):
                _round(database, servers, made, secrets, size, measured, dice)
        measured.cpu, measured.database_cpu = ours.cpu, theirs.cpu
        measured.written, measured.grown = ours.written + theirs.written, databases.size(database) - before
        measured.memory = max(server.memory() for server in servers)
        with database.read() as session:
            mine = (Outbox.id > outbox, Outbox.kind == "mail")
            measured.mails = session.scalar(select(func.count()).where(*mine, Outbox.sent_at.is_not(None))) or 0
            measured.unsent = session.scalar(select(func.count()).where(*mine, Outbox.sent_at.is_(None))) or 0
    database.close()
    return measured


# --- the load ---


def loaded(ctx: AppContext, size: Size) -> tuple[Storm, dict[Place, str]]:
    """Put accounts and campaigns in; return the campaigns, and the secret of who sits at each place."""
    clubs = max(1, min(CLUBS, size.campaigns // 10))
    copies, more = divmod(size.campaigns - clubs, clubs)
    made = brewed(ctx, clubs, copies + bool(more), phases=PLAYED)
    ids = made.ids[: size.campaigns]
    now = ctx.now()
    names = [f"player{number}" for number in range(size.accounts)]
    with ctx.database.write() as session:
        for batch in (names[at : at + BULK] for at in range(0, len(names), BULK)):
            session.execute(insert(User), [
                {"id": name, "name": name, "name_key": name, "email": f"{name}@example.org",
                 "email_key": f"{name}@example.org", "email_confirmed_at": now, "created_at": now}
                for name in batch
            ])  # fmt: skip
            session.execute(insert(Token), [
                {"id": f"t-{name}", "user_id": name, "hash": hashed(f"secret-{name}"), "kind": "personal",
                 "name": "simulation", "scopes": ("read", "orders"), "created_at": now}
                for name in batch
            ])  # fmt: skip
        mine = select(Seat.campaign_id, Seat.player_id).where(Seat.campaign_id.in_(ids))
        seats = session.execute(mine.order_by(Seat.campaign_id, Seat.number)).all()
        whose = {(seat[0], seat[1]): names[number % len(names)] for number, seat in enumerate(seats)}
        session.execute(update(Seat).where(Seat.campaign_id.in_(ids)).values(user_id=None))
        session.execute(update(Seat), [
            {"campaign_id": campaign, "player_id": seat, "user_id": user} for (campaign, seat), user in whose.items()
        ])  # fmt: skip
        MEMBERSHIPS.touch(session, *ids)
    return Storm(made.clubs, ids), {place: f"secret-{user}" for place, user in whose.items()}


# --- a round ---


def _round(
    database: Database, servers: Sequence[ServerProcess], made: Storm,
    secrets: Mapping[Place, str], size: Size, measured: Measurements, dice: Random,
) -> None:  # fmt: skip
    """Let everybody order in their time, and wait until all that fell due is resolved."""
    ends = {id_: 1.0 if dice.random() < SUNDAY else dice.uniform(0.5, 1.0) for id_ in made.ids}
    with database.read() as session:
        rows = session.execute(
            select(Phase.campaign_id, Phase.number).where(Phase.campaign_id.in_(made.ids), Phase.resolved_at.is_(None))
        )
        numbers = {row[0]: row[1] for row in rows}
    playing = {id_: ends[id_] for id_ in made.ids if id_ in numbers}
    bodies = _orders(made)
    requests = sorted(_requests(playing, secrets, bodies, size.seconds, dice), key=lambda request: request.due)
    begun, now = time.perf_counter(), datetime.now(UTC)
    dues = {id_: now + timedelta(seconds=share * size.seconds) for id_, share in playing.items()}
    with database.write() as session:
        session.execute(update(Phase), [
            {"campaign_id": id_, "branch": 1, "number": numbers[id_], "deadline": due} for id_, due in dues.items()
        ])  # fmt: skip
        session.execute(update(Campaign), [{"id": id_, "deadline": due} for id_, due in dues.items()])
        for id_ in dues:
            AGENDA.touch(session, id_)
    _send_all(requests, servers, begun, measured)
    _wait(database, numbers, begun + size.seconds)
    with database.read() as session:
        done = select(Phase.campaign_id, Phase.number, Phase.resolved_at).where(Phase.resolved_at >= now)
        for id_, number, resolved in session.execute(done):
            measured.resolved += 1
            if numbers.get(id_) == number and resolved is not None:
                measured.late.append(max(0.0, (resolved - dues[id_]).total_seconds()))
    measured.seconds += time.perf_counter() - begun


def _orders(made: Storm) -> dict[Place, bytes]:
    """Return what a computer player orders at each place of the clubs that were played; copies order the same."""
    found = {}
    for club in made.clubs:
        for seat in club.players:
            with club.ctx.database.read() as session:
                record = session.scalars(
                    select(Phase).where(Phase.campaign_id == club.id, Phase.resolved_at.is_(None))
                ).first()
            orders = commander.choose(club.view(seat)) if record is not None else []
            found[club.id, seat] = orjson.dumps({"orders": orders, "lenient": True})
    return found


def _requests(
    playing: Mapping[str, float], secrets: Mapping[Place, str], bodies: Mapping[Place, bytes], seconds: float,
    dice: Random,
) -> Iterator[TimedRequest]:  # fmt: skip
    for (id_, seat), secret in secrets.items():
        if id_ not in playing:
            continue
        at = playing[id_] * seconds * (0.02 + 0.93 * dice.random() ** 0.5)
        yield TimedRequest(at * 0.9, id_, secret, "/view")
        yield TimedRequest(at * 0.9, id_, secret, "/orders")
        yield TimedRequest(at, id_, secret, "/orders", bodies[id_[:ID_LENGTH], seat])
        if dice.random() < AGAIN:
            yield TimedRequest(dice.uniform(at, seconds), id_, secret, "")


def _send_all(
    requests: Sequence[TimedRequest], servers: Sequence[ServerProcess], begun: float, measured: Measurements
) -> None:
    waiting: queue.SimpleQueue[TimedRequest | None] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_work, args=(waiting, servers[number % len(servers)].port, begun, measured))
        for number in range(WORKERS)
    ]
    for thread in threads:
        thread.start()
    for request in requests:
        time.sleep(max(0.0, begun + request.due - time.perf_counter()))
        waiting.put(request)
    for _ in threads:
        waiting.put(None)
    for thread in threads:
        thread.join()


def _work(waiting: queue.SimpleQueue[TimedRequest | None], port: int, begun: float, measured: Measurements) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    while (request := waiting.get()) is not None:
        headers = {"Authorization": f"Bearer {request.secret}", "Content-Type": "application/json"}
        path = f"/api/v1/campaigns/{request.campaign}{request.what}"
        try:
            status, content = _answer(connection, "GET" if request.body is None else "PUT", path, request.body, headers)
        except (OSError, HTTPException) as error:
            measured.failed[type(error).__name__] += 1
            connection.close()
            continue
        (measured.reads if request.body is None else measured.writes).append(time.perf_counter() - begun - request.due)
        if status >= 500:
            measured.failed[str(status)] += 1
        elif status >= 400:
            measured.refused[f"{status} {orjson.loads(content).get('code', '')}"] += 1
    connection.close()


def _answer(
    connection: HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    """Return status and body; a connection that the server has closed for want of requests is opened again, once."""
    again = connection.sock is not None
    while True:
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, HTTPException):
            if not again:
                raise
            connection.close()
            again = False


def _wait(database: Database, numbers: Mapping[str, int], since: float) -> None:
    """Wait until none of these phases is open."""
    waiting = set(numbers)
    while waiting:
        assert time.perf_counter() < since + 1800, f"{len(waiting)} campaigns are not resolved"
        time.sleep(0.5)
        with database.read() as session:
            rows = session.execute(select(Phase.campaign_id, Phase.number).where(Phase.resolved_at.is_(None)))
            now_open = {row[0]: row[1] for row in rows}
        waiting = {id_ for id_ in waiting if now_open.get(id_) == numbers[id_]}


# --- meters ---


def _newest_mail(database: Database) -> int:
    with database.read() as session:
        return session.scalar(select(func.max(Outbox.id))) or 0


class _Shredder(PostOffice):
    """A mail server that takes everything and keeps nothing."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: ARG002
        """Take a mail."""
        return "250 OK"


@contextmanager
def _post() -> Iterator[int]:
    """Run a mail server; yields its port."""
    made = Post(_Shredder())
    made.start()
    try:
        yield int(made.port)
    finally:
        made.stop()


# --- what is printed ---


def table(size: Size, measured: Measurements) -> Table:
    """Return the figures, those of a player and month reckoned from the rounds."""
    players = size.campaigns * 4
    month = MONTH / (size.rounds * DAYS) / players
    of = (
        f"{size.accounts} accounts, {size.campaigns} campaigns of four, {size.waiting} that wait, {size.rounds} rounds,"
    )
    shown = Table(title=f"{of} {size.kind}")
    shown.add_column("what")
    shown.add_column("measured", justify="right")
    cpu = measured.cpu + measured.database_cpu
    late, reads, writes = sorted(measured.late), sorted(measured.reads), sorted(measured.writes)
    load = " ".join(f"{part:.0f}" for part in os.getloadavg())
    for what, figure in (
        ("seconds on the wall; load average of the machine (1, 5, 15 minutes)", f"{measured.seconds:.0f}; {load}"),
        ("phases resolved", str(measured.resolved)),
        ("seconds after its deadline: half of them, 99 of 100, the last", _thirds(late, 1, "s")),
        (f"{len(reads)} reads: p50, p99, the slowest", _thirds(reads, 1000, "ms")),
        (f"{len(writes)} order sets: p50, p99, the slowest", _thirds(writes, 1000, "ms")),
        ("answers of 500 and more, connections lost", _counted(measured.failed)),
        ("refused", _counted(measured.refused)),
        ("mails sent, mails waiting at the end", f"{measured.mails}, {measured.unsent}"),
        ("CPU seconds of the servers, of the database", f"{measured.cpu:.0f}, {measured.database_cpu:.0f}"),
        ("memory of the larger server process, at the end", f"{measured.memory / 2**20:.0f} MB"),
        ("a player and month: CPU seconds, server and database", f"{cpu * month:.2f}"),
        ("a campaign of four after two phases, in the database", f"{measured.rest / 1000:.0f} kB"),
        ("a player and month: growth of the database", f"{measured.grown * month / 1000:.0f} kB"),
        ("a player and month: bytes written", f"{measured.written * month / 1000:.0f} kB"),
    ):
        shown.add_row(what, figure)
    return shown


def _thirds(times: Sequence[float], scale: float, unit: str) -> str:
    if not times:
        return "none"
    picked = (times[len(times) // 2], times[len(times) * 99 // 100], times[-1])
    return ", ".join(f"{one * scale:.{0 if scale > 1 else 1}f}" for one in picked) + f" {unit}"


def _counted(counted: Counter[str]) -> str:
    return ", ".join(f"{count} x {what}" for what, count in sorted(counted.items())) or "0"


def main() -> int:
    """Simulate what the environment asks for.

    ``ACCOUNTS``, ``CAMPAIGNS``, ``ROUNDS``, ``WAITING``, ``SECONDS``, ``DB``.
    """
    logs.configure("warning", "text")
    given = os.environ
    kind = given.get("DB") or ("postgresql" if answers() else "sqlite")
    size = Size(
        int(given.get("ACCOUNTS") or ACCOUNTS), int(given.get("CAMPAIGNS") or CAMPAIGNS),
        int(given.get("ROUNDS") or ROUNDS), int(given.get("WAITING") or 0), kind,
        float(given.get("SECONDS") or SECONDS),
    )  # fmt: skip
    with databases.migrated(kind, "simulation") as url:
        measured = simulate(size, url)
    Console().print(table(size, measured))
    return 1 if measured.failed else 0


if __name__ == "__main__":
    sys.exit(main())
