from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.engine import URL

from server.app import create_app
from server.store.database import Database
from tests.api.conftest import settings_for
from tests.api.people import PASSWORD, Person, sign_up


@pytest.fixture
def ann(client: TestClient) -> Person:
    return sign_up(client, "Ann")


def test_signing_up_signs_in(client: TestClient) -> None:
    response = client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD})
    assert response.status_code == 201
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert response.headers["cache-control"] == "no-store"
    assert client.get("/api/v1/me").json()["name"] == "Ann"


def test_cookies_are_secure_where_there_is_https(url: URL) -> None:
    with TestClient(create_app(settings_for(url, public_url="https://play.example.org"))) as client:
        response = client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD})
        assert "Secure" in response.headers["set-cookie"]


def test_a_write_with_a_cookie_needs_the_csrf_token(client: TestClient) -> None:
    session = client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD}).json()
    refused = client.patch("/api/v1/me", json={"locale": "de"})
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    forged = client.patch("/api/v1/me", json={"locale": "de"}, headers={"X-CSRF-Token": "x"})
    assert forged.json()["code"] == "csrf"
    good = client.patch("/api/v1/me", json={"locale": "de"}, headers={"X-CSRF-Token": session["csrf_token"]})
    assert good.json()["locale"] == "de"
    assert client.get("/api/v1/sessions/current").json()["csrf_token"] == session["csrf_token"]


def test_signing_out_ends_the_session(client: TestClient) -> None:
    session = client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD}).json()
    out = client.delete("/api/v1/sessions/current", headers={"X-CSRF-Token": session["csrf_token"]})
    assert out.status_code == 204
    client.cookies.set("sealed_orders_session", session["token"])
    assert client.get("/api/v1/me").json()["code"] == "bad_token"


def test_somebody_with_an_old_cookie_can_sign_in(client: TestClient) -> None:
    sign_up(client, "Ann")
    client.cookies.set("sealed_orders_session", "sos_old")
    response = client.post("/api/v1/sessions", json={"name": "ann", "password": PASSWORD})
    assert response.status_code == 201


@pytest.mark.parametrize("given", ["Bearer nonsense", "Bearer", "Basic YTpi", "Bearer sot_" + "x" * 43, "Bearer ÿ"])
def test_a_wrong_token(client: TestClient, given: str) -> None:
    response = client.get("/api/v1/me", headers=[(b"Authorization", given.encode("latin-1"))])
    assert (response.status_code, response.json()["code"]) == (401, "bad_token")
    assert response.headers["www-authenticate"] == "Bearer"
    assert given == "Bearer" or given.split()[-1] not in response.text


def test_no_token_at_all(client: TestClient) -> None:
    response = client.get("/api/v1/me")
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")


def test_a_wrong_password_and_an_unknown_name_look_the_same(client: TestClient, ann: Person) -> None:
    answers = [
        client.post(
            "/api/v1/sessions", json={"name": name, "password": "wrong password"}, headers={"X-Request-Id": "1"}
        )
        for name in (ann.name, "Nobody")
    ]
    assert answers[0].status_code == 401
    assert (answers[0].content, answers[0].headers) == (answers[1].content, answers[1].headers)


@pytest.mark.parametrize("name", ["a\u0007b", "a\nb", "\u202egnp.exe", "", "   ", "x" * 41, "a\u200bb"])
def test_names_with_control_characters_and_the_like(client: TestClient, name: str) -> None:
    response = client.post("/api/v1/accounts", json={"name": name, "password": PASSWORD})
    assert (response.status_code, response.json()["code"], response.json()["field"]) == (422, "invalid_request", "name")


