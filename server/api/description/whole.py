"""The API's description: what every operation can answer, written once and not per operation.

The schemas that no model has are in the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from server.api.description import headers, meanings, refined, webhooks
from server.api.description.examples import PLACE_EXAMPLES, PLACES, example
from server.api.description.plain import camel, ref
from server.api.description.tidy import for_generators, pruned, tidy
from server.api.endpoints import COOKIE, EXTRA, IF_MATCH
from server.api.routes import ADMIN, GUESTS, HEAVY, PUBLIC, RAW_BODY, SECRET
from server.http.error_codes import ALL_CODES, Code
from server.http.problems import MEDIA_TYPE, TYPE, ProblemDocument
from server.http.signing import COOKIE as SESSION_COOKIE
from server.http.signing import GUEST_COOKIE

_ALWAYS = ("malformed_header", "bad_token", "missing_scope", "not_found", "too_large", "invalid_request",
           "too_many_requests", "internal", "busy", "database_unreachable", "shutting_down")  # fmt: skip
_SIGNED_IN = ("not_signed_in", "forbidden")
_WRITES = ("malformed_json", "csrf", "conflict", "idempotency_in_progress", "already_done", "unsupported_media_type",
           "idempotency_key_reused", "disk_full")  # fmt: skip
USUAL = frozenset((*_ALWAYS, *_SIGNED_IN, *_WRITES))
"""Codes that an operation has because it is one, because it needs an account, or because it writes."""
_STATUSES = {
    400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 410: "Gone",
    412: "PreconditionFailed", 413: "ContentTooLarge", 415: "UnsupportedMediaType", 422: "Unprocessable",
    429: "TooManyRequests", 500: "InternalError", 503: "Unavailable", 507: "InsufficientStorage",
}  # fmt: skip
"""What refusals of each status are called among the components."""
_METHODS = ("get", "put", "post", "patch", "delete")

TAGS = [
    {"name": "account", "description": "Signing up and in, access tokens, bots, settings of one's own."},
    {"name": "campaigns", "description": "Finding, creating, joining and running campaigns."},
    {"name": "orders", "description": "One's secret orders for the open phase, and those left in advance."},
    {"name": "dice", "description": "What is published of a campaign's dice, and the salts of one's seat."},
    {"name": "view", "description": "What one may know: the position, the map, events, legal orders, previews."},
    {"name": "history", "description": "The campaign as one saw it then, and the record for everybody after the end."},
    {"name": "battles", "description": "Battles, what both sides want, and tabletop results."},
    {"name": "table", "description": "Battles on the table: two sides, one referee, with an account or as a guest."},
    {"name": "chronicle", "description": "What players tell of their battles, with pictures."},
    {"name": "notebook", "description": "One's own notes of turns and pins in the map; nobody else reads them."},
    {"name": "people", "description": "Messages and diplomacy; blocked and reported people."},
    {"name": "live", "description": "Event streams, and looking after webhooks."},
    {"name": "webhooks", "description": "What webhooks receive."},
    {"name": "game master", "description": "What only the campaign's game master may do."},
    {"name": "admin", "description": "Running the server. Needs an admin account that signed in; tokens are refused."},
    {"name": "server", "description": "The server itself."},
]
_ABOUT = """Everything the web page does, programs can do, too.

