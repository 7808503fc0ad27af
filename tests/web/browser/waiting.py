"""Waiting for what happens at the table."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def phase(page: Page, name: str) -> None:
    """Wait for a phase to be the one on the table."""
    expect(page.locator("#campaign-now .badge")).to_contain_text(name)
    expect(page.locator(f'#table[data-phase="{name}"]')).to_be_attached()
    expect(page.locator(".dock-foot")).to_contain_text("Finalise orders")


def shown_phase(page: Page) -> str | None:
    """Return the phase on the table."""
    return page.locator("#table").get_attribute("data-phase")


def asked(page: Page, before: str | None) -> Locator | None:
    """Wait for what declaring final brings, and return the question if there is one.

    Otherwise the orders are final; or, where nobody else was waited for, the phase that was there *before* is over.
    """
    dialog = page.get_by_role("dialog")
    final = page.locator(".dock-foot").get_by_text("Your orders are final.")
    over = page.locator(f'#table:not([data-phase="{before}"])')
    expect(dialog.or_(final).or_(over).first).to_be_visible()
    return dialog if dialog.is_visible() else None
