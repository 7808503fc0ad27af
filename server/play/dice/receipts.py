"""Receipts: what the server signs when it accepts orders, salts or commitments, for their sender to keep.

A receipt is a JSON Web Signature (RFC 7515, compact) with Ed25519 (RFC 8037). Its key is drawn once and kept with the
database; ``/api/v1/keys`` publishes its public half. ``sealed-orders verify --receipts`` compares them with a record.

Each receipt for orders names the hash of the one before it: the SHA-256 of its middle part, decoded. The row of an
order set keeps the hashes of those before the last one, so that the record shows whether a receipt was one of them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

import orjson
from sqlalchemy.exc import IntegrityError

from server.core import dice_scheme_1
from server.play.context import AppContext
from server.play.errors import PlayError
from server.store.tables import ServerValue

if TYPE_CHECKING:  # imported by the first receipt
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


NAME = "receipt_key"
ORDERS, SALTS = "orders", "salts"
_TOKEN = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{86}(?![A-Za-z0-9_-])", re.ASCII)

Json = dict[str, Any]


SIZE = 32
"""Bytes of a hash."""
MOST = 1000
"""Hashes that a set keeps, the last ones; of receipts before them a record proves nothing."""


class Accepted(Protocol):
    """An order set as it was accepted."""

    @property
    def player_id(self) -> str: ...  # noqa: D102
    @property
    def revision(self) -> int: ...  # noqa: D102
    @property
    def final(self) -> bool: ...  # noqa: D102
    @property
    def updated_at(self) -> datetime | None: ...  # noqa: D102
    @property
    def orders(self) -> Sequence[Any]: ...  # noqa: D102


def get_ready(ctx: AppContext) -> None:
    """Have the server's key at hand: the first receipt of all draws it in a transaction of its own."""
    _key(ctx)


def issue(ctx: AppContext, kind: str, **content: Any) -> str:
    """Return a receipt for what is accepted now."""
    return sign(ctx, {"kind": kind, **content, "at": ctx.now().isoformat()})


def sign(ctx: AppContext, payload: Json) -> str:
    """Return the receipt that says this."""
    key, id_ = _key(ctx)
    head = {"alg": "EdDSA", "kid": id_, "typ": "receipt+json"}
    signed = b".".join(_encoded(written(part)) for part in (head, payload))
    return (signed + b"." + _encoded(key.sign(signed))).decode()


def digest(orders: Sequence[Any]) -> str:
    """Return the SHA-256 of an order set as a receipt names it: of its JSON with sorted keys and without spaces."""
    return hashlib.sha256(written(orders)).hexdigest()


def written(content: object) -> bytes:
    """Return JSON with sorted keys and without spaces, which is what is hashed and signed."""
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS)


def keys(ctx: AppContext) -> list[Json]:
    """Return the server's public keys as JSON Web Keys."""
    public = _key(ctx)[0].public_key().public_bytes_raw()
    return [
        {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key_id(public),
         "x": _encoded(public).decode()}
    ]  # fmt: skip


def key_id(public: bytes) -> str:
    """Return what a receipt calls a public key: the beginning of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def found_in(text: str) -> list[str]:
    """Return the receipts in a text, whatever stands around them, each once."""
    return list(dict.fromkeys(_TOKEN.findall(text)))


def read(receipt: str, key: bytes | None = None) -> Json:
    """Return what a receipt says, and its ``kid``; raises ``ValueError`` unless it is signed with the *key*, if any."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ed25519

    head, payload, signature = receipt.split(".")
    try:
        said, told = orjson.loads(_decoded(head)), orjson.loads(_decoded(payload))
        if key is not None:
            ed25519.Ed25519PublicKey.from_public_bytes(key).verify(_decoded(signature), f"{head}.{payload}".encode())
    except (InvalidSignature, orjson.JSONDecodeError, binascii.Error) as error:
        raise ValueError("the receipt is not signed with this key, or damaged") from error
    if not isinstance(said, dict) or not isinstance(told, dict):
        raise ValueError("the receipt says nothing")
    return {**told, "kid": said.get("kid")}


def public_key(text: str) -> bytes:
    """Return a public key from the ``x`` of its JSON Web Key; ``invalid_request`` for anything else."""
    try:
        found = _decoded(text.strip())
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != 32:
        raise PlayError("invalid_request", "That is no public key: the server has it at /api/v1/keys.", field="key")
    return found


# --- inside ---


def _key(ctx: AppContext) -> tuple[Ed25519PrivateKey, str]:
    """Return the server's key, and what receipts call its public half."""
    return ctx.caches.receipt_keys.get("key", lambda: _with_id(_kept(ctx)))


def _with_id(kept: bytes) -> tuple[Ed25519PrivateKey, str]:
    from cryptography.hazmat.primitives.asymmetric import ed25519

    key = ed25519.Ed25519PrivateKey.from_private_bytes(kept)
    return key, key_id(key.public_key().public_bytes_raw())


def _kept(ctx: AppContext) -> bytes:
    """Return the private key of this database, drawn with the first receipt; two processes get the same."""
    from cryptography.hazmat.primitives.asymmetric import ed25519

    with ctx.database.read() as session:
        kept = session.get(ServerValue, NAME)
        if kept is not None:
            return kept.value
    drawn = ed25519.Ed25519PrivateKey.generate().private_bytes_raw()
    try:
        with ctx.database.write(aside=True) as session:
            session.add(ServerValue(name=NAME, value=drawn))
    except IntegrityError:
        return _kept(ctx)
    return drawn


def _encoded(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def said(place: tuple[str, int, int], accepted: Accepted, scheme: int | None, chain: bytes | None) -> Json:
    """Return what the receipt for an order set says. *place*: campaign, branch, phase; *chain*: what the set keeps."""
    campaign, branch, number = place
    at = accepted.updated_at
    return {
        "kind": ORDERS,
        "campaign": campaign,
        "seat": accepted.player_id,
        "branch": branch,
        "number": number,
        "revision": accepted.revision,
        "final": accepted.final,
        "orders": digest(accepted.orders),
        "scheme": scheme or dice_scheme_1.SCHEME,
        "before": chain[-SIZE:].hex() if chain else "",
        "at": "" if at is None else at.astimezone(UTC).isoformat(),
    }


def with_receipt(
    place: tuple[str, int, int], accepted: Accepted, scheme: int | None, chain: bytes | None
) -> bytes | None:
    """Return the chain for the next revision of a set: with the receipt for this one, if a player submitted it."""
    if not accepted.revision:
        return None
    own = hashlib.sha256(written(said(place, accepted, scheme, chain))).digest()
    return ((chain or b"") + own)[-SIZE * MOST :]


def named_in(chain: bytes, revision: int, of: int) -> str | None:
    """Return the hash of the receipt for revision *of* in the chain of a set at *revision*; None: it is not kept."""
    at = len(chain) - (revision - of) * SIZE
    return chain[at : at + SIZE].hex() if at >= 0 else None
