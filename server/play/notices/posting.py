"""Posting a notice to a webhook: where it may go, what is posted, how it is signed, what an answer means.

It goes to public addresses only, whatever a name resolves to at the moment of sending.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson
from standardwebhooks import Webhook as Signer

from server.core.sentences import say
from server.play.context import AppContext, ChatNotice
from server.play.errors import PlayError
from server.play.options import stored_options
from server.store.tables import Campaign, Message, User, Webhook

MOVES_THE_MAP = frozenset({"campaign_started", "phase_opened", "finished", "rolled_back", "intervention"})
"""Kinds of notices after which the map may look different."""
GONE = 410
"""The answer of a receiver that wants nothing more."""


class Unsendable(Exception):
    """It did not get there, and why."""


class PermanentFailure(Unsendable):
    """It will never get there; it is not tried again."""


class EndpointGone(PermanentFailure):
    """The receiver wants nothing more: its webhook is switched off."""


@dataclass(frozen=True, slots=True)
class Post:
    """The kind of notice."""

    kind: str
    dedupe: str
    """The same for every try."""
    number: int
    """The number of this notice for this webhook; 0 for a test."""
    campaign_id: str
    campaign: str
    data: Mapping[str, Any]
    created_at: datetime


TIMEOUT = 10.0
"""Seconds without a word after which a receiver is given up."""
PATIENCE = 20.0
"""Seconds a receiver may take in all, however many words it makes of its answer."""
MAX_ANSWER_BYTES = 65_536
MAX_LENGTH = 2000
PORTS = frozenset({80, 443, *range(8000, 9001)})
"""Ports that webhooks may use; other services of a host are out of bounds."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a webhook goes."""

    secure: bool
    host: str
    port: int
    path: str


def send(ctx: AppContext, hook: Webhook, posted: Post) -> int:
    """Post one notice, signed; returns the answer's status, which is a success.

    Errors: :class:`PermanentFailure` for what will never get there, :class:`EndpointGone` after a 410,
    :class:`~server.play.notices.posting.Unsendable` for what is worth another try.
    """
    private = ctx.settings.webhooks_to_private_addresses
    try:
        target = target_of(hook.url, private=private, ports=ctx.settings.webhook_ports)
    except PlayError as error:
        raise PermanentFailure(error.message) from error
    body, headers = message(ctx, hook, posted)
    status = post(target, body, headers, private=private)
    if status == GONE:
        raise EndpointGone("the receiver wants nothing more (410)")
    if not 200 <= status < 300:
        raise Unsendable(f"the receiver answered {status}")
    return status


