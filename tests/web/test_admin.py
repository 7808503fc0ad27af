"""The pages for admins: how the server stands, campaigns, accounts, deliveries that fail, reports, imports.

Seen to fail: with ``require_admin`` left out of ``user_admin.set_admin``; with own accounts unmade.
"""

from __future__ import annotations

import re
from html import unescape

import pyotp
import pytest
from fastapi.testclient import TestClient

from server.play.accounts import blocking, second_factor_setup
from server.play.accounts.tokens import authenticate
from server.play.archive import record_files
from server.play.campaigns import campaigns
from server.play.context import AppContext
from server.play.operating import user_admin
from server.store import migrate, outbox
from server.store.tables import Campaign, Outbox
from tests.api.club import Club, found, play_of
from tests.api.people import PASSWORD
from tests.web.conftest import Visits
from tests.web.visitor import Visitor

WORDS = "They threaten me."


@pytest.fixture
def ctx(client: TestClient) -> AppContext:
    return play_of(client)


@pytest.fixture
def club(client: TestClient) -> Club:
    return found(client, 2)


@pytest.fixture
def admin(ctx: AppContext, club: Club, visitor: Visits) -> Visitor:
    came = visitor("Olga")
    user_admin.set_admin(ctx, None, "Olga", True)
    came.get("/admin")
    return came


def account(ctx: AppContext, name: str) -> user_admin.UserInfo:
    (info,) = [user for user in user_admin.users(ctx) if user.name == name]
    return info


def of(ctx: AppContext, name: str, what: str) -> str:
    return f"/admin/accounts/{account(ctx, name).id}/{what}"


def failing(ctx: AppContext, club: Club, *, gone: bool = False) -> int:
    """Put something into the outbox that does not get there; *gone*: that did in the end."""
    ann = authenticate(ctx, club.players[0].secret).user_id
    with ctx.database.write() as session:
        number = outbox.put(session, "mail", f"x/{gone}", {"about": "message"}, ctx.now(), user_id=ann)
        row = session.get_one(Outbox, number)
        row.last_error, row.attempts, row.failed_at = f"550 no such mailbox {gone}", 4, None if gone else ctx.now()
        row.sent_at = ctx.now() if gone else None
        return row.id


def told(ctx: AppContext, club: Club) -> None:
    blocking.report(ctx, authenticate(ctx, club.players[1].secret), club.id, "p1", WORDS)


def test_nobody_else_gets_in(ctx: AppContext, club: Club, visitor: Visits) -> None:
    """Game masters and players read nothing and change nothing, strangers are sent to the door."""
    number = failing(ctx, club)
    told(ctx, club)
    gm, stranger = visitor("Gus"), visitor()
    for page in ("", "/campaigns", "/accounts", "/deliveries", "/reports", "/imports"):
        gm.get(f"/admin{page}", 403)
        stranger.get(f"/admin{page}", 303)
    gm.get("/")
    for what in ("close", "open", "second-factor", "admin", "name", "address", "confirm"):
        gm.post(of(ctx, "Ann", what), 403, admin="1", name="Other", email="other@example.org", confirmed="1")
    before = [(user.name, user.admin, user.email, user.disabled) for user in user_admin.users(ctx)]
    assert ("Ann", False, None, False) in before
    gm.post(f"/admin/deliveries/{number}", 403)
    gm.post("/admin/reports/aaaaaaaaaaaaaaaa", 403)
    gm.upload("/admin/imports", {"record": b"x"}, 403)


def test_how_the_server_stands(ctx: AppContext, club: Club, admin: Visitor) -> None:
    failing(ctx, club)
    failing(ctx, club, gone=True)
    told(ctx, club)
    page = admin.get("/admin")
    told_there = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page, re.DOTALL))
    assert told_there["Version"] == "0.1.0"
    assert re.search(r", [\d.]+ MB, ", told_there["Database"])
    assert str(migrate.current(ctx.database.url)) in told_there["Database"]
    assert told_there["Campaigns"].endswith(": 1")
    assert told_there["Accounts"] == "4 people, 0 bots"
    assert "1 failed." in told_there["Deliveries"]
    assert "1 open." in told_there["Reports"]


