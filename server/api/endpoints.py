"""What endpoints are written with: their decorators, and the call that they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Protocol, TypeVar, cast

from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse

from server.api.routes import ADMIN, GUESTS, HEAVY, PUBLIC, RAW_BODY, SECRET, Route
from server.http.context import Server, server_of
from server.http.error_codes import ALL_CODES
from server.http.limits import origin
from server.http.middleware import PREFIX
from server.http.responses import Revised, created, if_match_revision, json_response
from server.http.routing import PrefixedRouter
from server.play.context import Actor, AppContext

EXTRA = "x-refuses"
"""Where an operation keeps the codes only it has, until the description is made."""
IF_MATCH = "x-if-match"
"""Mark of writes that honour ``If-Match`` and answer with an ``ETag``."""
COOKIE = "x-cookie"
"""Mark of operations that set or drop the session's cookie."""
_FLAGS = {"public": PUBLIC, "guests": GUESTS, "secret": SECRET, "raw": RAW_BODY, "if_match": IF_MATCH,
          "cookie": COOKIE, "admin": ADMIN, "heavy": HEAVY}  # fmt: skip

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class _Decorator(Protocol):
    def __call__(self, endpoint: Endpoint, /) -> Endpoint: ...


_NOTHING: Mapping[str, Any] = {}


class Endpoints:
    """The endpoints of a subject: a router whose decorators say what an operation answers and refuses."""

    def __init__(self, tag: str, prefix: str = "") -> None:
        self.router = PrefixedRouter(PREFIX + prefix, route_class=Route, tags=[tag])
        self.get, self.post, self.put, self.patch, self.delete = (
            partial(self._add, method) for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        )

    def _add(
        self, method: str, path: str, answers: Any = None, *refuses: str, status: int | None = None,
        extra: Mapping[str, Any] = _NOTHING, responses: dict[int | str, dict[str, Any]] | None = None,
        response_class: type[Response] = JSONResponse, **flags: bool,
    ) -> _Decorator:  # fmt: skip
        """Return the decorator of an operation.

        *answers* is its model (204 without one), *refuses* are the codes it has in addition to the common ones.
        *flags* are explained in :mod:`server.api.routes`, ``if_match`` and ``cookie`` above; what ``guests`` may do
        is ``public``. *extra* is for the description.
        """
        unknown = [code for code in refuses if code not in ALL_CODES]
        if unknown:
            raise ValueError(f"unknown error codes: {unknown}")
        flags["public"] = flags.get("public", False) or flags.get("guests", False)
        also = ["stale_revision"] if flags.get("if_match") and "stale_revision" not in refuses else []
        marks = {_FLAGS[name]: True for name, on in flags.items() if on}
        if answers is None and response_class is JSONResponse:
            status, response_class = 204, Response
        return self.router.api_route(
            path,
            methods=[method],
            response_model=answers,
            status_code=status,
            responses=responses,
            openapi_extra={EXTRA: [*refuses, *also], **marks, **extra},
            response_class=response_class,
        )


@dataclass(frozen=True, slots=True)
class Call:
    """A request of the API, and who asks."""

    request: Request
    server: Server
    actor: Actor
    """Set by :class:`server.api.routes.Route`, which has authenticated them."""

    @property
    def ctx(self) -> AppContext:
        """The way to the use cases."""
        return self.server.ctx

    @property
    def browser(self) -> str:
        """What the client calls itself."""
        return self.request.headers.get("user-agent", "")

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return origin(self.request.client.host if self.request.client else "")

    @property
    def revision(self) -> int | None:
        """The revision that ``If-Match`` asks for; None: any."""
        return if_match_revision(self.request.headers.get("if-match"))

    def answer(self, content: object | Callable[[], bytes], **more: Any) -> Response:
        """Return the answer to a read (:func:`server.http.responses.json_response`)."""
        return json_response(self.request, content, **more)


async def _call(request: Request) -> Call:  # a plain function would wait for a thread
    return Call(request, server_of(request), cast(Actor, request.state.actor))


CallDep = Annotated[Call, Depends(_call)]
"""Parameter of endpoints: what they answer."""


def revised(found: Revised) -> Response:
    """Return what a write changed, with the ETag of its revision."""
    return created(found, 200, headers={"ETag": f'"{found.revision}"'})
