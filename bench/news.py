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
ROUNDS, SECONDS, SHARE = 6, 2.0, 0.9
STOP, NOBODY, AFTER, WITHIN = range(4)
WAYS = {AFTER: "told after the commit, on the topic's channel", WITHIN: "told in the transaction, on a channel of all"}
_ALL = "all"


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

    def turn(now: int) -> tuple[float, float]:
        way.value = now
        time.sleep(0.2)
        before, begun = (sum(counts), sum(woken)), time.perf_counter()
        time.sleep(SECONDS)
        seconds = time.perf_counter() - begun
        return (sum(counts) - before[0]) / seconds, (sum(woken) - before[1]) / seconds

    shares: dict[int, list[float]] = {each: [] for each in WAYS}
    wakes: dict[int, list[float]] = {each: [] for each in WAYS}
    last, _ = turn(NOBODY)
    for _ in range(ROUNDS):
        for each in WAYS:
            rate, wake = turn(each)
            before, (last, _) = last, turn(NOBODY)
            shares[each].append(2 * rate / (before + last))
            wakes[each].append(wake / rate)
    way.value = STOP
    for worker in workers:
        worker.join()
    return [
        Result("news", f"{PUBLISHERS} publishers, {FOLLOWERS} followers: commits when {what}, of those without news;"
               " wakes a commit", f"{middle(shares[each]):.2f} ({min(shares[each]):.2f} to {max(shares[each]):.2f});"
               f" {middle(wakes[each]):.1f}", f"{SHARE:g}" if each == AFTER else "", middle(shares[each]) >= SHARE)
        for each, what in WAYS.items()
    ]  # fmt: skip


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
