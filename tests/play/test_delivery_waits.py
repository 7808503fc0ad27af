"""Mails wait while phases are resolved: what they tell of is there already."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from server.play.background import Background
from server.play.context import AppContext
from server.play.notices import delivery
from server.play.notices.delivery import Item, deliver
from tests.play.campaigns import club
from tests.play.conftest import Clock


def resolving(background: Background, done: threading.Event, *, long: bool = False) -> threading.Event:
    """Have something resolved that ends when it is told; return what says that it has ended."""
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        done.wait(30)
        ended.set()

    background.soon("resolve/x", partial(background.in_process, work) if long else work)
    assert begun.wait(30)
    return ended


def test_mails_wait_while_phases_are_resolved(ctx: AppContext) -> None:
    """Seen to fail when a mail was sent at once: none had begun to wait."""
    club(ctx)
    done, waits, background = threading.Event(), threading.Event(), Background(threads=1)
    waiting = background.wait_until_idle

    def wait(seconds: float, stop: threading.Event) -> None:
        waits.set()
        waiting(seconds, stop)

    background.wait_until_idle = wait  # type: ignore[method-assign]
    resolving(background, done)
    sent: list[bool] = []
    busy = replace(ctx, background=background)
    mailing = threading.Thread(target=deliver, args=(busy, {"mail": lambda _item: sent.append(done.is_set())}))
    mailing.start()
    assert waits.wait(30)
    assert not sent
    done.set()
    mailing.join()
    assert sent == [True] * 8
    background.close()


def sent_meanwhile(ctx: AppContext, background: Background, *, long: bool = False) -> int:
    """Return how many mails are sent while something is resolved, whose end none of them may wait for."""
    done = threading.Event()
    ended = resolving(background, done, long=long)
    sent: list[Item] = []
    deliver(replace(ctx, background=background), {"mail": sent.append})
    assert not ended.is_set()
    done.set()
    background.close()
    return len(sent)


def test_mails_wait_for_a_while_only(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where phases are resolved without end they go, too. Seen to fail when they waited for the end."""
    monkeypatch.setattr(delivery, "A_WHILE", timedelta(milliseconds=10))
    club(ctx)
    assert sent_meanwhile(ctx, Background(threads=1)) == 8


def test_mails_that_have_waited_long_enough_do_not_wait_once_more(ctx: AppContext, clock: Clock) -> None:
    """Seen to fail when each waited a while of its own: a minute for each of eight."""
    club(ctx)
    clock.forward(seconds=delivery.A_WHILE.total_seconds())
    assert sent_meanwhile(ctx, Background(threads=1)) == 8


def test_mails_do_not_wait_for_what_another_process_resolves(ctx: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail when that was counted, too: they waited for its end."""
    monkeypatch.setattr(delivery, "A_WHILE", timedelta(minutes=1))
    club(ctx)
    background = Background(threads=1, processes=1)
    with ThreadPoolExecutor(1) as instead:  # an event does not go to another process
        monkeypatch.setattr(background, "_processes", lambda: instead)
        assert sent_meanwhile(ctx, background, long=True) == 8


def test_other_work_has_its_turn_while_some_waits_for_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail where what waits keeps its turn."""
    background, go_on, done = Background(threads=1, processes=1), threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as instead:
        monkeypatch.setattr(background, "_processes", lambda: instead)
        for number in range(3):
            background.soon(f"long/{number}", partial(background.in_process, go_on.wait, 30))
        background.soon("short", done.set)
        assert done.wait(30)
        go_on.set()
        background.close()
