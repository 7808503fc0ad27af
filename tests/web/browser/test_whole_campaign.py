"""A whole campaign in one go, by finger; in `make deep` by mouse and by keys alone, too.

Somebody new signs up and creates it, two others join, they place, play a turn of all phases with a battle on the table,
begin the next one, look back; then the game master rolls back. No page on the way may complain, nor axe of it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from server.play.accounts import accounts, tokens
from server.play.context import Actor
from server.play.orders import orders
from server.play.views import positions
from tests.api.people import PASSWORD
from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.hands import HANDS, Finger, Hand
from tests.web.browser.waiting import asked, phase, shown_phase
from tests.web.browser.war import UNITS, ready, saved

LONG = os.environ.get("SEALED_ORDERS_LONG") == "1"
CAPITAL, OUTPOST, PASS, TARGET = "1003", "0806", "0706", "0707"
"""Where Ann lives, where her march to the pass begins and ends, and where Ben comes to meet her."""


@dataclass(slots=True)
class Ben:
    """The other player, whose orders go to the server without a page."""

    site: Site
    campaign: str

    def orders(self, *given: dict[str, object]) -> None:
        """Hand orders in and declare them final."""
        orders.replace(self.site.ctx, self.actor(), self.campaign, list(given), final=True)

    def force(self) -> str:
        """Return the id of his detachment."""
        legal = positions.legal(self.site.ctx, self.actor(), self.campaign)
        found: str = next(each["order"]["detachment"] for each in legal if each["order"]["type"] == "path")
        return found

    def actor(self) -> Actor:
        """Return him as the use cases know him."""
        ctx = self.site.ctx
        return tokens.authenticate(ctx, accounts.sign_in(ctx, "Ben", PASSWORD).token.secret)


@pytest.mark.parametrize("kind", HANDS if LONG else (Finger,), ids=lambda hand: hand.name)
def test_a_whole_campaign(page: OpenPage, server: Site, axe: CheckAxe, kind: type[Hand]) -> None:
    gwen = kind(page(**kind.device))
    sign_up(gwen, axe)
    create(gwen, axe)
    link = invite(gwen, axe)
    ann, ben = kind(page(**kind.device)), kind(page("Ben", **kind.device))
    join_as_somebody_new(ann, link, axe)
    join(ben, link, "Eldar")
    begin(gwen, axe)

    him = Ben(server, campaign_of(gwen.page))
    place(ann, axe)
    him.orders(
        {"type": "place", "what": "capital", "at": "0409"},
        {"type": "build_detachment", "at": "0607", "units": UNITS},
    )
    build(ann, axe)
    him.orders()
    march(ann, axe)
    him.orders({"type": "path", "detachment": him.force(), "path": [TARGET]})
    attack(ann, axe)
    him.orders()
    choose_the_table(ann, axe)
    him.orders({"type": "fight", "battle": TARGET, "mode": "tabletop"})
    report(ann, axe)
    confirm(ben, axe)
    begin_the_next_turn(ann)
    him.orders()
    look_back(ann, axe)
    roll_back(gwen, axe)
    ann.press(tab(ann, "Map and orders"))
    ready(ann.page)
    phase(ann.page, "Movement")
    axe(ann.page)


def campaign_of(page: Page) -> str:
    """Return the campaign whose page it is."""
    return page.url.partition("/campaigns/")[2].partition("/")[0]


def tab(hand: Hand, name: str) -> Locator:
    """Return the link to one of a campaign's pages."""
    return hand.page.get_by_role("navigation", name="This campaign").get_by_role("link", name=name)


def heading(hand: Hand, words: str) -> None:
    """Wait for a page of that title."""
    expect(hand.page.get_by_role("heading", level=1)).to_have_text(words)


# --- the way in ---


def sign_up(gwen: Hand, axe: CheckAxe) -> None:
    gwen.page.goto("/")
    axe(gwen.page)
    gwen.press(gwen.page.get_by_role("link", name="Sign in").first)
    gwen.press(gwen.page.get_by_role("main").get_by_role("link", name="Sign up").first)
    heading(gwen, "Sign up")
    axe(gwen.page)
    fill_in(gwen, "Gwen")
    heading(gwen, "My campaigns")
    axe(gwen.page)


