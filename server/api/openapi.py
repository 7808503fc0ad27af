"""What an endpoint says of itself for the API's description (:mod:`server.api.description.whole`)."""

from __future__ import annotations

from typing import Any

from server.api.routes import ADMIN, HEAVY, PUBLIC, RAW_BODY, SECRET
from server.http.error_codes import ALL_CODES

EXTRA = "x-refuses"
"""Where an operation keeps the codes only it has, until the description is made."""
IF_MATCH = "x-if-match"
"""Mark of writes that honour ``If-Match`` and answer with an ``ETag``."""
COOKIE = "x-cookie"
"""Mark of operations that set or drop the session's cookie."""


def error_responses(
    *codes: str,
    public: bool = False,
    secret: bool = False,
    raw: bool = False,
    if_match: bool = False,
    cookie: bool = False,
    admin: bool = False,
    heavy: bool = False,
) -> dict[str, Any]:
    """Return the ``openapi_extra`` of an operation that has these codes in addition to the common ones.

    The first flags are explained in :mod:`server.api.routes`, *if_match* and *cookie* above.
    """
    unknown = [code for code in codes if code not in ALL_CODES]
    if unknown:
        raise ValueError(f"unknown error codes: {unknown}")
    flags = {PUBLIC: public, SECRET: secret, RAW_BODY: raw, IF_MATCH: if_match, COOKIE: cookie,
             ADMIN: admin, HEAVY: heavy}  # fmt: skip
    also = ["stale_revision"] if if_match and "stale_revision" not in codes else []
    return {EXTRA: [*codes, *also]} | {name: True for name, on in flags.items() if on}
