"""How often someone may ask: a generic cell rate algorithm, exact about when to come again.

One number per key is stored, in this process; a key is forgotten when it has been quiet for its period. Processes on
one PostgreSQL add up what they have let pass, in slices of a second (:class:`Shared`). No request waits for that, so
someone may get a second's requests more from each process than the rate allows.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from hashlib import sha256
from ipaddress import IPv6Address
from typing import NamedTuple

from server.http.logs import logger
from server.store import rates
from server.store.database import Database
from server.store.errors import StorageError

MINUTE, DAY = 60.0, 86_400.0
HEAVY_WAIT = 2
"""Seconds after which who came to heavy work while there was no room may come again."""
_SWEEP = 10_000
"""Keys from which on the quiet ones are thrown out."""
SLICE = 1.0
"""Seconds after which processes add up what they have let pass."""
_log = logger("server.limits")


def origin(address: str) -> str:
    """Return what is limited as one address: of IPv6 the network of 64 bits, all of which a customer has."""
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address)
    except ValueError:
        return address
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))


class Allowance(NamedTuple):
    """How often someone may ask."""

    limit: int
    """Times a minute."""
    remaining: int
    """Times at once, now."""
    reset: int
    """Seconds until the whole burst is there again."""


class Limiter:
    """Lets each key pass *rate* times a *period* (a minute), up to half of that at once; 0 lets everyone pass."""

    def __init__(self, rate: int, clock: Callable[[], float], period: float = MINUTE) -> None:
        self._rate = rate
        self._interval = period / rate if rate else 0.0
        self._burst = self._interval * max(1, rate // 2)
        self._clock = clock
        self._free_at: dict[str, float] = {}
        """When a key will have its whole burst again."""
        self.adds_up = False
        """Someone asks for :meth:`spent`."""
        self._spent: dict[str, float] = {}
        """Tokens used since the last :meth:`spent`, in seconds of the whole burst."""
        self._lock = threading.Lock()

    def wait(self, key: str) -> int:
        """Count one request and return 0, or return after how many whole seconds to come again."""
        if not self._interval:
            return 0
        with self._lock:
            now = self._clock()
            free_at = max(self._free_at.get(key, now), now) + self._interval
            over = free_at - now - self._burst
            if over > 1e-9:
                return max(1, math.ceil(over))
            if len(self._free_at) >= _SWEEP:
                self._free_at = {name: at for name, at in self._free_at.items() if at > now}
            self._free_at[key] = free_at
            if self.adds_up:
                self._spent[key] = self._spent.get(key, 0.0) + self._interval
            return 0

    def spent(self) -> dict[str, float]:
        """Return what was let pass since it was last asked: by key, seconds until that much is there again."""
        with self._lock:
            found, self._spent = self._spent, {}
            return found

    def untold(self, spent: Mapping[str, float]) -> None:
        """Take back what :meth:`spent` returned, for the database failed; full budgets are left out."""
        with self._lock:
            now = self._clock()
            for key, seconds in spent.items():
                if (busy := self._free_at.get(key, now) - now) > 0:
                    self._spent[key] = min(self._spent.get(key, 0.0) + seconds, busy)

    def learn(self, used: Mapping[str, float]) -> None:
        """Take over what all processes together have let pass: by key, seconds until the whole burst is there again."""
        with self._lock:
            now = self._clock()
            for key, seconds in used.items():
                self._free_at[key] = now + max(seconds, 0.0) + self._spent.get(key, 0.0)

    def allowance(self, key: str) -> Allowance | None:
        """Return how often a key may still ask; None where everyone passes."""
        if not self._interval:
            return None
        with self._lock:
            busy = max(self._free_at.get(key, 0.0) - self._clock(), 0.0)
        left = int((self._burst - busy) / self._interval + 1e-9)
        return Allowance(self._rate, max(0, left), math.ceil(busy))


class Shared:
    """Adds up what processes on one PostgreSQL have let pass. SQLite has one process, which needs nothing of this."""

    def __init__(self, database: Database, clock: Callable[[], datetime], limiters: Mapping[str, Limiter]) -> None:
        self._database, self._clock, self._limiters = database, clock, limiters
        for limiter in limiters.values():
            limiter.adds_up = not database.sqlite

    def run(self, stop: threading.Event) -> None:
        """Add up in each slice of time until told to stop."""
        while not stop.wait(SLICE):
            try:
                self.exchange()
            except StorageError as error:
                _log.warning("limits hold for this process alone", why=str(error))

    def exchange(self) -> None:
        """Add up once; asks nothing where nothing was let pass."""
        spent = {
            sha256(f"{name}|{key}".encode()).hexdigest(): (limiter, key, seconds)
            for name, limiter in self._limiters.items()
            for key, seconds in limiter.spent().items()
        }
        if not spent:
            return
        try:
            with self._database.write() as session:
                used = rates.exchange(session, {key: seconds for key, (_, _, seconds) in spent.items()}, self._clock())
        except StorageError:
            for limiter, key, seconds in spent.values():
                limiter.untold({key: seconds})
            raise
        for key, seconds in used.items():
            limiter, whose, _ = spent[key]
            limiter.learn({whose: seconds})


class Slots:
    """Counts what each key has open at a time."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self.changed: Callable[[int], None] = lambda _open: None
        """Told how many are open, over all keys, when that changes."""
        self._open: dict[str, int] = {}
        self._lock = threading.Lock()

    def take(self, key: str) -> bool:
        """Take a slot; false when none is left."""
        with self._lock:
            if self._open.get(key, 0) >= self._maximum:
                return False
            self._open[key] = self._open.get(key, 0) + 1
            self.changed(sum(self._open.values()))
            return True

    def give_back(self, key: str) -> None:
        """Give back a slot that was taken."""
        with self._lock:
            left = self._open.get(key, 0) - 1
            if left > 0:
                self._open[key] = left
            else:
                self._open.pop(key, None)
            self.changed(sum(self._open.values()))

    def __len__(self) -> int:
        with self._lock:
            return sum(self._open.values())


class HeavyWork:
    """Lets each key have so many heavy requests at a time, and this process so many of all keys together."""

    def __init__(self, of_one: int, together: int) -> None:
        self._of_one, self._together = Slots(of_one), Slots(together)

    @contextmanager
    def at_work(self, key: str) -> Iterator[bool]:
        """Yield whether there was room; the room is taken until the block ends."""
        with ExitStack() as taken:
            for slots, name in ((self._of_one, key), (self._together, "")):
                if not slots.take(name):
                    yield False
                    return
                taken.callback(slots.give_back, name)
            yield True
