"""The door: names that look alike, work that tells nothing, closed sign-up, forms of strangers, slow clients."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlalchemy.engine import URL

from server.app import create_app
from server.play.accounts import accounts, passwords
from server.play.accounts.names import skeleton
from server.play.campaigns import seats
from server.play.campaigns.campaigns import NewCampaign, create
from server.play.context import AppContext
from server.serving import timeouts
from server.store.tables import Outbox, Token
from tests.api.club import play_of
from tests.api.conftest import settings_for
from tests.api.people import PASSWORD
from tests.api.serving import serving
from tests.play.conftest import Clock, person
from tests.store.statements import statements


def sign_up(client: TestClient, name: str, **more: str) -> tuple[int, str]:
    answer = client.post("/api/v1/accounts", json={"name": name, "password": PASSWORD} | more)
    return answer.status_code, answer.json().get("code", "")


@pytest.mark.parametrize(
    "name",
    [
        "Ian",
        "І\u0430n",
        "1an",
        "ｌａｎ",
        "Admin",
        "аdmin",
        "Sealed  Orders",
        "Game Master",
        "Ⅼan",
        "sealed-orders",
        "[Admin]",
    ],
)
def test_names_that_look_like_others_or_the_servers_are_refused(client: TestClient, name: str) -> None:
    """Seen to fail: only case and width were folded, so a Cyrillic letter made a second Ann."""
    accounts.make_user(play_of(client), "lan")
    assert sign_up(client, name) == (409, "name_taken")


@pytest.mark.parametrize("name", ["Ann", "Anna", "Ján", "Olga 2", "Žaneta", "Иван", "小明", "Gm Bot"])
def test_other_names_are_free(client: TestClient, name: str) -> None:
    accounts.make_user(play_of(client), "Ian")
    assert sign_up(client, name) == (201, "")


def test_skeletons_are_the_same_for_what_looks_the_same() -> None:
    assert skeleton("Аnn") == skeleton("Ann") != skeleton("Anna")
    assert skeleton("modern") == skeleton("modem")  # r and n beside each other
    assert skeleton("Aliϲe") == skeleton("Alice")  # a sigma that normalising makes another letter of


@pytest.mark.parametrize("nothing", ["\u034f", "\u115f", "\u180b", "\u2800", "\u3164", "\ufe0f", "\U000e0100"])
def test_what_shows_nothing_makes_no_other_name(client: TestClient, nothing: str) -> None:
    """Seen to fail where it counted: two accounts stood in every list as Ann."""
    assert sign_up(client, "Ann") == (201, "")
    for name in (f"Ann{nothing}", f"{nothing}Ann", f"A{nothing}nn"):
        assert sign_up(client, name) == (409, "name_taken")
    assert sign_up(client, nothing * 3) == (422, "invalid_request")


def test_who_has_a_name_may_write_it_otherwise_but_not_like_somebody_elses(client: TestClient) -> None:
    ctx = play_of(client)
    ann, _ = person(ctx, "Ann"), person(ctx, "Bob")
    assert accounts.change_profile(ctx, ann, name="ANN").name == "ANN"
    with pytest.raises(Exception, match="looks like"):
        accounts.change_profile(ctx, ann, name="Воb")
    with pytest.raises(Exception, match="looks like"):
        accounts.create_bot(ctx, ann, "Воb")


class Work:
    """What a request makes the server do."""

    def __init__(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ctx: AppContext = play_of(client)
        self.client = client
        self.checks = 0
        real = passwords.matches

        def counted(*given: Any) -> Any:
            self.checks += 1
            return real(*given)

        monkeypatch.setattr(passwords, "matches", counted)

    def of(self, path: str, **body: object) -> tuple[int, bytes, int, list[str], int, int]:
        """Return the answer, how many passwords were checked, the statements, and the rows they left behind."""
        self.checks, before = 0, self._rows()
        with statements(self.ctx.database) as found:
            answer = self.client.post(f"/api/v1{path}", json=body)
        after = self._rows()
        return answer.status_code, answer.content, self.checks, found, after[0] - before[0], after[1] - before[1]

    def _rows(self) -> tuple[int, int]:
        with self.ctx.database.read() as session:
            outbox, token = (session.scalar(select(func.count()).select_from(each)) for each in (Outbox, Token))
        return outbox or 0, token or 0


@pytest.mark.parametrize("sign_up_is", ["open", "closed"])
@pytest.mark.parametrize("reset", [False, True])
def test_a_link_is_the_same_work_for_addresses_known_and_unknown(
    url: URL, monkeypatch: pytest.MonkeyPatch, sign_up_is: str, reset: bool
) -> None:
    """Seen to fail: an unknown address cost one look-up more and, where sign-up is closed, two rows less."""
    with TestClient(create_app(settings_for(url, sign_up=sign_up_is))) as client:
        work = Work(client, monkeypatch)
        accounts.make_user(work.ctx, "Ann", email="ann@example.org")
        work.of("/links", email="first@example.org")  # makes the key that links are signed with
        known = work.of("/links", email="ann@example.org", reset=reset)
        unknown = work.of("/links", email="bob@example.org", reset=reset)
        assert known == unknown
        assert known[4:] == (1, 1)


def test_signing_in_is_the_same_work_for_names_known_and_unknown(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen to fail: a name that was known was not looked up among the addresses."""
    work = Work(client, monkeypatch)
    accounts.make_user(work.ctx, "Ann", password=PASSWORD, email="ann@example.org")
    found = [work.of("/sessions", name=name, password="wrong horse") for name in ("Ann", "ann@example.org", "Nobody")]
    assert found[0] == found[1] == found[2]
    assert found[0][2] == 1


