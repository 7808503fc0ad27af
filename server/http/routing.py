"""A router that is asked only for addresses that may be its own: FastAPI tries every route of all that are included."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope


class PrefixedRouter(APIRouter):
    """A router whose routes all begin with its prefix."""

    def __init__(self, prefix: str = "", **more: Any) -> None:
        super().__init__(prefix=prefix, **more)
        self._begins = re.compile(re.sub(r"\{\w+\}", "[^/]+", prefix))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return how an address fits; no route is tried if it does not hold the prefix."""
        if self._begins.search(scope["path"]) is None:
            return Match.NONE, {}
        return super().matches(scope)
