"""How quickly broken and hostile map files are refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import Result, Stopwatch
from server.scenarios.exchange import import_map
from server.scenarios.problems import MapError
from tests.scenarios.test_hostile import HOSTILE, RULES


def refusals() -> list[Result]:
    """Import every hostile file the tests know; the slowest counts."""
    slowest = 0.0
    with TemporaryDirectory() as folder:
        for name, (make, _) in HOSTILE.items():
            file = Path(folder) / name
            file.write_bytes(make())
            watch = Stopwatch()
            with watch.running(), suppress(MapError):
                import_map(file, RULES)
            slowest = max(slowest, watch.total)
    what = f"the slowest of {len(HOSTILE)} hostile map files refused"
    return [Result("refusals", what, f"{slowest:.2f} s", "1 s", slowest < 1)]