def fill_in(hand: Hand, name: str) -> None:
    """Fill in the form for a new account."""
    hand.write(hand.page.get_by_label("Name", exact=True), name)
    hand.write(hand.page.locator("#password"), PASSWORD)
    hand.press(hand.page.get_by_role("main").get_by_role("button", name="Sign up"))


def create(gwen: Hand, axe: CheckAxe) -> None:
    page = gwen.page
    gwen.press(page.get_by_role("main").get_by_role("link", name="Create a campaign").first)
    heading(gwen, "Create a campaign")
    gwen.write(page.get_by_label("Name", exact=True), "The Long March")
    gwen.mark(page.get_by_role("radio", name="The Pass"))
    gwen.mark(page.get_by_role("radio", name=re.compile("^No clock")))
    gwen.press(page.get_by_text("More options"))
    axe(page)
    gwen.press(page.get_by_role("button", name="Create the campaign"))
    heading(gwen, "The Long March")
    axe(page)


def invite(gwen: Hand, axe: CheckAxe) -> str:
    gwen.press(gwen.page.get_by_role("button", name="Create an invitation link"))
    link = gwen.page.get_by_label("Send this link to your players")
    expect(link).to_be_visible()
    axe(gwen.page)
    return link.input_value()


def join_as_somebody_new(ann: Hand, link: str, axe: CheckAxe) -> None:
    ann.page.goto(link)
    heading(ann, "The Long March")
    axe(ann.page)
    ann.press(ann.page.get_by_role("main").get_by_role("link", name="Sign up"))
    fill_in(ann, "Ann")
    heading(ann, "The Long March")
    axe(ann.page)
    take(ann, "Orks")
    axe(ann.page)


def join(ben: Hand, link: str, faction: str) -> None:
    ben.page.goto(link)
    take(ben, faction)


def take(hand: Hand, faction: str) -> None:
    """Take a seat."""
    heading(hand, "The Long March")
    hand.mark(hand.page.get_by_role("radio", name=faction).first)
    hand.press(hand.page.get_by_role("button", name="Take the seat"))
    expect(hand.page.get_by_text("You are in.")).to_be_visible()


def begin(gwen: Hand, axe: CheckAxe) -> None:
    gwen.press(tab(gwen, "Overview"))
    gwen.press(gwen.page.get_by_role("link", name="Start the campaign"))
    heading(gwen, "Start the campaign")
    axe(gwen.page)
    gwen.press(gwen.page.get_by_role("button", name="Start"))
    expect(gwen.page.locator("#campaign-now .badge")).to_have_text("Setup")
    axe(gwen.page)


# --- a turn ---


