"""Copies of the whole database, made while a server writes, and brought back.

SQLite is copied through its own backup interface: one moment of the database, whatever is written meanwhile.
PostgreSQL is left to its own programs, ``pg_dump`` and ``pg_restore``.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from server.store import migrate
from server.store.database import BUSY_TIMEOUT, make_private, normalised
from server.store.errors import Busy, Full, StorageError, Unreachable

Progress = Callable[[int, int], None]
"""Called with how many pages are copied, and how many there are."""

STEP = 500
"""Pages copied between two calls."""
SIGN = b"SQLite format 3\0"


class NoBackup(StorageError):
    """A file that is not a copy of our database, or a damaged one; nothing was changed."""


class NoTool(StorageError):
    """PostgreSQL's own program is not installed here; the message names what to run where it is."""


def backup(url: str | URL, to: Path, progress: Progress | None = None) -> None:
    """Write a copy of the database to a file, readable by its owner only; a file that is there is replaced.

    The copy is checked before it gets its name. Raises :class:`StorageError`, or ``OSError`` where *to* cannot be
    written.
    """
    parsed = normalised(url)
    with _beside(to) as made:
        if parsed.get_backend_name() == "sqlite":
            _copy(_existing(parsed), made, progress)
            with closing(sqlite3.connect(made)) as copy:
                copy.execute("PRAGMA journal_mode = DELETE")  # so that it can be read where nothing can be written
            _check(made)
        else:
            _run("pg_dump", parsed, "--format=custom", f"--file={made}", told=f"--file={to}")
            _must_be_ours(made)


def restore(url: str | URL, source: Path, progress: Progress | None = None) -> None:
    """Put a copy that passes :func:`check` in the place of all that the database holds."""
    check(url, source)
    parsed = normalised(url)
    if parsed.get_backend_name() == "sqlite":
        _copy(source, Path(str(parsed.database)), progress)
        return
    options = ("--clean", "--if-exists", "--no-owner", "--exit-on-error", "--single-transaction")
    _run("pg_restore", parsed, *options, str(source))


def check(url: str | URL, source: Path) -> None:
    """Raise :class:`NoBackup` unless the file is a copy that :func:`restore` can put into this kind of database."""
    if not source.is_file():
        raise NoBackup(f"{source}: there is no such file")
    (_check if normalised(url).get_backend_name() == "sqlite" else _check_dump)(source)


# --- SQLite ---


def _copy(source: Path, to: Path, progress: Progress | None) -> None:
    def report(_status: int, left: int, total: int) -> None:
        if progress is not None:
            progress(total - left, total)

    make_private(str(to))
    with (
        _sqlite_told(to),
        closing(_open(source)) as before,
        closing(sqlite3.connect(to, timeout=BUSY_TIMEOUT)) as after,
    ):
        # a read that stays open pins one moment: without it every write of a server would begin the copy anew
        before.execute("BEGIN")
        before.execute("SELECT count(*) FROM sqlite_master").fetchone()
        before.backup(after, pages=STEP, progress=report)


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT, isolation_level=None)


def _existing(url: URL) -> Path:
    path = Path(str(url.database))
    if not path.is_file():
        raise Unreachable(f"{path}: there is no database")
    return path


def _check(copy: Path) -> None:
    """Raise :class:`NoBackup` unless the file is sound, and a database of a version that this program knows."""
    with copy.open("rb") as file:
        if file.read(len(SIGN)) != SIGN:
            raise NoBackup(f"{copy}: not a copy of a campaign server's database")
    try:
        with closing(_open(copy)) as connection:
            (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            revisions = [revision for (revision,) in connection.execute("SELECT version_num FROM alembic_version")]
            connection.execute("SELECT count(*) FROM campaigns").fetchone()
    except sqlite3.DatabaseError as error:
        raise NoBackup(f"{copy}: not a copy of a campaign server's database, or damaged: {error}") from error
    if said != "ok":
        raise NoBackup(f"{copy}: damaged: {said}")
    _check_revisions(copy, revisions)


def _check_revisions(copy: Path, revisions: list[str]) -> None:
    unknown = [revision for revision in revisions if revision not in migrate.revisions()]
    if unknown:
        raise NoBackup(f"{copy}: written by a newer version of the program (revision {unknown[0]})")


@contextmanager
def _sqlite_told(to: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        name = error.sqlite_errorname
        kind = Full if name.startswith("SQLITE_FULL") else Busy if "BUSY" in name or "LOCKED" in name else Unreachable
        raise kind(f"{to}: {error}") from error


@contextmanager
def _beside(to: Path) -> Iterator[Path]:
    """A file beside *to* that takes its place at the end, or is gone when an exception leaves."""
    handle, name = tempfile.mkstemp(dir=to.parent, prefix=f".{to.name}.")
    os.close(handle)
    made = Path(name)
    try:
        yield made
        os.replace(made, to)
    finally:
        made.unlink(missing_ok=True)


# --- PostgreSQL ---


def _check_dump(copy: Path) -> None:
    """Raise :class:`NoBackup` unless the file is pg_dump's, of a version that this program knows."""
    _must_be_ours(copy)
    rows = _run("pg_restore", None, "--data-only", "--table=alembic_version", "--file=-", str(copy))
    _check_revisions(copy, re.findall(r"^COPY public\.alembic_version .*\n(.+)\n\\\.$", rows, re.MULTILINE))


def _must_be_ours(copy: Path) -> None:
    if " TABLE public campaigns " not in _run("pg_restore", None, "--list", str(copy)):
        raise NoBackup(f"{copy}: not a copy of a campaign server's database")


def _run(program: str, url: URL | None, *arguments: str, told: str = "") -> str:
    """Run a program of PostgreSQL's; the password goes through its environment, where no process list shows it."""
    server, environment = (_where(url) if url is not None else []), dict(os.environ)
    if url is not None and url.password is not None:
        environment["PGPASSWORD"] = str(url.password)
    if shutil.which(program) is None:
        shown = [argument if not argument.startswith("--file=") else told for argument in arguments]
        raise NoTool(f"{program} is not installed here; where it is, run: {shlex.join([program, *server, *shown])}")
    done = subprocess.run(
        [program, *server, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"ended with {done.returncode}"]
        raise (NoBackup if url is None else Unreachable)(f"{program}: {said[0]}")
    return done.stdout


def _where(url: URL) -> list[str]:
    """Return the words by which PostgreSQL's programs find the database; its password is not among them."""
    from psycopg.conninfo import make_conninfo

    given = dict(url.get_dialect()().create_connect_args(url)[1])
    given.pop("password", None)
    named = {name: given.pop(key, None) for name, key in (("host", "host"), ("port", "port"), ("username", "user"))}
    words = [f"--{name}={value}" for name, value in named.items() if value]
    database = make_conninfo(**given) if given.keys() - {"dbname"} else url.database
    return [*words, f"--dbname={database}", "--no-password"]