def message(ctx: AppContext, hook: Webhook, posted: Post) -> tuple[bytes, dict[str, str]]:
    """Return body and headers of the post."""
    headers = {"Content-Type": "application/json", "User-Agent": "sealed-orders"}
    if hook.format == "discord":
        return orjson.dumps(ctx.chat_post(_chat_notice(ctx, hook, posted), ctx.settings.public_url)), headers
    about = {"campaign_id": posted.campaign_id, "campaign": posted.campaign} | dict(posted.data)
    kind, at = posted.kind, posted.created_at.isoformat()
    # type and timestamp as Standard Webhooks has them, kind and at as event streams do
    body = orjson.dumps(
        {"type": kind, "timestamp": at, "kind": kind, "at": at, "sequence": posted.number, "data": about}
    )
    id_, now = "msg_" + hashlib.sha256(posted.dedupe.encode()).hexdigest()[:32], ctx.now()
    signature = Signer(hook.secret).sign(id_, now, body.decode())
    signed = {"webhook-id": id_, "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}
    return body, headers | signed


def _chat_notice(ctx: AppContext, hook: Webhook, posted: Post) -> ChatNotice:
    announcement = ("", "")
    with ctx.database.read() as session:
        campaign = session.get(Campaign, hook.campaign_id) if hook.campaign_id else None
        owner_id = hook.user_id or (campaign.gm_user_id if campaign else None)
        owner = session.get(User, owner_id) if owner_id else None
        if posted.kind == "announcement":
            letter = session.get(Message, (posted.campaign_id, str(posted.data["message"])))
            announcement = (letter.subject, letter.body) if letter is not None else announcement
        shown = session.get(Campaign, posted.campaign_id) if posted.kind in MOVES_THE_MAP else None
        public = shown is not None and shown.listed and stored_options(shown.options).spectators
    return ChatNotice(
        posted.kind,
        posted.campaign_id,
        posted.campaign,
        posted.data,
        owner.locale if owner else "",
        hook.campaign_id is None,
        announcement,
        int(posted.created_at.timestamp()) if public else 0,
    )


def target_of(url: str, *, private: bool, ports: str = "") -> Target:
    """Read a webhook's URL. Refuse anything but a plain http(s) URL, and private addresses (unless *private*).

    *ports*: those that the operator allows in addition to :data:`PORTS`, written as in the setting.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except (ValueError, TypeError, AttributeError):
        raise PlayError("bad_address", field="url") from None
    host = parts.hostname or ""
    printable = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in ("https", "http") or not host or not printable or len(url) > MAX_LENGTH:
        raise PlayError("bad_address", "A plain https:// or http:// address.", field="url")
    if parts.username or parts.password:
        raise PlayError("bad_address", "No names or passwords in the address.", field="url")
    if parts.scheme == "http" and not private:
        raise PlayError("bad_address", "An https:// address.", field="url")
    if not private and not (port is None or port in PORTS or _among(port, ports)):
        told = say("The port is 443, 80 or from 8000 to 9000.") if not ports else say(
            "The port is 443, 80, from 8000 to 9000, or one of {ports}.", ports=ports
        )  # fmt: skip
        raise PlayError("bad_address", told, field="url")
    if not private and _named_private(host):
        raise PlayError("bad_address", "Nothing is sent to private addresses.", field="url")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme == "https", host, port or (443 if parts.scheme == "https" else 80), path)


def _among(port: int, ports: str) -> bool:
    """Say whether a port is in a list such as ``9443,10000-10010``."""
    ranges = (written.partition("-") for written in ports.split(",") if written)
    return any(int(first) <= port <= int(last or first) for first, _, last in ranges)


def resolve(target: Target, *, private: bool) -> list[str]:
    """Return the addresses a target has now; :class:`Unsendable` where any of them is private."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Unsendable(f"the name does not resolve: {error}") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses or (not private and not all(is_public(address) for address in addresses)):
        raise Unsendable("nothing is sent to private addresses")
    return addresses


def post(target: Target, body: bytes, headers: Mapping[str, str], *, private: bool) -> int:
    """Send a body; returns the status. Connects to the very address that was checked, and follows no redirects."""
    address = resolve(target, private=private)[0]
    connection = _Pinned(target, address)
    ends = threading.Timer(PATIENCE, connection.abort)
    ends.start()
    try:
        connection.request("POST", target.path, body, dict(headers))
        answer = connection.getresponse()
        answer.read(MAX_ANSWER_BYTES)
        return answer.status
    except (OSError, http.client.HTTPException) as error:
        late = isinstance(error, TimeoutError) or connection.aborted
        raise Unsendable("no answer in time" if late else _said(error)) from error
    finally:
        ends.cancel()
        connection.close()


def _said(error: Exception) -> str:
    """Return what went wrong, in the system's words where it has any: ``Connection refused``."""
    return (error.strerror if isinstance(error, OSError) else None) or f"{type(error).__name__}: {error}"


def is_public(address: str) -> bool:
    """Say whether an IP address is one of the public internet, those inside others included (mapped, 6to4, NAT64)."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    if any(ip in network for network in _SPECIAL if network.version == ip.version):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


_SPECIAL = tuple(map(ipaddress.ip_network, ("192.88.99.0/24", "fec0::/10", "3fff::/20", "5f00::/16", "100:0:0:1::/64")))
"""Not public by the registries of special addresses (RFC 6890 and its updates), whatever this Python knows of them."""
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _named_private(host: str) -> bool:
    """Return whether a host is private as written; the addresses of names are checked when sending."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith((".localhost", ".local", ".internal", ".home.arpa")):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.replace(".", "").isdigit() or "." not in name
    return not is_public(name)


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever the name says meanwhile; certificates are checked against the name."""

    def __init__(self, target: Target, address: str) -> None:
        super().__init__(target.host, target.port, timeout=TIMEOUT)
        self._address = address
        self._secure = target.secure
        self._socket: socket.socket | None = None
        self.aborted = False

    def connect(self) -> None:
        """Connect to the address."""
        self.sock = self._socket = socket.create_connection((self._address, self.port), TIMEOUT)
        if self._secure:
            context = ssl.create_default_context()
            self.sock = self._socket = context.wrap_socket(self.sock, server_hostname=self.host)

    def abort(self) -> None:
        """End it from another thread, whatever it waits for."""
        self.aborted = True  # first: who waits may go on at once
        if self._socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
