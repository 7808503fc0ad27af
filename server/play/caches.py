"""What is costly to make again and cannot change: boards, rulesets, states of finished phases."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """The last few values by key; thread-safe. What is kept is shared: nobody may change it."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value, made first where it is not known."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                found: T = self._kept[key]
                return found
        made = make()
        self.put(key, made)
        return made

    def known(self, key: Hashable) -> Any:
        """Return the value, None where it is not known."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def put(self, key: Hashable, value: object) -> None:
        """Keep a value."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._maximum:
                self._kept.popitem(last=False)


class Caches:
    """The memos of one process. Keys hold hashes of the content, so nothing there can be out of date.

    The last two are guesses: what they say is checked again, or holds for a moment only.
    """

    def __init__(self, game_data: int = 32, states: int = 24, views: int = 200) -> None:
        self.game_data = Memo(game_data)
        """Scenario and ruleset of a campaign."""
        self.states = Memo(states)
        """Decoded states, by campaign and state hash."""
        self.views = Memo(views)
        """Written views, by campaign, record and viewer."""
        self.order_states = Memo(2000)
        """Which seat somebody last ordered for, and the hash of the position he knew. The write checks it again."""
        self.bearers = Memo(2000)
        """Who signed in with a secret, by its hash, and until when that may be believed."""
