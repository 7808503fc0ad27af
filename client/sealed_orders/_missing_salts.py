"""The player's own salts: those due in a phase, and sending them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sealed_orders._plans import Plan, RetryPolicy, Send, request_and_read
from sealed_orders._reading import one
from sealed_orders.errors import Conflict, Forbidden, NotFound
from sealed_orders.records import Salts
from sealed_orders.salts import commitment_of, salt_for

SCHEME = 2


class Stirring(Protocol):
    """What sending salts needs of a client's configuration."""

    @property
    def patience(self) -> RetryPolicy:
        """How long a request is tried again."""

    def keep(self, receipt: str | None) -> None:
        """Keep a receipt."""


def stirred(path: str, key: str, config: Stirring) -> Plan[Salts]:
    """Send what is missing of the salts at *path*."""
    now: Salts = yield from request_and_read(Send("GET", path), one(Salts), config.patience)
    body = wanted(now, lambda serial: salt_for(key, now.campaign_id, now.player_id, serial))
    if not body:
        return now
    done: Salts = yield from request_and_read(Send("PUT", path, body=body), one(Salts), config.patience)
    config.keep(done.receipt)
    return done


def wanted(now: Salts, salt: Callable[[int], str]) -> dict[str, Any]:
    """Return what is to be sent for salts to be your own; nothing where all is sent."""
    body: dict[str, Any] = {}
    if now.scheme != SCHEME:
        return body
    joining = now.number == 0 and now.now is not None and now.now.kept_by == "server"
    if now.now is not None:
        own = salt(now.now.serial)
        if joining or (not now.now.given and commitment_of(own) == now.now.commitment):
            body["salt"] = own
    if now.next_serial is not None:
        body["commitment"] = commitment_of(salt(now.next_serial))
    return body


def stir_if_possible(path: str, key: str, config: Stirring) -> Plan[None]:
    """Do the same if possible; a phase that has ended meanwhile is not a mistake."""
    try:
        yield from stirred(path, key, config)
    except (Conflict, Forbidden, NotFound):
        return
