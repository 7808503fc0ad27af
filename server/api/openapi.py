"""The API's description: what every operation can answer, written once and not per operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from server.api.error_codes import ALL_CODES
from server.api.errors import Code
from server.api.problems import MEDIA_TYPE, TYPE, ProblemDocument
from server.api.routes import PUBLIC, RAW_BODY, SECRET

EXTRA = "x-refuses"
"""Where an operation keeps the codes only it has, until the description is made."""

_ALWAYS = ("malformed_header", "bad_token", "missing_scope", "not_found", "too_large", "invalid_request",
           "too_many_requests", "internal", "busy", "database_unreachable", "shutting_down")  # fmt: skip
_SIGNED_IN = ("not_signed_in", "forbidden")
_WRITES = ("malformed_json", "csrf", "conflict", "idempotency_in_progress", "already_done", "unsupported_media_type",
           "idempotency_key_reused", "disk_full")  # fmt: skip
_METHODS = ("get", "put", "post", "patch", "delete")

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any text of 1 to 200 visible ASCII characters that is new for each write. The same request with "
    "the same key gets the same answer again, and nothing is done twice.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    "example": "7d3f1c9e-turn-4-orders",
}

TAGS = [
    {"name": "account", "description": "Signing up and in, access tokens, bots, settings of one's own."},
    {"name": "campaigns", "description": "Finding, creating, joining and running campaigns."},
    {"name": "orders", "description": "One's secret orders for the open phase, and those left in advance."},
    {"name": "view", "description": "What one may know: the position, the map, events, legal orders, previews."},
    {"name": "history", "description": "The campaign as one saw it then, and the record for everybody after the end."},
    {"name": "battles", "description": "Battles, what both sides want, and tabletop results."},
    {"name": "people", "description": "Messages and diplomacy."},
    {"name": "live", "description": "Event streams and webhooks."},
    {"name": "game master", "description": "What only the campaign's game master may do."},
    {"name": "server", "description": "The server itself."},
]


def error_responses(*codes: str, public: bool = False, secret: bool = False, raw: bool = False) -> dict[str, Any]:
    """Return the ``openapi_extra`` of an operation that has these codes besides the ones all have.

    The flags are explained in :mod:`server.api.routes`.
    """
    unknown = [each for each in codes if each not in ALL_CODES]
    if unknown:
        raise ValueError(f"unknown error codes: {unknown}")
    flags = {PUBLIC: public, SECRET: secret, RAW_BODY: raw}
    return {EXTRA: list(codes)} | {name: True for name, on in flags.items() if on}


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description of the app."""
    if app.openapi_schema:
        return app.openapi_schema
    described = get_openapi(
        title=app.title, version=app.version, summary=app.summary, description=app.description, routes=app.routes,
        tags=TAGS,
    )  # fmt: skip
    schemas = described.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    problem = ProblemDocument.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs", {}))
    schemas["ProblemDocument"] = problem
    described["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A personal access token."},
        "session": {"type": "apiKey", "in": "cookie", "name": "sealed_orders_session"},
    }
    for operations in described["paths"].values():
        for method, operation in operations.items():
            if method in _METHODS:
                _add_responses(method, operation)
                _add_example(operation, schemas)
    app.openapi_schema = described
    return described


def _add_responses(method: str, operation: dict[str, Any]) -> None:
    secured = PUBLIC not in operation
    writes = method != "get"
    codes = [*_ALWAYS, *operation.pop(EXTRA, ())]
    if secured:
        codes += _SIGNED_IN
        operation["security"] = [{"token": []}, {"session": []}]
    for mark in (PUBLIC, SECRET, RAW_BODY):
        operation.pop(mark, None)
    if writes:
        codes += _WRITES
        operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
    responses = operation.setdefault("responses", {})
    responses.pop("422", None)
    for status, mine in _by_status(codes).items():
        responses[str(status)] = _problem(mine)
    if not writes and "200" in responses and "application/json" in responses["200"].get("content", {}):
        responses["304"] = {"description": "Not changed since you read it (`If-None-Match`)."}


def _add_example(operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Put an example of the body together from those of its fields."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is not None and "example" not in content:
        content["example"] = _example(content["schema"], schemas)


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if "examples" in schema:
        return schema["examples"][0]
    if "properties" in schema:
        wanted = {
            name: each
            for name, each in schema["properties"].items()
            if name in schema.get("required", ()) or "examples" in each
        }
        return {name: _example(each, schemas) for name, each in wanted.items()}
    return schema.get(
        "default", {"string": "text", "integer": 1, "boolean": True, "array": []}.get(schema.get("type", ""))
    )


def _by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        found.setdefault(ALL_CODES[code].status, []).append(code)
    return dict(sorted(found.items()))


def _problem(codes: list[str]) -> dict[str, Any]:
    known: Mapping[str, Code] = ALL_CODES
    examples = {
        code: {
            "summary": known[code].title,
            "value": {
                "type": TYPE.format(code=code), "title": known[code].title, "status": known[code].status,
                "detail": f"{known[code].title}.", "code": code, "field": "", "value": None, "problems": [],
            },
        }
        for code in codes
    }  # fmt: skip
    return {
        "description": "; ".join(f"`{code}`: {known[code].title}" for code in codes) + ".",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}, "examples": examples}},
    }
