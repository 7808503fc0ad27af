"""Every kind of game on two phones, from the invitation to the result, by taps alone.

A few are played for every change; ``SEALED_ORDERS_LONG=1`` (``make deep``) plays all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import cast

import httpx2
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from server.http.signing import COOKIE, GUEST_COOKIE
from tests.api.people import sign_up
from tests.api.tables import Game, acts_to_the_stage, guest
from tests.api.test_table_records import mission_file
from tests.web.browser.conftest import OpenPage, Site, Watch
from tests.web.browser.table_hands import Phone, invite, join_as_guest

PHONE = {"width": 390, "height": 844, "touch": True}
LONG = os.environ.get("SEALED_ORDERS_LONG") == "1"
KINDS = ("clash_of_patrols", "ambush", "sabotage", "blitz", "rescue", "patrol", "dhorak_pass", "normal_battle")
"""Combat Patrol; concealed deployment; Sentries; Sustained Assault; the campaign's battle, normal and by scenario."""
MOST_STEPS, IDLE = 600, 3


@pytest.fixture
def phones(page: OpenPage) -> tuple[Phone, Phone]:
    """Two phones, nobody signed in."""
    return Phone(page(**PHONE)), Phone(page(**PHONE), last=True)


def play(ann: Phone, bob: Phone) -> None:
    """Play to the end, and agree on the result."""
    idle = 0  # a phone may be drawn anew at the very moment
    for _ in range(MOST_STEPS):
        idle = 0 if any([ann.step(), bob.step()]) else idle + 1
        if idle == IDLE or ann.status() == "over":
            break
    assert ann.status() == "over", ann.stage()
    for phone in (ann, bob):
        phone.confirm()
    assert bob.status() == "closed"


@pytest.mark.deep
@pytest.mark.parametrize("mission", KINDS)
def test_two_phones_play_every_kind_to_its_end(phones: tuple[Phone, Phone], mission: str) -> None:
    ann, bob = phones
    join_as_guest(bob, invite(ann, "Ann", mission), "Bob")
    ann.bring_sample_army()
    ann.start()
    play(ann, bob)


@pytest.mark.deep
def test_a_patrol_phase_goes_on_into_its_battle(phones: tuple[Phone, Phone]) -> None:
    """One game: patrol markers, jump-off points, then the battle it was for."""
    ann, bob = phones
    ann.page.goto("/tables/new")
    ann.page.get_by_label("Patrol phase first").check()
    ann.page.locator('input[name="guest"]').fill("Ann")
    ann.tap('button[name="mission"][value="clash_of_patrols"]')
    code = ann.page.locator(".tt-join-code").inner_text().replace(" ", "")
    join_as_guest(bob, code, "Bob")
    ann.bring_sample_army()
    ann.start()
    stages: list[str] = []
    for _ in range(MOST_STEPS):
        stages.append(ann.stage())
        if stages[-1] == "battle" or not any([ann.step(), bob.step()]):
            break
    assert stages.index("patrol") < stages.index("jump_offs") < stages.index("battle")
    play(ann, bob)


@pytest.mark.deep
def test_one_phone_is_offline_half_the_time(phones: tuple[Phone, Phone], watch: Watch) -> None:
    """Nothing is lost and nothing is done twice: what it did without a network is sent once it is back."""
    for words in ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "412"):
        watch.forgive(words)
    ann, bob = phones
    join_as_guest(bob, invite(ann, "Ann", "clash_of_patrols"), "Bob")
    ann.bring_sample_army()
    ann.start()
    bob.settle()
    acts = 0
    for turn in range(MOST_STEPS):
        if turn % 2 and ann.page.locator("#next-step").count() and ann.stage() == "battle":
            ann.page.context.set_offline(True)
            before = bob.acts()
            ann.tap("#next-step")
            if ann.page.locator("#tt-sheet[open]").count():
                ann.fill_sheet()
            assert bob.acts() == before
            ann.page.context.set_offline(False)
            ann.page.evaluate("dispatchEvent(new Event('online'))")
            expect(ann.page.locator("#tt-waiting")).to_be_hidden()
            bob._until(lambda wanted=before + 1: bob.acts() == wanted)  # type: ignore[misc]
            acts += 1
        elif not any([bob.step(), ann.step()]):
            break
    assert ann.status() == "over"
    assert acts > 5


