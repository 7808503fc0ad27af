"""What can go wrong with a database, sorted by what a caller can do about it."""

from __future__ import annotations


class StorageError(Exception):
    """The database could not do it, through no fault of the request; nothing of the transaction was kept."""


class Busy(StorageError):
    """Another transaction was in the way. The same one may succeed when it is tried again."""


class Full(StorageError):
    """There is no room left on the disk."""


class Unreachable(StorageError):
    """The database server does not answer, or the file cannot be opened."""


class Damaged(StorageError):
    """The file is no database, or a damaged one."""


class StalePosition(StorageError):
    """A position was to be changed that is not the one stored: another change came between."""


class Occupied(StorageError):
    """Somebody is connected to a database that is to be replaced or moved; nothing was changed."""


class MigrationError(StorageError):
    """A migration cannot be done; the database is as it was."""
