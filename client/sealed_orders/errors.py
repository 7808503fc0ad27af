"""What can go wrong: everything raised here is a :class:`SealedOrdersError`.

A server that says no is :class:`Refused` or one of its kinds; programs go by :attr:`Refused.code`, which never
changes its meaning (``docs/errors.md`` of the server lists them all, ``GET /api/v1/errors`` too).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """One of several things that are wrong with a request, an order, an edit, a report."""

    code: str
    """Stable word."""
    message: str
    """A sentence for people."""
    field: str = ""
    """The field at fault, with dots; empty if there is none."""
    value: Any = None
    """The offending value, shortened."""
    rule: str = ""
    """The rulebook's section that forbids it."""
    order: int | None = None
    """The order's place in its set, from 0."""
    template: str = ""
    """The sentence with its ``{places}``, to look up a wording of your own."""
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Values for the places of the template."""


class SealedOrdersError(Exception):
    """Base of all errors of this library."""


class Unreachable(SealedOrdersError):
    """The server did not answer, however often it was asked. Whether a write was done is not known."""


class UnexpectedAnswer(SealedOrdersError):
    """Something answered that is no Sealed Orders server, or one that this library is too old for."""


class Refused(SealedOrdersError):
    """The server said no, in a problem document (RFC 9457)."""

    def __init__(
        self,
        code: str,
        *,
        status: int,
        title: str = "",
        detail: str = "",
        field: str = "",
        value: Any = None,
        problems: tuple[Fault, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail or title or code)
        self.code = code
        """Stable word, such as ``wrong_phase``."""
        self.status = status
        """The HTTP status."""
        self.title = title
        """What the code means; the same each time."""
        self.detail = detail
        """What went wrong this time, for people."""
        self.field = field
        """The field, parameter or header at fault; empty if there is none."""
        self.value = value
        """The offending value, shortened."""
        self.problems = problems
        """All problems, if there can be more than one."""
        self.retry_after = retry_after
        """Seconds after which to come again; None where the server does not say."""


class NotSignedIn(Refused):
    """401: no token, one that is not good any more, or a wrong password."""


class Forbidden(Refused):
    """403: you are not allowed to do this, or the token lacks the scope."""


class NotFound(Refused):
    """404: there is nothing here that you may know of."""


class Conflict(Refused):
    """409: it conflicts with the current state."""


class PhaseOver(Conflict):
    """409 ``wrong_phase``, ``phase_closed``, ``deadline_passed``: too late, or too early. Read the current state."""


class AlreadyDone(Conflict):
    """409 ``already_done``: done by an earlier attempt, whose answer was lost. Read the current state."""


class StaleRevision(Refused):
    """412: someone, perhaps you in another window, changed it since you read it. Nothing was written."""


class Invalid(Refused):
    """4xx else: the request, orders, edits or report are not understood or not allowed; see :attr:`problems`."""


class OrdersRefused(Invalid):
    """422 ``orders_refused``: some of the orders cannot be accepted; nothing was stored. :attr:`problems` has why."""


class TooManyRequests(Refused):
    """429: come again after :attr:`retry_after` seconds."""


class ServerFailed(Refused):
    """5xx: busy, stopping, or a mistake of the server's."""


_BY_CODE: Mapping[str, type[Refused]] = {
    "wrong_phase": PhaseOver,
    "phase_closed": PhaseOver,
    "deadline_passed": PhaseOver,
    "already_done": AlreadyDone,
    "orders_refused": OrdersRefused,
}
_BY_STATUS: Mapping[int, type[Refused]] = {
    401: NotSignedIn,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: StaleRevision,
    429: TooManyRequests,
}


def refused(document: Mapping[str, Any], status: int, retry_after: float | None) -> Refused:
    """Return the error that a problem document describes."""
    code = str(document.get("code", ""))
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status) or (ServerFailed if status >= 500 else Invalid)
    return kind(
        code,
        status=status,
        title=str(document.get("title", "")),
        detail=str(document.get("detail", "")),
        field=str(document.get("field", "")),
        value=document.get("value"),
        problems=tuple(_fault(problem) for problem in document.get("problems") or () if isinstance(problem, dict)),
        retry_after=retry_after,
    )


def _fault(given: Mapping[str, Any]) -> Fault:
    place = given.get("order")
    return Fault(
        code=str(given.get("code", "")),
        message=str(given.get("message", "")),
        field=str(given.get("field", "")),
        value=given.get("value"),
        rule=str(given.get("rule", "")),
        order=place if isinstance(place, int) else None,
        template=str(given.get("template", "")),
        params=dict(given.get("params") or {}),
    )