def place(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    expect(page.get_by_role("link", name="Go to the map")).to_be_visible()  # by itself, as soon as it has begun
    ann.press(page.get_by_role("link", name="Go to the map"))
    ready(page)
    axe(page)
    ann.pick(CAPITAL)
    ann.press(page.get_by_role("button", name="Place: Capital"))
    expect(page.get_by_role("tab", name="Orders (1)")).to_be_visible()
    ann.pick(OUTPOST)
    axe(page)
    ann.press(page.get_by_role("button", name="New detachment"))
    editor = page.get_by_role("dialog", name="A detachment in")
    ann.write(editor.get_by_label("Name", exact=True).first, "First Column")
    axe(page)
    ann.press(editor.get_by_role("button", name="Give the order"))
    expect(editor).to_have_count(0)
    declare_final(ann)
    expect(page.get_by_text("Your orders are final.").first).to_be_visible()
    axe(page)


def build(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase(page, "Build")
    ann.pick(CAPITAL)
    ann.press(page.get_by_role("tab", name="Buildings"))
    barracks = page.get_by_role("button", name="Build: Barracks")
    ann.press(barracks)
    expect(barracks).to_have_count(0)
    ann.press(page.get_by_role("tab", name="Orders (1)"))
    expect(page.get_by_role("button", name="Barracks in 1003", exact=True)).to_be_visible()
    axe(page)
    declare_final(ann)


def march(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase(page, "Movement")
    ann.march(OUTPOST, PASS)
    expect(page.locator(".walk")).to_contain_text(f"Ends in Carrick Pass ({PASS}).")
    axe(page)
    declare_final(ann)


def attack(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase(page, "Battle orders")
    ann.press(page.get_by_role("button", name="First Column", exact=True).first)
    ann.mark(page.get_by_role("radio", name="Attack", exact=True))
    ann.aim(TARGET)
    expect(page.get_by_text("Support from these hexes counts as")).to_be_visible()
    axe(page)
    declare_final(ann)


def choose_the_table(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase(page, "Battles")
    axe(page)
    ann.press(tab(ann, "Battles"))
    battle = page.get_by_role("article", name=re.compile(f"Battle of .*{TARGET}"))
    ann.mark(battle.get_by_label("On the table"))
    ann.press(battle.get_by_role("button", name="Save order"))
    expect(page.get_by_text("Battle order saved")).to_be_visible()
    axe(page)
    ann.press(battle.get_by_role("link", name="Finalise all orders"))
    ann.press(page.locator("#final").get_by_role("button", name="Finalise orders"))
    expect(page.locator("#final").get_by_role("button", name="Reopen orders")).to_be_visible()
    axe(page)


def report(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase_over(page, "Tabletop results")
    ann.press(tab(ann, "Battles"))
    battle = page.get_by_role("article", name=re.compile(f"Battle of .*{TARGET}"))
    ann.press(battle.get_by_text("Report the result", exact=True))  # by hand, instead of the referee at the table
    ann.mark(battle.get_by_role("radio", name="Ann"))
    ann.write(battle.get_by_role("spinbutton", name="Models lost").first, "1")
    axe(page)
    ann.press(battle.get_by_role("button", name="Report", exact=True))
    expect(page.get_by_text("Report sent")).to_be_visible()


def phase_over(page: Page, name: str) -> None:
    """Wait for a phase in which the table wants nothing."""
    expect(page.locator("#campaign-now .badge")).to_contain_text(name)


def confirm(ben: Hand, axe: CheckAxe) -> None:
    page = ben.page
    ben.press(page.get_by_role("link", name="My campaigns"))
    heading(ben, "My campaigns")
    axe(page)
    ben.press(page.get_by_role("link", name="The Long March"))
    ben.press(tab(ben, "Battles"))
    heading(ben, "Battles")
    axe(page)
    ben.press(page.get_by_role("button", name="Confirm the result"))
    expect(page.get_by_text("Result confirmed.")).to_be_visible()
    axe(page)


def begin_the_next_turn(ann: Hand) -> None:
    ann.press(tab(ann, "Map and orders"))
    ready(ann.page)
    expect(ann.page.locator("#campaign-now .badge")).to_contain_text("Turn 2 · Build")
    declare_final(ann)


# --- looking back ---


def look_back(ann: Hand, axe: CheckAxe) -> None:
    page = ann.page
    phase(page, "Movement")
    ann.press(tab(ann, "Reports"))
    heading(ann, "Reports")
    axe(page)
    ann.press(page.get_by_role("link", name="History", exact=True))
    replay = page.locator("#replay")
    expect(replay).to_have_attribute("data-shown", "7")
    axe(page)
    ann.slide(page.get_by_role("slider", name="Phase"), 1)
    expect(replay).to_have_attribute("data-shown", "1")
    expect(page.locator("#when")).to_have_text("Setup")
    ann.choose(page.get_by_label("Speed"), "½×")  # there is time to press Stop before it comes to its end
    ann.press(page.get_by_role("button", name="Play"))
    expect(replay).to_have_attribute("data-shown", "2")
    ann.press(page.get_by_role("button", name="Stop"))
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def roll_back(gwen: Hand, axe: CheckAxe) -> None:
    page = gwen.page
    gwen.press(tab(gwen, "Game master"))
    heading(gwen, "Game master")
    axe(page)
    gwen.press(page.get_by_role("link", name="Go back to turn 1, Movement"))
    expect(page.get_by_text("Turn 1, Movement reopens exactly as it first opened")).to_be_visible()
    axe(page)
    gwen.write(page.get_by_label("Why?"), "We forgot the snow.")
    gwen.press(page.get_by_role("button", name="Roll back"))
    expect(page.get_by_text("Branch 2", exact=True)).to_be_visible()
    axe(page)


def declare_final(hand: Hand) -> None:
    """Finalise the orders, and say yes if asked."""
    page = hand.page
    saved(page)
    before = shown_phase(page)
    hand.press(page.locator(".dock-foot").get_by_role("button", name="Finalise orders"))
    if question := asked(page, before):
        hand.press(question.get_by_role("button", name=re.compile("Finalise (orders|anyway)")))
