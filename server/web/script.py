"""Data for scripts, inside a page."""

from __future__ import annotations

import orjson
from markupsafe import Markup

from server.api.responses import to_json

_ESCAPES = {b"<": b"\\u003c", b">": b"\\u003e", b"&": b"\\u0026", "\u2028".encode(): b"\\u2028",
            "\u2029".encode(): b"\\u2029"}  # fmt: skip


def script_data(value: object) -> Markup:
    """Return JSON that may stand in a ``<script type="application/json">``: nothing in it can end the element."""
    text = orjson.dumps(value, default=to_json)
    for each, escape in _ESCAPES.items():
        text = text.replace(each, escape)
    return Markup(text.decode())
