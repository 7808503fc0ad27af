"""The way in, in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import CheckAxe, OpenPage


def test_sign_up_and_out(page: OpenPage, axe: CheckAxe) -> None:
    seen = page()
    seen.goto("/")
    axe(seen)
    seen.goto("/sign-up")
    axe(seen)
    seen.get_by_label("Name", exact=True).fill("Ann")
    seen.get_by_label("Password at least 8 characters").fill("correct horse")
    seen.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(seen.get_by_role("heading", level=1)).to_have_text("My campaigns")
    axe(seen)
    seen.get_by_role("button", name="Sign out").click()
    expect(seen.get_by_role("status").first).to_have_text("You are signed out.")


def test_closing_ones_account_by_keyboard(page: OpenPage, axe: CheckAxe) -> None:
    seen = page()
    seen.goto("/sign-up")
    seen.get_by_label("Name", exact=True).fill("Ann")
    seen.get_by_label("Password at least 8 characters").fill("correct horse")
    seen.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(seen.get_by_role("heading", level=1)).to_have_text("My campaigns")
    seen.goto("/settings#close")
    axe(seen)
    seen.get_by_role("link", name="See the details").press("Enter")
    expect(seen.get_by_role("heading", level=1)).to_have_text("Close my account")
    axe(seen)
    seen.get_by_label("Password", exact=True).focus()
    seen.keyboard.type("correct horse")
    seen.keyboard.press("Tab")
    seen.keyboard.press("Tab")
    expect(seen.get_by_role("button", name="Close my account for good")).to_be_focused()
    seen.keyboard.press("Enter")
    expect(seen.get_by_role("status").first).to_have_text("Your account is closed. Thank you for playing.")
    expect(seen.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_a_field_that_is_missing_shows_its_label(page: OpenPage) -> None:
    """Seen to fail on a phone: the browser went to the empty field and left "Your name" above the window's edge."""
    seen = page(width=390, height=844)
    seen.goto("/tables/new")
    seen.locator("button.tt-mission").nth(1).click()
    expect(seen.locator("input[name=guest]")).to_be_focused()
    expect(seen.get_by_text("Your name")).to_be_in_viewport(ratio=1)
    assert seen.evaluate("document.querySelector('label:has([name=guest])').getBoundingClientRect().top") >= 0
