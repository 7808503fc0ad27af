"""Bans, approvals and the audit log on the pages and over the API."""

from __future__ import annotations

from fastapi.testclient import TestClient

from server.play.accounts import accounts
from server.play.operating import user_admin
from tests.api.club import play_of
from tests.web.conftest import Visits


def test_moderation_on_the_pages(client: TestClient, visitor: Visits) -> None:
    ctx = play_of(client)
    root, ann = visitor("Root"), visitor("Ann")
    user_admin.set_admin(ctx, None, "Root", True)
    ann_id = next(user.id for user in user_admin.users(ctx) if user.name == "Ann")
    root.post(f"/admin/accounts/{ann_id}/ban", days="7", why="Insults in messages.")
    page = root.get("/admin/accounts")
    assert "banned until" in page
    assert "Lift the ban" in page
    log = root.get("/admin/acts")
    assert "Insults in messages." in log
    assert "Made an admin of" in log
    assert "Sign in" in ann.get("/")
    root.post(f"/admin/accounts/{ann_id}/unban")
    assert "banned until" not in root.get("/admin/accounts")
    root.post(f"/admin/accounts/{ann_id}/ban", 422, days="0")


def test_an_account_is_approved_on_the_page(client: TestClient, visitor: Visits) -> None:
    ctx = play_of(client)
    root = visitor("Root")
    user_admin.set_admin(ctx, None, "Root", True)
    object.__setattr__(ctx.settings, "sign_up", "approval")
    try:
        made = client.post("/api/v1/accounts", json={"name": "Newt", "password": "correct horse"})
        assert (made.status_code, made.json()["code"]) == (403, "awaits_approval")
        assert "An admin has to approve it" in visitor().post(
            "/sign-up", 403, name="Nell", password="correct horse", next="/"
        )
    finally:
        object.__setattr__(ctx.settings, "sign_up", "open")
    assert "waits for approval" in root.get("/admin/accounts")
    newt = next(user.id for user in user_admin.users(ctx) if user.name == "Newt")
    root.post(f"/admin/accounts/{newt}/approve")
    assert accounts.sign_in(ctx, "Newt", "correct horse").account.name == "Newt"
