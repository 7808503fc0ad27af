"""The API's description and its error codes, as JSON and as plain pages: no scripts, nothing loaded from anywhere."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from server.api.description.whole import TAGS, USUAL, describe
from server.http.error_codes import explanations
from server.http.problems import Refused
from server.http.responses import STILL, etag_matches, tag

_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
_CODE = re.compile(r"`([^`]+)`")

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
@media (prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}code{background:#2a2a2a!important}}
h2{margin-top:3rem;border-bottom:1px solid}summary{cursor:pointer;padding:.4rem 0}
code{background:#eee;padding:.1rem .3rem;border-radius:3px}b{display:inline-block;min-width:4.5rem}
pre{overflow-x:auto;padding:.6rem;border:1px solid;border-radius:3px}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0}
"""

_BEFORE = """<p>The examples run in a shell that knows the server, your
<a href="/settings">access token</a> and the ids in the path:</p>
<pre>export SEALED_ORDERS_SERVER={server} SEALED_ORDERS_TOKEN=sot_...
campaign_id=...</pre><p>Every refusal has a code; <a href="/errors">each is explained</a>.
The guide is <code>docs/api.md</code>.</p>"""


def install(app: FastAPI, path: str, described: str) -> None:
    """Serve the page at *path*, a page for each error code, the description at *described*, and lead to both."""

    @app.get(path, include_in_schema=False)
    def docs(request: Request) -> Response:
        return _answer(request, _zipped(app))

    @app.get("/errors", include_in_schema=False)
    def errors(request: Request) -> Response:
        return _answer(request, _zipped_errors())

    @app.get("/errors/{code}", include_in_schema=False)
    def error(code: str) -> Response:
        if code not in explanations():
            raise Refused("not_found", "There is no such error code.", field="code", value=code)
        return Response(error_page(code), media_type=_HTML, headers=STILL)

    def openapi(request: Request) -> Response:
        return _description(request, *_encoded(app))

    def catalog() -> Response:
        """Say where the API is described (RFC 9727)."""
        base = app.state.server.settings.public_url.rstrip("/")
        linkset = {
            "anchor": f"{base}/api/v1",
            "service-desc": [{"href": f"{base}{described}", "type": _JSON}],
            "service-doc": [{"href": f"{base}{path}", "type": "text/html"}],
            "status": [{"href": f"{base}/readyz", "type": _JSON}],
        }
        return Response(orjson.dumps({"linkset": [linkset]}), headers={"Content-Type": _CATALOG})

    def leading(there: str) -> Callable[[], Response]:
        def lead() -> Response:
            return RedirectResponse(there, 308)

        return lead

    places: dict[str, Callable[..., Response]] = {
        described: openapi,
        "/.well-known/api-catalog": catalog,
        "/openapi.json": leading(described),
    }
    for here, answer in (places | dict.fromkeys(("/docs", "/api", "/api/v1"), leading(path))).items():
        app.add_api_route(here, answer, methods=["GET", "HEAD"], include_in_schema=False, response_model=None)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "").lower()


def _answer(request: Request, zipped: bytes) -> Response:
    """Return a page, gzipped for readers that take it."""
    headers = STILL | {"Vary": "Accept-Encoding"}
    if _takes_gzip(request):
        return Response(zipped, media_type=_HTML, headers=headers | {"Content-Encoding": "gzip"})
    return Response(gzip.decompress(zipped), media_type=_HTML, headers=headers)


def _description(request: Request, body: bytes, zipped: bytes, etag: str) -> Response:
    """Return the description in the encoding that the reader takes, or 304 where they have it."""
    headers = {"Cache-Control": "public, no-cache", "Vary": "Accept-Encoding", "ETag": etag}
    if _takes_gzip(request):
        headers |= {"ETag": f'{etag[:-1]}-gz"', "Content-Encoding": "gzip"}
        body = zipped
    if etag_matches(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, _JSON)


@cache
def _encoded(app: FastAPI) -> tuple[bytes, bytes, str]:
    body = orjson.dumps(describe(app))
    return body, gzip.compress(body, 9, mtime=0), tag(body)


@cache
def _zipped(app: FastAPI) -> bytes:
    return gzip.compress(page(describe(app)).encode(), 9, mtime=0)


@cache
def _zipped_errors() -> bytes:
    return gzip.compress(errors_page().encode(), 9, mtime=0)


def page(described: dict[str, Any]) -> str:
    """Return the page for an OpenAPI description."""
    return "".join(_page(described))


