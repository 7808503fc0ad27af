"""Where webhooks and pushes may go, and for how long one waits there."""

from __future__ import annotations

import contextlib
import socket
import threading
import time

import pytest

from server.play.context import AppContext
from server.play.notices import posting, webhooks
from server.play.notices.posting import Unsendable, is_public, target_of
from tests.play.conftest import person
from tests.play.test_campaigns import refused


@pytest.mark.parametrize("begins", [b"HTTP/1.1 2", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"])
def test_a_receiver_that_never_ends_is_cut_off(begins: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail where the thread that ends it was not over yet: what had come by then was called the mistake."""
    monkeypatch.setattr(posting, "PATIENCE", 0.3)
    abort = posting._Pinned.abort

    def abort_slowly(connection: posting._Pinned) -> None:
        abort(connection)
        time.sleep(0.2)

    monkeypatch.setattr(posting._Pinned, "abort", abort_slowly)
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(begins)
                while not over.wait(0.05):
                    connection.sendall(b"x")

        dripping = threading.Thread(target=drip)
        dripping.start()
        target = target_of(f"http://127.0.0.1:{listener.getsockname()[1]}/", private=True)
        # what was said in time counts: a status is an answer
        with contextlib.nullcontext() if b"200" in begins else pytest.raises(Unsendable, match="no answer in time"):
            posting.post(target, b"", {}, private=True)
        over.set()
        dripping.join()


def test_what_went_wrong_is_said_in_words() -> None:
    """Seen to fail: pages showed ``ConnectionRefusedError: [Errno 111] Connection refused``."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        target = target_of(f"http://127.0.0.1:{listener.getsockname()[1]}/", private=True)
    with pytest.raises(Unsendable) as refusal:
        posting.post(target, b"", {}, private=True)
    assert str(refusal.value) == "Connection refused"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https://user:x@example.org/", "https://localhost/",
        "https://10.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest",
        "https://0/", "https://2130706433/", "https://127.1/", "https://intranet/", "https://db.internal/",
        "https://example.org:99999/", "https://exa mple.org/", "https://example.org/\r\nX: y", "javascript:alert(1)",
        "",
    ],
)  # fmt: skip
def test_where_nothing_is_sent(ctx: AppContext, url: str) -> None:
    ada = person(ctx, "Ada")
    refused("bad_address", webhooks.create, ctx, ada, url)
    assert webhooks.listed(ctx, ada) == []


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2606:4700::1111", True), ("10.1.2.3", False), ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("127.0.0.1", False), ("169.254.1.1", False), ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False),
        ("::1", False), ("fe80::1%eth0", False), ("fc00::1", False), ("::ffff:192.168.0.1", False),
        ("64:ff9b::a00:1", False), ("2002:a00:1::", False), ("nonsense", False), ("fec0::1", False),
        ("3fff::1", False), ("192.88.99.1", False), ("5f00::1", False),
    ],
)  # fmt: skip
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) == public


def test_a_name_that_turns_private_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    target = target_of("https://example.org/", private=False)

    def answers(*found: str) -> None:
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda *_, **__: [(socket.AF_INET, 1, 6, "", (each, 443)) for each in found],
        )

    answers("8.8.8.8", "10.0.0.1")
    with pytest.raises(Unsendable, match="private"):
        posting.resolve(target, private=False)
    answers("93.184.216.34")
    asked: list[object] = []

    def connect(address: tuple[str, int], *_: object) -> socket.socket:
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Unsendable):
        posting.post(target, b"", {}, private=False)
    assert asked == [("93.184.216.34", 443)]
