"""Why each code refuses something, and what to do next: ``explanations.toml``, for ``/errors/{code}``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from server.core.errors import ILLEGAL, INVALID
from server.http.error_codes import ALL_CODES

REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Explanation:
    """An error code, explained."""

    code: str
    status: int | None
    """HTTP status; None for codes of single orders."""
    title: str
    kind: str
    """``request``, ``invalid_order`` or ``illegal_order``."""
    why: str
    next: str


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return the explanation of every code: those of requests first, then those of orders."""
    texts = tomllib.loads(files("server.http").joinpath("explanations.toml").read_text("utf-8"))
    codes = [*ALL_CODES, *sorted((INVALID | ILLEGAL) - ALL_CODES.keys())]
    return MappingProxyType({code: _explanation(code, texts[code]) for code in codes})


def _explanation(code: str, text: Mapping[str, str]) -> Explanation:
    if (known := ALL_CODES.get(code)) is not None:
        return Explanation(code, known.status, known.title, REQUEST, **text)
    kind = "invalid_order" if code in INVALID else "illegal_order"
    return Explanation(code, None, code.replace("_", " ").capitalize(), kind, **text)
