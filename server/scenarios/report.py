"""The reports on scenarios: the same for people and for scripts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from rich.table import Table

from server.rules.ruleset import Ruleset
from server.rulesets import load as load_ruleset
from server.scenarios import library
from server.scenarios.checks import validate
from server.scenarios.fairness import fairness
from server.scenarios.problems import ERROR, MapProblem
from server.scenarios.scenario import Scenario

OK, PROBLEMS, UNREADABLE = 0, 1, 2
"""Exit codes: all is well; there are problems; nothing could be read, or the command was misused."""

GOOD, NOT_FAIR, BROKEN = "good", "playable, not fair", "broken"

_UNREADABLE = {"unreadable", "too_large", "hostile", "unknown_scenario"}
_SLOW = 1.0


class Progress:
    """Says what is continuing, once it has taken longer than a second."""

    def __init__(self, say: Callable[[str], None], after: float = _SLOW) -> None:
        self._say = say
        self._step = ""
        self._slow = False
        self._timer = threading.Timer(after, self._late)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()

    def start_step(self, step: str) -> None:
        """Name the step that begins now."""
        self._step = step
        if self._slow:
            self._say(f"... {step}")

    def _late(self) -> None:
        self._slow = True
        if self._step:
            self._say(f"... {self._step}")


def plain(problems: Iterable[MapProblem]) -> list[dict[str, str]]:
    """Return problems as plain data."""
    return [problem.as_dict() for problem in problems]


def about(scenario: Scenario) -> dict[str, Any]:
    """Return what a list of scenarios says of one."""
    return {
        "id": scenario.id,
        "title": scenario.title,
        "summary": scenario.summary,
        "players": list(scenario.player_counts),
        "columns": scenario.board.columns,
        "rows": scenario.board.rows,
        "ruleset": scenario.ruleset,
    }


def find(name: str) -> Scenario:
    """Return the scenario of an id that comes with the server, or of a path; what is there goes first."""
    shipped = name in library.names() and not library.is_there(name)
    return library.load(name) if shipped else library.load_folder(name)


def check_report(path: str, ruleset: Ruleset | None, strict: bool, measure: bool) -> dict[str, Any]:
    """Return a scenario's problems, its description and, on request, the worth of its starts."""
    shipped = path in library.names() and not library.is_there(path)
    scenario, problems = validate(library.home() / path if shipped else path, ruleset)
    code = PROBLEMS if any(strict or problem.severity == ERROR for problem in problems) else OK
    if scenario is None and any(problem.code in _UNREADABLE for problem in problems):
        code = UNREADABLE
    report: dict[str, Any] = {"path": path, "ok": code == OK, "exit_code": code, "problems": plain(problems)}
    report["verdict"] = verdict(problems)
    if scenario is not None:
        report |= about(scenario)
        if measure and not any(problem.severity == ERROR for problem in problems):
            rules = ruleset or load_ruleset(scenario.ruleset)
            report["fairness"] = [fairness(scenario, rules, count).as_dict() for count in scenario.player_counts]
    return report


def verdict(problems: Iterable[MapProblem], unfair: str = "") -> str:
    """Return ``good``, ``playable, not fair: ...`` or ``broken``; *unfair*: what play has shown."""
    found = list(problems)
    if any(problem.severity == ERROR for problem in found):
        return BROKEN
    reasons = [problem.message for problem in found if problem.code == "unfair"] + ([unfair] if unfair else [])
    return f"{NOT_FAIR}: {' '.join(reasons)}" if reasons else GOOD


def fairness_table(measured: Mapping[str, Any]) -> Table:
    """Return a fairness report as a table for people."""
    table = Table(title=f"{measured['players']} players", title_justify="left", box=None)
    table.add_column("")
    for name in measured["starts"]:
        table.add_column(name, justify="right")
    table.add_column("differ by", justify="right")
    for measure in measured["measures"].values():
        table.add_row(measure["title"], *(f"{value:g}" for value in measure["values"]), f"{measure['difference']:.0%}")
    return table


def scenario_table(scenarios: Iterable[Scenario]) -> Table:
    """Return a list of scenarios as a table for people."""
    table = Table(box=None)
    for heading in ("Id", "Title", "Players", "Size", "About"):
        table.add_column(heading)
    for scenario in scenarios:
        counts = ", ".join(map(str, scenario.player_counts))
        table.add_row(
            scenario.id, scenario.title, counts, f"{scenario.board.columns} x {scenario.board.rows}", scenario.summary
        )
    return table