def test_an_invitation_admits_where_sign_up_is_closed(url: URL) -> None:
    """Seen to fail: whoever was invited found a button that led to a refusal, and no way in."""
    with TestClient(create_app(settings_for(url, sign_up="closed"))) as client:
        ctx = play_of(client)
        gwen = person(ctx, "Gwen")
        made = create(ctx, gwen, NewCampaign("The Long March", "four-corners"))
        code = seats.invite_by_code(ctx, gwen, made.id).code
        assert sign_up(client, "Ann") == (403, "sign_up_closed")
        assert sign_up(client, "Ann", invitation="nonsense") == (403, "sign_up_closed")
        for path in ("/", "/campaigns", "/sign-in", "/sign-up"):
            page = client.get(path).text
            assert 'href="/sign-up' not in page
            assert 'action="/sign-up"' not in page
        assert f'href="/sign-up?next=/join/{code}' in client.get(f"/join/{code}").text
        assert 'action="/sign-up"' in client.get("/sign-up", params={"next": f"/join/{code}"}).text
        form = {"name": "Bob", "password": PASSWORD, "next": f"/join/{code}"}
        answer = client.post("/sign-up", data=form, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/join/{code}")
        client.cookies.clear()
        assert sign_up(client, "Ann", invitation=code) == (201, "")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Origin": "http://127.0.0.1:8000"}, 401),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:8000.evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:8000"}, 403),
    ],
)
def test_strangers_forms_come_from_our_pages(client: TestClient, headers: dict[str, str], status: int) -> None:
    """Seen to fail: without Sec-Fetch-Site, as old browsers have it, any site could sign its visitors in here."""
    form = {"name": "Ann", "password": "wrong horse"}
    assert client.post("/sign-in", data=form, headers=headers).status_code == status


def test_pages_let_browsers_name_the_site(client: TestClient) -> None:
    assert client.get("/sign-in").headers["referrer-policy"] == "same-origin"


