"""Processor time and bytes written of processes that come and go: a thread looks at them every second."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

EVERY = 1.0


class Meter:
    """Adds up what processes take while the block lasts; what is lost is the last second of those that end."""

    def __init__(self, which: Callable[[], Iterable[int]]) -> None:
        """*which* returns the ids of the processes that there are now."""
        self._which = which
        self._before: dict[int, tuple[float, int]] = {}
        self._last: dict[int, tuple[float, int]] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._look()
        self._before = dict(self._last)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()
        self._look()

    @property
    def cpu(self) -> float:
        """Seconds of a processor, once the block has ended."""
        return sum(self._last[pid][0] - self._before.get(pid, (0.0, 0))[0] for pid in self._last)

    @property
    def written(self) -> int:
        """Bytes, once the block has ended."""
        return sum(self._last[pid][1] - self._before.get(pid, (0.0, 0))[1] for pid in self._last)

    def _watch(self) -> None:
        while not self._end.wait(EVERY):
            self._look()

    def _look(self) -> None:
        for pid in self._which():
            with suppress(OSError):
                self._last[pid] = (cpu_of(pid), _written(pid))


def family(process: int) -> Iterator[int]:
    """Yield a process and those it has started."""
    yield process
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from family(int(child))


def cpu_of(process: int) -> float:
    """Return the seconds of a processor that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _written(process: int) -> int:
    for line in Path(f"/proc/{process}/io").read_text().splitlines():
        if line.startswith("write_bytes:"):
            return int(line.split()[1])
    return 0
