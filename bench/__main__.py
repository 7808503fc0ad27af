"""Prints the timings as a table: ``python -m bench [NAME ...]``, all of :data:`BENCHES` without names.

What stands behind a name and a colon is for the bench itself: ``storm:100``.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from sqlalchemy.engine import URL

from bench import (
    advice,
    crowd,
    first_view,
    heavy,
    mails,
    news,
    pages,
    peers,
    pictures,
    reading,
    referee,
    refusals,
    resolving,
    serving,
    start,
    stored,
    storm,
    tables,
    turns,
    weight,
    writing,
)
from bench.measure import Result
from server.http import logs
from tests.store import databases
from tests.store.answers import answers


def _on_databases(bench: Callable[[URL, str], list[Result]], *kinds: str) -> list[Result]:
    """Run a bench on a fresh SQLite file, and on PostgreSQL where one answers (see :mod:`tests.store.databases`)."""
    results = []
    for kind in kinds or databases.KINDS:
        if kind == "sqlite" or answers():
            with databases.migrated(kind, "bench") as url:
                results += bench(url, kind)
    return results


BENCHES: dict[str, Callable[..., list[Result]]] = {
    "small": turns.small,
    "great": turns.great,
    "growth": turns.growth,
    "advice": advice.advice,
    "peers": peers.peers,
    "refusals": refusals.refusals,
    "referee": referee.referee,
    "heavy": heavy.heavy,
    "page": first_view.first_view,
    "pages": pages.pages,
    "pictures": pictures.pictures,
    "writes": lambda: _on_databases(writing.writing),
    "reads": lambda: _on_databases(reading.reading),
    "resolving": lambda: _on_databases(resolving.resolving),
    "serving": lambda: _on_databases(serving.resolving),
    "stored": lambda: _on_databases(lambda url, _kind: stored.stored(url)),
    "mails": lambda: _on_databases(mails.mails, "sqlite"),
    "news": lambda: _on_databases(lambda url, _kind: news.news(url), "postgresql"),
    "tables": lambda: _on_databases(tables.tables),
    "memory": lambda: _on_databases(lambda url, _kind: serving.memory(url), "sqlite"),
    "start": lambda: _on_databases(lambda url, _kind: start.start(url), "sqlite"),
    "storm": lambda *given: _on_databases(lambda url, kind: storm.storm(url, kind, *given), "postgresql"),
    "weight": lambda *given: _on_databases(lambda url, _kind: weight.weight(url, *given), "sqlite"),
    "crowd": lambda: _on_databases(lambda url, _kind: crowd.crowd(url), "sqlite"),
}


def main(names: list[str]) -> int:
    """Run the benches of these names, all when there are none."""
    if {"-h", "--help"} & set(names):
        print(f"{__doc__}\nThere are: {', '.join(BENCHES)}. `crowd`: 50 people sign in at once.")
        return 0
    unknown = [name for name in names if name.partition(":")[0] not in BENCHES]
    if unknown:
        print(f"there is no bench {', '.join(unknown)}; there are: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    logs.configure("warning", "text")
    table = Table(title=f"Sealed Orders, Python {platform.python_version()}")
    for heading in ("bench", "what", "measured", "aim"):
        table.add_column(heading, justify="right" if heading in ("measured", "aim") else "left")
    for asked in names or BENCHES:
        name, *given = asked.split(":")
        for each in BENCHES[name](*given):
            mark = "" if not each.aim else " [green]met[/]" if each.met else " [red]missed[/]"
            table.add_row(each.name, each.what, each.figure, each.aim + mark)
    console = Console()
    console.print(table)
    console.print("Rules and pictures: processor time of a single core; medians of several runs (growth: the best).")
    console.print("Writes, serving: time on the wall, over HTTP, from other processes on this machine.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