def test_campaigns_are_found_by_name_and_status(club: Club, admin: Visitor) -> None:
    for query, there in (("", True), ("?text=Thirteen", True), ("?status=running", True), ("?text=Fourteen", False),
                         ("?status=finished", False), ("?status=nonsense", True)):  # fmt: skip
        assert (f'href="/campaigns/{club.id}/gm"' in admin.get(f"/admin/campaigns{query}")) is there, query


def test_accounts_are_closed_and_opened(ctx: AppContext, admin: Visitor, visitor: Visits) -> None:
    ann = visitor("Ann")
    ann.get("/settings")
    assert "Ben" not in admin.get("/admin/accounts?text=aNN")
    admin.post(of(ctx, "Ann", "close"))
    ann.get("/settings", 303)
    assert "Closed" in admin.get("/admin/accounts?text=Ann")
    admin.post(of(ctx, "Ann", "open"))
    visitor("Ann").get("/settings")
    admin.post(of(ctx, "Olga", "close"), 409)
    admin.post("/admin/accounts/aaaaaaaaaaaaaaaa/close", 404)


def test_what_was_looked_for_stays(ctx: AppContext, admin: Visitor) -> None:
    """Seen to fail: after each change all accounts were listed again."""
    page = admin.get("/admin/accounts?text=Ann")
    for action in ("close", "name", "address", "admin"):
        assert f'action="{of(ctx, "Ann", action)}"' in page
    assert page.count('<input type="hidden" name="text" value="Ann">') == page.count(f'action="{of(ctx, "Ann", "")}')
    assert admin.post(of(ctx, "Ann", "close"), text="Ann & Co") == "/admin/accounts?text=Ann+%26+Co"
    assert 'name="text" value="Olga"' in admin.post(of(ctx, "Olga", "close"), 409, text="Olga")
    assert 'href="/admin/accounts?text=Ann"' in admin.get(of(ctx, "Ann", "second-factor") + "?text=Ann")


def test_admins_are_made_and_unmade(ctx: AppContext, admin: Visitor, visitor: Visits) -> None:
    ann = visitor("Ann")
    ann.get("/admin", 403)
    admin.post(of(ctx, "Ann", "admin"), admin="1")
    ann.get("/admin")
    ann.post(of(ctx, "Olga", "admin"), admin="")
    admin.get("/admin", 403)
    ann.post(of(ctx, "Ann", "admin"), 409, admin="")
    assert account(ctx, "Ann").admin


def test_a_second_factor_is_taken_away(ctx: AppContext, admin: Visitor, visitor: Visits) -> None:
    """It cannot be undone, so a page says first what it means. Seen to fail with a button that did it at once."""
    ann = visitor("Ann")
    actor = authenticate(ctx, ann.cookies["sealed_orders_session"])
    drawn = second_factor_setup.begin(ctx, actor, PASSWORD)
    second_factor_setup.confirm(ctx, actor, pyotp.TOTP(drawn.secret).at(ctx.now()))
    asks = of(ctx, "Ann", "second-factor")
    listed = admin.get("/admin/accounts?text=Ann")
    assert f'href="{asks}?text=Ann"' in listed
    assert f'action="{asks}"' not in listed
    ann.get(asks, 403)
    page = admin.get(asks)
    assert "signed out" in page
    assert account(ctx, "Ann").second_factor
    admin.post(re.findall(r'action="([^"]*second-factor)"', page)[0])
    assert not account(ctx, "Ann").second_factor
    ann.get("/settings", 303)
    admin.post(asks, 409)
    admin.get("/admin/accounts/aaaaaaaaaaaaaaaa/second-factor", 404)


