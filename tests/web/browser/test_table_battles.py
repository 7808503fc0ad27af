"""A campaign's battle on two phones: agreed on its page, played at the table, taken with one click each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy.engine import URL

from server.api.signing import COOKIE
from server.app import create_app
from tests.api.conftest import settings_for
from tests.store import databases
from tests.web.battlefield import Battlefield, begin
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, serving
from tests.web.browser.table_hands import Phone

PHONE = {"width": 390, "height": 844, "touch": True}


@pytest.fixture(scope="module")
def awaited() -> Iterator[tuple[URL, Battlefield]]:
    """A campaign that waits for results of the table."""
    with databases.migrated("sqlite", "table_battles") as url:
        ctx = create_app(settings_for(url)).state.server.ctx
        field = begin(ctx, until="report")
        ctx.database.close()
        yield url, field


@pytest.fixture
def server(awaited: tuple[URL, Battlefield]) -> Iterator[Site]:
    """A server of that campaign."""
    with databases.copied(awaited[0]) as url, serving(url) as site:
        yield site


def sign_in(page: Page, field: Battlefield, player: str, site: Site) -> Page:
    """Let a player's phone be signed in."""
    secret = field.secrets[field.players[player].name]
    page.context.add_cookies([{"name": COOKIE, "value": secret, "url": site.url}])
    return page


def test_two_phones_play_a_battle_of_the_campaign(
    page: OpenPage, server: Site, awaited: tuple[URL, Battlefield], axe: CheckAxe
) -> None:
    field = awaited[1]
    hex_, battle = next(iter(field.battles().items()))
    red, blue = (sign_in(page(**PHONE), field, each, server) for each in (battle.attacking, battle.defended_by))
    address, table = f"{field.path}/battles", f"#t{hex_}"
    red.goto(address)
    red.locator(f"{table} summary", has_text="mission").tap()
    red.locator(f'{table} select[name="mission"]').select_option("scorched_earth")
    red.locator(f'{table} form[action*="/mission"] button').tap()
    expect(red.locator(f"{table} .proposal")).to_contain_text("Scorched Earth")
    axe(red)
    blue.goto(address)
    blue.locator(f'{table} button[value="agree"]').tap()
    expect(blue.locator(f"{table} .facts")).to_contain_text("agreed by both")
    for phone in (red, blue):
        phone.goto(address)
        phone.locator(f"{table} header a.button").tap()
        expect(phone.locator("#start")).to_be_visible()
    ann, bob = Phone(red), Phone(blue, last=True)
    ann.start()
    expect(blue.locator("#tt-board img")).to_be_visible()
    for _ in range(400):
        if not any([ann.step(), bob.step()]):
            break
    assert ann.status() == "over"
    game = f"/api/v1/tables{ann.id}"
    for phone in (red, blue):
        phone.goto(address)
        phone.locator(f"#confirm-{hex_}").tap()
        expect(phone.locator("body")).to_contain_text("You have confirmed the result of the table.")
    assert red.request.get(game).json()["status"] == "closed"
