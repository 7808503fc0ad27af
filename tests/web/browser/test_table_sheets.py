"""What opens over a table game, used by taps: terrain, losses, stratagems, score, undo, the clock, the picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import httpx2
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, Position, expect

from server.http.signing import COOKIE
from tests.api.people import Person
from tests.api.tables import Game, acts_to_the_end, acts_to_the_stage, guest
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, Watch

pytestmark = pytest.mark.deep
PHONE = {"width": 390, "height": 844, "touch": True}
SIDEWAYS = {"width": 844, "height": 390, "touch": True}
SIDES = ("red", "blue")


@pytest.fixture
def client(server: Site) -> Iterator[TestClient]:
    """Programs that read and write what the phones show."""
    with httpx2.Client(base_url=server.url) as found:
        yield cast(TestClient, found)


Hold = Callable[..., Page]


@pytest.fixture
def hold(server: Site, page: OpenPage) -> Hold:
    """Give somebody's game to a phone: ``hold(person, path, **how_large)``."""

    def give(person: Person, path: str, **size: Any) -> Page:
        phone = page(**(size or PHONE))
        phone.context.add_cookies([{"name": COOKIE, "value": person.secret, "url": server.url}])
        phone.goto(path)
        return phone

    return give


def at_battle(client: TestClient, site: Site, **wanted: Any) -> Game:
    """Return a game of Combat Patrol whose battle begins, with the single model of red's on the table."""
    for _ in range(30):
        game = Game(client, "clash_of_patrols", **wanted)
        for number, (by, act) in enumerate(acts_to_the_stage(site.ctx.database, game.id, "battle")):
            game.people[by].post(f"{game.path}/acts", {"expected": number, "act": act})
        if walker(game)["state"] == "table":
            return game
    raise AssertionError("it is in reserve in every game")


def walker(game: Game) -> dict[str, Any]:
    """Return the unit of red's that is one model."""
    units: list[dict[str, Any]] = game.view("red")["view"]["units"]
    return next(unit for unit in units if unit["name"] == "Ember Walker")


def test_terrain_is_laid_in_pairs_by_tapping_and_taken_away_by_tapping_it(client: TestClient, hold: Hold) -> None:
    """Each piece has its twin opposite; both phones and the battle have it."""
    ann = guest(client, "Ann")
    path = f"/tables/{ann.post('/tables', {'mission': 'clash_of_patrols'})['id']}"
    phone = hold(ann, path)

    def terrain() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = ann.get(path)["setup"]["table"].get("terrain", [])
        return found

    picture = phone.locator(".tt-terrain img")
    phone.locator("#terrain-wood").tap()
    drawn = picture.bounding_box()
    assert drawn is not None
    place = Position(x=drawn["width"] / 4, y=drawn["height"] / 2)
    phone.locator(".tt-terrain").tap(position=place)
    expect(phone.locator("#terrain-clear")).to_be_visible()
    one, two = terrain()
    width, height = (44, 30)
    assert one["kind"] == two["kind"] == "wood"
    assert [[width - x, height - y] for x, y in one["polygon"]] == two["polygon"]
    phone.locator(".tt-terrain").tap(position=place)
    expect(phone.locator("#terrain-clear")).to_have_count(0)
    assert terrain() == []
    phone.locator("#terrain-hedge").tap()
    phone.locator(".tt-terrain").focus()
    for key in ("ArrowRight", "Enter"):
        phone.keyboard.press(key)
    expect(phone.locator("#terrain-clear")).to_be_visible()
    assert [piece["kind"] for piece in terrain()] == ["hedge", "hedge"]


@pytest.mark.parametrize("mission", ["clash_of_patrols", "patrol"])
def test_the_score_is_shown_by_round_and_by_what_brought_it(
    client: TestClient, server: Site, hold: Hold, axe: CheckAxe, mission: str
) -> None:
    """Bars, sums and the sentence above the button say what the referee counted, and name no id."""
    game = Game(client, mission)
    for number, (by, act) in enumerate(acts_to_the_end(server.ctx.database, game.id, seed=1)):
        game.people[by].post(f"{game.path}/acts", {"expected": number, "act": act})
    view = game.view("red")["view"]
    vp, log = view["vp"], view["vp_log"]
    assert sum(vp.values()) > 0
    phone = hold(game.red, game.path)
    painted = "Painted armies: " if mission == "clash_of_patrols" else ""
    expect(phone.locator("#verdict")).to_contain_text(f"{vp['red']} to {vp['blue']}. {painted}")
    expect(phone.locator("#confirm-result")).to_contain_text(f"Agree: {vp['red']} to {vp['blue']}")
    expect(phone.locator('[id^="tt-undo-"]')).to_have_text("Edit")
    phone.locator("#tt-score").tap()
    sheet = phone.locator("#tt-sheet[open]")
    for place, side in enumerate(SIDES):
        expect(sheet.locator(".tt-sums .sum td").nth(place)).to_have_text(str(vp[side]))
        rows = sheet.locator(f".tt-sums tr:not(.sum) td.{side}").all_inner_texts()
        assert sum(map(int, rows)) == vp[side]
        by_round = sheet.locator(f".tt-bars i.{side}").all_inner_texts()
        told = [
            sum(one["vp"] for one in log if (one["player"], one["round"]) == (side, n + 1))
            for n in range(len(by_round))
        ]
        assert [int(each) for each in by_round] == told
    expect(sheet.locator(".tt-bars small").last).to_have_text(f"{vp['red']}–{vp['blue']}")
    assert re.findall(r"\b[rb]\d\b", sheet.inner_text()) == []
    axe(phone)


