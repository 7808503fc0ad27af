"""Apps for tests: what is the same in all of them is made once in each process, for it takes a quarter of a second.

That is what FastAPI works out for each route of an included router, the templates of the pages, and what is served
beside them.
"""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI
from sqlalchemy.orm import configure_mappers
from starlette.routing import BaseRoute

from server.app import create_app
from server.settings import Settings
from server.web import site
from server.web.site import PAGES
from server.web.templating import Site

_install = site.install
"""What the server uses: the last thing that is put on an app."""
_open = cache(Site.open)
_OF_EVERY_APP = frozenset(map(id, PAGES))
_routes: dict[int, BaseRoute] = {}


def _install_sharing(app: FastAPI) -> None:
    _install(app)
    app.router.routes[:] = [_shared(each) for each in app.router.routes]


def _shared(route: BaseRoute) -> BaseRoute:
    router = id(getattr(route, "original_router", None))
    return _routes.setdefault(router, route) if router in _OF_EVERY_APP else route


def share() -> None:
    """Have the apps of this process, and of those it forks, share what is the same in all of them."""
    site.install = _install_sharing
    Site.open = _open  # type: ignore[method-assign]


def prepare() -> None:
    """Make it now, for the processes that are forks of this one."""
    configure_mappers()
    for route in create_app(Settings()).router.routes:
        getattr(route, "effective_candidates", list)()
