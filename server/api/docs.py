"""The API's description as one plain page: no scripts, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import FastAPI, Response

from server.api.description.whole import TAGS, describe
from server.http.responses import STILL

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
@media (prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}code{background:#2a2a2a!important}}
h2{margin-top:3rem;border-bottom:1px solid}summary{cursor:pointer;padding:.4rem 0}
code{background:#eee;padding:.1rem .3rem;border-radius:3px}b{display:inline-block;min-width:4.5rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0}
"""


def install(app: FastAPI, path: str) -> None:
    """Serve the page."""

    @app.get(path, include_in_schema=False)
    def docs() -> Response:
        return Response(page(describe(app)), media_type="text/html; charset=utf-8", headers=STILL)


def page(described: dict[str, Any]) -> str:
    """Return the page for an OpenAPI description."""
    return "".join(_page(described))


def _page(described: dict[str, Any]) -> Iterator[str]:
    info = described["info"]
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(info["title"])}: API</title>'
    yield f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    yield f"<h1>{escape(info['title'])}: API {escape(info['version'])}</h1><p>{escape(info.get('summary', ''))} "
    yield 'For programs: <a href="/api/v1/openapi.json">openapi.json</a>.</p>'
    for tag in TAGS:
        operations = list(_operations(described, tag["name"]))
        if operations:
            name = escape(tag["name"])
            yield f'<h2 id="{name}">{name.capitalize()}</h2><p>{escape(tag["description"])}</p>'
            yield from operations


def _operations(described: dict[str, Any], tag: str) -> Iterator[str]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if tag in operation.get("tags", ()):
                yield _operation(path, method, operation, described)


def _operation(path: str, method: str, operation: dict[str, Any], described: dict[str, Any]) -> str:
    told = escape(operation.get("description", operation.get("summary", "")))
    parameters = [_looked_up(parameter, described) for parameter in operation.get("parameters", ())]
    rows = [(parameter["name"], parameter["in"], parameter.get("description", "")) for parameter in parameters] + list(
        _body(operation, described)
    )
    found = {status: _looked_up(response, described) for status, response in operation["responses"].items()}
    answers = [(status, "", response.get("description", "")) for status, response in found.items()]
    summary = escape(operation.get("summary", ""))
    return (
        f'<details id="{escape(operation["operationId"])}">'
        f"<summary><b>{method.upper()}</b> <code>{escape(path)}</code> {summary}</summary>"
        f"<p>{told}</p>{_table(rows)}<h4>Answers</h4>{_table(answers)}</details>"
    )


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
        f"<tr><td><code>{escape(name)}</code></td><td>{escape(kind)}</td><td>{escape(told)}</td></tr>"
        for name, kind, told in rows
    )
    return f"<table>{cells}</table>" if cells else ""
