"""Words of the rules open their piece on any page; help lists them; the rulebook answers while one types."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import CheckAxe, OpenPage, Site
from tests.web.browser.war import begin, open_table


def marked(page: Page) -> None:
    """Wait until the words of a page are marked."""
    page.locator("html[data-help=ready] .term").first.wait_for(state="attached")


@pytest.mark.parametrize("dark", [False, True])
def test_the_rulebook(page: OpenPage, axe: CheckAxe, dark: bool) -> None:
    reader = page(dark=dark)
    reader.goto("/rules/frontier")
    marked(reader)
    axe(reader)
    reader.get_by_role("searchbox", name="Search the rulebook").first.fill("command po")
    expect(reader.locator("#found").get_by_role("link", name="Command post")).to_be_visible()
    reader.goto("/rules/frontier/glossary")
    marked(reader)
    axe(reader)


def test_a_word_opens_its_piece_and_the_next_one_in_it(page: OpenPage, axe: CheckAxe) -> None:
    reader = page()
    reader.goto("/rules/frontier")
    marked(reader)
    reader.locator("#the-game-on-one-page .term", has_text="BP").first.click()
    piece = reader.get_by_role("dialog", name="BP")
    expect(piece).to_contain_text("build points")
    axe(reader)
    reader.keyboard.press("Escape")
    expect(piece).to_be_hidden()
    reader.locator("#the-game-on-one-page .term", has_text="Detachments").first.click()
    inside = reader.locator("#piece")
    inside.locator(".term", has_text="units").first.click()
    expect(inside.get_by_role("heading", name="Unit")).to_be_visible()
    inside.get_by_role("button", name="Back").click()
    expect(inside.get_by_role("heading", name="Detachment")).to_be_visible()


def test_help_by_keyboard(page: OpenPage, axe: CheckAxe) -> None:
    reader = page(width=390, height=844)
    reader.goto("/rules/frontier")
    marked(reader)
    reader.locator("#help").focus()
    reader.keyboard.press("Enter")
    help_dialog = reader.get_by_role("dialog", name="Help")
    expect(help_dialog).to_be_visible()
    axe(reader)
    word = help_dialog.get_by_role("button", name="Capital", exact=True)
    word.focus()
    reader.keyboard.press("Enter")
    expect(reader.locator("#piece")).to_contain_text("lose it and you are out")
    reader.keyboard.press("Escape")
    expect(reader.locator("#piece")).to_be_hidden()
    expect(word).to_be_focused()
    expect(help_dialog).to_be_visible()


def test_words_in_a_row_stay_in_their_sentence(page: OpenPage, server: Site) -> None:
    """Seen to fail: beside a tick box, which is a row of boxes, every word of the rules became one of its own."""
    war = begin(server.ctx).until(1, "build")
    ann = page("Ann")
    ann.goto(f"/campaigns/{war.id}/gm/seats/p2")
    label = ann.locator("label.check", has_text="forces guard")
    expect(label.locator(".term")).to_have_text("forces")
    expect(label.locator("> .term")).to_have_count(0)


def test_the_table_explains_its_words_with_the_figures_of_the_campaign(page: OpenPage, server: Site) -> None:
    war = begin(server.ctx).until(1, "build")
    ann = page("Ann")
    open_table(ann, war)
    marked(ann)
    ann.locator("#dock .term", has_text="BP").first.click()
    expect(ann.locator("#piece")).to_contain_text("build points")
    ann.keyboard.press("Escape")
    ann.locator("#help").click()
    expect(ann.get_by_role("dialog", name="Help")).to_contain_text("Build: spend BP")
    link = ann.get_by_role("dialog", name="Help").get_by_role("link", name="The rules of this phase")
    expect(link).to_have_attribute("href", f"/campaigns/{war.id}/rules#1-build")
    link.click()
    expect(ann.get_by_role("heading", name="1.1 Build points")).to_be_visible()
