from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from sqlalchemy.engine import URL

from server.app import create_app
from server.http import logs, problems
from server.http.limits import Limiter
from server.http.logs import HIDDEN, QUIET, Repeats, configure, logger
from server.http.middleware import SECURITY, RequestLimits, RequestMiddleware
from server.mail.answering import unanswered
from server.store.errors import Busy, Full, Unreachable
from tests.api.conftest import settings_for

PROBLEM = "application/problem+json"


@pytest.fixture
def bare() -> Iterator[TestClient]:
    """A small app behind the edge."""
    app = FastAPI()

    @app.post("/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("the password is hunter2")

    @app.get("/storage/{kind}")
    def storage(kind: str) -> None:
        raise {"full": Full, "busy": Busy, "gone": Unreachable}[kind]("database or disk is full")

    problems.install(app)
    app.add_middleware(RequestMiddleware, limits=RequestLimits(1024, 4096, Limiter(0, lambda: 0.0), secure=True))
    with TestClient(app) as client:
        yield client


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, known = list(root.handlers), root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**known)


def test_security_headers_are_everywhere(client: TestClient) -> None:
    for path in ("/healthz", "/api/v1/errors", "/nothing/here"):
        headers = client.get(path).headers
        assert {name: headers[name] for name in SECURITY} == SECURITY


def test_https_is_insisted_on_where_there_is_https(bare: TestClient, client: TestClient) -> None:
    assert "strict-transport-security" in bare.get("/nothing").headers
    assert "strict-transport-security" not in client.get("/healthz").headers


