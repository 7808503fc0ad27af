"""A round on two phones: whose tap is awaited, markers and losses by tapping, two taps at once, and how many taps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import httpx2
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from server.http.signing import COOKIE
from tests.api.people import Person
from tests.api.tables import Game, acts_to_the_stage
from tests.web.browser.conftest import CheckAxe, OpenPage, Site, Watch
from tests.web.browser.table_hands import Phone

PHONE = {"width": 390, "height": 844, "touch": True}
MOST_TAPS = 20
"""Of both players together, for a round without losses or stratagems."""


def hold(phone: Page, person: Person, path: str, site: Site) -> Phone:
    """Give a guest's game to a phone."""
    phone.context.add_cookies([{"name": COOKIE, "value": person.secret, "url": site.url}])
    phone.goto(path)
    held = Phone(phone)
    held.settle()
    return held


@pytest.fixture
def battle(server: Site) -> Iterator[Game]:
    """A game of Combat Patrol between Ann and Bob whose battle begins, with units of both on the table."""
    with httpx2.Client(base_url=server.url) as client:
        yield _at_battle(cast(TestClient, client), server)


def _at_battle(client: TestClient, server: Site) -> Game:
    for _ in range(20):
        game = Game(client, "clash_of_patrols")
        for number, (by, act) in enumerate(acts_to_the_stage(server.ctx.database, game.id, "battle")):
            game.people[by].post(f"{game.path}/acts", {"expected": number, "act": act})
        placed = {unit["side"] for unit in game.view("red")["view"]["units"] if unit["state"] == "table"}
        if len(placed) == 2:
            return game
    raise AssertionError("every game keeps its units in reserve")


@pytest.fixture
def phones(battle: Game, server: Site, page: OpenPage) -> tuple[Phone, Phone]:
    """The phone of whose turn it is, then the other's."""
    first = battle.view("red")["view"]["turn"]
    other = "blue" if first == "red" else "red"
    one, two = (hold(page(**PHONE), battle.people[side], battle.path, server) for side in (first, other))
    return one, two


def test_a_plain_round_takes_few_taps_and_one_phone_is_awaited_at_a_time(
    battle: Game, phones: tuple[Phone, Phone]
) -> None:
    view = battle.view("red")["view"]
    began = view["round"]
    for phone in phones:
        phone.taps = 0
    while battle.view("red")["view"]["round"] == began and not battle.view("red")["view"]["result"]:
        for phone in phones:
            phone.settle()
        awaited = [phone for phone in phones if phone.page.locator("#next-step").count()]
        assert len(awaited) == 1
        waiting = next(phone for phone in phones if phone not in awaited)
        expect(waiting.page.locator("#tt-strip")).to_contain_text("Wait")
        assert awaited[0].step()
    assert sum(phone.taps for phone in phones) <= MOST_TAPS


def test_markers_are_told_by_tapping_and_checked_with_their_figures(
    battle: Game, phones: tuple[Phone, Phone], axe: CheckAxe
) -> None:
    """The other confirms the figures, or sends a count of their own; what was not touched stays."""
    active, other = phones
    turn = battle.view("red")["view"]["turn"]
    names = {"red": "Ann", "blue": "Bob"}
    expect(active.page.locator("#tt-stage")).to_have_text("Who holds the markers?")
    expect(other.page.locator("#tt-stage")).to_have_text(f"{names[turn]} counts the markers")
    view = battle.view("red")["view"]
    marker = next(iter(view["markers"]))
    drawn = active.page.locator(".tt-told-markers g").filter(has_text=marker).first.bounding_box()
    assert drawn is not None
    active.page.touchscreen.tap(drawn["x"] + drawn["width"] / 2, drawn["y"] + drawn["height"] / 2)
    chip = active.page.locator(f'[data-marker="{marker}"]')
    expect(chip).to_contain_text(names[turn])
    axe(active.page)
    expect(active.page.locator("#next-step")).to_contain_text(f"Marker {marker}: {names[turn]}")
    active.tap("#next-step")
    expect(other.page.locator("#next-step")).to_contain_text(f"Marker {marker}: {names[turn]}")
    expect(other.page.locator("#next-step")).to_contain_text("Confirm")
    axe(other.page)
    other.tap("#tt-dispute")
    other.tap(f'[data-marker="{marker}"]')
    other.tap("#next-step")
    expect(active.page.locator("#next-step")).to_contain_text("Accept the count of")
    active.tap("#next-step")
    active.settle()
    expect(active.page.locator("#next-step")).to_contain_text("End Command")
    expect(other.page.locator("#next-step")).to_have_count(0)
    assert len(battle.view("red")["view"]["markers"]) == len(view["markers"])


def test_losses_are_reported_by_card_while_the_other_acts(
    battle: Game, phones: tuple[Phone, Phone], watch: Watch
) -> None:
    """Both at once: both count, and nothing is said over a button. The last model has words of its own."""
    watch.forgive("412")
    before = {unit["id"]: unit["models_now"] for unit in battle.view("red")["view"]["units"]}
    for phone in phones:
        phone.tap('[id^="tt-lost-"]')
        phone.tap("#tt-sheet .tt-unit-card")
        expect(phone.page.locator("#do-act")).to_contain_text("lost")
    for phone in phones:
        phone.page.evaluate("document.getElementById('do-act').click()")
    for phone in phones:
        expect(phone.page.locator("#tt-sheet[open]")).to_have_count(0)
        expect(phone.page.locator(".toast.bad")).to_have_count(0)
    after = {unit["id"]: unit["models_now"] for unit in battle.view("red")["view"]["units"]}
    assert sum(before.values()) - sum(after.values()) == 2


def test_a_tap_on_an_older_state_is_not_carried_out_and_says_what_changed(
    battle: Game, phones: tuple[Phone, Phone], watch: Watch
) -> None:
    """The API's refusal is not shown over the button."""
    watch.forgive("412")
    active, other = phones
    active.step()
    other.settle()
    acts = other.acts()
    for phone in phones:  # neither hears of the other
        phone.page.route("**/stream*", lambda route: route.abort())
    turn = battle.view("red")["view"]["turn"]
    battle.act(turn, do="gain", cp=1)
    other.page.evaluate("document.getElementById('next-step').click()")
    expect(other.page.locator(".toast")).to_contain_text("tap again")
    expect(other.page.locator(".toast.bad")).to_have_count(0)
    assert other.acts() == acts + 1


def test_an_undo_is_asked_for_and_allowed(battle: Game, phones: tuple[Phone, Phone]) -> None:
    """Two taps each; the other phone says who asks, and what would be undone."""
    active, other = phones
    turn = battle.view("red")["view"]["turn"]
    before = battle.view(turn)["awaiting"]["for"]
    assert active.step()
    other.settle()
    active.tap('[id^="tt-undo-"]')
    active.tap("#tt-ask-undo")
    expect(active.page.locator("#tt-undo")).to_contain_text("You asked")
    expect(other.page.locator("#tt-undo")).to_contain_text("asks to undo")
    other.tap("#tt-allow-undo")
    expect(other.page.locator("#tt-undo")).to_be_hidden()
    other.settle()
    assert battle.view(turn)["awaiting"]["for"] == before
