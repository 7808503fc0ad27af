"""A reverse proxy between client and server that does what networks do: loses answers, cuts streams, says 429."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2

PASS, LOSE, LIMIT, BUSY, WRONG, MOVED, BROKEN = "pass", "lose", "limit", "busy", "wrong", "moved", "broken"
"""Ways to treat a request: hand it on; hand it on and lose the answer; 429; a proxy's 502; a page of somebody else;
another address; the server's 500."""


class Wire(ThreadingHTTPServer):
    """One proxy; listens at :attr:`url`."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.http = httpx2.Client(base_url=target, timeout=30)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.next: deque[str] = deque()
        """How to treat the next requests, streams left out; then all pass."""
        self.events_a_stream: int | None = None
        """After how many events a stream is cut; None: never, 0: no stream is let through."""
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        """Method, path and headers of every request."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: whoever listens may go at any time."""

    def of(self, path: str) -> list[dict[str, str]]:
        """Return the headers of the requests for paths that end so."""
        return [headers for _, asked, headers in self.seen if asked.partition("?")[0].endswith(path)]


class _Handler(BaseHTTPRequestHandler):
    server: Wire

    def _serve(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, self.path, headers))
        body = self.rfile.read(int(headers.pop("content-length", 0)))
        if headers.get("accept") == "text/event-stream":
            self._stream(headers)
            return
        way = self.server.next.popleft() if self.server.next else PASS
        if way == LIMIT:
            self._answer(
                429, {"Retry-After": "1", "Content-Type": "application/json"}, b'{"code": "too_many_requests"}'
            )
        elif way == BUSY:
            self._answer(502, {"Content-Type": "text/html"}, b"<h1>Bad gateway</h1>")
        elif way == WRONG:
            self._answer(200, {"Content-Type": "text/html"}, b"<h1>Welcome to the router</h1>")
        elif way == BROKEN:
            self._answer(500, {"Content-Type": "application/problem+json"}, b'{"code": "internal"}')
        elif way == MOVED:
            self._answer(308, {"Location": "https://play.example.org/"}, b"")
        else:
            headers.pop("host")
            found = self.server.http.request(self.command, self.path, headers=headers, content=body)
            if way == PASS:
                kept = {each: found.headers[each] for each in ("content-type", "retry-after") if each in found.headers}
                self._answer(found.status_code, kept, found.content)

    def _stream(self, headers: dict[str, str]) -> None:
        left = self.server.events_a_stream
        if left == 0:
            self._answer(502, {"Content-Type": "text/html"}, b"")
            return
        headers.pop("host")
        with self.server.http.stream("GET", self.path, headers=headers) as response:
            self.send_response(response.status_code)
            self.send_header("Content-Type", response.headers["content-type"])
            self.end_headers()
            for line in response.iter_lines():
                self.wfile.write(line.encode() + b"\n")
                if left is not None and not line:
                    left -= 1
                    if left == 0:
                        return

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def between(target: str) -> Iterator[Wire]:
    """A wire to a server."""
    with Wire(target) as wire:
        thread = threading.Thread(target=wire.serve_forever, daemon=True)
        thread.start()
        try:
            yield wire
        finally:
            wire.shutdown()
            thread.join()
            wire.http.close()
