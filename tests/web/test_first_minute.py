"""The first minute: playing without an account, inviting friends by a link, keeping what one has."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlalchemy.engine import URL

from server.app import create_app
from server.play.context import AppContext
from server.store.tables import User
from server.web.templating import STATIC
from tests.api.conftest import settings_for
from tests.api.people import PASSWORD
from tests.web.conftest import Visits
from tests.web.visitor import Visitor


def people(client: TestClient) -> int:
    ctx: AppContext = client.app.state.server.ctx  # type: ignore[attr-defined]
    with ctx.database.read() as session:
        return session.scalar(select(func.count()).select_from(User)) or 0


def with_friends(visitor: Visits, name: str = "Robin") -> tuple[Visitor, str, str]:
    """Let a guest make a campaign for friends; returns them, the campaign's address, and the link's path."""
    robin = visitor()
    form: dict[str, str] = {"with": "friends", "name": name, "pace": "daily", "time_zone": "Europe/Berlin"}
    invite = robin.post("/play", 303, **form)
    page = robin.get(invite)
    link = re.search(r'id="link" value="http://[^/]+(/join/[^"]+)"', page)
    assert link
    return robin, invite.removesuffix("/invite"), link[1]


def test_nobody_who_only_looks_is_made_a_guest(visitor: Visits, client: TestClient) -> None:
    stranger = visitor()
    for path in ("/", "/play", "/play?with=friends", "/sign-up"):
        stranger.get(path)
    assert not stranger.cookies
    assert people(client) == 0


def test_play_now_leads_to_the_map(visitor: Visits) -> None:
    robin = visitor()
    assert 'href="/play"' in robin.get("/")
    table = robin.post("/play", scenario="the-pass", length="short", opponents="easy", time_zone="Mars/Olympus")
    assert table.endswith("/table")
    assert "Frontier" in robin.get(table.removesuffix("/table"))
    assert "The Pass" in robin.get("/")
    strange = visitor().post("/play", scenario="nowhere", length="forever", opponents="gods")
    assert strange.endswith("/table"), "what is not understood has its default"


@pytest.mark.parametrize("closed", [{"sign_up": "closed"}, {"guests_per_day": 0}])
def test_without_guests_the_door_is_shown(url: URL, closed: dict[str, object]) -> None:
    with TestClient(create_app(settings_for(url, **closed)), base_url="http://127.0.0.1:8000") as client:
        robin = Visitor(client)
        robin.get("/")
        assert robin.post("/play").startswith("/sign-up")
        assert people(client) == 0


def test_a_friend_takes_a_seat_with_a_name_and_one_button(visitor: Visits) -> None:
    robin, campaign, link = with_friends(visitor)
    ada = visitor(language="de")
    page = ada.get(link)
    assert "Dein Name" in page
    assert ada.post(link, name="Ada") == campaign
    assert "Ada" in robin.get(f"{campaign}/invite/who")
    assert "Start with 2 players and 2 computers" in robin.get(f"{campaign}/invite")
    late = visitor()
    assert "already has that name" in late.post(link, 409, name="Ada")
    assert not late.cookies, "who was refused is nobody's guest"
    assert robin.post(f"{campaign}/gm/start", computers="1") == f"{campaign}/table"
    assert robin.get(f"{campaign}/table")


def test_a_friend_who_comes_later_takes_a_computers_seat_over(visitor: Visits) -> None:
    robin, campaign, link = with_friends(visitor)
    robin.post(f"{campaign}/gm/start", computers="1")
    ada = visitor()
    assert "Your name" in ada.get(link)
    assert "already has that name" in visitor().post(link, 409, name="robin")
    assert ada.post(link, name="Ada") == campaign
    assert "Ada" in robin.get(f"{campaign}/players")
    assert ada.get(f"{campaign}/table")


def test_the_link_of_a_campaign_without_guests_asks_for_an_account(visitor: Visits) -> None:
    ann = visitor("Ann")
    campaign = ann.post("/campaigns/new", name="Club", scenario="the-pass", ruleset="frontier", who="people",
                        deadlines__kind="none").partition("?")[0]  # fmt: skip
    ann.post(f"{campaign}/gm/code", 200)
    link = re.search(r"/join/[^\"<]+", ann.get(f"{campaign}/invite"))
    assert link
    stranger = visitor()
    assert "/sign-in?next=/join/" in stranger.get(link[0])
    assert stranger.post(link[0], name="Ada").startswith("/sign-in")


def test_a_campaign_begins_with_one_player_and_never_with_a_dead_button(visitor: Visits) -> None:
    ann = visitor("Ann")
    campaign = ann.post("/campaigns/new", name="Club", scenario="four-corners", ruleset="frontier", who="people",
                        deadlines__kind="none").partition("?")[0]  # fmt: skip
    page = ann.get(campaign)
    assert "disabled" not in page.partition('id="gather"')[2].partition("</section>")[0]
    assert ann.post(f"{campaign}/gm/sit") == f"{campaign}/invite"
    assert "Start with 3 computers" in ann.get(campaign)
    assert ann.post(f"{campaign}/gm/start", computers="1") == f"{campaign}/table"


def test_a_guest_keeps_the_game(visitor: Visits) -> None:
    robin, campaign, _ = with_friends(visitor)
    assert "Keep this game" in robin.get(campaign)
    assert robin.post("/sign-out") == "/keep"
    assert robin.get("/settings", 303) == ""
    assert "Must have 8 to 256 characters." in robin.post("/keep", 422, name="Robin Hood", password="short")
    assert robin.post("/keep", name="Robin Hood", password=PASSWORD, next=campaign) == campaign
    page = robin.get(campaign)
    assert "Everything is still here." in page
    assert "Robin Hood" in page
    again = visitor()
    again.get("/sign-in")
    assert again.post("/sign-in", name="Robin Hood", password=PASSWORD, next=campaign) == campaign


def test_signing_in_takes_over_what_the_guest_has(visitor: Visits) -> None:
    visitor().post("/sign-up", name="Ann", password=PASSWORD)
    robin, campaign, _ = with_friends(visitor)
    robin.get("/sign-in")
    assert robin.post("/sign-in", name="Ann", password=PASSWORD, next=campaign) == campaign
    assert "Invite your friends" in robin.get(campaign)


def test_a_guest_ends_what_they_have(visitor: Visits) -> None:
    robin, _, link = with_friends(visitor)
    assert robin.get("/settings/close")
    robin.post("/settings/close")
    visitor().get(link, 404)


def test_signing_up_while_signed_in_asks_first(visitor: Visits) -> None:
    ann = visitor("Ann")
    page = ann.get("/sign-up?next=/campaigns")
    assert "Continue as Ann" in page
    assert ann.post("/sign-out", next="/sign-up") == "/sign-up"


def test_a_code_is_typed_without_an_account(visitor: Visits) -> None:
    _, _, link = with_friends(visitor)
    stranger = visitor()
    assert stranger._ask("GET", f"/join?code={link.rpartition('/')[2]}").headers["location"] == link


def test_pictures_of_the_living_map_use_only_what_they_define() -> None:
    pictures = sorted((STATIC / "living").glob("*.svg"))
    assert [picture.stem.partition("-")[2] for picture in pictures] == [
        "battles", *["build", "movement", "battle_movement", "battles"] * 2
    ]  # fmt: skip
    for picture in pictures:
        text = picture.read_text("utf-8")
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r' id="([^"]+)"', text)), picture.name
        assert "style=" not in text, "pages take no styles in elements"


def test_a_form_that_is_too_old_leads_back_to_its_page(visitor: Visits) -> None:
    ann = visitor("Ann")
    ann.csrf = "old"
    response = ann._ask("POST", "/settings/profile", {"name": "Anna", "csrf_token": "old"}, headers={
        "Referer": "http://127.0.0.1:8000/settings?x=1"})  # fmt: skip
    assert (response.status_code, "Back to the page, reloaded" in response.text) == (403, True)
    assert 'href="/settings?x=1"' in response.text
    elsewhere = ann._ask(
        "POST", "/settings/profile", {"csrf_token": "old"}, headers={"Referer": "http://evil.example/x"}
    )
    assert "evil" not in elsewhere.text


def test_a_form_of_someone_signed_out_leads_back_to_its_page(visitor: Visits) -> None:
    """Seen to fail: it led to the start page, without a word of what had become of the form."""
    someone = visitor()
    at = {"Referer": "http://127.0.0.1:8000/settings?x=1"}
    response = someone._ask("POST", "/settings/profile", {"name": "Anna"}, headers=at)
    assert response.headers["location"] == "/sign-in?next=/settings%3Fx%3D1"
    assert "nothing was saved" in someone.get(response.headers["location"])
    elsewhere = someone._ask("POST", "/settings/profile", {}, headers={"Referer": "http://evil.example/settings"})
    assert elsewhere.headers["location"] == "/sign-in?next=/"


def test_who_signed_in_meanwhile_is_asked_at_the_form_to_sign_up(visitor: Visits) -> None:
    ann = visitor("Ann")
    ann.csrf = ""
    assert ann.post("/sign-up", name="Bob", password=PASSWORD) == "/sign-up"


def test_what_is_not_found_takes_an_invitation(visitor: Visits) -> None:
    assert 'action="/join"' in visitor().get("/campaigns/nowhere", 404)
