"""The documentation says what the code does: these fail where one was changed without the other."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.testclient import TestClient

from server.core.errors import ILLEGAL, INVALID
from server.http.error_codes import ALL_CODES
from server.play.edits import edits
from server.settings import PREFIX, Settings

DOCS = Path(__file__).parents[2] / "docs"


def _rows(name: str, words: str) -> dict[str, list[str]]:
    """Return the rows of all tables of a page whose first cell is a code, by that code."""
    rows = {}
    for line in (DOCS / name).read_text().splitlines():
        cells = [each.strip() for each in line.strip().strip("|").split("|")]
        found = re.fullmatch(f"`({words})`", cells[0])
        if found:
            rows[found[1]] = cells[1:]
    return rows


def test_every_setting_is_documented() -> None:
    rows = _rows("settings.md", "[A-Z_]+")
    expected = {
        f"{PREFIX}{name.upper()}": "" if field.default is None else f"`{_plain(field.default)}`"
        for name, field in Settings.model_fields.items()
    }
    assert {name: cells[0] for name, cells in rows.items()} == expected


def _plain(value: object) -> str:
    if hasattr(value, "get_secret_value"):
        value = value.get_secret_value()
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_error_code_is_documented() -> None:
    rows = _rows("errors.md", "[a-z0-9_]+")
    expected = {code: [str(each.status), f"`{each.title}`"] for code, each in ALL_CODES.items()}
    told = {code: [cells[0], cells[1].split(" – ")[0]] for code, cells in rows.items() if code in ALL_CODES}
    assert told == expected
    assert rows.keys() - ALL_CODES.keys() == (INVALID | ILLEGAL) - ALL_CODES.keys()


def test_every_operation_is_documented(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()
    text = (DOCS / "api.md").read_text()
    missing = [
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, operations in described["paths"].items()
        for method in operations
        if f"`{method.upper()} {path.removeprefix('/api/v1')}`" not in text
    ]
    assert missing == []


def test_every_edit_is_documented() -> None:
    rows = _rows("api.md", "[a-z_]+")
    told = {
        (do, noun)
        for noun, cells in rows.items()
        for part in cells[0].split(";")
        for do in re.findall(r"(?<![`\w])(set|add|remove)(?![`\w])", part.partition(":")[0])
    }
    assert told == set(edits.KINDS)


def test_operations_are_described_well(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["tags"], where
            assert operation["description"].endswith("."), where
            assert all(str(status) in operation["responses"] for status in (404, 422, 429, 503)), where
            for content in operation.get("requestBody", {}).get("content", {}).values():
                assert "schema" in content, where


def test_request_bodies_have_examples(client: TestClient) -> None:
    described = client.get("/api/v1/openapi.json").json()
    schemas = described["components"]["schemas"]
    lacking = []
    for operations in described["paths"].values():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is not None and "example" not in content:
                lacking.append(operation["operationId"])
    assert lacking == []
    assert "HTTPValidationError" not in schemas


def test_the_docs_page_loads_nothing(client: TestClient) -> None:
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert "<script" not in page.text
    assert not re.findall(r"\ssrc=|<link|@import|url\(", page.text)
    links = re.findall(r'<(\w+) href="([^"]*)"', page.text)
    assert len(links) == page.text.count("href=")
    assert [link for tag, link in links if tag != "a" or not link.startswith("/")] == []
    assert "script" not in page.headers["content-security-policy"]


def test_error_codes_explain_themselves(client: TestClient) -> None:
    problem = client.get("/api/v1/campaigns/nothing/here").json()
    explained = client.get(problem["type"])
    assert explained.json()["title"] == problem["title"]
    assert {each["code"] for each in client.get("/api/v1/errors").json()["items"]} >= INVALID | ILLEGAL
