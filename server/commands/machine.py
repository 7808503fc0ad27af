"""What the commands share that work on this machine: its settings and its database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from server.commands.terminal import Code, Wrong, fail
from server.http import logs
from server.play.context import AppContext
from server.settings import PREFIX, Settings, read
from server.store import migrate
from server.store.database import Database, normalised


def settings_or_exit() -> Settings:
    """Return the settings, or say what is wrong with the environment and exit."""
    try:
        return read()
    except ValidationError as error:
        told = [f"{PREFIX}{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors()]
        raise Wrong("\n".join(told), Code.UNUSABLE) from None


def database_url() -> str:
    """Return the address of this machine's database, or say that it is none and exit."""
    url = settings_or_exit().database_url.get_secret_value()
    checked_url(url, f"{PREFIX}DATABASE_URL")
    return url


def checked_url(url: str, name: str) -> URL:
    """Return a database's address as we use it, or say that the one called *name* is none and exit."""
    try:
        return normalised(url)
    except ArgumentError:  # its own words would show the address, which may hold a password
        fail(f"{name} is not the address of a database, like sqlite:///club.db", Code.UNUSABLE)
    except ValueError as error:
        fail(f"{name}: {error}", Code.UNUSABLE)


def database_name() -> str:
    """Return the database's address without its password."""
    return normalised(database_url()).render_as_string(hide_password=True)


def _folder_or_exit(url: URL) -> None:
    """End where the folder of a SQLite database is not there: no upgrade would help."""
    file = Path(url.database or "")
    if url.get_backend_name() == "sqlite" and not file.parent.is_dir():
        fail(f"{file}: there is no such folder", Code.UNAVAILABLE)


@contextmanager
def app_context() -> Iterator[AppContext]:
    """The use cases on the database of this machine, whose schema must be this program's."""
    settings = settings_or_exit()
    logs.configure("error", "text")  # what happens is told by the command
    store = Database(database_url())
    try:
        _folder_or_exit(store.url)
        if wrong := migrate.mismatch(migrate.current(store.url)):
            fail(wrong)
        yield AppContext(store, settings)
    finally:
        store.close()
