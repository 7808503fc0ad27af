"""Clients for tests: signed up, with a token."""

from __future__ import annotations

from typing import Any, cast

from fastapi.testclient import TestClient

PASSWORD = "correct horse"


class Person:
    """Somebody with an account, and what they ask."""

    def __init__(self, client: TestClient, name: str, secret: str) -> None:
        self.client = client
        self.name = name
        self.secret = secret

    def ask(self, method: str, path: str, body: object = None, *, status: int | None = None, **headers: str) -> Any:
        """Send a request and return the response; *status* is what it must have."""
        sent = {"Authorization": f"Bearer {self.secret}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        more: dict[str, Any] = {} if body is None else {"json": body}
        # a request of its own: the shared client's cookies must not sign anybody in
        self.client.cookies.clear()
        response = self.client.request(method, f"/api/v1{path}", headers=sent, **more)
        if status is not None:
            assert response.status_code == status, f"{method} {path}: {response.status_code} {response.text}"
        return response

    def get(self, path: str, status: int = 200, **headers: str) -> Any:
        """Read something and return its JSON."""
        return self.ask("GET", path, status=status, **headers).json()

    def post(self, path: str, body: object = None, status: int = 201, **headers: str) -> Any:
        """Write something and return the answer's JSON."""
        response = self.ask("POST", path, {} if body is None else body, status=status, **headers)
        return response.json() if response.content else None

    def put(self, path: str, body: object, status: int = 200, **headers: str) -> Any:
        """Replace something and return the answer's JSON."""
        response = self.ask("PUT", path, body, status=status, **headers)
        return response.json() if response.content else None

    def token(self, *scopes: str) -> Person:
        """Return the same person with a token for only some things."""
        made = self.post("/me/tokens", {"name": "test", "scopes": list(scopes)})
        return Person(self.client, self.name, cast(str, made["secret"]))


def sign_up(client: TestClient, name: str) -> Person:
    """Make an account."""
    response = client.post("/api/v1/accounts", json={"name": name, "password": PASSWORD})
    assert response.status_code == 201, response.text
    client.cookies.clear()
    return Person(client, name, response.json()["token"])
