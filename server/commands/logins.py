"""Where this machine's user has signed in: tokens in a file that only they can read."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import typer

FILE = "logins.json"
RECEIPTS = "receipts.txt"


class BadLogins(Exception):
    """The file cannot be read or written, or does not hold what it should."""


@dataclass(frozen=True, slots=True)
class Login:
    """One account at one server."""

    server: str
    """Its address, without a slash at the end."""
    name: str
    token: str


def path() -> Path:
    """Return where logins are stored: the platform's folder for an application's settings."""
    return Path(typer.get_app_dir("sealed-orders")) / FILE


def receipts() -> Path:
    """Return where the receipts of servers are stored, one a line; `verify --receipts` reads the file."""
    folder = path().parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder / RECEIPTS


def find(server: str | None = None) -> Login | None:
    """Return the login at a server, None: the one made last."""
    found = _read()
    if server is None:
        return found[-1] if found else None
    return next((login for login in found if login.server == server.rstrip("/")), None)


def keep(login: Login) -> Path:
    """Keep a login, instead of the one at the same server before; returns the file."""
    return _write([known for known in _read() if known.server != login.server] + [login])


def forget(login: Login) -> None:
    """Forget a login."""
    _write([known for known in _read() if known.server != login.server])


def _read() -> list[Login]:
    try:
        given: Any = orjson.loads(path().read_bytes())
        return [Login(str(login["server"]), str(login["name"]), str(login["token"])) for login in given["logins"]]
    except FileNotFoundError:
        return []
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise BadLogins(f"{path()} cannot be read: {error}") from error


def _write(logins: list[Login]) -> Path:
    """Replace the file whole, so that it is never half there, and never readable for others."""
    at = path()
    data = {"logins": [{"server": login.server, "name": login.name, "token": login.token} for login in logins]}
    try:
        at.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=at.parent)  # made with 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(orjson.dumps(data, option=orjson.OPT_INDENT_2))
            Path(name).replace(at)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise BadLogins(f"{at} cannot be written: {error.strerror}") from error
    return at
