"""Notices pushed to browsers: a service on this machine takes them and decrypts them as a browser does."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient
from py_vapid import Vapid02
from pydantic import SecretStr
from sqlalchemy import select

from server.http.signing import COOKIE
from server.mail.services import pushers
from server.play.context import AppContext
from server.play.notices import delivery, push
from server.store.tables import Outbox, PushSubscription
from tests.api.club import Club, found, play_of
from tests.api.people import Person
from tests.web.visitor import Visitor

KEY = push.new_key()


def text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


@dataclass
class Browser:
    """A browser's keys, and what its service was sent."""

    private: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    status: int = 201
    base: str = ""

    def wanted(self, path: str = "/one") -> dict[str, Any]:
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.base + path, "keys": {"p256dh": text(point), "auth": text(self.secret)}}

    def read(self) -> list[dict[str, Any]]:
        """Decrypt what came, as a browser does."""
        return [
            json.loads(http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm"))
            for _, body in self.came
        ]


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(made.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    made.base = f"http://127.0.0.1:{server.server_port}"
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def keyed(client: TestClient) -> AppContext:
    """Give the server a key, and let it send to this machine."""
    ctx = play_of(client)
    object.__setattr__(ctx.settings, "push_key", SecretStr(KEY))
    object.__setattr__(ctx.settings, "webhooks_to_private_addresses", True)
    return ctx


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return keyed(client)


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 2)


def deliver(ctx: AppContext) -> None:
    while delivery.deliver(ctx, pushers(ctx)):
        pass


def waiting(ctx: AppContext) -> list[Outbox]:
    with ctx.database.read() as session:
        return list(session.scalars(select(Outbox).where(Outbox.kind == "push").order_by(Outbox.id)))


def subscriptions(ctx: AppContext) -> int:
    with ctx.database.read() as session:
        return len(session.scalars(select(PushSubscription.id)).all())


def test_a_phase_is_told_to_the_browser(club: Club, ctx: AppContext, browser: Browser) -> None:
    ann = club.players[0]
    made = ann.post("/me/push", browser.wanted())
    assert made["service"] == "127.0.0.1"
    assert ann.get("/me/push")["key"] == push.public_key(ctx.settings)
    club.pass_phase()
    deliver(ctx)
    (told,) = browser.read()
    assert told["title"] == "The Thirteen Towers"
    assert told["body"].endswith("your orders are needed")
    assert (told["tag"], told["url"].endswith(f"{club.path}/table")) == (f"phase_opened/{club.id}", True)
    headers, _ = browser.came[0]
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
    assert Vapid02.verify(headers["authorization"])
    claims = headers["authorization"].split("t=")[1].split(",")[0].split(".")[1]
    said = json.loads(base64.urlsafe_b64decode(claims + "=="))
    assert (said["aud"], said["sub"].split(":")[0]) == (browser.base, "mailto")
    assert [row.sent_at is not None for row in waiting(ctx)] == [True]


def test_a_letter_is_told_to_its_reader_alone(club: Club, ctx: AppContext, browser: Browser) -> None:
    ann, ben = club.players
    other = Browser(base=browser.base)
    ann.post("/me/push", browser.wanted("/ann"))
    ben.post("/me/push", other.wanted("/ben"))
    ann.post(f"{club.path}/messages", {"to": ["p2"], "body": "Cat plans an attack", "subject": "Beware"})
    deliver(ctx)
    other.came = browser.came
    (told,) = other.read()
    assert "Beware" in told["body"]
    assert "Cat plans" not in json.dumps(told)


def test_what_is_not_wanted_is_not_pushed(club: Club, ctx: AppContext, browser: Browser) -> None:
    ann = club.players[0]
    ann.post("/me/push", browser.wanted())
    ann.ask("PATCH", "/me/notifications", {"notifications": {"phase_opened": {"browser": False}}}, status=200)
    club.pass_phase()
    assert waiting(ctx) == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(club: Club, ctx: AppContext, browser: Browser, status: int) -> None:
    club.players[0].post("/me/push", browser.wanted())
    browser.status = status
    club.pass_phase()
    deliver(ctx)
    assert (len(browser.came), subscriptions(ctx)) == (1, 0)
    assert [row.failed_at is not None for row in waiting(ctx)] == [True]
    club.pass_phase()
    deliver(ctx)
    assert len(browser.came) == 1


def test_a_service_that_is_busy_is_asked_again(club: Club, ctx: AppContext, browser: Browser) -> None:
    club.players[0].post("/me/push", browser.wanted())
    browser.status = 503
    club.pass_phase()
    deliver(ctx)
    (row,) = waiting(ctx)
    assert (row.failed_at, row.sent_at, row.attempts, subscriptions(ctx)) == (None, None, 1, 1)


def test_who_signs_out_is_told_nothing_more(club: Club, ctx: AppContext, browser: Browser) -> None:
    ann = club.players[0]
    ann.post("/me/push", browser.wanted())
    club.pass_phase()
    ann.ask("DELETE", "/sessions/current", status=204)
    deliver(ctx)
    assert (browser.came, subscriptions(ctx)) == ([], 0)


def test_the_same_browser_belongs_to_who_came_last(club: Club, ctx: AppContext, browser: Browser) -> None:
    ann, ben = club.players
    ann.post("/me/push", browser.wanted())
    made = ben.post("/me/push", browser.wanted())
    assert (ann.get("/me/push")["items"], subscriptions(ctx)) == ([], 1)
    assert ann.ask("DELETE", f"/me/push/{made['id']}").status_code == 404
    ben.ask("DELETE", f"/me/push/{made['id']}", status=204)
    assert subscriptions(ctx) == 0


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"endpoint": "ftp://example.org/x"}, "endpoint"),
        ({"endpoint": "nonsense"}, "endpoint"),
        ({"keys": {"p256dh": "AAAA", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}, "p256dh"),
        ({"keys": {"p256dh": text(b"\x04" + bytes(64)), "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}, "p256dh"),
        ({"keys": {"p256dh": "ü", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}, "p256dh"),
        ({"keys": {"p256dh": "", "auth": ""}}, "p256dh"),
    ],
)
@pytest.mark.usefixtures("ctx")
def test_what_is_no_browser(club: Club, browser: Browser, change: dict[str, Any], name: str) -> None:
    answer = club.players[0].ask("POST", "/me/push", browser.wanted() | change, status=422).json()
    assert name in answer["field"]


@pytest.mark.usefixtures("ctx")
def test_a_token_of_a_program_subscribes_no_browser(club: Club, browser: Browser) -> None:
    weak: Person = club.players[0].token("read", "orders")
    assert weak.ask("POST", "/me/push", browser.wanted(), status=403).json()["code"] == "missing_scope"


def test_without_a_key_nothing_happens(client: TestClient, club: Club, browser: Browser) -> None:
    ctx, ann = play_of(client), club.players[0]
    assert pushers(ctx) == {}
    assert ann.get("/me/push") == {"key": "", "items": []}
    assert ann.post("/me/push", browser.wanted(), status=409)["code"] == "conflict"
    visitor = Visitor(client)
    visitor.cookies[COOKIE] = ann.secret
    assert "push-notices" not in visitor.get("/settings")
    keyed(client)
    assert f'data-key="{push.public_key(ctx.settings)}"' in visitor.get("/settings")


def test_the_worker_and_the_manifest(client: TestClient) -> None:
    page = Visitor(client).get("/sign-in")
    address = page.partition('rel="manifest" href="')[2].partition('"')[0]
    manifest = client.get(address)
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    folder = address.rpartition("/")[0]
    for icon in manifest.json()["icons"]:
        assert client.get(f"{folder}/{icon['src']}").headers["content-type"] == icon["type"]
    worker = client.get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert client.get("/icon.png").headers["content-type"] == "image/png"
