"""The finished description as bytes, plain and gzipped, with ETags; and the places where you look for it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from server.api.description.whole import describe
from server.http.responses import etag_matches, tag

MEDIA_TYPE = "application/json"
CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
_HEADERS = {"Cache-Control": "public, no-cache", "Vary": "Accept-Encoding"}


@dataclass(frozen=True, slots=True)
class _Encoded:
    body: bytes
    zipped: bytes
    etag: str


class Description:
    """The description of an app; made for its first request."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._made: _Encoded | None = None

    def answer(self, request: Request) -> Response:
        """Return the description in the encoding that the reader takes, or 304 where they have it."""
        made = self._encoded()
        zips = "gzip" in request.headers.get("accept-encoding", "").lower()
        etag = f'{made.etag[:-1]}-gz"' if zips else made.etag
        headers = _HEADERS | {"ETag": etag} | ({"Content-Encoding": "gzip"} if zips else {})
        if etag_matches(request.headers.get("if-none-match"), etag):
            return Response(status_code=304, headers=headers)
        return Response(made.zipped if zips else made.body, 200, headers, MEDIA_TYPE)

    def _encoded(self) -> _Encoded:
        with self._lock:
            if self._made is None:
                body = orjson.dumps(describe(self._app))
                self._made = _Encoded(body, gzip.compress(body, 9, mtime=0), tag(body))
            return self._made


def install(app: FastAPI, path: str, docs: str) -> None:
    """Serve the description at *path*, and lead to it and to the page for people (*docs*) from where you look."""
    description = Description(app)

    def openapi(request: Request) -> Response:
        return description.answer(request)

    def catalog() -> Response:
        """Say where the API is described (RFC 9727)."""
        base = app.state.server.settings.public_url.rstrip("/")
        linkset = {
            "anchor": f"{base}/api/v1",
            "service-desc": [{"href": f"{base}{path}", "type": MEDIA_TYPE}],
            "service-doc": [{"href": f"{base}{docs}", "type": "text/html"}],
            "status": [{"href": f"{base}/readyz", "type": MEDIA_TYPE}],
        }
        return Response(orjson.dumps({"linkset": [linkset]}), headers={"Content-Type": CATALOG_TYPE})

    app.add_api_route(path, openapi, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/.well-known/api-catalog", catalog, methods=["GET", "HEAD"], include_in_schema=False)
    for here, there in (("/openapi.json", path), ("/docs", docs), ("/api", docs), ("/api/v1", docs)):
        app.add_api_route(here, _leading(there), methods=["GET", "HEAD"], include_in_schema=False)


def _leading(there: str) -> Callable[[], Response]:
    def lead() -> Response:
        return RedirectResponse(there, 308)

    return lead
