"""A field of the profile is everywhere: in the API, the settings, one's own data, the client library.

Seen to fail for ``locale``: without its input in ``settings.html``, without its field in the body of ``PATCH /me`` or
in the client's ``Account``, with its name in ``own_data.LEFT_OUT``, without its lines in ``change_profile``, and with
``locale`` taken out of ``Profile``.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sealed_orders.records.accounts import Account as ClientAccount
from server.api.routers.accounts import Profile as Body
from server.play.accounts.accounts import PROFILE, Account
from server.store.tables import User
from tests.web.visitor import Visitor

WANTED = {"name": "Ann Other", "locale": "de", "time_zone": "Europe/Berlin"}
"""What each field is set to; a new one is a line of text, or has its value here."""
NO_PROFILE = {
    "id", "name_skeleton", "name_key", "email", "email_key", "email_confirmed_at", "password_hash", "bot_owner_id",
    "plays", "admin", "guest",
    "created_at", "disabled_at", "revision",
}  # fmt: skip
"""Columns of an account that their owner does not write in their profile."""


def test_every_column_of_an_account_is_in_the_profile_or_has_a_reason() -> None:
    assert {column.name for column in User.__table__.columns} - NO_PROFILE == set(PROFILE)


def test_the_api_and_the_client_know_every_field() -> None:
    assert set(Body.model_fields) == set(PROFILE)
    assert {field.name for field in fields(Account)} >= set(PROFILE)
    assert [field.name for field in fields(ClientAccount)] == [field.name for field in fields(Account)]


@pytest.mark.parametrize("field", PROFILE)
def test_what_one_writes_in_it_is_shown(client: TestClient, field: str) -> None:
    ann = Visitor(client, "Ann")
    wanted = WANTED.get(field, "a line")
    assert ann.api("PATCH", "/me", {field: wanted}).json()[field] == wanted
    (row,) = ann.api("GET", "/me/data").json()["data"]["users"]
    assert row[field] == wanted


def test_the_settings_show_and_change_every_field(client: TestClient) -> None:
    ann = Visitor(client, "Ann")
    form = re.findall(r'name="(\w+)"', _form(ann.get("/settings")))
    assert set(form) == {*PROFILE, "csrf_token", "revision"}
    wanted: dict[str, Any] = {field: WANTED.get(field, "a line") for field in PROFILE}
    assert ann.post("/settings/profile", revision="1", **wanted).startswith("/settings")
    account = ann.api("GET", "/me").json()
    assert {field: account[field] for field in PROFILE} == wanted
    shown = _form(ann.get("/settings"))
    for field in PROFILE:
        assert re.search(rf'name="{field}"[^>]* value="{wanted[field]}"|value="{wanted[field]}"[^>]* selected', shown)


def _form(page: str) -> str:
    return page.split('action="/settings/profile"')[1].split("</form>")[0]