def test_accounts_are_renamed(ctx: AppContext, club: Club, admin: Visitor) -> None:
    """Seats keep the names they have; a name that somebody has, or one like it, is refused."""
    admin.post(of(ctx, "Ann", "name"), name="Anna")
    assert {seat["name"] for seat in club.open()["seats"]} == {"Ann", "Ben"}
    assert account(ctx, "Anna").name == "Anna"
    for name, status in (("ben", 409), ("", 422), ("x" * 41, 422)):
        page = admin.post(of(ctx, "Anna", "name"), status, name=name)
        assert 'class="problem"' in page
    assert account(ctx, "Anna").name == "Anna"


def test_addresses_are_changed_and_confirmed(ctx: AppContext, admin: Visitor) -> None:
    def address() -> tuple[str | None, bool]:
        info = account(ctx, "Ann")
        return info.email, info.email_confirmed

    admin.post(of(ctx, "Ann", "confirm"), 409)
    admin.post(of(ctx, "Ann", "address"), email="ann@example.org")
    assert address() == ("ann@example.org", False)
    assert "Mark the address as confirmed" in admin.get("/admin/accounts?text=Ann")
    admin.post(of(ctx, "Ann", "confirm"))
    assert address() == ("ann@example.org", True)
    assert "Mark the address as confirmed" not in admin.get("/admin/accounts?text=Ann")
    admin.post(of(ctx, "Ann", "address"), email="two@example.org", confirmed="1")
    assert address() == ("two@example.org", True)
    admin.post(of(ctx, "Ben", "address"), 409, email="two@example.org", confirmed="1")
    admin.post(of(ctx, "Ann", "address"), 422, email="no address")
    assert address() == ("two@example.org", True)
    admin.post(of(ctx, "Ann", "address"), email="")
    assert address() == (None, False)


def test_deliveries_that_fail_are_shown_and_tried_again(ctx: AppContext, club: Club, admin: Visitor) -> None:
    number = failing(ctx, club)
    failing(ctx, club, gone=True)
    page = admin.get("/admin/deliveries")
    assert "550 no such mailbox False" in page
    assert "550 no such mailbox True" not in page
    assert "Given up." in page
    admin.post(f"/admin/deliveries/{number}")
    with ctx.database.read() as session:
        row = session.get_one(Outbox, number)
        assert (row.failed_at, row.attempts) == (None, 0)
    admin.post("/admin/deliveries/999999", 404)
    admin.post(f"/admin/deliveries/{2**63}", 404)


def test_reports_are_read_and_settled(ctx: AppContext, club: Club, admin: Visitor) -> None:
    told(ctx, club)
    page = admin.get("/admin/reports")
    assert WORDS in page
    assert "Ben about Ann" in page
    where = re.search(r'action="(/admin/reports/\w+)"', page)
    assert where
    admin.post(where[1], note="We talked to them.")
    page = admin.get("/admin/reports")
    assert "We talked to them." in page
    assert where[1] not in page
    assert "0 open." in admin.get("/admin")
    admin.post("/admin/reports/aaaaaaaaaaaaaaaa", 404)


def test_a_record_is_brought_in(ctx: AppContext, club: Club, admin: Visitor) -> None:
    """What is no record is refused; a campaign that is there already is not brought in twice."""
    for content in (b"", b"nonsense"):
        assert 'class="problem"' in admin.upload("/admin/imports", {"record": content}, 422)
    olga = authenticate(ctx, admin.cookies["sealed_orders_session"])
    record = record_files.export(ctx, olga, club.id)
    assert 'class="problem"' in admin.upload("/admin/imports", {"record": record}, 409)
    with ctx.database.write() as session:
        session.delete(session.get_one(Campaign, club.id))
    where = admin.upload("/admin/imports", {"record": record}, 303)
    page = unescape(admin.get(where))
    assert "The Thirteen Towers" in page
    assert campaigns.get(ctx, olga, club.id).you_are_gm
