"""Apps for tests: what is the same in all of them is made once in each process, for it takes a quarter of a second.

That is what FastAPI works out for each route, the templates of the pages, and what is served beside them.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy.orm import configure_mappers

from server.app import create_app
from server.settings import Settings
from server.web.templating import Site

_open = cache(Site.open)


def share() -> None:
    """Have the apps of this process, and of those it forks, share what is the same in all of them."""
    Site.open = _open  # type: ignore[method-assign]


def prepare() -> None:
    """Make it now, for the processes that are forks of this one."""
    configure_mappers()
    for route in create_app(Settings()).routes:
        getattr(route, "app", None)  # works a late route out
