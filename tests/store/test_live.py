"""Streams: numbers without gaps in the order of commits, and listeners that wake up."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest
from sqlalchemy import text

from server.store import live
from server.store.database import Database
from server.store.errors import Unreachable
from server.store.live import Listener, News, last_numbers, publish, since
from tests.store.rows import NOW

PATIENCE = 20.0
"""Seconds a listener may take on a slow machine to hear what it is told."""


def publish_to(database: Database, *topics: str) -> int:
    with database.write() as session:
        return publish(session, [News(topic, "phase", {"of": topic}) for topic in topics], NOW)


def numbers(database: Database, **after: int) -> list[tuple[str, int]]:
    with database.read() as session:
        return [(each.topic, each.number) for each in since(session, after)]


def test_each_topic_counts_for_itself(database: Database) -> None:
    publish_to(database, "a", "b")
    publish_to(database, "a")
    assert numbers(database, a=0) == [("a", 1), ("a", 2)]
    assert numbers(database, b=0) == [("b", 1)]
    assert numbers(database, a=1, b=1) == [("a", 2)]
    assert numbers(database) == []
    with database.read() as session:
        assert last_numbers(session, ["a", "b", "c"]) == {"a": 2, "b": 1, "c": 0}


def test_what_is_told_comes_back(database: Database) -> None:
    publish_to(database, "a")
    with database.read() as session:
        (found,) = since(session, {"a": 0})
    assert (found.kind, found.data, found.at) == ("phase", {"of": "a"}, NOW)


def test_topics_come_in_the_order_in_which_things_happened(database: Database) -> None:
    for topic in ("b", "a", "b", "b", "a"):
        publish_to(database, topic)
    assert numbers(database, a=0, b=0) == [("b", 1), ("a", 1), ("b", 2), ("b", 3), ("a", 2)]
    with database.read() as session:
        assert len(since(session, {"a": 0, "b": 0}, limit=2)) == 2


def test_nothing_told_is_no_number(database: Database) -> None:
    assert publish_to(database) == 0


def test_what_is_undone_uses_no_number(database: Database) -> None:
    publish_to(database, "a")
    with pytest.raises(ZeroDivisionError), database.write() as session:  # noqa: PT012
        publish(session, [News("a", "phase")], NOW)
        raise ZeroDivisionError
    publish_to(database, "a")
    assert numbers(database, a=0) == [("a", 1), ("a", 2)]


def test_numbers_are_not_given_out_again_when_old_news_is_deleted(database: Database) -> None:
    first = publish_to(database, "a")
    with database.write() as session:
        session.execute(text("DELETE FROM live_events"))
    assert publish_to(database, "a") > first
    assert numbers(database, a=0) == [("a", 2)]


def test_many_publishers_leave_no_gap_and_a_reader_misses_none(database: Database) -> None:
    """Whoever has number n has all before it, at any moment; topics are taken in any order."""
    seen: list[int] = []
    done = threading.Event()

    def write(number: int) -> None:
        for _ in range(10):
            publish_to(database, *(("a", "b") if number % 2 else ("b", "a")))

    def read() -> None:
        while True:
            finished = done.is_set()
            with database.read() as session:
                seen.extend(each.number for each in since(session, {"a": seen[-1] if seen else 0}))
            if finished:
                return

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert seen == list(range(1, 41))


# --- listening ---


def test_a_listener_wakes_up(database: Database) -> None:
    with closing(Database(database.url)) as earlier:  # closed, it has announced all
        publish_to(earlier, "before")
    with closing(Listener(database, ["a", "before"])) as listener:
        assert not listener.wait(0), "what was before is no news"
        publish_to(database, "a")
        assert listener.wait(PATIENCE)
        assert not listener.wait(0.05)


def test_a_listener_wakes_up_while_it_waits(database: Database) -> None:
    with closing(Listener(database, ["a", "before"])) as listener:
        thread = threading.Timer(0.2, publish_to, [database, "a"])
        thread.start()
        started = time.monotonic()
        assert listener.wait(2 * PATIENCE)
        assert time.monotonic() - started < PATIENCE
        thread.join()


def test_a_listener_does_not_wake_up_for_what_is_undone(database: Database) -> None:
    with closing(Listener(database, ["a", "before"])) as listener:
        with pytest.raises(ZeroDivisionError), database.write() as session:  # noqa: PT012
            publish(session, [News("a", "phase")], NOW)
            raise ZeroDivisionError
        assert not listener.wait(0.3)


def test_other_writes_wake_nobody(database: Database) -> None:
    with closing(Listener(database, ["a", "before"])) as listener:
        with database.write() as session:
            session.execute(text("DELETE FROM campaigns"))
        assert not listener.wait(0.1)


def test_news_of_another_process_is_heard(database: Database) -> None:
    other = Database(database.url)
    with closing(Listener(database, ["a", "before"])) as listener:
        publish_to(other, "a")
        assert listener.wait(PATIENCE)
    other.close()


def test_other_topics_wake_nobody(postgresql_database: Database) -> None:
    """Seen to fail with one channel for all. SQLite has one process, which looks by itself."""
    with closing(Listener(postgresql_database, ["a"])) as listener:
        publish_to(postgresql_database, "b")
        assert not listener.wait(0.3)
        assert listener.follow(["b"])
        assert not listener.follow(["b"])
        publish_to(postgresql_database, "a")
        assert not listener.wait(0.3)
        publish_to(postgresql_database, "b", "c")
        assert listener.wait(PATIENCE)


def test_news_that_do_not_arrive_are_noticed(database: Database) -> None:
    """Like those behind a pooler: another database of the same server hears nothing of this one."""
    assert live.arrive(database)
    if database.sqlite:
        return
    deaf = Database(database.url, listen_url=database.url.set(database="postgres"))
    assert not live.arrive(deaf, 0.2)
    deaf.close()
    apart = Database(database.url, prepare=False, listen_url=database.url.update_query_dict({"application_name": "x"}))
    assert live.arrive(apart)
    apart.close()


def test_a_listener_holds_no_transaction_and_no_place_in_the_pool(database: Database) -> None:
    small = Database(database.url, pool_size=1, max_overflow=0)
    with closing(Listener(small, ["a"])) as listener:
        for _ in range(3):
            publish_to(small, "a")
            assert listener.wait(PATIENCE)
    small.close()


END_LISTENING = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'LISTEN %' AND datname = current_database()"""
"""In this database alone: other tests listen in theirs at the same time."""


def test_a_lost_connection_is_told(postgresql_database: Database) -> None:
    with closing(Listener(postgresql_database, ["a"])) as listener:
        with postgresql_database.write() as session:
            session.execute(text(END_LISTENING))
        with pytest.raises(Unreachable):
            listener.wait(PATIENCE)