def test_uploads_of_strangers_are_refused_before_they_are_read(url: URL) -> None:
    """A body that never comes: who is refused without it is refused at once. Seen to fail: they waited for it."""
    with serving(url, Clock()) as running:
        forms = ("/settings/profile", "/sign-in", "/campaigns/new")
        for path in (*forms, "/api/v1/imports", "/api/v1/stories/x/pictures"):
            host, _, port = running.base_url.removeprefix("http://").partition(":")
            with socket.create_connection((host, int(port)), timeout=20) as line:
                head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 1900000\r\n"
                line.sendall(f"{head}Content-Type: multipart/form-data; boundary=x\r\n\r\n--x".encode())
                assert line.recv(12) in (b"HTTP/1.1 401", b"HTTP/1.1 303", b"HTTP/1.1 404")


def test_streams_of_strangers_are_counted_by_address(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen to fail: all strangers together had as many streams as one account."""
    app = create_app(settings_for(url, streams_per_account=1))
    server = app.state.server
    with TestClient(app) as client:
        ctx = play_of(client)
        made = create(ctx, person(ctx, "Gwen"), NewCampaign("The Long March", "four-corners"))
        assert server.streams.take("192.0.2.1")
        with TestClient(app, client=("192.0.2.1", 50_000)) as same:
            refused = same.get(f"/api/v1/campaigns/{made.id}/stream")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
        server.streams.take("nobody")
        server.hub.close()  # so that the stream that is allowed ends at once
        with TestClient(app, client=("192.0.2.2", 50_000)) as other:
            assert other.get(f"/api/v1/campaigns/{made.id}/stream").json()["code"] == "shutting_down"


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: here\r\nX-Slow: ",
        b"POST /api/v1/sessions HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half the headers", "half the body"],
)
def test_who_does_not_finish_a_request_is_hung_up_on(url: URL, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    """Seen to fail: such a connection stayed open as long as its client liked."""
    for name in ("HEAD_SECONDS", "BODY_SECONDS"):
        monkeypatch.setattr(timeouts, name, 0.3)
    with serving(url, Clock()) as running:
        host, _, port = running.base_url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=30) as line:
            line.sendall(said)
            assert line.recv(1) == b""


def test_a_body_that_trickles_is_too_slow(url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, the whole would take an hour."""
    monkeypatch.setattr(timeouts, "BODY_SECONDS", 1.0)
    with serving(url, Clock()) as running:
        host, _, port = running.base_url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=0.2) as line:
            head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
            line.sendall(head + b"Content-Length: 50000\r\n\r\n")
            assert any(_hung_up_after(line, b" ") for _ in range(300))


def _hung_up_after(line: socket.socket, sent: bytes) -> bool:
    try:
        line.sendall(sent)
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a_guest_plays_at_once_and_is_kept(client: TestClient) -> None:
    made = client.post("/api/v1/accounts/guests", json={"name": "Robin", "locale": "de"})
    assert (made.status_code, made.json()["account"]["guest"], made.json()["expires_at"]) == (201, True, None)
    assert "Max-Age=34560000" in made.headers["set-cookie"]
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    refused = client.post("/api/v1/me/tokens", json={"name": "x", "scopes": ["read"]}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "guest_account")
    wanted = {"name": "Robin Hood", "password": "correct horse"}
    kept = client.put("/api/v1/me/guest", json=wanted, headers=headers)
    assert (kept.status_code, kept.json()["guest"], kept.json()["name"]) == (200, False, "Robin Hood")
    assert client.post("/api/v1/sessions", json=wanted).status_code == 201


def test_guests_are_made_by_nobody_who_only_reads(client: TestClient) -> None:
    assert client.get("/api/v1/accounts/guests").status_code == 405


def test_one_address_makes_few_guests(url: URL) -> None:
    with TestClient(create_app(settings_for(url, guests_per_day=4))) as client:
        codes = [client.post("/api/v1/accounts/guests", json={"name": "Robin"}).status_code for _ in range(4)]
    assert codes == [201, 201, 429, 429]
