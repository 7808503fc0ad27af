"""Which HTTP status each refusal of ``play`` gets: the only place where the two meet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from server.http.errors import CODES, Code
from server.play.errors import REFUSALS

STATUSES: Mapping[str, int] = MappingProxyType(
    {
        "unauthenticated": 401,
        "forbidden": 403,
        "not_found": 404,
        "conflict": 409,
        "gone": 410,
        "stale": 412,
        "too_large": 413,
        "invalid": 422,
        "limited": 409,
        "busy": 503,
    }
)
"""The status of each kind of refusal."""

ALL_CODES: Mapping[str, Code] = MappingProxyType(
    {code: Code(STATUSES[refusal.kind], refusal.title) for code, refusal in REFUSALS.items()} | dict(CODES)
)
"""Every code an answer can have."""
