"""Somebody with a browser, as far as a test client is one: they follow links, fill in forms, keep cookies."""

from __future__ import annotations

import re
from contextlib import suppress
from html import unescape
from typing import Any
from uuid import uuid4

import httpx2
from fastapi.testclient import TestClient

from server.play.accounts import accounts, links
from server.play.context import AppContext
from server.play.errors import PlayError

_CSRF = re.compile(r'<meta name="csrf-token" content="([^"]*)">')


class Visitor:
    """Cookies of one's own in a client that several share."""

    def __init__(self, client: TestClient, name: str = "", *, language: str = "en") -> None:
        self.client = client
        self.name = name
        self.language = language
        self.cookies: dict[str, str] = {}
        self.csrf = ""
        if name:
            self._enter(name)

    def get(self, path: str, status: int = 200) -> str:
        """Open a page and return it."""
        response = self._ask("GET", path)
        assert response.status_code == status, f"GET {path}: {response.status_code} {response.text[:2000]}"
        found = _CSRF.search(response.text)
        self.csrf = unescape(found[1]) if found else self.csrf
        return response.text

    def post(self, path: str, status: int = 303, **fields: str | list[str]) -> str:
        """Send a form; return where it leads to, or the page that says what is wrong."""
        names: dict[str, str | list[str]] = {name.replace("__", "."): value for name, value in fields.items()}
        response = self._ask("POST", path, names | {"csrf_token": self.csrf})
        assert response.status_code == status, f"POST {path}: {response.status_code} {response.text[:2000]}"
        return response.headers.get("location", response.text)

    def upload(self, path: str, files: dict[str, bytes], status: int = 200, **fields: str) -> str:
        """Send a form with files; return where it leads to, or the page that comes back."""
        names: dict[str, str | list[str]] = {name.replace("__", "."): value for name, value in fields.items()}
        response = self._ask("POST", path, names | {"csrf_token": self.csrf}, files=files)
        assert response.status_code == status, f"POST {path}: {response.status_code} {response.text[:2000]}"
        return response.headers.get("location", response.text)

    def api(self, method: str, path: str, body: object = None, **headers: str) -> httpx2.Response:
        """Ask the API as the scripts of a page do: with the cookie, the page's token and a key for each write."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()} | {"Accept": "application/json"}
        if method != "GET":
            sent |= {"X-CSRF-Token": self.csrf, "Idempotency-Key": uuid4().hex}
        return self._ask(method, f"/api/v1{path}", json=body, headers=sent)

    def _enter(self, name: str) -> None:
        """Come in by a link that the operator handed over: no password has to be hashed for that."""
        ctx: AppContext = self.client.app.state.server.ctx  # type: ignore[attr-defined]
        with suppress(PlayError):
            accounts.make_user(ctx, name)
        self.post("/link", token=links.sign_in_link(ctx, name))
        self.get("/")

    def _ask(
        self, method: str, path: str, data: dict[str, str | list[str]] | None = None, *, json: object = None,
        headers: dict[str, str] | None = None, files: dict[str, bytes] | None = None,
    ) -> httpx2.Response:  # fmt: skip
        self.client.cookies.clear()
        sent = {"Accept": "text/html", "Accept-Language": self.language} | (headers or {})
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        more: dict[str, Any] = {"data": data} if json is None else {"json": json}
        if files:
            more["files"] = files
        response = self.client.request(method, path, headers=sent, follow_redirects=False, **more)
        for name, value in response.cookies.items():
            self.cookies[name] = value
        return response
