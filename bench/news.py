"""What news cost those who publish: commits a second beside followers, by turns with and without NOTIFY.

Publishers commit without a pause, each on a topic of its own, and follower processes listen to one of the topics each.
In turn they tell nobody; tell as the server does, on the topic's channel and after the commit; and tell in the
transaction, on a channel of all, as it was before: then PostgreSQL commits them one after the other.
"""

from __future__ import annotations

import multiprocessing
import time
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import URL

from bench.measure import Result, middle
from server.store.database import CHANNELS, Database
from server.store.live import Listener, News, channel, publish

FOLLOWERS, PUBLISHERS = 20, 8
ROUNDS, SECONDS = 6, 2.0
STOP, NOBODY, AFTER, WITHIN = range(4)
WAYS = {
    AFTER: "NOTIFY after the commit, on the topic's channel",
    WITHIN: "NOTIFY in the transaction, on a channel of all",
}
_ALL = "all"
_QUEUED = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND wait_event_type = 'Lock' AND wait_event = 'object'"
)
"""Transactions with NOTIFY hold a lock from before their commit until after it: who waits for it."""


def news(url: URL) -> list[Result]:
    """Give each way its turns, and hold it against the turns before and after it in which nobody is told."""
    make: Any = multiprocessing.get_context("fork")
    way = make.Value("i", NOBODY, lock=False)
    counts, woken = make.Array("q", PUBLISHERS, lock=False), make.Array("q", FOLLOWERS, lock=False)
    address = url.render_as_string(hide_password=False)
    workers = [make.Process(target=_follow, args=(address, way, woken, number)) for number in range(FOLLOWERS)]
    workers += [make.Process(target=_publish, args=(address, way, counts, number)) for number in range(PUBLISHERS)]
    for worker in workers:
        worker.start()
    while not all(counts):
        time.sleep(0.1)

    database = Database(url)

    def turn(now: int) -> tuple[float, float, float]:
        """Return commits a second, wakes of each, and how many queue for NOTIFY, looked at again and again."""
        way.value = now
        time.sleep(0.2)
        before, heard, begun, queued = sum(counts), sum(woken), time.perf_counter(), []
        while (passed := time.perf_counter() - begun) < SECONDS:
            with database.read() as session:
                queued.append(session.scalar(_QUEUED) or 0)
            time.sleep(0.02)
        more = sum(counts) - before
        return more / passed, (sum(woken) - heard) / max(1, more), sum(queued) / len(queued)

    shares: dict[int, list[float]] = {each: [] for each in WAYS}
    others: dict[int, list[tuple[float, float]]] = {each: [] for each in WAYS}
    last = turn(NOBODY)[0]
    for _ in range(ROUNDS):
        for each in WAYS:
            rate, *rest = turn(each)
            before, last = last, turn(NOBODY)[0]
            shares[each].append(2 * rate / (before + last))
            others[each].append((rest[0], rest[1]))
    way.value = STOP
    database.close()
    for worker in workers:
        worker.join()
    found = []
    for each, what in WAYS.items():
        said = f"{PUBLISHERS} publishers, {FOLLOWERS} followers, {what}"
        wakes, queued = (middle(list(some)) for some in zip(*others[each], strict=True))
        figure = f"{middle(shares[each]):.2f} ({min(shares[each]):.2f} to {max(shares[each]):.2f})"
        found.append(Result("news", f"{said}: commits, of those when nobody learns of it", figure))
        found.append(Result("news", "the same: wakes a commit; publishers that wait for others' NOTIFY",
                            f"{wakes:.1f}; {queued:.2f}"))  # fmt: skip
    return found


def _topic(number: int) -> str:
    return f"bench/{number % PUBLISHERS}"


def _follow(url: str, way: Any, woken: Any, number: int) -> None:
    database = Database(url)
    listener = Listener(database, [_topic(number), _ALL])
    while way.value != STOP:
        woken[number] += listener.wait(0.2)
    listener.close()
    database.close()


def _publish(url: str, way: Any, counts: Any, number: int) -> None:
    database = Database(url, pool_size=1)
    now = datetime.now(UTC)
    while (told := way.value) != STOP:
        with database.write() as session:
            publish(session, [News(_topic(number), "bench")], now)
            if told != AFTER:
                session.info.pop(CHANNELS)
            if told == WITHIN:
                session.execute(text("SELECT pg_notify(:channel, '')"), {"channel": channel(_ALL)})
        counts[number] += 1
    database.close()