def test_against_the_dice_by_taps_alone(page: OpenPage, server: Site) -> None:
    """Terrain, scenario, a card for each unit, a tally, the end of the turn: the filled button leads through all."""
    with httpx2.Client(base_url=server.url) as client:
        ann = guest(cast(TestClient, client), "Ann")
    phone = Phone(page(**PHONE))
    phone.page.context.add_cookies([{"name": GUEST_COOKIE, "value": ann.secret, "url": server.url}])
    phone.page.goto("/tables/new")
    phone.tap(phone.page.get_by_label("Solo against the dice"))
    phone.tap('button[name="mission"][value="posture"]')
    for left in (1, 0):
        phone.tap(".tt-army button.primary")
        expect(phone.page.locator(".tt-army button.primary")).to_have_count(left)
    phone.start_solo()
    for turn in range(11 if LONG else 2):
        while "End turn" not in phone.page.locator("#next-step").inner_text():
            phone.step_solo()
        phone.tap("#tt-worksheet")
        phone.tap('[id^="more-B-"]')
        expect(phone.page.locator("#next-step")).to_contain_text(
            f"{'0' if turn == 0 else f'+{turn}'} becomes +{turn + 1}"
        )
        phone.step_solo()
    view = phone.page.request.get(f"/api/v1/tables{phone.id}/view").json()["view"]
    assert (view["rules"]["score"], view["stage"]) == ((11, "over") if LONG else (2, "battle"))


@pytest.fixture
def at_formations(server: Site) -> Iterator[Game]:
    """A game of Combat Patrol in which both are to declare their formations."""
    with httpx2.Client(base_url=server.url) as client:
        game = Game(cast(TestClient, client), "clash_of_patrols")
        for by, act in acts_to_the_stage(server.ctx.database, game.id, "formations"):
            game.act(by, **act)
        yield game


def test_formations_are_one_sheet_that_is_opened_again_and_units_are_placed_by_two_taps(
    page: OpenPage, server: Site, at_formations: Game, watch: Watch
) -> None:
    """Two named halves, a leader, a seal that is broken; then a unit is placed with its distances on the button."""
    watch.forgive("412")  # whoever comes second with what they know looks again
    game = at_formations
    phones = {}
    for side in ("red", "blue"):
        phone = Phone(page(**PHONE))
        phone.page.context.add_cookies([{"name": GUEST_COOKIE, "value": game.people[side].secret, "url": server.url}])
        phone.page.goto(game.path)
        phones[side] = phone
    red, blue = phones["red"], phones["blue"]
    red.tap("#next-step")
    red.tap('[data-form="split-r2"] button:nth-of-type(2)')
    red.tap('[data-form="with-r1"] button:has-text("II")')
    red.tap("#do-act")
    expect(blue.page.locator("#tt-stage")).to_be_visible()
    red.tap(red.page.get_by_role("button", name="Break my seal"))
    red.tap("#next-step")
    expect(red.page.locator('[data-form="split-r2"] [aria-pressed="true"]')).to_contain_text("Two units of 5")
    red.tap("#do-act")
    blue.tap("#next-step")
    blue.tap("#do-act")
    expect(blue.page.locator("#tt-sheet[open]")).to_have_count(0)
    names = [unit["name"] for unit in game.view("red")["view"]["units"]]
    assert {"Ash Wardens I", "Ash Wardens II"} <= set(names)
    turn = game.view("red")["view"]["turn"]
    placing = phones[turn]
    expect(placing.page.locator("#tt-strip.tap")).to_be_visible()
    placing.taps = 0
    assert placing.step()
    assert placing.taps == 2
    assert sum(unit["at"] is not None for unit in game.view(turn)["view"]["units"]) == 1


def test_an_own_mission_is_found_with_its_map_and_started(page: OpenPage, server: Site) -> None:
    with httpx2.Client(base_url=server.url) as client:
        ann = sign_up(cast(TestClient, client), "Ann")
        ann.post("/missions", {"source": mission_file("the_ford")})
    phone = Phone(page(**PHONE))
    phone.page.context.add_cookies([{"name": COOKIE, "value": ann.secret, "url": server.url}])
    phone.page.goto("/tables/new")
    own = phone.page.locator('#own-missions button[value="the_ford"]')
    expect(own.locator("img")).to_have_js_property("complete", True)
    phone.tap(own)
    drawn = phone.page.locator("img.tt-map")
    expect(drawn).to_be_visible()
    assert drawn.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
