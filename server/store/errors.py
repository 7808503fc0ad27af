"""The failures of a database, sorted by the caller's remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError


class StorageError(Exception):
    """The database could not do it, through no fault of the request; nothing of the transaction was saved."""


class Busy(StorageError):
    """Another transaction was in the way. The same transaction can succeed at the next try."""


class Full(StorageError):
    """There is no room left on the disk."""


class Unreachable(StorageError):
    """The database server does not answer, or the file cannot be opened."""


class Damaged(StorageError):
    """The file is not a database, or a damaged one."""


class StalePosition(StorageError):
    """A position was to be changed that is not the one stored: another change came between."""


class Occupied(StorageError):
    """Someone is connected to a database that is to be replaced or moved; nothing was changed."""


class MigrationError(StorageError):
    """A migration cannot be done; the database is as it was."""


_FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "53100")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "40001", "40P01", "55P03")
"""PostgreSQL's: serialization failure, deadlock, lock not available."""
_UNREACHABLE = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "08", "57P", "53300")
"""PostgreSQL's: connection exceptions, a server that shuts down, too many connections."""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def sorted_out(error: DBAPIError) -> StorageError | None:
    """Return our error for the driver's, or None for another kind (a constraint, a bug)."""
    from sqlalchemy.exc import OperationalError  # commands that need no database start without SQLAlchemy

    code = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    told = str(error.orig).strip()
    if code is None:  # no answer from the server, so no code either
        lost = isinstance(error, OperationalError) or error.connection_invalidated
        return Unreachable(told) if lost else None
    for kind, codes in ((Full, _FULL), (Busy, _BUSY), (Unreachable, _UNREACHABLE), (Damaged, _DAMAGED)):
        if code.startswith(codes):
            return kind(told)
    return None
