"""Which HTTP status each refusal of ``play`` gets: the only place where the two meet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from server.api.errors import CODES, Code

ALL_CODES: Mapping[str, Code] = MappingProxyType({**CODES})
"""Every code an answer can have."""