def test_losses_are_counted_from_what_is_left_and_the_last_model_has_its_own_words(
    client: TestClient, server: Site, hold: Hold
) -> None:
    """A single model loses wounds. Nothing is lost before somebody says how many."""
    game = at_battle(client, server)
    unit = walker(game)
    phone = hold(game.red, game.path)
    phone.locator("#tt-lost-red").tap()
    card = phone.locator(f'#tt-sheet [data-unit="{unit["id"]}"]')
    expect(card).to_contain_text("8 wounds left")
    card.tap()
    more = phone.get_by_role("button", name="One more")
    more.tap()
    more.tap()
    send = phone.locator("#do-act")
    expect(send).to_have_text("Report 3 lost: 5 left")
    for _ in range(9):
        more.tap()
    expect(send).to_have_text("Report Ember Walker destroyed")
    phone.get_by_role("button", name="One fewer").tap()
    expect(send).to_have_text("Report 7 lost: 1 left")
    send.tap()
    expect(phone.locator("#tt-sheet[open]")).to_have_count(0)
    assert (walker(game)["state"], walker(game)["wounds_now"]) == ("table", 1)


def test_stratagems_are_a_list_of_names_with_their_cost(client: TestClient, server: Site, hold: Hold) -> None:
    """Three taps pay for one; there is nothing to type."""
    game = at_battle(client, server)
    turn = game.view("red")["view"]["turn"]
    game.act(turn, do="gain", cp=1)
    before = game.view(turn)["view"]["cp"][turn]
    phone = hold(game.people[turn], game.path)
    phone.locator(f"#tt-paid-{turn}").tap()
    sheet = phone.locator("#tt-sheet[open]")
    offered = sheet.locator("[data-stratagem]:not([disabled])")
    assert offered.count() > 2
    assert sheet.locator("input, textarea").count() == 0
    name = offered.first.locator("b").inner_text()
    cost = int(re.findall(r"\d+", offered.first.locator("i").inner_text())[0])
    offered.first.tap()
    phone.locator("#do-act").tap()
    expect(sheet).to_have_count(0)
    assert game.view(turn)["view"]["cp"][turn] == before - cost
    phone.locator('[data-tab="log"]').tap()
    expect(phone.locator("#tt-panel")).to_contain_text(name)


def test_two_who_ask_to_undo_at_once_agree(client: TestClient, server: Site, hold: Hold, watch: Watch) -> None:
    watch.forgive("412")
    game = at_battle(client, server)
    turn = game.view("red")["view"]["turn"]
    before = game.view("red")["view"]["cp"][turn]
    game.act(turn, do="gain", cp=1)
    phones = [hold(game.people[side], game.path) for side in SIDES]
    for phone, side in zip(phones, SIDES, strict=True):
        phone.locator(f"#tt-undo-{side}").tap()
        expect(phone.locator("#tt-ask-undo")).to_be_visible()
    for phone in phones:
        phone.evaluate("document.getElementById('tt-ask-undo').click()")
    for phone in phones:
        expect(phone.locator("#tt-sheet[open]")).to_have_count(0)
        expect(phone.locator("#tt-undo")).to_be_hidden()
        expect(phone.locator(".toast.bad")).to_have_count(0)
    assert game.view("red")["view"]["cp"][turn] == before


def test_a_phone_that_lies_sideways_is_a_chess_clock(client: TestClient, server: Site, hold: Hold) -> None:
    """The half of whoever is awaited is lit and does the next step; the time stops in a pause."""
    game = at_battle(client, server, minutes=40)
    turn = game.view("red")["view"]["turn"]
    other = next(side for side in SIDES if side != turn)
    phone = hold(game.people[turn], game.path, **SIDEWAYS)
    clock = phone.locator("#tt-chess")
    expect(clock).to_be_visible()
    expect(clock.locator("time")).to_have_count(2)
    expect(phone.locator(f"#chess-{turn}")).to_have_class(re.compile(r"\bon\b"))
    expect(phone.locator(f"#chess-{other}")).to_be_disabled()
    phone.locator("#chess-pause").tap()
    expect(clock.locator("time.still")).to_have_count(2)
    phone.locator("#chess-pause").tap()
    expect(clock.locator("time.still")).to_have_count(0)
    phone.locator(f"#chess-{turn}").tap()
    expect(phone.locator(f"#chess-{other}")).to_have_class(re.compile(r"\bon\b"))


def test_the_picture_is_turned_for_this_phone_and_names_units_close_up(
    client: TestClient, server: Site, hold: Hold
) -> None:
    game = at_battle(client, server)
    phone = hold(game.red, game.path)
    picture = phone.locator("#tt-board img")
    turned = "turned=true" in str(picture.get_attribute("src"))
    phone.locator("#tt-turn").tap()
    now = re.compile(r"^(?!.*turned=true)" if turned else "turned=true")
    expect(picture).to_have_attribute("src", now)
    phone.reload()
    expect(picture).to_have_attribute("src", now)
    expect(picture).not_to_have_attribute("src", re.compile("names=true"))
    closer = phone.locator(".tt-zoom-in")
    closer.tap()
    closer.tap()
    expect(picture).to_have_attribute("src", re.compile("names=true"))
    bob = hold(game.blue, game.path)
    assert ("turned=true" in str(bob.locator("#tt-board img").get_attribute("src"))) is not turned