Sign in with a personal access token (`Authorization: Bearer ...`). Reads that say so work without one and answer what
everybody may know. Send the ETag of a read as `If-Match` of the write, and an `Idempotency-Key` with each write.
What may change within v1, and what not, stands in the guide to the API (`docs/api.md`)."""


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of the app."""
    if app.openapi_schema:
        return app.openapi_schema
    described = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=_ABOUT,
        routes=app.routes,
        tags=TAGS,
        openapi_version="3.1.0",
        servers=[{"url": app.state.server.settings.public_url}],
        license_info={"name": "MIT", "identifier": "MIT"},
        contact={"name": "The operator of this server", "url": app.state.server.settings.public_url},
    )
    components = described.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    schemas.update(problem.pop("$defs", {}))
    schemas["ProblemDocument"] = problem
    meanings.add_docstrings(schemas, meanings.docstrings_of(_models(app.routes)))
    tidy(described)
    schemas = components["schemas"]
    schemas.update(refined.schemas())
    schemas.update(webhooks.schemas())
    refined.refine(schemas)
    for_generators(described)
    meanings.add(schemas)
    components |= {"parameters": headers.PARAMETERS, "headers": headers.HEADERS, "responses": {}}
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A personal access token."},
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": SESSION_COOKIE,
            "description": "The session of a page; writes need `X-CSRF-Token`, too.",
        },
        "guest": {
            "type": "apiKey",
            "in": "cookie",
            "name": GUEST_COOKIE,
            "description": "The session of a guest at a table who came when guests had a cookie of their own.",
        },
    }
    components["schemas"] = dict(sorted(schemas.items()))
    described["webhooks"] = webhooks.webhooks()
    for operations in described["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                _Operation(method, operation, described["components"]).complete()
    for hook in described["webhooks"].values():
        _add_examples(hook["post"]["requestBody"]["content"], described["components"]["schemas"])
    pruned(described)
    app.openapi_schema = described
    return described


def _models(routes: Iterable[Any]) -> Iterator[Any]:
    """Yield what the endpoints say that they return, those of included routers among them."""
    for route in routes:
        if isinstance(route, APIRoute) and route.response_model is not None:
            yield route.response_model
            # pydantic reads the items of a generic page without the docstrings of their fields
            yield from getattr(route.response_model, "__pydantic_generic_metadata__", {}).get("args", ())
        elif (router := getattr(route, "original_router", None)) is not None:
            yield from _models(router.routes)


class _Operation:
    """One operation of the description, which gets what all of its kind have."""

    def __init__(self, method: str, operation: dict[str, Any], components: dict[str, Any]) -> None:
        self.operation = operation
        self.components = components
        self.codes = [*_ALWAYS, *operation.pop(EXTRA, ())]
        known = (PUBLIC, GUESTS, SECRET, RAW_BODY, IF_MATCH, COOKIE, ADMIN, HEAVY)
        self.marks = {mark for mark in known if operation.pop(mark, False)}
        self.writes = method != "get"
        self.responses: dict[str, Any] = operation.setdefault("responses", {})
        self.stream = "text/event-stream" in self.responses.get("200", {}).get("content", {})
        self.parameters: list[Any] = operation.setdefault("parameters", [])

    def complete(self) -> None:
        """Add what the operation has in common with others."""
        self._secure()
        self._describe_path()
        self._take_headers()
        self._refuse()
        self._succeed()
        body = self.operation.get("requestBody")
        if body is not None:
            body["content"].pop("text/plain", None)  # generators take no second kind of body; the text says so
            body["required"] = True
            _add_examples(body["content"], self.components["schemas"])
        if not self.parameters:
            del self.operation["parameters"]

    def _secure(self) -> None:
        either: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
        if PUBLIC not in self.marks:
            self.codes += _SIGNED_IN
        elif GUESTS in self.marks:
            either = [{}, *either, {"guest": []}]
        elif self.writes:
            either = []
        else:
            either = [{}, *either]
        self.operation["security"] = either

    def _describe_path(self) -> None:
        """Give the parameters of address and query a description and an example."""
        for parameter in self.parameters:
            name, schema = parameter["name"], parameter["schema"]
            told = PLACES.get(name) or meanings.COMMON.get(name)
            if told is not None:
                parameter.setdefault("description", told)
            if parameter["in"] == "path":
                shown = PLACE_EXAMPLES.get(name) or example(schema, self.components["schemas"], name)
                parameter.setdefault("example", shown)

    def _take_headers(self) -> None:
        """Describe the headers of the request."""
        if self.writes:
            self.codes += _WRITES
            if IF_MATCH in self.marks:
                self.parameters.append(headers.parameter("IfMatch"))
            self.parameters.append(headers.parameter("IdempotencyKey"))
            if PUBLIC not in self.marks or GUESTS in self.marks:
                self.parameters.append(headers.parameter("CsrfToken"))
        elif not self.stream:
            self.parameters.append(headers.parameter("IfNoneMatch"))

    def _refuse(self) -> None:
        """Describe each status with which the operation is refused; the same description is written once."""
        self.responses.pop("422", None)
        for status, mine in _by_status(self.codes).items():
            name = _named(status, mine)
            self.components["responses"].setdefault(name, _problem(status, mine))
            self.responses[str(status)] = {"$ref": f"#/components/responses/{name}"}
        if not self.writes and not self.stream:
            self.responses["304"] = {"$ref": "#/components/responses/NotModified"}
            self.components["responses"].setdefault("NotModified", _NOT_MODIFIED)
        self.operation["responses"] = dict(sorted(self.responses.items()))

    def _succeed(self) -> None:
        """Describe the headers and an example of each success."""
        for status, response in self.operation["responses"].items():
            if not status.startswith("2"):
                continue
            names = ["Location"] if status == "201" else []
            if IF_MATCH in self.marks or (not self.writes and not self.stream):
                names.append("ETag")
            if self.writes:
                names.append("IdempotentReplayed")
            if COOKIE in self.marks:
                names.append("SetCookie")
            if any(kind.startswith("application/octet") for kind in response.get("content", {})):
                names.append("ContentDisposition")
            response["headers"] = headers.headers(*names)
            if self.stream:
                response["content"] = {
                    "text/event-stream": {
                        "schema": _STREAM | {"contentSchema": ref(webhooks.STREAM_EVENT)},
                        "example": _STREAM["examples"][0],
                    }
                }
            _add_examples(response.get("content", {}), self.components["schemas"])


_STREAM = {
    "type": "string",
    "contentMediaType": "text/event-stream",
    "description": "Server-sent events: `event` is the kind, `data` a `StreamEvent` as JSON.",
    "examples": [
        'event: phase_opened\ndata: {"kind":"phase_opened","at":"2026-03-01T20:00:00+00:00",'
        '"data":{"turn":3,"phase":"movement","number":12}}\nid: 41.7\n\n'
    ],
}
_NOT_MODIFIED = {
    "description": "Not changed since you read it (`If-None-Match`).",
    "headers": headers.headers("ETag"),
}


def _add_examples(content: Mapping[str, Any], schemas: Mapping[str, Any]) -> None:
    """Compose a missing example from those of the fields."""
    for media in content.values():
        if "schema" in media and "example" not in media and "examples" not in media:
            media["example"] = example(media["schema"], schemas)


def _by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(ALL_CODES[code].status, []).append(code)
    return dict(sorted(found.items()))


def _named(status: int, codes: list[str]) -> str:
    """Return what a refusal is called: its status, and the codes that not all operations have."""
    usual = [code for code in (*_ALWAYS, *_SIGNED_IN, *_WRITES) if ALL_CODES[code].status == status]
    told = [code for code in codes if code not in usual] if set(codes) >= set(usual) else codes
    return _STATUSES[status] + "".join(camel(code) for code in sorted(told))


def _problem(status: int, codes: list[str]) -> dict[str, Any]:
    known: Mapping[str, Code] = ALL_CODES
    more = {401: ["WWWAuthenticate"], 409: ["RetryAfter"], 429: ["RetryAfter"], 503: ["RetryAfter"]}.get(status, [])
    code = codes[0]
    title = known[code].title
    shown = {
        "type": TYPE.format(code=code), "title": title, "status": status, "detail": f"{title}.",
        "template": f"{title}.", "params": {}, "code": code, "field": "", "value": None, "problems": [],
    }  # fmt: skip
    return {
        "description": "; ".join(f"`{code}`: {known[code].title}" for code in codes) + ".",
        "headers": headers.headers(*more),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}, "example": shown}},
    }