def errors_page() -> str:
    """Return the list of all error codes."""
    rows = "".join(
        f'<tr><td><a href="/errors/{known.code}"><code>{known.code}</code></a></td><td>{known.status or "order"}</td>'
        f"<td>{escape(known.title)}</td></tr>"
        for known in explanations().values()
    )
    return f"{_head('Error codes')}<h1>Error codes</h1><table>{rows}</table>"


def error_page(code: str) -> str:
    """Return the page that says why a code refuses something, and what to do next."""
    each = explanations()[code]
    where = f"Status {each.status}" if each.status else "A problem of a single order"
    return (
        f"{_head(code)}<h1><code>{code}</code></h1><p>{where}. {escape(each.title)}.</p>"
        f"<h2>Why</h2><p>{_text(each.why)}</p><h2>What to do</h2><p>{_text(each.next)}</p>"
        '<p><a href="/errors">All error codes</a> · <a href="/api/docs">API</a></p>'
    )


def _head(title: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    )


def _text(told: str) -> str:
    """Return a text of the description as HTML: what is between backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escape(told))


def _page(described: dict[str, Any]) -> Iterator[str]:
    info = described["info"]
    yield _head(f"{info['title']}: API")
    yield f"<h1>{escape(info['title'])}: API {escape(info['version'])}</h1><p>{escape(info.get('summary', ''))} "
    yield 'For programs: <a href="/api/v1/openapi.json">openapi.json</a>.</p>'
    yield _BEFORE.format(server=escape(described["servers"][0]["url"]))
    for subject in TAGS:
        operations = list(_operations(described, subject["name"]))
        if operations:
            name = escape(subject["name"])
            yield f'<h2 id="{name}">{name.capitalize()}</h2><p>{_text(subject["description"])}</p>'
            yield from operations


def _operations(described: dict[str, Any], tag: str) -> Iterator[str]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if tag in operation.get("tags", ()):
                yield _operation(path, method, operation, described)


def _operation(path: str, method: str, operation: dict[str, Any], described: dict[str, Any]) -> str:
    told = _text(operation.get("description", operation.get("summary", "")))
    parameters = [_looked_up(parameter, described) for parameter in operation.get("parameters", ())]
    rows = [
        (parameter["name"], parameter["in"], parameter.get("description", ""))
        for parameter in parameters
        if parameter["in"] != "header"
    ] + list(_body(operation, described))
    summary = escape(operation.get("summary", ""))
    return (
        f'<details id="{escape(operation["operationId"])}">'
        f"<summary><b>{method.upper()}</b> <code>{escape(path)}</code> {summary}</summary>"
        f"<p>{told}</p>{_table(rows)}<pre>{escape(example(path, method, operation))}</pre>"
        f"{_refusals(operation, described)}</details>"
    )


def example(path: str, method: str, operation: dict[str, Any]) -> str:
    """Return a command that sends the operation's example; ids of the path are variables of the shell."""
    address = re.sub(r"\{(\w+)\}", r"${\1}", path)
    parts = [f'curl "$SEALED_ORDERS_SERVER{address}"']
    if method != "get":
        parts.insert(1, f"-X {method.upper()}")
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if {"token": []} in operation.get("security", ()):
        parts.append('-H "Authorization: Bearer $SEALED_ORDERS_TOKEN"')
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if kind == "application/json":
            parts += ['-H "Content-Type: application/json"', f"-d {shlex.quote(json.dumps(content['example']))}"]
        else:
            parts += [f'-H "Content-Type: {kind}"', "--data-binary @file"]
    return " \\\n  ".join(parts)


def _refusals(operation: dict[str, Any], described: dict[str, Any]) -> str:
    """Return links to the codes that are this operation's own."""
    told = " ".join(_looked_up(found, described).get("description", "") for found in operation["responses"].values())
    codes = [code for code in re.findall(r"`(\w+)`: ", told) if code not in USUAL]
    links = ", ".join(f'<a href="/errors/{code}"><code>{code}</code></a>' for code in codes)
    return f"<p>Refused with {links}.</p>" if links else ""


def _looked_up(part: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the description, or what it refers to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = described["components"][kind][name]
    return found


def _body(operation: dict[str, Any], described: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
        schema = described["components"]["schemas"].get(name, {})
        needed = schema.get("required", ())
        for field, field_schema in schema.get("properties", {}).items():
            yield field, "body" if field in needed else "body, optional", field_schema.get("description", "")


def _table(rows: list[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td><td>{_text(told)}</td></tr>"
        for name, kind, told in rows
    )
    return f"<table>{cells}</table>" if cells else ""
