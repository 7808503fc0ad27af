"""Apps for tests: what is the same in all of them is made once in each process, for it takes half a second.

That is what FastAPI works out for each route, the templates of the pages, and what is served beside them.
"""

from __future__ import annotations

from fastapi.testclient import TestClient
from sqlalchemy.orm import configure_mappers

from server.app import create_app
from server.settings import Settings


def prepare() -> None:
    """Make it now, for the processes that are forks of this one."""
    configure_mappers()
    assert TestClient(create_app(Settings())).get("/healthz").status_code == 200
