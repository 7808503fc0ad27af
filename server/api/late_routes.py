"""Groups of routes that are imported when one of them is first asked for: an idle server holds none of their code."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from importlib import import_module
from threading import RLock

from anyio import to_thread
from fastapi import FastAPI
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

_LOCK = RLock()


class LateRoutes(BaseRoute):
    """Stands after all other routes, in place of a group that is not imported yet.

    A request that none of the others serves gets here. The group is then imported and joins the routes of the app, and
    the route of the request is looked for once more: refusals, too, are the same as if the group had always been there.
    """

    def __init__(self, module: str, may_serve: Callable[[str], bool]) -> None:
        """Take the module whose ``install`` adds the group to an app, and what says whether a path may be its."""
        self._module, self._may_serve = module, may_serve
        self._installed = False

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Take every request that may be for the group, until it is there."""
        late = not self._installed and self._may_serve(scope["path"])
        return Match.FULL if late else Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Import the group in another thread, then serve the request; others are served meanwhile."""
        app = scope["app"]
        await to_thread.run_sync(self.install, app)
        await app.router(scope, receive, send)

    def install(self, app: FastAPI) -> None:
        """Have the group join the routes of the app, unless it has."""
        with _LOCK:
            if not self._installed:
                known = self._module in sys.modules
                import_module(self._module).install(app)
                self._installed = True
                if not known:
                    gc.freeze()  # as after a start: later collections, which hold requests up, do not look at it


class App(FastAPI):
    """An app some of whose routes are late. All routes are in :attr:`routes`, those so far in ``router.routes``."""

    @property
    def routes(self) -> list[BaseRoute]:
        """Return all routes: imports those that are not there yet."""
        for route in self.router.routes:
            if isinstance(route, LateRoutes):
                route.install(self)
        return [route for route in self.router.routes if not isinstance(route, LateRoutes)]
