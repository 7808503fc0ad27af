"""Writes done once for each ``Idempotency-Key``: the same request with the same key gets the same answer.

The key is stored in the very transaction that writes, so that a crash cannot part the two: either both are there
or neither is. A transaction aside, which only prepares, does not store it. The answer is stored with it where it is
known before the transaction ends (:class:`Answer`), else in a second one. If the server died between the two, the
write is done and only its answer is lost; the client learns that and reads the current state.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Any, Generic, TypeVar

from fastapi import Request, Response
from sqlalchemy import Row, bindparam, delete, select, update
from sqlalchemy.orm import Session

from server.http.problems import Refused
from server.store import upserts
from server.store.database import ALSO_WRITE, Database
from server.store.tables import IdempotencyKey

HEADER = "Idempotency-Key"
_KEY = re.compile(r"[!-~]{1,200}")
_UNANSWERED = 0
"""Status of a write that is done, or being done, and whose answer is not known."""
_UNANSWERED_YET: dict[str, Any] = {"status": _UNANSWERED, "headers": {}}
_LOOKS, _PAUSE = 6, 0.1
"""How often, and with how many seconds between, an answer is looked for that must be about to be kept."""
_NOT_KEPT = frozenset({"x-request-id", "date", "server", "retry-after", "set-cookie"})


Done = TypeVar("Done")


@dataclass(slots=True)
class _Known:
    """The answer of a write that is known before its transaction ends."""

    response: Response | None = None
    kept: bool = False
    """It is written, or about to be, in the transaction that is continuing."""


_table: Any = IdempotencyKey.__table__
_KEPT = select(_table).where(_table.c.owner == bindparam("of"), _table.c.key == bindparam("its"))
_KEEP = upserts.by_dialect(IdempotencyKey, lambda new: new.on_conflict_do_nothing().returning(IdempotencyKey.key))
_KNOWN: ContextVar[_Known | None] = ContextVar("known_answer", default=None)


class Answer(Generic[Done]):
    """The answer of a write, made before its transaction ends, so that one transaction keeps both.

    A use case calls it with its result. If the write then fails, that was not the answer.
    """

    response: Response

    def __init__(self, make: Callable[[Done], Response]) -> None:
        self._make = make

    def __call__(self, done: Done) -> None:
        """Make the answer."""
        self.response = self._make(done)
        place = _KNOWN.get()
        if place is not None:
            place.response, place.kept = self.response, False


@dataclass(frozen=True, slots=True)
class Write:
    """One write with a key."""

    owner: str
    key: str
    request_hash: str
    mine: bytes
    """Tells this attempt from others with the same key."""
    secret: bool = False
    """Question or answer hold a secret: neither they nor anything made of them is stored."""
    known: _Known = field(default_factory=_Known)

    def note(self, session: Session, now: datetime, life: timedelta) -> None:
        """Keep the key in the transaction that writes; :class:`Refused` when another attempt was first."""
        known = None if self.secret else self.known.response
        self.known.kept = known is not None
        answer = _UNANSWERED_YET | {"body": self.mine} if known is None else _as_row(known)
        row: dict[str, Any] = {
            "owner": self.owner,
            "key": self.key,
            "request_hash": self.request_hash,
            "created_at": now,
            "expires_at": now + life,
        } | answer
        connection = session.connection()
        if connection.execute(_KEEP[connection.dialect.name], row).first() is None:
            first = session.get(IdempotencyKey, (self.owner, self.key))
            if first is None or first.body != row["body"]:
                raise Refused("idempotency_in_progress", field=HEADER, headers={"Retry-After": "1"})

    def note_answer(self, session: Session) -> None:
        """Store the answer in the transaction that writes, if it became known only after that started."""
        if self.known.response is not None and not self.known.kept and not self.secret:
            self._answer(session, self.known.response)
            self.known.kept = True

    def answered(self, database: Database, response: Response) -> None:
        """Keep the answer for next time, unless it was stored with the write."""
        if self.secret or self.known.response is response:
            return
        with database.write() as session:
            self._answer(session, response)

    def _answer(self, session: Session, response: Response) -> None:
        mine = (IdempotencyKey.owner == self.owner, IdempotencyKey.key == self.key, IdempotencyKey.body == self.mine)
        session.connection().execute(
            update(IdempotencyKey).where(*mine, IdempotencyKey.status == _UNANSWERED).values(**_as_row(response))
        )


@dataclass(frozen=True, slots=True)
class _Noting:
    """Keeps a write's key at the beginning of its transaction, and its answer at the end."""

    write: Write
    now: datetime
    life: timedelta

    def begin(self, session: Session) -> None:
        """Keep the key."""
        self.write.note(session, self.now, self.life)

    def end(self, session: Session) -> None:
        """Keep the answer."""
        self.write.note_answer(session)


def _as_row(response: Response) -> dict[str, Any]:
    headers = {name: value for name, value in response.headers.items() if name not in _NOT_KEPT}
    return {"status": response.status_code, "headers": headers, "body": bytes(response.body)}


@contextmanager
def noting(write: Write, now: datetime, life: timedelta) -> Iterator[None]:
    """Have the transaction that carries out a write keep its key and, as far as it is known by then, its answer."""
    also, known = ALSO_WRITE.set(_Noting(write, now, life)), _KNOWN.set(write.known)
    try:
        yield
    finally:
        ALSO_WRITE.reset(also)
        _KNOWN.reset(known)


def write_of(request: Request, owner: str, body: bytes, *, secret: bool) -> Write | None:
    """Return the keyed write a request is, None when it has no key."""
    headers = request.headers
    key = headers.get(HEADER)
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise Refused("malformed_header", "1 to 200 visible ASCII characters.", field=HEADER, value=key)
    asked = (request.method, request.url.path, request.url.query, headers.get("if-match", ""))
    what = "\n".join(asked).encode() + (b"" if secret else b"\n" + body)
    return Write(owner, key, hashlib.sha256(what).hexdigest(), token_bytes(16), secret)


def earlier(database: Database, write: Write, now: datetime) -> Response | None:
    """Return the answer the same write got before, None when it is new.

    A key that is there means that the write is done; its answer follows at once, unless the server died.
    """
    for attempt in range(_LOOKS):
        found = _kept(database, write)
        if found is None:
            return None
        if found.expires_at <= now:
            with database.write() as session:  # with all others that are too old to come again
                session.execute(delete(IdempotencyKey).where(IdempotencyKey.expires_at <= now))
            return None
        if found.request_hash != write.request_hash:
            raise Refused("idempotency_key_reused", field=HEADER, value=write.key)
        if found.status != _UNANSWERED:
            return Response(found.body, found.status, dict(found.headers) | {"Idempotent-Replayed": "true"})
        if write.secret:
            break
        time.sleep(_PAUSE * (attempt + 1 < _LOOKS))
    raise Refused("already_done", "Read how things stand.", field=HEADER)


def _kept(database: Database, write: Write) -> Row[Any] | None:
    found = database.ask(_KEPT, {"of": write.owner, "its": write.key})
    return found[0] if found else None
