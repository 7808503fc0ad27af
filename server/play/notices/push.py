"""Web Push: short notices to browsers, also while no page is open (RFC 8030, 8291, 8292).

Nothing is sent without the operator's key. A notice is encrypted for its browser: the service that carries it
cannot read it. A browser belongs to the session that subscribed it; signing out there ends it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

from sqlalchemy import delete, select

from server.core.sentences import say
from server.play.context import Actor, AppContext, check_limit
from server.play.errors import PlayError, invalid, not_found
from server.play.notices.posting import PermanentFailure, Unsendable, post, target_of
from server.settings import Settings
from server.store.tables import PushSubscription, Token

MAX_COUNT = 10
"""Browsers of one account."""
POINT, SECRET = 65, 16
"""Bytes of a browser's public key (P-256, uncompressed) and of its secret."""
LIFE = timedelta(days=1)
"""How long a service keeps a notice for a browser that is not there."""
TOKEN_LIFE = timedelta(hours=12)
GONE = (404, 410)
"""Statuses of a service that no longer knows the browser."""
TOO_LARGE = 413


@dataclass(frozen=True, slots=True)
class PushInfo:
    """A browser that gets push notifications."""

    id: str
    service: str
    """The host that carries the notices there."""
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PushState:
    """The server's key for pushes, and the browsers of an account that get them."""

    key: str
    """The server's public key, which browsers ask for; empty: this server sends nothing."""
    items: tuple[PushInfo, ...]


def public_key(settings: Settings) -> str:
    """Return the key with which browsers subscribe, base64url; empty where the operator has set none."""
    private = settings.push_key.get_secret_value()
    return _public(private) if private else ""


def new_key() -> str:
    """Return a new private key as the setting takes it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32))


def state(ctx: AppContext, actor: Actor) -> PushState:
    """Return the server's key and the browsers of the user's account."""
    actor.require("read")
    with ctx.database.read() as session:
        mine = select(PushSubscription).where(PushSubscription.user_id == actor.user_id)
        rows = session.scalars(mine.order_by(PushSubscription.created_at, PushSubscription.id))
        return PushState(public_key(ctx.settings), tuple(map(_info, rows)))


def subscribe(ctx: AppContext, actor: Actor, endpoint: str, p256dh: str, auth: str) -> PushInfo:
    """Have notices pushed to the browser one is signed in with; the same one again takes its own place."""
    actor.require_session()
    if not public_key(ctx.settings):
        raise PlayError("conflict", "This server pushes no notices.")
    private = ctx.settings.webhooks_to_private_addresses
    try:
        target_of(endpoint, private=private)
    except PlayError as error:
        raise PlayError("bad_address", error.message, field="endpoint") from None
    if len(_bytes(p256dh, "p256dh")) != POINT or not _on_curve(p256dh):
        raise invalid("p256dh", "This is no key of a browser.", p256dh)
    if len(_bytes(auth, "auth")) != SECRET:
        raise invalid("auth", "This is no key of a browser.", "")
    with ctx.database.write() as session:
        known = session.scalar(select(PushSubscription).where(PushSubscription.endpoint == endpoint).with_for_update())
        if known is not None:
            session.delete(known)  # another account's before, perhaps: who is signed in there now is told
            session.flush()
        mine = [PushSubscription.user_id == actor.user_id]
        check_limit(session, PushSubscription, mine, MAX_COUNT, say("At most {most} browsers.", most=MAX_COUNT))
        row = PushSubscription(
            user_id=actor.user_id,
            token_id=actor.token_id,
            endpoint=endpoint,
            p256dh=p256dh,
            auth=auth,
            created_at=ctx.now(),
        )
        session.add(row)
        session.flush()
        return _info(row)


def unsubscribe(ctx: AppContext, actor: Actor, subscription_id: str) -> None:
    """Push nothing more to a browser."""
    actor.require("orders")
    with ctx.database.write() as session:
        row = session.get(PushSubscription, subscription_id)
        if row is None or row.user_id != actor.user_id:
            raise not_found("subscription", subscription_id)
        session.delete(row)


def send(ctx: AppContext, subscription_id: str, content: bytes, topic: str) -> None:
    """Encrypt a notice and hand it to the browser's service; a later one of the same *topic* replaces it on its way.

    Errors: :class:`~server.play.notices.posting.PermanentFailure` for what will never get there,
    :class:`~server.play.notices.posting.Unsendable` for what is worth another try.
    """
    with ctx.database.read() as session:
        row = session.get(PushSubscription, subscription_id)
        token = None if row is None else session.get(Token, row.token_id)
    if row is None or token is None or token.revoked_at is not None:  # a session that ran out still counts
        if row is not None:
            _forget(ctx, subscription_id)
        raise PermanentFailure("the browser has been signed out")
    private = ctx.settings.webhooks_to_private_addresses
    try:
        target = target_of(row.endpoint, private=private)
    except PlayError as error:
        raise PermanentFailure(error.message) from error
    headers = _headers(ctx, row.endpoint) | {"Topic": _text(hashlib.sha256(topic.encode()).digest()[:24])}
    status = post(target, _encrypted(content, row.p256dh, row.auth), headers, private=private)
    if status in GONE:
        _forget(ctx, subscription_id)
        raise PermanentFailure(f"the browser is gone ({status})")
    if status == TOO_LARGE or status == 400:
        raise PermanentFailure(f"the service answered {status}")
    if not 200 <= status < 300:
        raise Unsendable(f"the service answered {status}")


# --- inside ---


def _encrypted(content: bytes, p256dh: str, auth: str) -> bytes:
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    own = ec.generate_private_key(ec.SECP256R1())
    sealed: bytes = http_ece.encrypt(
        content, private_key=own, dh=_bytes(p256dh, "p256dh"), auth_secret=_bytes(auth, "auth"), version="aes128gcm"
    )
    return sealed


def _headers(ctx: AppContext, endpoint: str) -> dict[str, str]:
    """Return who sends it, signed with the operator's key (VAPID, RFC 8292), and how long it may wait."""
    from py_vapid import Vapid02

    parts, base = urlsplit(endpoint), ctx.settings.public_url
    contact = base if base.startswith("https://") else f"mailto:{ctx.settings.mail_from.rpartition('<')[2].strip('>')}"
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": contact,
        "exp": int((ctx.now() + TOKEN_LIFE).timestamp()),
    }
    signed = Vapid02.from_raw(ctx.settings.push_key.get_secret_value().encode()).sign(claims)
    return {
        "Authorization": signed["Authorization"], "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream", "TTL": str(int(LIFE.total_seconds())), "Urgency": "normal",
    }  # fmt: skip


@cache
def _public(private: str) -> str:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    number = int.from_bytes(base64.urlsafe_b64decode(private + "=" * (-len(private) % 4)))
    point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    return _text(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _on_curve(p256dh: str) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh, "p256dh"))
    except ValueError:
        return False
    return True


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _bytes(text: str, field: str) -> bytes:
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise invalid(field, "This is no key of a browser.", "") from None


def _forget(ctx: AppContext, subscription_id: str) -> None:
    with ctx.database.write() as session:
        session.execute(delete(PushSubscription).where(PushSubscription.id == subscription_id))


def _info(row: PushSubscription) -> PushInfo:
    return PushInfo(row.id, urlsplit(row.endpoint).hostname or "", row.created_at)
