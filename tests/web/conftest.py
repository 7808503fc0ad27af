from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import client, url
from tests.web.visitor import Visitor

__all__ = ["client", "url", "visitor"]

Visits = Callable[..., Visitor]


@pytest.fixture
def visitor(client: TestClient) -> Visits:
    """Let somebody come: ``visitor("Ann")`` is signed in, ``visitor()`` a stranger."""

    def come(name: str = "", *, language: str = "en") -> Visitor:
        return Visitor(client, name, language=language)

    return come