def test_a_request_id_is_given_or_made(client: TestClient) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    for strange in ("a b", "x" * 65, "<script>", ""):
        made = client.get("/healthz", headers={"X-Request-Id": strange}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", made)


def test_a_body_that_is_too_large_is_refused_before_it_is_read(bare: TestClient) -> None:
    answer = bare.post("/echo", content=b"x" * 1025)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.headers["content-type"] == PROBLEM


@pytest.mark.parametrize(
    ("length", "expects", "read"), [(4096, {}, 3), (4097, {}, 0), (4096, {"expect": "100-continue"}, 0)]
)
def test_a_refused_body_is_read_unless_none_may_be_that_long(length: int, expects: dict[str, str], read: int) -> None:
    """So that proxies can send it to its end and give the answer on. Seen to fail with bodies left unread."""
    sent: list[Any] = []
    left = [{"type": "http.request", "body": b"x", "more_body": number < 2} for number in range(3)]

    async def receive() -> Any:
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append((message, 3 - len(left)))

    headers = {"content-length": str(length)} | expects
    scope = {
        "type": "http", "method": "POST", "path": "/echo", "raw_path": b"/echo", "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    edge = RequestMiddleware(FastAPI(), RequestLimits(1024, 4096, Limiter(0, lambda: 0.0)))
    asyncio.run(edge(scope, receive, send))
    assert (sent[0][0]["status"], sent[0][1]) == (413, read)


def test_a_body_without_length_is_refused_while_it_is_read(bare: TestClient) -> None:
    answer = bare.post("/echo", content=iter([b"x" * 1000, b"y" * 25]))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert bare.post("/echo", content=iter([b"x" * 1000, b"y" * 24])).json() == 1024


def test_a_body_that_is_longer_than_it_says_is_refused(bare: TestClient) -> None:
    answer = bare.post("/echo", content=b"x" * 5, headers={"Content-Length": "-5"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_header")


@pytest.mark.parametrize("path", ["/echo%00", "/echo?a=%00"])
def test_zero_bytes_lead_nowhere(bare: TestClient, path: str) -> None:
    assert bare.get(path).json()["code"] == "not_found"


def test_our_mistakes_tell_nothing(bare: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = bare.get("/broken")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "hunter2" not in answer.text
    assert answer.headers["content-type"] == PROBLEM


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [("full", 507, "disk_full"), ("busy", 503, "busy"), ("gone", 503, "database_unreachable")],
)
def test_trouble_with_the_database(bare: TestClient, kind: str, status: int, code: str) -> None:
    answer = bare.get(f"/storage/{kind}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert status == 507 or "retry-after" in answer.headers


def test_a_flood_from_one_address(url: URL) -> None:
    with TestClient(create_app(settings_for(url, address_rate=4))) as client:
        answers = [client.get("/api/v1/errors") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1].json()["code"] == "too_many_requests"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 15
        assert client.get("/healthz").status_code == 200


def test_methods_that_are_not_there(client: TestClient) -> None:
    answer = client.post("/api/v1/errors")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "method_not_allowed", "GET")


def test_all_methods_of_an_address_are_told(client: TestClient) -> None:
    for method, path, known in (("POST", "/api/v1/me", "GET, PATCH, DELETE"), ("PATCH", "/sign-in", "GET, HEAD, POST")):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, known)


def test_logs_for_people_are_plain_where_nobody_looks_on(capfd: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "text")
    for log in (logs.logger("ours"), logging.getLogger("a library's")):
        secret = "hunter2"
        try:
            raise ValueError(f"a secret of {len(secret)} letters")
        except ValueError:
            log.exception("it failed")
        said = capfd.readouterr().err
        assert "ValueError: a secret of 7 letters" in said
        assert "hunter2" not in said
        assert "\x1b" not in said


def test_every_request_is_logged_with_its_id_and_nothing_else(url: URL, capfd: pytest.CaptureFixture[str]) -> None:
    with TestClient(create_app(settings_for(url))) as client:
        configure("info", "json")
        client.get(
            "/api/v1/campaigns/abc123/nothing?invite=hush",
            headers={"Authorization": "Bearer hush", "X-Request-Id": "r1"},
        )
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if '"request"' in line]
    assert [(line["request_id"], line["campaign_id"], line["status"]) for line in lines] == [("r1", "abc123", 404)]
    assert "hush" not in json.dumps(lines)


def test_secrets_are_hidden_wherever_they_are_logged(capfd: pytest.CaptureFixture[str]) -> None:
    configure("info", "json")
    logger("test").info("signed in", password="hush", session_token="hush", user="ann", orders=["hush"])
    line = json.loads(capfd.readouterr().err)
    assert (line["password"], line["session_token"], line["orders"], line["user"]) == (HIDDEN, HIDDEN, HIDDEN, "ann")


def test_metrics(client: TestClient) -> None:
    before = client.get("/metrics").text
    unanswered["no_tag"] += 1
    client.get("/api/v1/errors")
    client.get("/api/v1/campaigns/secret-id-of-somebody")
    client.request("BREW", "/nowhere")
    text = client.get("/metrics").text
    assert "sealed_orders_open_streams 0.0" in text
    assert f'sealed_orders_mails_unanswered_total{{why="no_tag"}} {unanswered["no_tag"]}.0' in text
    assert "sealed_orders_resolution_seconds_count 0.0" in text
    assert count(before, "/api/v1/errors", "GET", "2xx") == 0
    assert count(text, "/api/v1/errors", "GET", "2xx") == 1
    assert count(text, "/api/v1/campaigns/{campaign_id}", "GET", "4xx") == 1
    assert count(text, "(unknown)", "other", "4xx") == 1
    assert 'http_request_duration_seconds_count{handler="/api/v1/errors",method="GET"} 1.0' in text
    assert "secret-id" not in text


def count(figures: str, handler: str, method: str, status: str) -> float:
    wanted = f'http_requests_total{{handler="{handler}",method="{method}",status="{status}"}} '
    return sum(float(line.removeprefix(wanted)) for line in figures.splitlines() if line.startswith(wanted))


def test_what_comes_again_and_again_is_counted(capfd: pytest.CaptureFixture[str]) -> None:
    """A database that is away, say, with a line for each request. Seen to fail without the filter."""
    logs.configure("info", "text")
    now = [0.0]
    repeats = Repeats(lambda: now[0])
    logging.getLogger().handlers[0].filters[:] = [repeats]
    for number in range(40):
        logs.logger("ours").error("database", why="away", request_id=f"r{number}")
        logs.logger("ours").info("request", status=200)
    logs.logger("ours").error("database", why="full")
    logging.getLogger("a library's").warning("%d of them", 3)
    now[0] += QUIET
    logs.logger("ours").info("request", status=503)
    lines = capfd.readouterr().err.splitlines()
    errors = [line for line in lines if "error" in line]
    assert [("away" in line, "full" in line, "39 times more" in line) for line in errors] == [
        (True, False, False), (False, True, False), (True, False, True),
    ]  # fmt: skip
    assert sum("request" in line for line in lines) >= 41
    assert sum("3 of them" in line for line in lines) == 1
