"""What the commands share that work on this machine: its settings and its database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError
from sqlalchemy.exc import ArgumentError

from server.api import logs
from server.commands.terminal import Code, Wrong, fail
from server.play.context import AppContext
from server.settings import PREFIX, Settings, read
from server.store import migrate
from server.store.database import Database, normalised


def settings_or_exit() -> Settings:
    """Return the settings, or say what is wrong with the environment and exit."""
    try:
        return read()
    except ValidationError as error:
        told = [f"{PREFIX}{str(each['loc'][0]).upper()}: {each['msg']}" for each in error.errors()]
        raise Wrong("\n".join(told), Code.UNUSABLE) from None


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


def database_name() -> str:
    """Return the database's address without its password."""
    return normalised(database_url()).render_as_string(hide_password=True)


@contextmanager
def app_context() -> Iterator[AppContext]:
    """The use cases on the database of this machine, whose schema must be this program's."""
    settings = settings_or_exit()
    logs.configure("error", "text")  # what happens is told by the command
    store = Database(database_url())
    try:
        if not migrate.up_to_date(store):
            fail("the database has another schema; run: sealed-orders db upgrade")
        yield AppContext(store, settings)
    finally:
        store.close()
