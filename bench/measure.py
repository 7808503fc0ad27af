"""Clocks: the processor time of a single core, so that what else a machine does counts as little as may be."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import process_time


@dataclass
class Stopwatch:
    """Sums up the time of what runs under it."""

    laps: list[float] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Time a piece of code as one lap."""
        started = process_time()
        yield
        self.laps.append(process_time() - started)

    @property
    def total(self) -> float:
        """Seconds of all laps."""
        return sum(self.laps)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    name: str
    what: str
    figure: str
    aim: str = ""
    """Empty for a figure that only explains another."""
    met: bool = True


def middle(values: list[float]) -> float:
    """Return the median of several runs."""
    return median(values)


def rest() -> None:
    """Tidy up between runs, so that none pays for the one before."""
    gc.collect()


def peak_megabytes(argument: str) -> float:
    """Run ``python -m bench.peak argument`` and return the most memory it had, in MB."""
    run = subprocess.run([sys.executable, "-m", "bench.peak", argument], capture_output=True, text=True, check=True)
    return float(run.stdout)


def my_peak_megabytes() -> float:
    """Return the most memory this process has had so far, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
