"""Somebody with a browser, as far as a test client is one: he follows links, fills in forms, keeps cookies."""

from __future__ import annotations

import re
from contextlib import suppress
from html import unescape

import httpx2
from fastapi.testclient import TestClient

from server.play import accounts, links
from server.play.context import AppContext
from server.play.errors import PlayError

_CSRF = re.compile(r'<meta name="csrf-token" content="([^"]*)">')


class Visitor:
    """Cookies of his own in a client that several share."""

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

    def _enter(self, name: str) -> None:
        """Come in by a link that the operator handed over: no password has to be hashed for that."""
        ctx: AppContext = self.client.app.state.server.ctx  # type: ignore[attr-defined]
        with suppress(PlayError):
            accounts.make_user(ctx, name)
        self.post("/link", token=links.sign_in_link(ctx, name))
        self.get("/")

    def _ask(self, method: str, path: str, data: dict[str, str | list[str]] | None = None) -> httpx2.Response:
        self.client.cookies.clear()
        headers = {"Accept": "text/html", "Accept-Language": self.language}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        response = self.client.request(method, path, data=data, headers=headers, follow_redirects=False)
        for name, value in response.cookies.items():
            self.cookies[name] = value
        return response
