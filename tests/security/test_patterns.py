"""No text keeps a regular expression busy: each takes time in proportion to the text, whatever comes.

One line of 30,000 brackets stopped a process for 23 seconds. The test finds the patterns by itself, so a new one is
held to this too. Seen to fail with the pattern of roster lines as it was, and with ``\\s*-?\\s*x``.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.security.patterns import Found, hostile, patterns, unreadable

SHORT, LONG = 1_000, 10_000
SLOW = 0.05
"""Seconds of processor time that no linear pattern needs for 10,000 characters; a quadratic one needs 0.3 or more."""
GROWTH = 30
"""A linear pattern takes 10 times as long for 10 times the text, a quadratic one 100 times."""


def test_patterns_take_linear_time() -> None:
    found = patterns()
    assert unreadable() == []
    assert len(found) > 100
    assert [slow for each in found if (slow := _slow(each))] == []


def _slow(found: Found) -> tuple[object, ...] | None:
    """Return where a pattern takes more than linear time: its place, the text's beginning, and both costs."""
    for short, long in zip(hostile(found.pattern, SHORT), hostile(found.pattern, LONG), strict=True):
        needed = _cost(found, long)
        if needed > SLOW:
            before = min(_cost(found, short) for _ in range(3))
            needed = min(needed, _cost(found, long))
            if needed >= max(SLOW, GROWTH * before):
                return found.place, found.method, found.pattern.pattern, short[:60], before, needed
    return None


def _cost(found: Found, text: str) -> float:
    """Return the seconds of processor time that a pattern takes; stops where it takes two."""
    begun = time.thread_time()
    with _at_most(2):
        if found.method == "search":
            for _ in found.pattern.finditer(text):
                pass
        else:
            getattr(found.pattern, found.method)(text)
    return time.thread_time() - begun


class _TooLong(Exception):
    pass


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    except _TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
