"""What all commands share: exit codes, ways to end, JSON, questions, files, progress.

Every command imports this module: it imports nothing that takes long.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import orjson
import typer

from server.scenarios.problems import MapError

if TYPE_CHECKING:
    from rich.console import Console


class Code(IntEnum):
    """How a command ends; ``docs/cli.md`` explains them."""

    DONE = 0
    REFUSED = 1
    """Understood, but the answer is no."""
    UNUSABLE = 2
    """The command, a file or a setting is not understood, or a file cannot be read or written."""
    UNAVAILABLE = 3
    """The database does not answer, or the port is taken; later it may work."""
    TRY_AGAIN = 75
    """The same, for mail servers that hand mails over: they keep the mail (EX_TEMPFAIL of sysexits)."""
    INTERRUPTED = 130
    """Ctrl-C."""


PIPE_WIDTH = 10_000
"""Columns if the output is not a terminal."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")]


class Wrong(Exception):
    """A command that cannot be carried out; says why.

    *about* is for scripts; without a ``code`` of its own it gets the name of the exit code, such as ``refused``.
    """

    def __init__(self, message: str, code: Code = Code.REFUSED, about: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.about = {"code": code.name.lower(), "message": message, **(about or {})}


def fail(message: str, code: Code = Code.REFUSED) -> NoReturn:
    """End the command and say what is wrong."""
    raise Wrong(message, code)


def bad_map(error: MapError, code: Code) -> Wrong:
    """Return everything that is wrong with a map as what ends a command."""
    problems = [problem.as_dict() for problem in error.problems]
    return Wrong(str(error), code, {"code": problems[0]["code"], "source": error.source, "problems": problems})


def end(wrong: Wrong, as_json: bool) -> NoReturn:
    """Say what is wrong, with ``--json`` as one object, too, and end."""
    if as_json:
        print_json({"error": wrong.about})
    typer.echo(str(wrong), err=True)
    raise typer.Exit(wrong.code)


def confirmed(what: str, yes: bool) -> None:
    """Say what will happen and ask first; with *yes*, continue. Where nobody can be asked, the answer is no."""
    if yes:
        return
    typer.echo(what, err=True)
    if not sys.stdin.isatty():
        fail("Nothing was changed. Pass --yes to skip the question.", Code.REFUSED)
    if not typer.confirm("Go on?", err=True):
        fail("Nothing was changed.", Code.REFUSED)


def print_json(data: object) -> None:
    """Print one JSON object."""
    sys.stdout.write(orjson.dumps(data, option=orjson.OPT_INDENT_2, default=_plain).decode() + "\n")


def tell(as_json: bool, data: object, *lines: str) -> None:
    """Print the result of a command: one JSON object for scripts, lines for people."""
    if as_json:
        print_json(data)
    for line in () if as_json else lines:
        typer.echo(line)


def console(*, stderr: bool = False) -> Console:
    """Return the terminal that tables are printed on. Where it is none, text is plain and lines are never broken.

    With ``NO_COLOR`` no code of any kind is printed.
    """
    from rich.console import Console  # here: a server prints on none

    made = Console(highlight=False, stderr=stderr, color_system=None if os.environ.get("NO_COLOR") else "auto")
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    return made


def save(to: Path, data: bytes, *, private: bool = False) -> None:
    """Write all of a file or, where that fails, nothing and end; *private*: readable by its owner only."""
    try:
        handle, name = tempfile.mkstemp(dir=to.parent, prefix=f".{to.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            if not private:
                os.chmod(name, 0o666 & ~_umask())
            os.replace(name, to)
        except OSError:
            os.unlink(name)
            raise
    except OSError as error:
        fail(f"{to}: {error.strerror}", Code.UNUSABLE)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far something is; gives the function that takes the amount done and the total."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    stderr = console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=stderr,
        transient=True,
        disable=not stderr.is_terminal,
    )
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value).__name__)
