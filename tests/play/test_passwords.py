"""The limit on passwords that are hashed or checked at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from server.play.accounts import accounts, passwords
from server.play.context import AppContext
from server.play.errors import PlayError


class Slow:
    """A hasher whose work takes until it is released, and that counts how many do it at a time."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.running = self.peak = self.calls = 0
        self._lock = threading.Lock()

    def hash(self, _password: str) -> str:
        """Return the same for all."""
        return "hash"

    def verify_and_update(self, _password: str, _known: str) -> tuple[bool, None]:
        """Work until released."""
        with self._lock:
            self.running, self.calls = self.running + 1, self.calls + 1
            self.peak = max(self.peak, self.running)
        assert self.release.wait(30)
        with self._lock:
            self.running -= 1
        return False, None


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    made = Slow()
    monkeypatch.setattr(passwords, "hasher", lambda: made)
    monkeypatch.setattr(passwords, "TURNS", passwords.Turns(passwords.RUNNING, passwords.WAITING, patience=30))
    passwords._nobodys_hash.cache_clear()
    yield made
    made.release.set()
    passwords._nobodys_hash.cache_clear()


def test_two_run_twenty_wait_and_the_next_is_refused(ctx: AppContext, slow: Slow) -> None:
    """Seen to fail with the turn left out of ``passwords.matches``."""

    def code_of_sign_in(name: str) -> str:
        with pytest.raises(PlayError) as refused:
            accounts.sign_in(ctx, name, "wrong horse!")
        return refused.value.code

    places = passwords.RUNNING + passwords.WAITING
    with ThreadPoolExecutor(places) as threads:
        try:
            signing_in = [threads.submit(code_of_sign_in, f"Nobody {number}") for number in range(places)]
            while passwords.TURNS.inside < places or slow.running < passwords.RUNNING:
                assert not wait(signing_in, timeout=0.01).done
            assert code_of_sign_in("One more") == "busy"
            assert slow.calls == passwords.RUNNING
        finally:
            slow.release.set()
        assert [future.result() for future in signing_in] == ["wrong_password"] * places
    assert (slow.peak, slow.calls) == (passwords.RUNNING, places)
    assert passwords.TURNS.inside == 0


class Counted:
    """The hasher of the tests, and the hashes it has checked passwords against."""

    def __init__(self) -> None:
        self.checked: list[str] = []
        self._hasher = passwords.hasher()

    def hash(self, password: str) -> str:
        """Return a hash."""
        return self._hasher.hash(password)

    def verify_and_update(self, password: str, known: str) -> tuple[bool, str | None]:
        """Check and note."""
        self.checked.append(known)
        return self._hasher.verify_and_update(password, known)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    made = Counted()
    monkeypatch.setattr(passwords, "hasher", lambda: made)
    passwords._nobodys_hash.cache_clear()
    yield made
    passwords._nobodys_hash.cache_clear()


def test_an_unknown_name_costs_as_much_as_a_wrong_password(ctx: AppContext, counted: Counted) -> None:
    """Each sign-in checks one password, against a hash of the same kind and cost.

    Seen to fail with a check that answers at once where no hash is known, and with nobody's hash of a greater cost.
    """
    accounts.sign_up(ctx, "Ada", "correct horse")
    costs = []
    for name in ("Ada", "Nobody", "nobody@example.org"):
        with pytest.raises(PlayError) as refused:
            accounts.sign_in(ctx, name, "wrong horse!")
        costs.append((refused.value.code, [known.rsplit("$", 2)[0] for known in counted.checked]))
        counted.checked.clear()
    assert len(costs[0][1]) == 1
    assert costs == [costs[0]] * 3


def test_who_waits_too_long_is_refused() -> None:
    turns = passwords.Turns(running=1, waiting=1, patience=0.01)
    with turns.one(), pytest.raises(PlayError) as refused, turns.one():
        pass
    assert (refused.value.code, turns.inside) == ("busy", 0)


def test_the_limit_is_the_one_that_is_documented() -> None:
    assert (passwords.RUNNING, passwords.WAITING, passwords.PATIENCE) == (2, 20, 5.0)
