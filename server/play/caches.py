"""Caches of things that are costly to make and cannot change: boards, rulesets, states of finished phases."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache

T = TypeVar("T")
PICTURES = 8 * 1024 * 1024
"""Maximum bytes of cached email maps."""
WRITTEN = 16 * 1024 * 1024
"""Maximum bytes of cached states in their stored form."""
BODIES = 64 * 1024 * 1024
"""Maximum bytes of cached answers to reads."""
CHECKED = 20_000
"""Maximum orders of cached checked sets: a few hundred bytes each."""
BOARDS, SCENARIOS = 96 * 1024 * 1024, 48 * 1024 * 1024
"""Maximum bytes of cached maps, with their rulesets and alone; estimated by :func:`bytes_of_map`."""
HEX, MAP = 600, 50_000
"""Bytes of memory that a hex of a map takes, as measured on 200 x 200 hexes, and a map and its ruleset without any."""
TABLES = 200
"""Games on the table kept at a time: each is some hundred kilobytes."""


class Memo:
    """The values used last, by key; thread-safe. Values are shared: nobody may change them.

    *maximum* limits their number, or their total *weigh*.
    *gone* gets the keys of values that made room for others.
    """

    def __init__(
        self, maximum: int, weigh: Callable[[Any], int] | None = None,
        gone: Callable[[Hashable], None] = lambda _key: None,
    ) -> None:  # fmt: skip
        self._kept, self._lock = _Telling(maximum, weigh, gone), Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value, made first where it is not known."""
        with self._lock, suppress(KeyError):
            found: T = self._kept[key]
            return found
        made = make()
        self.put(key, made)
        return made

    def known(self, key: Hashable) -> Any:
        """Return the value, None where it is not known."""
        with self._lock:
            return self._kept.get(key)

    def forget(self, key: Hashable) -> None:
        """Forget a value."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def put(self, key: Hashable, value: object) -> None:
        """Keep a value, unless it weighs more than all may together."""
        with self._lock, suppress(ValueError):
            self._kept.pop(key, None)
            self._kept[key] = value

    def forget_all(self, first: object) -> None:
        """Forget the values whose key begins with that."""
        with self._lock:
            for key in [key for key in self._kept if isinstance(key, tuple) and key[0] == first]:
                del self._kept[key]


class _Telling(LRUCache[Hashable, Any]):
    """A cache that tells which keys had to go for others."""

    def __init__(
        self, maximum: int, weigh: Callable[[Any], int] | None, gone: Callable[[Hashable], None]
    ) -> None:  # fmt: skip
        super().__init__(maximum, weigh)
        self._gone = gone

    def popitem(self) -> tuple[Hashable, Any]:
        key, value = super().popitem()
        self._gone(key)
        return key, value


class Caches:
    """The memos of one process. Keys hold hashes of the content, so nothing there can be out of date.

    Some are guesses: what they say is checked again, or holds for a moment only.
    """

    def __init__(self, boards: int = BOARDS, states: int = 24, views: int = 200, bodies: int = BODIES) -> None:
        self.game_data = Memo(boards, lambda world: min(boards, bytes_of_map(world.scenario)), self._map_gone)
        """Scenario and ruleset of a campaign. States and views hold the map, too, and go with it."""
        self.scenarios = Memo(SCENARIOS, lambda scenario: min(SCENARIOS, bytes_of_map(scenario)))
        """Scenarios, by id and the digest of their stored form: many campaigns share one."""
        self.rulesets = Memo(32)
        """Rulesets, by id and digest: many campaigns have the same."""
        self.states = Memo(states)
        """Decoded states, by campaign and state hash."""
        self.written = Memo(WRITTEN, len)
        """The canonical bytes of the same: the next snapshot stores only changes to them."""
        self.views = Memo(views)
        """Views, by campaign, record and viewer."""
        self.bodies = Memo(bodies, lambda written: len(written.body))
        """Answers to reads as bytes, by campaign, position, viewer and kind; see :mod:`server.play.views.reads`."""
        self.sent_views = Memo(4000)
        """Of which position and with which rights someone was sent a view, by its ETag; see
        :mod:`server.play.views.view_changes`."""
        self.pictures = Memo(PICTURES, len)
        """Maps as mails show them (PNG), by the hash of the drawing."""
        self.receipt_keys = Memo(1)
        """The key that receipts are signed with."""
        self.bearers = Memo(2000)
        """The user of a secret, by its hash, and the time until which that holds."""
        self.evaluations = Memo(64)
        """Postures of computer players by turn, by campaign, branch and record."""
        self.checked = Memo(CHECKED, len)
        """Orders of sets that were checked without a problem, by :func:`server.play.resolution.engine.key_of`."""
        self.tables = Memo(TABLES)
        """Games on the table as the referee has them, by id; see :mod:`server.play.tables.folding`."""
        self.table_presence = Memo(5000)
        """When this process last wrote that a side's player is there, by game and side."""
        self.table_rights = Memo(2000)
        """Which sides someone plays of a game on the table, and its revision then. The write checks it again."""

    def _map_gone(self, key: Hashable) -> None:
        for memo in (self.states, self.views):
            memo.forget_all(key[0] if isinstance(key, tuple) else key)


def bytes_of_map(scenario: Any) -> int:
    """Return about how many bytes of memory a scenario's map takes."""
    return MAP + HEX * int(scenario.board.size)
