"""``sealed-orders cases``: run the executable rule cases."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from server.cases import CaseError, CaseResult, find, run_case
from server.commands.terminal import console

app = typer.Typer(rich_markup_mode="markdown")

MANY_CASES = 200
"""From so many cases on a terminal shows how far they are."""


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Cases, or folders with cases in them.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")] = False,
) -> None:
    """Run rule cases: every *.toml below each PATH.

    Exits 1 when a case fails, 2 when a file is not a valid case or a PATH does not exist.

    Example: `sealed-orders cases tests/cases`
    """
    report = _run(paths)
    for path, problem in report.invalid.items():
        typer.echo(f"{path}: {problem}", err=True)
    if as_json:
        sys.stdout.write(orjson.dumps(report.to_json(), option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        for result in report.failed:
            typer.echo(f"{result.path}: {_one_line(result.title)}: {'; '.join(map(_one_line, result.failures))}")
        typer.echo(f"{len(report.passed)} passed, {len(report.failed)} failed")
    raise typer.Exit(report.exit_code)


@dataclass(slots=True)
class _Report:
    """What became of all cases."""

    results: list[CaseResult] = field(default_factory=list)
    invalid: dict[Path, str] = field(default_factory=dict)
    """The problems of files that are not valid cases."""

    @property
    def passed(self) -> list[CaseResult]:
        return [result for result in self.results if not result.failures]

    @property
    def failed(self) -> list[CaseResult]:
        return [result for result in self.results if result.failures]

    @property
    def exit_code(self) -> int:
        if self.invalid:
            return 2
        return 1 if self.failed else 0

    def to_json(self) -> dict[str, Any]:
        return {
            "passed": len(self.passed),
            "failed": len(self.failed),
            "invalid": [{"path": str(path), "problem": problem} for path, problem in self.invalid.items()],
            "cases": [
                {"path": str(result.path), "title": result.title, "rule": result.rule, "failures": result.failures}
                for result in self.results
            ],
        }


def _run(paths: list[Path]) -> _Report:
    report = _Report()
    for path in paths:
        if not path.exists():
            report.invalid[path] = "there is no such file or folder"
    files = find(path for path in paths if path.exists())
    if not files and not report.invalid:
        typer.echo("there are no *.toml files below the paths given", err=True)
    for path in _with_progress(files):
        try:
            report.results.append(run_case(path))
        except CaseError as error:
            report.invalid[path] = _one_line("; ".join(error.problems))
    return report


def _with_progress(files: list[Path]) -> Iterable[Path]:
    stderr = console(stderr=True)
    if len(files) < MANY_CASES or not stderr.is_terminal:
        return files
    from rich.progress import track

    return track(files, "Cases", console=stderr, transient=True)


def _one_line(text: str) -> str:
    return " ".join(text.split())