def test_names_that_look_the_same_are_the_same(client: TestClient, ann: Person) -> None:
    response = client.post("/api/v1/accounts", json={"name": "ＡNN", "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (409, "name_taken")


def test_guessing_passwords_is_slow(url: URL) -> None:
    with TestClient(create_app(settings_for(url, sign_in_rate=4))) as client:
        body = {"name": "Ann", "password": "guess guess"}
        statuses = [client.post("/api/v1/sessions", json=body).status_code for _ in range(3)]
        assert statuses == [401, 401, 429]


def test_guessing_one_password_from_many_addresses_is_slow(url: URL) -> None:
    app = create_app(settings_for(url, sign_in_rate=4, guess_rate=8))

    def guess(host: int, name: str) -> int:
        with TestClient(app, client=(f"192.0.2.{host}", 50_000)) as client:
            return client.post("/api/v1/sessions", json={"name": name, "password": "guess guess"}).status_code

    assert [guess(host, "Ann") for host in range(5)] == [401, 401, 401, 401, 429]
    assert guess(6, "ａnn") == 429  # the same name in other letters
    assert guess(7, "Ben") == 401


def test_tokens_do_what_they_are_for_and_no_more(ann: Person) -> None:
    reader = ann.token("read")
    assert reader.get("/me")["name"] == "Ann"
    for method, path, body in (
        ("POST", "/me/tokens", {"name": "more", "scopes": ["gm"]}),
        ("POST", "/me/bots", {"name": "General"}),
        ("PATCH", "/me", {"locale": "de"}),
        ("PUT", "/me/password", {"new": "another one", "old": PASSWORD}),
        ("DELETE", "/sessions", None),
        ("DELETE", "/me", {"password": PASSWORD}),
    ):
        assert reader.ask(method, path, body, status=403).json()["code"] == "missing_scope"


def test_a_revoked_token_is_worthless_at_once(ann: Person) -> None:
    token = ann.token("read")
    (listed,) = [each for each in ann.get("/me/tokens")["items"] if each["kind"] == "personal"]
    assert token.secret not in str(listed)
    ann.ask("DELETE", f"/me/tokens/{listed['id']}", status=204)
    assert token.ask("GET", "/me", status=401).json()["code"] == "bad_token"


def test_other_peoples_tokens_are_not_there(client: TestClient, ann: Person) -> None:
    ben = sign_up(client, "Ben")
    ann.token("read")
    (listed,) = [each for each in ann.get("/me/tokens")["items"] if each["kind"] == "personal"]
    theirs = ben.ask("DELETE", f"/me/tokens/{listed['id']}", status=404, X_Request_Id="1")
    nobodys = ben.ask("DELETE", "/me/tokens/xxxxxxxxxxxxxxxx", status=404, X_Request_Id="1")
    assert theirs.content.replace(listed["id"].encode(), b"") == nobodys.content.replace(b"xxxxxxxxxxxxxxxx", b"")


def test_tokens_are_kept_as_hashes_only(url: URL, ann: Person) -> None:
    token = ann.token("read", "orders")
    database = Database(url)
    with database.read() as session:
        rows = str(session.execute(text("SELECT * FROM tokens")).all())
        rows += str(session.execute(text("SELECT * FROM users")).all())
        rows += str(session.execute(text("SELECT * FROM idempotency_keys")).all())
    database.close()
    assert token.secret not in rows
    assert ann.secret not in rows
    assert PASSWORD not in rows


def test_bots(ann: Person) -> None:
    bot = ann.post("/me/bots", {"name": "General"})
    secret = ann.post(f"/me/bots/{bot['id']}/tokens", {"name": "run", "scopes": ["read"]})["secret"]
    general = Person(ann.client, "General", secret)
    assert general.get("/me")["bot_owner_id"] == ann.get("/me")["id"]
    ann.ask("DELETE", f"/me/bots/{bot['id']}", status=204)
    general.ask("GET", "/me", status=401)


def test_closing_an_account(client: TestClient, ann: Person) -> None:
    path = ann.post("/campaigns", {"name": "War", "scenario": "the-pass"})["id"]
    wrong = ann.ask("DELETE", "/me", {"password": "wrong horse!"}, status=401)
    assert (wrong.json()["code"], wrong.json()["field"]) == ("wrong_password", "password")
    runs = ann.ask("DELETE", "/me", {"password": PASSWORD}, status=409).json()
    assert (runs["code"], runs["field"], runs["value"]) == ("conflict", "campaigns", path)
    assert "War" in runs["detail"]
    ann.ask("DELETE", f"/campaigns/{path}", status=200)
    program = ann.token("read", "orders", "gm")
    done = ann.ask("DELETE", "/me", {"password": PASSWORD}, status=204)
    assert 'sealed_orders_session=""' in done.headers["set-cookie"]
    for each in (ann, program):
        assert each.ask("GET", "/me", status=401).json()["code"] == "bad_token"
    again = client.post("/api/v1/sessions", json={"name": "Ann", "password": PASSWORD})
    assert (again.status_code, again.json()["code"]) == (401, "wrong_password")
    sign_up(client, "Ann")


def test_the_password_of_an_account_to_be_closed_is_guessed_slowly(url: URL) -> None:
    with TestClient(create_app(settings_for(url, sign_in_rate=4))) as client:
        ann = sign_up(client, "Ann")
        answers = [ann.ask("DELETE", "/me", {"password": "guess guess"}).status_code for _ in range(3)]
        assert answers[-1] == 429


def test_too_many_requests_of_one_account(url: URL) -> None:
    with TestClient(create_app(settings_for(url, account_rate=4))) as client:
        ann, ben = sign_up(client, "Ann"), sign_up(client, "Ben")
        answers = [ann.ask("GET", "/me") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        ben.ask("GET", "/me", status=200)


def test_sessions_end_after_their_time(url: URL) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with TestClient(create_app(settings_for(url, session_days=2), clock=lambda: now)) as client:
        ann = sign_up(client, "Ann")
        ann.get("/me")
        now += timedelta(days=2)
        assert ann.ask("GET", "/me").json()["code"] == "bad_token"


def test_a_clock_that_goes_back_signs_nobody_out(url: URL) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with TestClient(create_app(settings_for(url), clock=lambda: now)) as client:
        ann = sign_up(client, "Ann")
        now -= timedelta(days=1)
        assert ann.get("/me")["name"] == "Ann"


def test_reads_carry_etags(ann: Person) -> None:
    first = ann.ask("GET", "/me")
    again = ann.ask("GET", "/me", status=304, If_None_Match=first.headers["etag"])
    assert again.content == b""
    ann.ask("PATCH", "/me", {"locale": "de"}, status=200, If_Match=first.headers["etag"])
    ann.ask("GET", "/me", status=200, If_None_Match=first.headers["etag"])
    stale = ann.ask("PATCH", "/me", {"locale": "fr"}, status=412, If_Match=first.headers["etag"])
    assert stale.json()["code"] == "stale_revision"


def test_a_language_is_a_language_tag(ann: Person) -> None:
    for tag in ("de", "de-AT", "zh-Hant-TW", "pt_BR"):
        assert ann.ask("PATCH", "/me", {"locale": tag}, status=200).json()["locale"] == tag
    for wrong in ("", "d", "de-", "<b>", "de AT", "deutschland"):
        refused = ann.ask("PATCH", "/me", {"locale": wrong}, status=422).json()
        assert (refused["code"], refused["field"], refused["value"]) == ("invalid_request", "locale", wrong)
