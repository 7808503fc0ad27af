"""The page of the API shows commands that run, and each error code has a page that says why and what to do next."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from html import unescape
from importlib.resources import files

import pytest
from fastapi.testclient import TestClient

from server.api.docs import example
from server.http.error_codes import explanations
from tests.api.asking import described
from tests.api.club import found


def commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the command of each operation, as the shell splits it."""
    for name, command in re.findall(r'<details id="(\w+)">.*?<pre>(.*?)</pre>', page, re.DOTALL):
        yield name, shlex.split(unescape(command).replace("\\\n", " "))


def test_the_page_is_light(client: TestClient) -> None:
    """One answer of at most 40 kB, without scripts or anything from elsewhere."""
    answer = client.get("/api/docs", headers={"Accept-Encoding": "gzip"})
    assert int(answer.headers["content-length"]) < 40_000
    assert answer.headers["content-encoding"] == "gzip"
    assert not re.search(r"<script|<link|<img|@import|url\(", answer.text)
    assert client.get("/api/docs", headers={"Accept-Encoding": "identity"}).text == answer.text


def test_every_operation_has_a_command(client: TestClient) -> None:
    shown = dict(commands(client.get("/api/docs").text))
    operations = {each["operationId"]: each for methods in described()["paths"].values() for each in methods.values()}
    assert shown.keys() == operations.keys()
    for name, words in shown.items():
        assert words[0] == "curl", name
        body = operations[name].get("requestBody", {}).get("content", {}).get("application/json")
        if body is not None:
            assert json.loads(words[words.index("-d") + 1]) == body["example"], name


def test_commands_run(client: TestClient) -> None:
    """Reads of a campaign and one write, sent as the page shows them once the shell has the variables."""
    club = found(client)
    variables = {"SEALED_ORDERS_SERVER": "", "SEALED_ORDERS_TOKEN": club.players[0].secret, "campaign_id": club.id}
    ran = 0
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            wanted = method == "get" and set(re.findall(r"{(\w+)}", path)) <= {"campaign_id"}
            if (
                path.endswith("/stream")
                or "/admin/" in path
                or not (wanted or operation["operationId"] == "check_orders")
            ):
                continue
            words = shlex.split(re.sub(r"\$\{?(\w+)\}?", lambda each: variables.get(each[1], each[0]),
                                       example(path, method, operation).replace("\\\n", " ")))  # fmt: skip
            headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
            body = words[words.index("-d") + 1] if "-d" in words else None
            answer = client.request(method.upper(), words[1], headers=headers, content=body)
            assert answer.status_code in (200, 304, 404, 409, 403), (path, answer.text)
            ran += answer.status_code == 200
    assert ran > 40


def test_every_code_is_explained() -> None:
    texts = tomllib.loads(files("server.http").joinpath("explanations.toml").read_text("utf-8"))
    assert texts.keys() == explanations().keys()
    for each in explanations().values():
        assert each.why.endswith("."), each.code
        assert each.next.endswith("."), each.code


@pytest.mark.parametrize("code", ["wrong_phase", "not_enough_bp"])
def test_a_code_has_a_page(client: TestClient, code: str) -> None:
    told = client.get(f"/api/v1/errors/{code}").json()
    page = client.get(f"/errors/{code}")
    assert page.headers["content-type"].startswith("text/html")
    text = unescape(re.sub(r"<[^>]+>", "", page.text))
    for field in ("title", "why", "next"):
        assert told[field].replace("`", "") in text
    assert f'href="/errors/{code}"' in client.get("/errors").text


def test_an_unknown_code_has_none(client: TestClient) -> None:
    assert client.get("/errors/nothing").status_code == client.get("/api/v1/errors/nothing").status_code == 404


def test_every_place_in_an_address_has_an_example() -> None:
    for path, methods in described()["paths"].items():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter.get("in") in ("path", "query"):
                    assert parameter.get("description"), (path, parameter["name"])
                if parameter.get("in") == "path":
                    assert "example" in parameter, (path, parameter["name"])
