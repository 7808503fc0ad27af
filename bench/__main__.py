"""Prints the timings as a table: ``python -m bench [small] [great] [growth] [refusals]``."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bench import refusals, turns
from bench.measure import Result

BENCHES: dict[str, Callable[[], list[Result]]] = {
    "small": turns.small,
    "great": turns.great,
    "growth": turns.growth,
    "refusals": refusals.refusals,
}


def main(names: list[str]) -> int:
    """Run the benches of these names, all when there are none."""
    unknown = [each for each in names if each not in BENCHES]
    if unknown:
        print(f"there is no bench {', '.join(unknown)}; there are: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    table = Table(title=f"Sealed Orders, Python {platform.python_version()}")
    for heading in ("bench", "what", "measured", "aim"):
        table.add_column(heading, justify="right" if heading in ("measured", "aim") else "left")
    for name in names or BENCHES:
        for each in BENCHES[name]():
            mark = "" if not each.aim else " [green]met[/]" if each.met else " [red]missed[/]"
            table.add_row(each.name, each.what, each.figure, each.aim + mark)
    console = Console()
    console.print(table)
    console.print("Processor time of a single core; medians of several runs (growth: the best of several).")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
