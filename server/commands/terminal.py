"""What all commands share: exit codes, errors in one line, JSON, and the database of this machine."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import orjson
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sqlalchemy.exc import ArgumentError
from typer.core import TyperGroup

from server.api import logs
from server.play.context import Play
from server.play.errors import PlayError
from server.rules.errors import RulesError
from server.scenarios.problems import MapError
from server.settings import PREFIX, Settings, read
from server.store import migrate
from server.store.database import Database, normalised
from server.store.errors import StorageError


class Code(IntEnum):
    """How a command ends; ``docs/cli.md`` explains them."""

    DONE = 0
    REFUSED = 1
    """Understood, but the answer is no."""
    UNUSABLE = 2
    """The command, a file or a setting is not understood, or a file cannot be read or written."""
    UNAVAILABLE = 3
    """The database does not answer, or the port is taken; later it may work."""
    INTERRUPTED = 130
    """Ctrl-C."""


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")]


class Commands(TyperGroup):
    """A group that tells errors in one line, or with ``--json`` as one object, and never as a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was chosen."""
        as_json = "--json" in (*ctx._protected_args, *ctx.args)
        try:
            return super().invoke(ctx)
        except PlayError as error:
            about = {"code": error.code, "message": error.message, "field": error.field, "value": error.value}
            _end(error.message, Code.UNUSABLE if error.code == "bad_record" else Code.REFUSED, as_json, about)
        except MapError as error:
            _end(str(error), Code.REFUSED, as_json)
        except RulesError as error:
            _end(str(error), Code.UNUSABLE, as_json)
        except migrate.MigrationError as error:
            _end(str(error), Code.REFUSED, as_json)
        except StorageError as error:
            _end(f"{_database()}: {error}", Code.UNAVAILABLE, as_json)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read the output has had enough
                raise
            _end(f"{error.filename or ''}: {error.strerror}".removeprefix(": "), Code.UNUSABLE, as_json)
        except typer.Abort as error:
            if isinstance(error.__context__, KeyboardInterrupt):  # at a question; elsewhere typer sees to it
                raise typer.Exit(Code.INTERRUPTED) from None
            raise


def fail(message: str, code: Code = Code.REFUSED) -> NoReturn:
    """Say in one line what is wrong, and end."""
    typer.echo(message, err=True)
    raise typer.Exit(code)


def _end(message: str, code: Code, as_json: bool, about: dict[str, Any] | None = None) -> NoReturn:
    if as_json:
        print_json({"error": about or {"message": message}})
    fail(message, code)


def confirmed(what: str, yes: bool) -> None:
    """Say what will happen and ask whether it shall; with *yes*, go on. Where nobody can be asked, the answer is no."""
    if yes:
        return
    typer.echo(what, err=True)
    if not sys.stdin.isatty():
        fail("This cannot be undone; --yes does it without asking.", Code.REFUSED)
    if not typer.confirm("Go on?", err=True):
        fail("Nothing was changed.", Code.REFUSED)


def print_json(data: object) -> None:
    """Print one JSON object."""
    sys.stdout.write(orjson.dumps(data, option=orjson.OPT_INDENT_2, default=_plain).decode() + "\n")


def console() -> Console:
    """Return the terminal that tables are printed on; plain text where it is none."""
    return Console(highlight=False)


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
    """Show on a terminal how far something is; gives the function to be told how much is done, and of how much."""
    stderr = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=stderr, transient=True, disable=not stderr.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def settings_or_exit() -> Settings:
    """Return the settings, or say what is wrong with the environment and exit."""
    try:
        return read()
    except ValidationError as error:
        for each in error.errors():
            typer.echo(f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}", err=True)
        raise typer.Exit(Code.UNUSABLE) from None


def database_url() -> str:
    """Return the address of this machine's database, or say that it is none and exit."""
    url = settings_or_exit().database_url.get_secret_value()
    try:
        normalised(url)
    except ArgumentError:  # its own words would show the address, which may hold a password
        fail(f"{PREFIX}DATABASE_URL is not the address of a database, like sqlite:///club.db", Code.UNUSABLE)
    except ValueError as error:
        fail(f"{PREFIX}DATABASE_URL: {error}", Code.UNUSABLE)
    return url


def _database() -> str:
    """Name the database without its password."""
    return normalised(database_url()).render_as_string(hide_password=True)


@contextmanager
def playing() -> Iterator[Play]:
    """The use cases on the database of this machine, whose schema must be this program's."""
    settings = settings_or_exit()
    logs.configure("error", "text")  # what happens is told by the command
    store = Database(database_url())
    try:
        if not migrate.up_to_date(store):
            fail("the database has another schema; run: sealed-orders db upgrade")
        yield Play(store, settings)
    finally:
        store.close()


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value).__name__)
