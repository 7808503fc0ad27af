"""The work, written once for both clients: generators that ask for effects and get their results.

A *plan* is a generator. It yields effects (:class:`Send`, :class:`Sleep`, :class:`Open`, :class:`Next`,
:class:`Emit`), gets their results, and returns its own. The clients (:mod:`sealed_orders._runner`) carry
effects out, one with blocking calls, the other with ``await``; everything that decides anything is in plans. Errors of
the transport are thrown into the plan at the effect that failed.
"""

from __future__ import annotations

import itertools
import json
import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx2

from sealed_orders._reading import Read, as_it_is
from sealed_orders.errors import Refused, UnexpectedAnswer, Unreachable, refused

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Send:
    """Effect: send a request; gives its :class:`httpx2.Response`, read."""

    method: str
    path: str
    """Below ``/api/v1``."""
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    """JSON, or bytes as they are; None: no body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    """Seconds without a sign of life; None: the client's."""


@dataclass(frozen=True, slots=True)
class Open:
    """Effect: open an event stream instead of the one before; gives its response, unread unless refused."""

    send: Send


@dataclass(frozen=True, slots=True)
class Next:
    """Effect: the next line of the open stream; gives None at its end."""


@dataclass(frozen=True, slots=True)
class Sleep:
    """Effect: wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Emit(Generic[T]):
    """Effect of plans that are iterated over: hand something out."""

    value: T


Effect = Send | Open | Next | Sleep | Emit[Any]
Plan = Generator[Effect, Any, T]
"""Comes to a result."""
Flow = Generator[Send | Open | Next | Sleep | Emit[T], Any, None]
"""Hands things out, one after the other."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long, and in which steps, to try again."""

    seconds: float = 30.0
    """For how long a request is tried again in all; infinite: until it works."""
    first: float = 0.25
    """Seconds before the second attempt; doubled each time, then shortened by chance."""
    longest: float = 30.0
    """Most seconds between two attempts."""
    token_may_come: bool = False
    """The token is read again each time; the plan waits for a valid one."""

    def again(self, problem: Refused) -> bool:
        """Say whether the same request may be sent again after a refusal."""
        waits = self.token_may_come and problem.code in NO_TOKEN
        return waits or problem.status in BUSY or problem.code in AGAIN

    def pause(self, failures: int) -> float:
        """Return how many seconds to wait after so many failures in a row, from 1."""
        return random.uniform(0.5, 1.0) * min(self.longest, self.first * 2.0 ** min(failures - 1, 30))


BUSY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request may be sent again."""
AGAIN = frozenset({"idempotency_in_progress"})
"""Codes likewise."""
NO_TOKEN = frozenset({"bad_token", "not_signed_in"})
"""Codes after which another token may help."""


def request_and_read(send: Send, read: Read[T], patience: RetryPolicy) -> Plan[T]:
    """Send a request until it is answered, and read the answer.

    A write gets an ``Idempotency-Key`` and keeps it, so that sending it again does nothing twice.
    """
    return read(content((yield from send_with_retries(send, patience))))


def send_with_retries(send: Send, patience: RetryPolicy) -> Plan[httpx2.Response]:
    """Send a request until it is answered; raises :class:`Refused` or :class:`Unreachable`."""
    if send.method != "GET":
        send = replace(send, headers={"Idempotency-Key": uuid4().hex} | dict(send.headers))
    end = time.monotonic() + patience.seconds
    for failures in itertools.count(1):
        wait = patience.pause(failures)
        error: Refused | Unreachable
        try:
            response: httpx2.Response = yield send
        except httpx2.TransportError as failed:
            error = unreachable(failed)
        else:
            if response.is_redirect:
                raise UnexpectedAnswer(f"{response.url} sends on to {response.headers.get('location')}: ask there")
            if response.status_code < 400:
                return response
            error = problem_of(response)
            if not patience.again(error):
                raise error
            wait = max(wait, error.retry_after or 0.0)
        if time.monotonic() + wait > end:
            raise error
        yield Sleep(wait)
    raise AssertionError("counting ended")


def unreachable(failed: httpx2.TransportError) -> Unreachable:
    """Return the error that tells who did not answer, and why."""
    return Unreachable(f"{failed.request.url} does not answer: {failed or type(failed).__name__}")


def content(response: httpx2.Response) -> Any:
    """Return the JSON of an answer, or None; raises :class:`UnexpectedAnswer`."""
    if response.status_code == 204 or not response.content:
        return None
    try:
        return response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise UnexpectedAnswer(f"{response.url} answered with something that is no JSON") from None


def problem_of(response: httpx2.Response) -> Refused:
    """Return the error of an answer; raises :class:`UnexpectedAnswer` if it is not from this server."""
    retry_after = _seconds(response.headers.get("retry-after"))
    try:
        document = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        document = None
    if isinstance(document, dict) and isinstance(document.get("code"), str):
        return refused(document, response.status_code, retry_after)
    if response.status_code in BUSY:  # a proxy speaks for a server that is away
        code = "too_many_requests" if response.status_code == 429 else "busy"
        return refused({"code": code, "detail": response.reason_phrase}, response.status_code, retry_after)
    raise UnexpectedAnswer(f"{response.url} answered {response.status_code} {response.reason_phrase}")


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else max(0.0, float(text))
    except ValueError:
        return None


def pages(
    send: Send, read: Callable[[Any], tuple[T, ...]], patience: RetryPolicy, maximum: int | None
) -> Plan[tuple[T, ...]]:
    """Read a list page by page, at most so many items (None: all)."""
    found: tuple[T, ...] = ()
    cursor = None
    while True:
        params = dict(send.params) | ({} if cursor is None else {"cursor": cursor})
        if maximum is not None:
            params["limit"] = min(int(params.get("limit", 50)), maximum - len(found))
        given = yield from request_and_read(replace(send, params=params), as_it_is, patience)
        found += read(given)
        cursor = given.get("next")
        if cursor is None or (maximum is not None and len(found) >= maximum):
            return found
