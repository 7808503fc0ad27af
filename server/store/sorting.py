"""Which of our errors a driver's error is."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, OperationalError

from server.store.errors import Busy, Damaged, Full, StorageError, Unreachable

_FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "53100")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "40001", "40P01", "55P03")
"""PostgreSQL's: serialization failure, deadlock, lock not available."""
_UNREACHABLE = ("SQLITE_CANTOPEN", "SQLITE_IOERR", "08", "57P", "53300")
"""PostgreSQL's: connection exceptions, a server that shuts down, too many connections."""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


def sorted_out(error: DBAPIError) -> StorageError | None:
    """Return the error as one of ours, None when it is another kind (a constraint, a bug)."""
    code = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    told = str(error.orig).strip()
    if code is None:  # no answer from the server, so no code either
        lost = isinstance(error, OperationalError) or error.connection_invalidated
        return Unreachable(told) if lost else None
    for kind, codes in ((Full, _FULL), (Busy, _BUSY), (Unreachable, _UNREACHABLE), (Damaged, _DAMAGED)):
        if code.startswith(codes):
            return kind(told)
    return None
